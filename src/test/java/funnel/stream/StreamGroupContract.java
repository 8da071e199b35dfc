package funnel.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.ElementStream;
import funnel.Exact;
import funnel.Funnel;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.sort.SortOracle;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Ranks, runs and groups of sources on every engine; the oracle is a plain loop over the whole. */
abstract class StreamGroupContract extends StreamContract {

  private static long bits(Results results, String name, ElementType type, int i) {
    return switch (type) {
      case BYTE -> results.bytes(name)[i] & 0xff;
      case INT -> results.ints(name)[i];
      case LONG -> results.longs(name)[i];
      case FLOAT -> Float.floatToRawIntBits(results.floats(name)[i]);
      case DOUBLE -> Double.doubleToRawLongBits(results.doubles(name)[i]);
    };
  }

  @ParameterizedTest
  @Types
  void theBestAreInFrontOfTheOrder(ElementType type) throws IOException {
    eachCase(
        type,
        "top",
        (x, stream, what) -> {
          for (TopK top :
              dealt(
                  type.ordinal(),
                  List.of(TopK.largest(5), TopK.smallest(piece() + 3), TopK.largest(1)))) {
            int[] order =
                SortOracle.order(
                    x.length(), top.isLargest(), (i, j) -> SortOracle.compare(x, i, j));
            int count = Math.min(top.k(), x.length());
            long[] first = Arrays.stream(order).limit(count).asLongStream().toArray();
            Results both = stream.topK(top.withPositions());
            assertArrayEquals(first, both.longs("result_positions"), () -> top + ", " + what);
            assertEquals(count, both.length("result"), what);
            for (int i = 0; i < count; i += 1 + count / 50) {
              assertEquals(
                  SortOracle.bits(x, order[i]), bits(both, "result", type, i), top + ", " + what);
            }
            if (top.k() == 5) {
              assertArrayEquals(first, stream.topK(top.positions()).longs("result"), what);
              assertEquals(count, stream.topK(top).length("result"), what);
            }
          }
        });
  }

  /** All NaN are one. */
  private static long oneNaN(Number value) {
    return value instanceof Float || value instanceof Double
        ? Double.doubleToLongBits(value.doubleValue())
        : value.longValue();
  }

  private static Number number(Results results, ElementType type, int i) {
    return switch (type) {
      case BYTE -> results.bytes("result")[i] & 0xff;
      case INT -> results.ints("result")[i];
      case LONG -> results.longs("result")[i];
      case FLOAT -> results.floats("result")[i];
      case DOUBLE -> results.doubles("result")[i];
    };
  }

