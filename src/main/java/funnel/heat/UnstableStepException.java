package funnel.heat;

import java.util.List;

/**
 * The time of a step is above the largest one at which errors do not grow; the message has both,
 * and what to do. Nothing has been allocated.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="unstable"}
 */
public final class UnstableStepException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final double dt;
  private final double limit;

  UnstableStepException(
      double dt, double limit, double diffusivity, double dx, double dy, List<Side> sides) {
    super(
        "errors would grow: dt=%s is above the limit=%s at diffusivity=%s, dx=%s, dy=%s, sides %s; use a smaller dt, largestStable, or unstable() to allow it"
            .formatted(dt, limit, diffusivity, dx, dy, sides));
    this.dt = dt;
    this.limit = limit;
  }

  /** The requested time of a step. */
  public double dt() {
    return dt;
  }

  /** The largest one that is stable. */
  public double limit() {
    return limit;
  }
}
