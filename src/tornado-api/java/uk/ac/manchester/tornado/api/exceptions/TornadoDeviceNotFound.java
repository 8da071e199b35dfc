package uk.ac.manchester.tornado.api.exceptions;

/** There is no such device. A statement of signatures. */
public class TornadoDeviceNotFound extends TornadoRuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoDeviceNotFound(String msg) {
    super(msg);
  }
}
