package funnel.bench;

import funnel.operator.ElementType;

/**
 * A histogram.
 *
 * @param type the type of the samples
 * @param data their distribution
 * @param length the number of samples
 * @param bins the number of bins, 0 for a copy
 */
record HistogramCase(ElementType type, SampleData data, int length, int bins) implements Case {

  HistogramCase(Samples samples, int bins) {
    this(samples.type(), samples.data(), samples.length(), bins);
  }

  /** The samples are read; a copy also writes them. */
  @Override
  public double bytes() {
    return (double) length * type.bytes() * (bins == 0 ? 2 : 1);
  }

  /** Whether both count equally many samples of one type in equally many bins. */
  boolean isOfSameSize(HistogramCase other) {
    return type == other.type && length == other.length && bins == other.bins;
  }
}