  @ParameterizedTest
  @Types
  void quantilesAreElementsOfTheSorted(ElementType type) throws IOException {
    assumeTrue(!isEmulated() || type == ElementType.BYTE || type == ElementType.FLOAT);
    Quantiles quantiles = Quantiles.of(0.5, 0, 1, 0.999, 0.001, 0.1);
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      eachCase(
          type,
          "quantiles",
          isEmulated() ? List.of(0, piece() + 1) : lengths(type.ordinal()),
          (x, stream, what) -> {
            int[] order =
                SortOracle.order(x.length(), false, (i, j) -> SortOracle.compare(x, i, j));
            Results results = stream.quantiles(quantiles);
            if (x.length() == 0) {
              assertEquals(0, results.length("result"), what);
              return;
            }
            for (int k = 0; k < quantiles.quantiles().size(); k++) {
              double q = quantiles.quantiles().get(k);
              int rank = Math.clamp((long) Math.ceil(q * x.length()) - 1, 0, x.length() - 1);
              assertEquals(
                  oneNaN(
                      type.isFloating()
                          ? x.boxed(x.doubleAt(order[rank]))
                          : x.boxed(x.longAt(order[rank]))),
                  oneNaN(number(results, type, k)),
                  "quantile " + q + ", " + what);
            }
            if (isEmulated()) {
              return;
            }
            assertArrayEquals(
                jvm.run(quantiles.interpolated(), x.elements()).doubles("result"),
                stream.quantiles(quantiles.interpolated()).doubles("result"),
                what);
          });
    }
  }

  @Test
  void interpolatedQuantilesBesideInfinities() throws IOException {
    assumeTrue(!isEmulated());
    double infinity = Double.POSITIVE_INFINITY;
    double[][] ends = {
      {1, infinity, infinity},
      {-infinity, 1, -infinity},
      {-infinity, infinity, Double.NaN},
      {infinity, infinity, infinity},
      {-1.7e308, 1.7e308, 0}
    };
    for (double[] each : ends) {
      double[] x = new double[2 * piece()];
      Arrays.setAll(x, i -> each[i % 2]);
      Results results =
          funnel
              .over(Source.of(MemorySegment.ofArray(x), ElementType.DOUBLE))
              .pieces(piece())
              .quantiles(Quantiles.median().interpolated());
      assertArrayEquals(new double[] {each[2]}, results.doubles("result"));
    }
  }

  /** More bins than are counted in a pass; the listener's numbers add up in any case. */
  @Test
  void manyQuantilesTakeMorePasses() throws IOException {
    assumeTrue(!isEmulated());
    SplittableRandom random = Seed.random("many");
    int[] x = random.ints(2L * piece() + 1).toArray();
    double[] shares = IntStream.range(0, 70).mapToDouble(i -> i / 69.0).toArray();
    long[] last = new long[2];
    Results results =
        funnel
            .over(Source.of(MemorySegment.ofArray(x), ElementType.INT))
            .pieces(piece())
            .listener(
                (done, total) -> {
                  last[0] = done;
                  last[1] = total;
                })
            .quantiles(Quantiles.of(shares));
    assertEquals(last[1], last[0]);
    Arrays.sort(x);
    int[] expected =
        Arrays.stream(shares)
            .mapToInt(q -> x[(int) Math.max(0, Math.ceil(q * x.length) - 1)])
            .toArray();
    assertArrayEquals(expected, results.ints("result"), Seed.replay());
  }

  private static boolean isEqual(Values x, int i, int j) {
    return SortOracle.compare(x, i, j) == 0;
  }

  @ParameterizedTest
  @Types
  void runsAreThoseOfOneArray(ElementType type) throws IOException {
    eachCase(
        type,
        "runs",
        (random, unused, why) -> {
          for (int most : dealt(type.ordinal(), List.of(1, 3, 2 * piece() + 1))) {
            int length = random.length();
            Values x = Values.ofLength(type, length);
            List<Integer> starts = new ArrayList<>();
            for (int i = 0; i < length; i++) { // stretches that end at multiples
              SortOracle.setBits(x, i, SortOracle.bits(random, i / most));
              if (i == 0 || !isEqual(x, i, i - 1)) {
                starts.add(i);
              }
            }
            Values values = Values.ofLength(type, starts.size());
            long[] lengths = new long[starts.size()];
            long[] expected = new long[starts.size()];
            for (int k = 0; k < expected.length; k++) {
              int end = k + 1 < expected.length ? starts.get(k + 1) : length;
              expected[k] = end - starts.get(k);
            }
            ElementStream stream = funnel.over(Source.of(x.segment(), type)).pieces(piece());
            String what = "stretches of %s, %s".formatted(most, why);
            assertEquals(
                expected.length,
                stream.runs(
                    Sink.of(values.segment(), type),
                    Sink.of(MemorySegment.ofArray(lengths), ElementType.LONG)),
                what);
            assertArrayEquals(expected, lengths, what);
            Values unique = Values.ofLength(type, starts.size());
            assertEquals(expected.length, stream.unique(Sink.of(unique.segment(), type)), what);
            for (int k = 0; k < expected.length; k++) {
              long bits = SortOracle.bits(x, starts.get(k));
              assertEquals(bits, SortOracle.bits(values, k), what);
              assertEquals(bits, SortOracle.bits(unique, k), what);
            }
          }
        });
  }

  private record Group(List<Integer> rows) {}

  @ParameterizedTest
  @Types
  void groupsAreThoseOfOneArray(ElementType type) throws IOException {
    SplittableRandom numbers = Seed.random("groups" + type);
    eachCase(
        type,
        "groups",
        isEmulated() ? List.of(0, most()) : lengths(type.ordinal()),
        (x, unused, what) -> {
          long[] keys = numbers.longs(x.length(), -20, 20).toArray();
          Map<Long, Group> groups = new TreeMap<>();
          for (int i = 0; i < keys.length; i++) {
            groups.computeIfAbsent(keys[i], key -> new Group(new ArrayList<>())).rows().add(i);
          }
          ElementStream stream =
              funnel.over(Source.of(MemorySegment.ofArray(keys), ElementType.LONG)).pieces(piece());
          Results results =
              stream.groupBy(
                  GroupBy.of(
                      Aggregate.count(),
                      Aggregate.min(1),
                      Aggregate.max(1),
                      Aggregate.first(1),
                      Aggregate.last(1),
                      Aggregate.mean(1),
                      Aggregate.sum(1)),
                  Source.of(x.segment(), type));
          assertArrayEquals(
              groups.keySet().stream().mapToLong(key -> key).toArray(),
              results.longs("result"),
              what);
          int g = 0;
          for (Group group : groups.values()) {
            List<Integer> rows = group.rows();
            String said = "group %s, %s".formatted(g, what);
            assertEquals(rows.size(), results.longs("result_1")[g], said);
            assertEquals(
                SortOracle.bits(x, rows.getFirst()), bits(results, "result_4", type, g), said);
            assertEquals(
                SortOracle.bits(x, rows.getLast()), bits(results, "result_5", type, g), said);
            if (!type.isFloating()) {
              ElementType wide = type == ElementType.BYTE ? ElementType.INT : type;
              long sum = rows.stream().mapToLong(x::longAt).sum();
              assertEquals(sum, results.longs("result_7")[g], said);
              assertEquals(
                  rows.stream().mapToLong(x::longAt).min().orElseThrow(),
                  bits(results, "result_2", wide, g),
                  said);
              assertEquals(
                  rows.stream().mapToLong(x::longAt).max().orElseThrow(),
                  bits(results, "result_3", wide, g),
                  said);
              double mean =
                  rows.stream().mapToDouble(row -> x.longAt(row) / (double) rows.size()).sum();
              double most =
                  rows.stream()
                      .mapToDouble(row -> Math.abs((double) x.longAt(row)))
                      .max()
                      .orElseThrow();
              assertEquals(mean, results.doubles("result_6")[g], 1e-12 * most + 1e-12, said);
            } else {
              double least = Double.POSITIVE_INFINITY;
              double largest = Double.NEGATIVE_INFINITY;
              for (int row : rows) {
                least = Math.min(least, x.doubleAt(row));
                largest = Math.max(largest, x.doubleAt(row));
              }
              boolean isFloat = type == ElementType.FLOAT;
              assertEquals(
                  least,
                  isFloat ? results.floats("result_2")[g] : results.doubles("result_2")[g],
                  said);
              assertEquals(
                  largest,
                  isFloat ? results.floats("result_3")[g] : results.doubles("result_3")[g],
                  said);
              assertEquals(
                  results.doubles("result_7")[g] / rows.size(),
                  results.doubles("result_6")[g],
                  said);
            }
            g++;
          }
        });
  }

  /** Rows that do not commute are combined in the order of the source. */
  @Test
  void rowsOfAGroupAreInOrder() throws IOException {
    Operator last = Operator.ofInt("last that is not 0", 0, (a, b) -> b == 0 ? a : b);
    int length = 3 * piece() + 7;
    int[] keys = IntStream.range(0, length).map(i -> i % 5).toArray();
    int[] x = IntStream.range(0, length).map(i -> i % 3 == 0 ? i : 0).toArray();
    int[] expected = new int[5];
    for (int i = 0; i < length; i++) {
      expected[keys[i]] = x[i] == 0 ? expected[keys[i]] : x[i];
    }
    Results results =
        funnel
            .over(Source.of(MemorySegment.ofArray(keys), ElementType.INT))
            .pieces(piece())
            .groupBy(
                GroupBy.of(Aggregate.of(last, 1)),
                Source.of(MemorySegment.ofArray(x), ElementType.INT));
    assertArrayEquals(new int[] {0, 1, 2, 3, 4}, results.ints("result"));
    assertArrayEquals(expected, results.ints("result_1"));
  }

  /** By two sources of keys, of which the first is sorted last; rows are beyond the first piece. */
  @Test
  void whereTheLeastIsAndVariancesBySeveralKeys() throws IOException {
    SplittableRandom random = Seed.random("several keys");
    int length = 2 * piece() + 7;
    int[] first = random.ints(length, -2, 3).toArray();
    long[] second = random.longs(length, 0, 4).toArray();
    float[] x = new float[length];
    for (int i = 0; i < length; i++) {
      x[i] = random.nextInt(100) == 0 ? Float.NaN : 1000 + random.nextInt(50);
    }
    Map<String, List<Integer>> groups = new TreeMap<>();
    for (int i = 0; i < length; i++) {
      groups.computeIfAbsent((first[i] + 2) + "," + second[i], key -> new ArrayList<>()).add(i);
    }
    Results results =
        funnel
            .over(Source.of(MemorySegment.ofArray(first), ElementType.INT))
            .pieces(piece())
            .groupBy(
                GroupBy.of(
                        Aggregate.argMin(2),
                        Aggregate.argMax(2),
                        Aggregate.variance(1),
                        Aggregate.sampleVariance(1),
                        Aggregate.mean(1))
                    .keys(2),
                Source.of(MemorySegment.ofArray(second), ElementType.LONG),
                Source.of(MemorySegment.ofArray(second), ElementType.LONG),
                Source.of(MemorySegment.ofArray(x), ElementType.FLOAT));
    int[] keys = results.ints("result");
    long[] others = results.longs("result_key_2");
    assertEquals(groups.size(), keys.length, Seed.replay());
    int g = 0;
    for (List<Integer> rows : groups.values()) {
      int row = rows.getFirst();
      assertEquals(first[row], keys[g], Seed.replay());
      assertEquals(second[row], others[g], Seed.replay());
      long least = row;
      long largest = row;
      for (int other : rows) {
        boolean isNumber = !Float.isNaN(x[other]);
        if (!Float.isNaN(x[(int) least]) && (!isNumber || x[other] < x[(int) least])) {
          least = other;
        }
        if (!Float.isNaN(x[(int) largest]) && (!isNumber || x[other] > x[(int) largest])) {
          largest = other;
        }
      }
      assertEquals(least, results.longs("result_1")[g], Seed.replay());
      assertEquals(largest, results.longs("result_2")[g], Seed.replay());
      assertEquals(0.0, results.doubles("result_3")[g], Seed.replay());
      assertEquals(second[row], results.doubles("result_5")[g], Seed.replay());
      g++;
    }
  }

  @Test
  void variancesAreWithinTheDocumentedBound() throws IOException {
    SplittableRandom random = Seed.random("variances");
    for (int length : dealt(0, List.of(piece(), 3 * piece() + 7))) {
      int[] keys = random.ints(length, 0, 3).toArray();
      keys[length - 1] = 3; // a group of one row, in the last piece
      ElementType type = ElementType.values()[random.nextInt(ElementType.values().length)];
      Values x = Values.closeToEachOther(type, length, random).get(random.nextInt(2));
      Results results =
          funnel
              .over(Source.of(MemorySegment.ofArray(keys), ElementType.INT))
              .pieces(piece())
              .groupBy(
                  GroupBy.of(
                      Aggregate.count(),
                      Aggregate.mean(1),
                      Aggregate.variance(1),
                      Aggregate.sampleVariance(1),
                      Aggregate.meanFromFirst(1)),
                  Source.of(x.segment(), type));
      for (int key = 0; key < 4; key++) {
        int of = key;
        int[] rows = IntStream.range(0, length).filter(i -> keys[i] == of).toArray();
        String what = "%s, key %s, length=%s%s".formatted(type, key, length, Seed.replay());
        Exact exact = Exact.of(x, IntStream.of(rows));
        assertEquals(rows.length, results.longs("result_1")[key], what);
        exact.requireMean(results.doubles("result_2")[key], rows.length + 1, what);
        double units = 2 * rows.length + 8 + 16 * pieces(length) * Math.sqrt(rows.length);
        exact.requireVariance(0, results.doubles("result_3")[key], units, what);
        exact.requireVariance(1, results.doubles("result_4")[key], units, what);
        double mean = results.doubles("result_2")[key] - x.doubleAt(rows[0]);
        double far = Math.abs(results.doubles("result_2")[key]) + Math.abs(x.doubleAt(rows[0]));
        assertEquals(mean, results.doubles("result_5")[key], 1e-6 * far, what);
      }
    }
  }

  private double pieces(int length) {
    return Math.ceilDiv(length, piece());
  }

  @Test
  void whatIsNotComputedOfPartsIsRefused() {
    Source ints = Source.of(MemorySegment.ofArray(new int[8]), ElementType.INT);
    Source seven = Source.of(MemorySegment.ofArray(new int[7]), ElementType.INT);
    ElementStream stream = funnel.over(ints).pieces(3);
    for (GroupBy none :
        List.of(
            GroupBy.of(Aggregate.sum(2)),
            GroupBy.of(Aggregate.sum(1)).keys(2),
            GroupBy.of(Aggregate.count()).keys(3))) {
      assertThrows(IllegalArgumentException.class, () -> stream.groupBy(none, ints), "" + none);
    }
    assertThrows(
        IllegalArgumentException.class, () -> stream.groupBy(GroupBy.of(Aggregate.sum(1)), seven));
    Sink longs = Sink.of(MemorySegment.ofArray(new long[8]), ElementType.LONG);
    Sink none = Sink.of(MemorySegment.ofArray(new int[0]), ElementType.INT);
    assertThrows(IllegalArgumentException.class, () -> stream.unique(longs));
    assertThrows(IllegalArgumentException.class, () -> stream.runs(longs, longs));
    assertThrows(IllegalArgumentException.class, () -> stream.runs(none, none));
    assertThrows(IndexOutOfBoundsException.class, () -> stream.unique(none));
  }
}
