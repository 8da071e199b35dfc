package funnel.operation;

/**
 * The device does not have enough memory. Nothing was lost; the engine stays usable.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="memory"}
 */
public final class FunnelMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long neededBytes;
  private final long freeBytes;

  /**
   * An exception for a request of {@code neededBytes} where {@code freeBytes} are free.
   *
   * @param what the allocation that failed
   */
  public FunnelMemoryException(String what, long neededBytes, long freeBytes) {
    super(
        "%s needs more memory than the device has free: needed=%s bytes, free=%s bytes; use a smaller capacity, close plans, or work in chunks"
            .formatted(what, neededBytes, freeBytes));
    this.neededBytes = neededBytes;
    this.freeBytes = freeBytes;
  }

  /** Bytes that were requested. */
  public long neededBytes() {
    return neededBytes;
  }

  /** Bytes that were free. */
  public long freeBytes() {
    return freeBytes;
  }
}
