package funnel.bench;

import funnel.operator.ElementType;

/** Tasks on a stream. */
enum StreamsTask {
  /** The sum of ints. */
  REDUCE(ElementType.INT),
  /** 256 bins of equal width, of ints. */
  HISTOGRAM_INT(ElementType.INT),
  /** 256 bins, of bytes. */
  HISTOGRAM_BYTE(ElementType.BYTE),
  /** The non-negative ints, which are half of them, to memory. */
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

  /** Whether it writes as much as it reads, so that both directions of the link count. */
  boolean isBothWays() {
    return this == SCAN || this == SORT;
  }

  /** Whether it writes to memory. */
  boolean writes() {
    return this == SELECT || isBothWays();
  }

  @Override
  public String toString() {
    return Named.of(this);
  }
}
