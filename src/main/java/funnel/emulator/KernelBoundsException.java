package funnel.emulator;

import org.jspecify.annotations.Nullable;

/**
 * A kernel read or wrote an array outside its bounds. On a GPU this destroys the context, or
 * accesses another array's data or (at small negative indices of a TornadoVM array) the array's
 * header.
 *
 * {@snippet class="funnel.docs.KernelMistakesSnippets" region="bounds"}
 */
public final class KernelBoundsException extends EmulatorException {

  private static final long serialVersionUID = 1L;

  private final long index;
  private final long size;

  KernelBoundsException(
      Place place, String array, long index, long size, String at, @Nullable Throwable cause) {
    super(
        place,
        "index outside the array: %s, index=%s, size=%s, at %s; guard the load or store"
            .formatted(array, index, size, at),
        cause);
    this.index = index;
    this.size = size;
  }

  /** The index of the access. */
  public long index() {
    return index;
  }

  /** The number of elements of the array. */
  public long size() {
    return size;
  }
}
