package funnel.emulator;

/**
 * A group allocated more local (shared) memory than a block has on the device, or its threads did
 * not allocate the same local arrays.
 *
 * {@snippet class="funnel.docs.KernelMistakesSnippets" region="local-memory"}
 */
public final class LocalMemoryException extends EmulatorException {

  private static final long serialVersionUID = 1L;

  LocalMemoryException(Place place, String problem) {
    super(place, problem, null);
  }
}
