package uk.ac.manchester.tornado.api.exceptions;

/** A plan could not be closed. A statement of signatures. */
public class TornadoExecutionPlanException extends Exception {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoExecutionPlanException(String reason) {
    super(reason);
  }

  /** With a message and a cause. */
  public TornadoExecutionPlanException(String message, Throwable cause) {
    super(message, cause);
  }
}
