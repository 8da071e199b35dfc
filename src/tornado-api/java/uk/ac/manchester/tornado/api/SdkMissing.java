package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;

/**
 * Thrown by everything here that only TornadoVM itself can do. The one type in these packages that
 * is Funnel's own and not TornadoVM's; code that is also compiled against the SDK catches {@link
 * TornadoRuntimeException}.
 */
public final class SdkMissing extends TornadoRuntimeException {
  /** What is wrong and what to do. */
  public static final String MESSAGE =
      "TornadoVM SDK not found: set TORNADOVM_HOME to a TornadoVM SDK (5.2.0 for JDK 25, 6 or 7)"
          + " and start java with @$TORNADOVM_HOME/tornado-argfile; see docs/guide.md";

  private static final long serialVersionUID = 1;

  /** With {@link #MESSAGE}. */
  public SdkMissing() {
    super(MESSAGE);
  }
}
