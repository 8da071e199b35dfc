package funnel.bench;

import funnel.operator.ElementType;

/** What is computed of a stream. */
enum StreamsTask {
  /** The sum of ints. */
  REDUCE(ElementType.INT),
  /** 256 bins of the same width, of ints. */
  HISTOGRAM_INT(ElementType.INT),
  /** 256 bins, of bytes. */
  HISTOGRAM_BYTE(ElementType.BYTE),
  /** The ints that are not negative, which are half of them, to memory. */
  SELECT(ElementType.INT),
  /** The running sums of ints, to memory. */
  SCAN(ElementType.INT),
  /** The ints in ascending order, to memory. */
  SORT(ElementType.INT);

  private final ElementType type;

  StreamsTask(ElementType type) {
    this.type = type;
  }

  ElementType type() {
    return type;
  }

  /** Whether as much is written as is read, so that the link's both ways count. */
  boolean isBothWays() {
    return this == SCAN || this == SORT;
  }

  /** Whether something is written to memory. */
  boolean writes() {
    return this == SELECT || isBothWays();
  }

  @Override
  public String toString() {
    return Named.of(this);
  }
}
