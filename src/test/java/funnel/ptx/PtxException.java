package funnel.ptx;

/** What a device would answer with a fault, a hang or anything at all. */
final class PtxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PtxException(String message) {
    super(message);
  }
}
