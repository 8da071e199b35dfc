package funnel.bench;

import funnel.operator.ElementType;

/**
 * A histogram.
 *
 * @param type of the samples
 * @param data how they are distributed
 * @param length how many
 * @param bins how many, 0 for a copy
 */
record HistogramCase(ElementType type, SampleData data, int length, int bins) implements Case {

  HistogramCase(Samples samples, int bins) {
    this(samples.type(), samples.data(), samples.length(), bins);
  }

  /** Of the samples, of a copy read and written. */
  @Override
  public double bytes() {
    return (double) length * type.bytes() * (bins == 0 ? 2 : 1);
  }

  /** Whether as many samples of one type come into as many bins. */
  boolean isOfSameSize(HistogramCase other) {
    return type == other.type && length == other.length && bins == other.bins;
  }
}
