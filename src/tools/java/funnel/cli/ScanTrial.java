package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.operator.AffineMaps;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Function;

/**
 * A scan and the plain sequential loop that it is checked against, element by element; neither
 * rounds.
 *
 * @param name what it computes, for people
 * @param type the elements' type
 * @param scan what Funnel computes
 * @param loop the plain loop, from the elements to all results
 */
record ScanTrial(
    String name, ElementType type, Scan scan, Function<MemorySegment, MemorySegment> loop) {

  private static final String INPUT = "x";
  private static final String OUTPUT = "result";
  private static final int MOST = 1 << 22;

  static final List<ScanTrial> ALL =
      List.of(
          new ScanTrial(
              "running sum of the ints, as long",
              ElementType.INT,
              Scan.inclusive(Operator.SUM).to(ElementType.LONG),
              ScanTrial::sumsOfInts),
          new ScanTrial(
              "sum of the bytes before each",
              ElementType.BYTE,
              Scan.exclusive(Operator.SUM),
              ScanTrial::sumsBeforeBytes),
          new ScanTrial(
              "largest int before each",
              ElementType.INT,
              Scan.exclusive(Operator.MAX).from(0),
              ScanTrial::largestBeforeInts),
          new ScanTrial(
              "running sum of the doubles",
              ElementType.DOUBLE,
              Scan.inclusive(Operator.SUM),
              ScanTrial::sumsOfDoubles),
          new ScanTrial(
              "own operator: affine maps up to each",
              ElementType.LONG,
              Scan.inclusive(AffineMaps.FOLLOWED_BY),
              ScanTrial::composedLongs));

  /** The elements that it works on: the first elements of the data. */
  Elements elements(TrialData data) {
    Elements all = data.elements(type);
    return all.range(0, Math.min(all.length(), MOST));
  }

  /** A plan for it, with the elements set. */
  Plan plan(Funnel funnel, Elements elements) {
    return funnel
        .plan("scan")
        .input(INPUT, type, elements.length())
        .add(OUTPUT, scan, INPUT)
        .build()
        .set(INPUT, elements);
  }

  /** All results of a run of the plan. */
  MemorySegment results(Results results) {
    return switch (scan.resultType(type)) {
      case BYTE -> throw new IllegalStateException("no scan to bytes");
      case INT -> MemorySegment.ofArray(results.ints(OUTPUT));
      case LONG -> MemorySegment.ofArray(results.longs(OUTPUT));
      case FLOAT -> MemorySegment.ofArray(results.floats(OUTPUT));
      case DOUBLE -> MemorySegment.ofArray(results.doubles(OUTPUT));
    };
  }

  /** The first result that is not as expected, or -1. */
  long firstWrong(MemorySegment results, MemorySegment expected) {
    long place = results.mismatch(expected);
    return place < 0 ? place : place / scan.resultType(type).bytes();
  }

  /** The last result. */
  Number last(MemorySegment results) {
    return at(results, results.byteSize() / scan.resultType(type).bytes() - 1);
  }

  /** One of the results. */
  Number at(MemorySegment results, long index) {
    return switch (scan.resultType(type)) {
      case BYTE -> throw new IllegalStateException("no scan to bytes");
      case INT -> results.getAtIndex(ValueLayout.JAVA_INT, index);
      case LONG -> results.getAtIndex(ValueLayout.JAVA_LONG, index);
      case FLOAT -> results.getAtIndex(ValueLayout.JAVA_FLOAT, index);
      case DOUBLE -> results.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
    };
  }

  private static int length(MemorySegment data, int bytes) {
    return Math.toIntExact(data.byteSize() / bytes);
  }

  private static MemorySegment sumsOfInts(MemorySegment data) {
    long[] sums = new long[length(data, Integer.BYTES)];
    long sum = 0;
    for (int i = 0; i < sums.length; i++) {
      sum += data.getAtIndex(Trial.INT, i);
      sums[i] = sum;
    }
    return MemorySegment.ofArray(sums);
  }

  private static MemorySegment sumsBeforeBytes(MemorySegment data) {
    int[] sums = new int[length(data, Byte.BYTES)];
    int sum = 0;
    for (int i = 0; i < sums.length; i++) {
      sums[i] = sum;
      sum += data.get(ValueLayout.JAVA_BYTE, i) & 0xff;
    }
    return MemorySegment.ofArray(sums);
  }

  private static MemorySegment largestBeforeInts(MemorySegment data) {
    int[] largest = new int[length(data, Integer.BYTES)];
    int soFar = 0;
    for (int i = 0; i < largest.length; i++) {
      largest[i] = soFar;
      soFar = Math.max(soFar, data.getAtIndex(Trial.INT, i));
    }
    return MemorySegment.ofArray(largest);
  }

  private static MemorySegment sumsOfDoubles(MemorySegment data) {
    double[] sums = new double[length(data, Double.BYTES)];
    double sum = 0;
    for (int i = 0; i < sums.length; i++) {
      sum += data.getAtIndex(Trial.DOUBLE, i);
      sums[i] = sum;
    }
    return MemorySegment.ofArray(sums);
  }

  private static MemorySegment composedLongs(MemorySegment data) {
    long[] maps = new long[length(data, Long.BYTES)];
    int half = 0;
    int summand = 0;
    for (int i = 0; i < maps.length; i++) {
      long map = data.getAtIndex(Trial.LONG, i);
      int k = (int) (map >>> 32);
      summand = summand * (2 * k + 1) + (int) map;
      half = 2 * half * k + half + k;
      maps[i] = ((long) half << 32) | (summand & 0xffffffffL);
    }
    return MemorySegment.ofArray(maps);
  }
}
