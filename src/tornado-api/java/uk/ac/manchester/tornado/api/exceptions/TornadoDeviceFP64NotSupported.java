package uk.ac.manchester.tornado.api.exceptions;

/** The device does not compute with doubles. A statement of signatures. */
public class TornadoDeviceFP64NotSupported extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoDeviceFP64NotSupported(String msg) {
    super(msg);
  }
}
