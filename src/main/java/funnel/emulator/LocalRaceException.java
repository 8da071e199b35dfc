package funnel.emulator;

/**
 * Two threads of a group used the same element of a local array with no barrier between them, and
 * at least one of them wrote it: which one comes first is undefined on a GPU.
 *
 * {@snippet class="funnel.docs.KernelMistakesSnippets" region="race"}
 */
public final class LocalRaceException extends EmulatorException {

  private static final long serialVersionUID = 1L;

  private final int otherThread;
  private final int index;

  LocalRaceException(Place place, int otherThread, int index, String problem) {
    super(place, problem, null);
    this.otherThread = otherThread;
    this.index = index;
  }

  /** The number of the thread that used the element first; {@link #thread()} is the second. */
  public int otherThread() {
    return otherThread;
  }

  /** The element's index. */
  public int index() {
    return index;
  }
}
