package funnel.bench;

import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.select.Partition;
import funnel.select.Runs;
import funnel.select.Select;
import funnel.select.Unique;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Tasks on elements: the percentage that is kept, or the length of runs. */
enum SelectTask {
  SELECT_0(0, 200),
  SELECT_50(0, 63),
  SELECT_100(0, -1),
  FLAGGED_50(0, 63),
  PARTITION_50(0, 63),
  UNIQUE_2(2, 0),
  UNIQUE_128(128, 0),
  RUNS_2(2, 0),
  RUNS_128(128, 0),
  /** The kept elements, their inclusive scan, and the largest of its sums. */
  CHAIN_50(0, 63);

  private final int run;
  private final int limit;

  SelectTask(int run, int limit) {
    this.run = run;
    this.limit = limit;
  }

  /** How many neighbours are equal, or 0 for random elements. */
  int run() {
    return run;
  }

  /** Greater elements are kept; elements are from 0 to 127. */
  int limit() {
    return limit;
  }

  boolean isRuns() {
    return this == RUNS_2 || this == RUNS_128;
  }

  /** Whether it supports elements of a type: sums of floats depend on the order. */
  boolean isOver(ElementType type) {
    return this != CHAIN_50 || type != ElementType.FLOAT;
  }

  /** The type of a second output beside the kept elements. */
  ElementType others(ElementType type) {
    return switch (this) {
      case PARTITION_50 -> type;
      case CHAIN_50 -> Scan.inclusive(Operator.SUM).resultType(type);
      default -> ElementType.INT;
    };
  }

  /* Predicates that hold for no element and for all are comparisons too. */
  private Transform predicate(ElementType type) {
    return switch (type) {
      case BYTE, INT ->
          switch (this) {
            case SELECT_0 -> Transform.testInt("over 200", x -> x > 200);
            case SELECT_100 -> Transform.testInt("below 200", x -> x < 200);
            default -> Transform.testInt("over 63", x -> x > 63);
          };
      case LONG ->
          switch (this) {
            case SELECT_0 -> Transform.testLong("over 200", x -> x > 200);
            case SELECT_100 -> Transform.testLong("below 200", x -> x < 200);
            default -> Transform.testLong("over 63", x -> x > 63);
          };
      case FLOAT ->
          switch (this) {
            case SELECT_0 -> Transform.testFloat("over 200", x -> x > 200);
            case SELECT_100 -> Transform.testFloat("below 200", x -> x < 200);
            default -> Transform.testFloat("over 63", x -> x > 63);
          };
      case DOUBLE ->
          switch (this) {
            case SELECT_0 -> Transform.testDouble("over 200", x -> x > 200);
            case SELECT_100 -> Transform.testDouble("below 200", x -> x < 200);
            default -> Transform.testDouble("over 63", x -> x > 63);
          };
    };
  }

  /**
   * Funnel's operation, for a chain the first one.
   *
   * @param form the form, or null for the one that Funnel chooses
   */
  Operation operation(ElementType type, @Nullable ScanForm form) {
    return switch (this) {
      case SELECT_0, SELECT_50, SELECT_100, CHAIN_50 ->
          by(Select.where(predicate(type)), Select::by, form);
      case FLAGGED_50 -> by(Select.flagged(), Select::by, form);
      case PARTITION_50 -> by(Partition.where(predicate(type)), Partition::by, form);
      case UNIQUE_2, UNIQUE_128 -> by(Unique.adjacent(), Unique::by, form);
      case RUNS_2, RUNS_128 -> by(Runs.encode(), Runs::by, form);
    };
  }

  /** The chain's second operation. */
  static Scan scan(@Nullable ScanForm form) {
    return by(Scan.inclusive(Operator.SUM), Scan::by, form);
  }

  private static <T> T by(T select, BiFunction<T, ScanForm, T> by, @Nullable ScanForm form) {
    return form == null ? select : by.apply(select, form);
  }

  /** A plain loop; returns how many it keeps. */
  int loop(PlainSelect loops, Object x, byte[] flags, Object kept, Object others) {
    return switch (this) {
      case SELECT_0, SELECT_50, SELECT_100 -> loops.over(x, limit, kept);
      case FLAGGED_50 -> loops.flagged(x, flags, kept);
      case PARTITION_50 -> loops.partition(x, limit, kept, others);
      case UNIQUE_2, UNIQUE_128 -> loops.unique(x, kept);
      case RUNS_2, RUNS_128 -> loops.runs(x, kept, (int[]) others);
      case CHAIN_50 -> loops.chain(x, limit, kept, others);
    };
  }

  /**
   * Bytes that are moved, as in docs/select.md.
   *
   * @param passes passes over elements and flags: at least 1
   */
  double bytes(int passes, ElementType type, int length, long kept) {
    double read = (double) length * (type.bytes() + (this == FLAGGED_50 ? 1 : 0));
    double written =
        switch (this) {
          case PARTITION_50 -> (double) length * type.bytes();
          case RUNS_2, RUNS_128 -> (double) kept * (type.bytes() + Integer.BYTES);
          case CHAIN_50 -> 2.0 * kept * (type.bytes() + others(type).bytes());
          default -> (double) kept * type.bytes();
        };
    return passes * read + written;
  }

  @Override
  public String toString() {
    return Named.of(this);
  }
}
