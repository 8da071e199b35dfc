package funnel.bench;

import funnel.operation.Operation;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.scan.Segments;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.Order;
import funnel.sort.SegmentedSort;
import funnel.sort.Sort;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Tasks on keys. */
enum SortTask {
  /** The sorted keys. */
  SORT,
  /** The positions of the sorted keys. */
  ORDER,
  /** The sorted keys, by a comparator. */
  MERGE_SORT,
  /** The merge of two halves, each sorted before. */
  MERGE,
  /** Segments of this length. */
  SEGMENTS_16,
  /** Segments of 1, 8, 15, 6 keys and so on: all lengths up to 16, again and again. */
  SEGMENTS_SHORT,
  SEGMENTS_1000,
  SEGMENTS_1000000,
  /** Half of the keys in segments of ten, the others in one. */
  SEGMENTS_UNEVEN;

  private static final int FEW = 10;

  Operation operation(ElementType keys) {
    return switch (this) {
      case SORT -> Sort.ascending();
      case ORDER -> Order.ascending();
      case MERGE_SORT -> MergeSort.by(comparison(keys));
      case MERGE -> Merge.ascending();
      default -> SegmentedSort.ascending().segments(Segments.byOffsets());
    };
  }

  /* There is no NaN. */
  private static Comparison comparison(ElementType keys) {
    return switch (keys) {
      case BYTE, INT -> Comparison.ofInt("ascending", Integer::compare);
      case LONG -> Comparison.ofLong("ascending", Long::compare);
      case FLOAT -> Comparison.ofFloat("ascending", (a, b) -> a < b ? -1 : a > b ? 1 : 0);
      case DOUBLE -> Comparison.ofDouble("ascending", (a, b) -> a < b ? -1 : a > b ? 1 : 0);
    };
  }

  boolean isOfSegments() {
    return compareTo(SEGMENTS_16) >= 0;
  }

  /** Where the separately sorted segments begin, and the length. */
  int[] offsets(int length) {
    int uneven = length / (2 * FEW) * FEW;
    return switch (this) {
      case SEGMENTS_16 -> offsets(_ -> 16, length, length);
      case SEGMENTS_SHORT -> offsets(k -> 1 + 7 * (k % 16) % 16, length, length);
      case SEGMENTS_1000 -> offsets(_ -> 1000, length, length);
      case SEGMENTS_1000000 -> offsets(_ -> 1_000_000, length, length);
      case SEGMENTS_UNEVEN -> offsets(_ -> FEW, uneven + 1, length);
      default -> new int[] {0, length};
    };
  }

  private static int[] offsets(IntUnaryOperator segment, int end, int length) {
    IntStream.Builder offsets = IntStream.builder();
    long at = 0;
    for (int k = 0; at < end; k++) {
      offsets.add((int) at);
      at += segment.applyAsInt(k);
    }
    return offsets.add(length).build().toArray();
  }

  /** The type of the result. */
  ElementType type(ElementType keys) {
    return this == ORDER ? ElementType.INT : keys;
  }

  @Override
  public String toString() {
    return Named.of(this);
  }
}
