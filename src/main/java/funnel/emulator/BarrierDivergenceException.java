package funnel.emulator;

/**
 * Not all threads of a group reached the same barrier, or not all lanes of a warp the same shuffle.
 * A GPU would hang or give a wrong result.
 *
 * {@snippet class="funnel.docs.KernelMistakesSnippets" region="divergence"}
 */
public final class BarrierDivergenceException extends EmulatorException {

  private static final long serialVersionUID = 1L;

  /** How the threads diverged. */
  public enum Kind {
    /** All threads of the group wait, but at different barriers. */
    DIFFERENT_BARRIERS,
    /** Some threads of the group wait at a barrier that the others never reach. */
    NOT_ALL_THREADS,
    /** Some lanes of a warp wait at a shuffle that its other lanes do not reach. */
    NOT_ALL_LANES
  }

  private final Kind kind;

  BarrierDivergenceException(Place place, Kind kind, String problem) {
    super(place, problem, null);
    this.kind = kind;
  }

  /** How the threads diverged. */
  public Kind kind() {
    return kind;
  }
}
