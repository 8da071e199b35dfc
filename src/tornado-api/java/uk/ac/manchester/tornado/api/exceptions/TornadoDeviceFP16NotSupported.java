package uk.ac.manchester.tornado.api.exceptions;

/** The device does not compute with half floats. A statement of signatures. */
public class TornadoDeviceFP16NotSupported extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With a message. */
  public TornadoDeviceFP16NotSupported(String msg) {
    super(msg);
  }
}
