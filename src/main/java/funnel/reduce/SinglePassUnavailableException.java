package funnel.reduce;

import funnel.operator.ElementType;

/**
 * {@link LadderVariant#SINGLE_PASS} was requested on a device where it is not known to be correct;
 * the message says what the probe of that device found.
 *
 * {@snippet class="funnel.docs.ReduceSnippets" region="unavailable"}
 */
public final class SinglePassUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ElementType type;
  private final int blockSize;
  private final SinglePassProbe.Report report;

  SinglePassUnavailableException(ElementType type, int blockSize, SinglePassProbe.Report report) {
    super(
        "variant %s over %s elements with blockSize=%d was found %s on this device (%s): use another variant, or Reduction"
            .formatted(
                LadderVariant.SINGLE_PASS.label(),
                type,
                blockSize,
                report.outcome(),
                report.detail()));
    this.type = type;
    this.blockSize = blockSize;
    this.report = report;
  }

  /** The elements' type. */
  public ElementType type() {
    return type;
  }

  /** Threads of a block. */
  public int blockSize() {
    return blockSize;
  }

  /** What the probe found for that type and block size. */
  SinglePassProbe.Report report() {
    return report;
  }
}
