package funnel.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.ElementStream;
import funnel.Elements;
import funnel.Exact;
import funnel.Funnel;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.histogram.Histogram;
import funnel.histogram.KeyOutsideException;
import funnel.histogram.Uncounted;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.io.StreamException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.FindFirst;
import funnel.select.Select;
import funnel.sort.IsSorted;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What sources are reduced to on every engine. The oracle of integers, minima, maxima, indices and
 * counts is a plain loop over all elements; that of the bits of floating-point values is the rule:
 * what pieces come to, reduced as an array of them.
 */
abstract class StreamReduceContract extends StreamContract {

  private static int first(Values x, boolean isMax) {
    int best = 0;
    for (int i = 1; i < x.length(); i++) {
      int order =
          x.type().isFloating()
              ? isMax ? Double.compare(x.doubleAt(i), x.doubleAt(best)) : lower(x, i, best)
              : isMax
                  ? Long.compare(x.longAt(i), x.longAt(best))
                  : Long.compare(x.longAt(best), x.longAt(i));
      best = order > 0 ? i : best;
    }
    return best;
  }

  /** NaN is the smallest too. */
  private static int lower(Values x, int i, int best) {
    if (Double.isNaN(x.doubleAt(best))) {
      return -1;
    }
    return Double.isNaN(x.doubleAt(i)) ? 1 : Double.compare(x.doubleAt(best), x.doubleAt(i));
  }

  private static Number value(Values x, int i) {
    return x.type().isFloating() ? x.boxed(x.doubleAt(i)) : x.boxed(x.longAt(i));
  }

  @ParameterizedTest
  @Types
  void integersAndExtremesAreThoseOfOneArray(ElementType type) throws IOException {
    boolean isByte = type == ElementType.BYTE;
    Map<String, Reduction> wanted = new LinkedHashMap<>();
    wanted.put("min", Reduction.min());
    wanted.put("max", Reduction.max());
    if (!isByte) {
      wanted.put("low", Reduction.argMin());
      wanted.put("high", Reduction.argMax());
      wanted.put("ends", Reduction.minMax());
    }
    if (!type.isFloating()) {
      wanted.put("sum", Reduction.sumAsLong());
      wanted.put("product", Reduction.product());
    }
    wanted.put("count", Reduction.countIf(positive(type)));
    eachCase(
        type,
        "extremes",
        (x, stream, what) -> {
          Results results = stream.reduce(wanted);
          long sum = 0;
          long product = 1;
          long count = 0;
          for (int i = 0; i < x.length(); i++) {
            if (type.isFloating()) {
              count += x.doubleAt(i) > 0 ? 1 : 0;
            } else {
              sum += x.longAt(i);
              product *= x.longAt(i);
              count += x.longAt(i) > 0 ? 1 : 0;
            }
          }
          assertEquals(count, results.getLong("count"), what);
          if (!type.isFloating()) {
            assertEquals(sum, results.get("sum"), what);
            assertEquals(sum, stream.reduce(Reduction.sumAsLong()), what);
            assertEquals(
                type == ElementType.LONG ? (Number) product : (Number) (int) product,
                results.get("product"),
                what);
          }
          if (x.length() == 0) {
            assertThrows(NoSuchElementException.class, () -> results.get("min"), what);
            return;
          }
          int low = first(x, false);
          int high = first(x, true);
          assertEquals(value(x, low), results.get("min"), what);
          assertEquals(value(x, high), results.get("max"), what);
          if (!isByte) {
            assertEquals((long) low, results.get("low"), what);
            assertEquals((long) high, results.get("high"), what);
            assertEquals(value(x, low), results.get("low_value"), what);
            assertEquals(value(x, high), results.get("high_value"), what);
            assertEquals(value(x, low), results.get("ends_min"), what);
            assertEquals(value(x, high), results.get("ends_max"), what);
          }
        });
  }

  private static Transform positive(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Transform.testInt("positive", v -> v > 0);
      case LONG -> Transform.testLong("positive", v -> v > 0);
      case FLOAT -> Transform.testFloat("positive", v -> v > 0);
      case DOUBLE -> Transform.testDouble("positive", v -> v > 0);
    };
  }

  /** What pieces come to, reduced as an array of them is; of one piece it is that. */
  private Number byTheRule(Funnel jvm, Values x, Reduction reduction, Operator operator) {
    List<Number> parts = new ArrayList<>();
    int from = 0;
    do {
      int to = Math.min(from + piece(), x.length());
      parts.add(jvm.reduce(x.range(from, to).elements(), reduction));
      from = to;
    } while (from < x.length());
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    Elements all =
        parts.getFirst() instanceof Float
            ? Elements.of(floats(parts))
            : Elements.of(parts.stream().mapToDouble(Number::doubleValue).toArray());
    return jvm.reduce(all, Reduction.of(operator));
  }

  private static float[] floats(List<Number> numbers) {
    float[] floats = new float[numbers.size()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = numbers.get(i).floatValue();
    }
    return floats;
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void floatingPointValuesAreFixedByTheLengths(ElementType type) throws IOException {
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      eachCase(
          type,
          "bits",
          (x, stream, what) -> {
            Results results =
                stream.reduce(
                    Map.of(
                        "sum", Reduction.sum(),
                        "wide", Reduction.sumAsDouble(),
                        "product", Reduction.product(),
                        "squares", Reduction.sumOfSquares()));
            assertEquals(
                byTheRule(jvm, x, Reduction.sum(), Operator.SUM), results.get("sum"), what);
            Number wide = byTheRule(jvm, x, Reduction.sumAsDouble(), Operator.SUM);
            assertEquals(wide, results.get("wide"), what);
            assertEquals(
                byTheRule(jvm, x, Reduction.product(), Operator.PRODUCT),
                results.get("product"),
                what);
            assertEquals(
                byTheRule(jvm, x, Reduction.sumOfSquares(), Operator.SUM),
                results.get("squares"),
                what);
            if (x.length() > 0) {
              assertEquals(wide.doubleValue() / x.length(), stream.reduce(Reduction.mean()), what);
            }
          });
    }
  }

  @Test
  void meansAndVariancesAreWithinTheDocumentedBound() throws IOException {
    SplittableRandom random = Seed.random("variance");
    for (int length : lengths(1)) {
      if (length == 0) {
        continue;
      }
      ElementType type = ElementType.values()[random.nextInt(ElementType.values().length)];
      List<Values> all = new ArrayList<>(Values.closeToEachOther(type, length, random));
      all.add(Values.random(type, length, random));
      Values x = all.get(random.nextInt(all.size()));
      ElementStream stream = funnel.over(Source.of(x.segment(), type)).pieces(piece());
      String what = "%s %s, length=%s%s".formatted(type, x.at(length - 1), length, Seed.replay());
      Exact exact = Exact.of(x, IntStream.range(0, length));
      long pieces = Math.ceilDiv(length, piece());
      exact.requireMean(stream.reduce(Reduction.mean()).doubleValue(), length + 2, what);
      double units = 2 * length + 16 * pieces * Math.sqrt(length);
      double variance = stream.reduce(Reduction.variance()).doubleValue();
      exact.requireVariance(0, variance, units, what);
      double ofSample = stream.reduce(Reduction.sampleVariance()).doubleValue();
      exact.requireVariance(1, ofSample, units, what);
      double fromFirst = stream.reduce(Reduction.meanFromFirst()).doubleValue();
      try (Funnel jvm = Funnel.open(Target.JVM)) {
        double ofOne = jvm.reduce(x.elements(), Reduction.meanFromFirst()).doubleValue();
        assertEquals(ofOne, fromFirst, 1e-9 * Math.sqrt(variance), what);
      }
    }
  }

  /** Affine maps modulo 2^32 do not commute: a piece out of order would be seen. */
  @Test
  void operatorsThatDoNotCommuteCombineInOrder() throws IOException {
    Operator last = Operator.ofInt("last that is not 0", 0, (a, b) -> b == 0 ? a : b);
    for (int length : lengths(2)) {
      int[] x = new int[length];
      for (int i = 0; i < length; i++) {
        x[i] = i % 3 == 0 ? i : 0;
      }
      int expected = 0;
      for (int v : x) {
        expected = v == 0 ? expected : v;
      }
      Source source = Source.of(MemorySegment.ofArray(x), ElementType.INT);
      assertEquals(
          expected,
          funnel.over(source).pieces(piece()).reduce(Reduction.of(last)),
          "length=" + length);
    }
  }

  /** The edges of even bins themselves, half-open and closed. */
  @Test
  void samplesAtTheEdgesOfEvenBins() throws IOException {
    Histogram even = Histogram.even(10, 0.9, 1.1);
    double[] x = even.edges();
    for (int piece : new int[] {4, x.length}) {
      ElementStream stream =
          funnel.over(Source.of(MemorySegment.ofArray(x), ElementType.DOUBLE)).pieces(piece);
      long[] counts = new long[10];
      assertEquals(new Uncounted(0, 1, 0), stream.histogram(even, counts));
      assertArrayEquals(new long[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, counts);
      assertEquals(new Uncounted(0, 0, 0), stream.histogram(even.closed(), counts));
      assertArrayEquals(new long[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, counts);
    }
  }

  @ParameterizedTest
  @Types
  void countsAreThoseOfOneArray(ElementType type) throws IOException {
    Histogram histogram =
        type.isFloating() ? Histogram.even(7, -40.0, 60.0) : Histogram.even(5, -40, 60);
    eachCase(
        type,
        "counts",
        (x, stream, what) -> {
          long[] expected = new long[histogram.bins()];
          long below = 0;
          long above = 0;
          long nan = 0;
          double[] edges = histogram.edges();
          for (int i = 0; i < x.length(); i++) {
            double v = type.isFloating() ? x.doubleAt(i) : x.longAt(i);
            if (Double.isNaN(v)) {
              nan++;
            } else if (v < edges[0]) {
              below++;
            } else if (v >= edges[edges.length - 1]) {
              above++;
            } else {
              int bin = 0;
              while (v >= edges[bin + 1]) {
                bin++;
              }
              expected[bin]++;
            }
          }
          long[] counts = new long[expected.length + 1];
          Arrays.fill(counts, -7);
          Uncounted outside = stream.histogram(histogram, counts);
          assertArrayEquals(expected, Arrays.copyOf(counts, expected.length), what);
          assertEquals(-7, counts[expected.length], what);
          assertEquals(new Uncounted(below, above, nan), outside, what);
        });
  }

  @Test
  void theProductOfTwoSourcesIsThatOfTwoArrays() throws IOException {
    SplittableRandom random = Seed.random("dot");
    for (int length : lengths(3)) {
      int[] x = random.ints(length).toArray();
      int[] y = random.ints(length).toArray();
      long expected = 0;
      for (int i = 0; i < length; i++) {
        expected += (long) x[i] * y[i];
      }
      assertEquals(
          expected,
          funnel
              .over(Source.of(MemorySegment.ofArray(x), ElementType.INT))
              .pieces(piece())
              .reduce(Reduction.dot(), Source.of(MemorySegment.ofArray(y), ElementType.INT)),
          "length=" + length + Seed.replay());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"INT", "DOUBLE"})
  void sumsOfWeightsArePieceByPiece(ElementType type) throws IOException {
    SplittableRandom random = Seed.random("weights" + type);
    Histogram histogram = Histogram.even(3, 0, 90).weighted();
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      for (int length : isEmulated() ? List.of(most()) : lengths(0)) {
        int[] x = random.ints(length, 0, 100).toArray();
        Values weights = Values.random(type, length, random);
        Elements found = type == ElementType.INT ? ofInts() : ofDoubles();
        Elements added = type == ElementType.INT ? ofInts() : ofDoubles();
        Elements sums = none(type);
        long above = 0;
        for (int from = 0; from < length; from += piece()) {
          int to = Math.min(from + piece(), length);
          Elements more = none(type);
          above +=
              jvm.histogram(
                      Elements.of(x, from, to), weights.range(from, to).elements(), histogram, more)
                  .above();
          sums = sum(sums, more);
        }
        ElementStream stream =
            funnel.over(Source.of(MemorySegment.ofArray(x), ElementType.INT)).pieces(piece());
        Source ofWeights = Source.of(weights.segment(), type);
        String what = "length=" + length + Seed.replay();
        assertEquals(
            new Uncounted(0, above, 0),
            stream.histogram(histogram.accumulating(), ofWeights, added),
            what);
        Elements before = type == ElementType.INT ? ofInts() : ofDoubles();
        assertEquals(
            -1,
            sum(before.range(0, 3), sums).segment().mismatch(added.range(0, 3).segment()),
            what);
        found.segment().fill((byte) 3); // what is there is not added to
        var _ = stream.histogram(histogram, ofWeights, found);
        assertEquals(-1, sums.segment().mismatch(found.range(0, 3).segment()), what);
        for (Elements each : List.of(added, before)) { // a fourth place, which is not written
          assertEquals(8, type == ElementType.INT ? ints(each)[3] : (int) doubles(each)[3], what);
        }
      }
    }
  }

  private static Elements none(ElementType type) {
    return type == ElementType.INT ? Elements.of(new int[3]) : Elements.of(new double[3]);
  }

  private static int[] ints(Elements elements) {
    return elements.segment().toArray(ValueLayout.JAVA_INT);
  }

  private static double[] doubles(Elements elements) {
    return elements.segment().toArray(ValueLayout.JAVA_DOUBLE);
  }

  private static Elements sum(Elements a, Elements b) {
    if (a.type() == ElementType.INT) {
      int[] sums = ints(a);
      Arrays.setAll(sums, i -> sums[i] + ints(b)[i]);
      return Elements.of(sums);
    }
    double[] sums = doubles(a);
    Arrays.setAll(sums, i -> sums[i] + doubles(b)[i]);
    return Elements.of(sums);
  }

  private static Elements ofInts() {
    return Elements.of(new int[] {5, 6, 7, 8});
  }

  private static Elements ofDoubles() {
    return Elements.of(new double[] {5, 6, 7, 8});
  }

  @Test
  void aKeyThatIsNoneIsNamedWithItsPlace() throws IOException {
    int[] keys = new int[2 * piece() + 5];
    keys[2 * piece() + 1] = 9;
    keys[2 * piece() + 3] = -1;
    long[] counts = {1, 2, 3};
    ElementStream stream =
        funnel.over(Source.of(MemorySegment.ofArray(keys), ElementType.INT)).pieces(piece());
    KeyOutsideException e =
        assertThrows(
            KeyOutsideException.class, () -> stream.histogram(Histogram.ofKeys(3), counts));
    assertEquals(2L * piece() + 1, e.position());
    assertEquals(9, e.key());
    assertArrayEquals(new long[] {1, 2, 3}, counts);
    long[] ten = new long[10];
    keys[2 * piece() + 3] = 9;
    assertEquals(
        new Uncounted(0, 0, 0), stream.histogram(Histogram.ofKeys(10).to(ElementType.LONG), ten));
    assertArrayEquals(new long[] {keys.length - 2L, 0, 0, 0, 0, 0, 0, 0, 0, 2}, ten);
  }

  /** A plan of pieces knows where an element is in its piece, not in the source. */
  @Test
  void functionsOfTheIndexAreRefusedOverPieces() throws IOException {
    int[] x = IntStream.range(0, piece() + 1).toArray();
    Source source = Source.of(MemorySegment.ofArray(x), ElementType.INT);
    Transform index = Transform.indexedInt("index", (i, _) -> i);
    Transform odd = Transform.testIndexedInt("odd", (i, _) -> (i & 1) == 1);
    ElementStream stream = funnel.over(source).pieces(piece());
    int[] into = new int[x.length];
    Sink sink = Sink.of(MemorySegment.ofArray(into), ElementType.INT);
    List<Executable> calls =
        List.of(
            () -> stream.reduce(Reduction.of(Operator.MAX, index)),
            () -> stream.reduce(Reduction.countIf(odd)),
            () -> stream.scan(Scan.inclusive(Operator.SUM).mapped(index), sink),
            () -> stream.histogram(Histogram.ofKeys(2).mapped(index), new long[2]),
            () -> stream.select(Select.where(odd), sink),
            () ->
                stream.select(
                    Select.where(Transform.testInt("all", _ -> true)).mapped(index), sink));
    for (Executable call : calls) {
      String message = assertThrows(IllegalArgumentException.class, call).getMessage();
      assertTrue(message.contains("index") || message.contains("odd"), message);
    }
    assertArrayEquals(new int[x.length], into);
    assertEquals(
        (long) piece(),
        funnel.over(source).pieces(x.length).reduce(Reduction.of(Operator.MAX, index)).longValue());
  }

  @Test
  void whatASourceDoesNotTakeIsRefused() {
    Source source = Source.of(MemorySegment.ofArray(new int[8]), ElementType.INT);
    ElementStream stream = funnel.over(source);
    assertThrows(IllegalArgumentException.class, () -> stream.pieces(0));
    assertThrows(IllegalArgumentException.class, () -> stream.pieces(Integer.MAX_VALUE));
    assertThrows(IllegalArgumentException.class, () -> stream.reduce(Reduction.minMax()));
    assertThrows(IllegalArgumentException.class, () -> stream.reduce(Reduction.dot()));
    assertThrows(IllegalStateException.class, () -> stream.reduce(Map.of()));
    assertThrows(IllegalArgumentException.class, () -> stream.reduce(Map.of("9", Reduction.sum())));
    assertThrows(IllegalArgumentException.class, () -> stream.reduce(Reduction.sum(), source));
    Source seven = Source.of(MemorySegment.ofArray(new int[7]), ElementType.INT);
    assertThrows(IllegalArgumentException.class, () -> stream.reduce(Reduction.dot(), seven));
    Elements sums = Elements.of(new int[2]);
    Histogram weighted = Histogram.ofKeys(2).weighted();
    assertThrows(
        IllegalArgumentException.class, () -> stream.histogram(Histogram.ofKeys(2), source, sums));
    assertThrows(IllegalArgumentException.class, () -> stream.histogram(weighted, seven, sums));
    assertThrows(
        IllegalArgumentException.class,
        () -> stream.histogram(weighted.to(ElementType.LONG), source, sums));
    assertThrows(
        IllegalArgumentException.class,
        () -> stream.histogram(Histogram.ofKeys(3).weighted(), source, sums));
    long[] two = new long[2];
    for (Histogram none :
        List.of(
            Histogram.ofKeys(3),
            Histogram.ofKeys(2).weighted(),
            Histogram.ofKeys(1).channels(2),
            Histogram.ofKeys(2).accumulating(),
            Histogram.ofBytes())) {
      assertThrows(IllegalArgumentException.class, () -> stream.histogram(none, two), "" + none);
    }
    assertEquals("INT[8] in pieces of 67,108,864", stream.toString());
  }

  @Test
  void aListenerHearsOfEachPieceAndMayEndTheCall() throws IOException {
    int length = 3 * piece() + 7;
    Source source = Source.of(MemorySegment.ofArray(new int[length]), ElementType.INT);
    List<List<Long>> heard = new ArrayList<>();
    ElementStream stream = funnel.over(source).pieces(piece());
    assertEquals(
        0,
        stream.listener((done, total) -> heard.add(List.of(done, total))).reduce(Reduction.sum()));
    List<List<Long>> expected = new ArrayList<>();
    for (long done = piece(); done < length; done += piece()) {
      expected.add(List.of(done, (long) length));
    }
    expected.add(List.of((long) length, (long) length));
    assertEquals(expected, heard);
    CancellationException enough = new CancellationException("enough");
    heard.clear();
    CancellationException e =
        assertThrows(
            CancellationException.class,
            () ->
                stream
                    .listener(
                        (done, total) -> {
                          heard.add(List.of(done, total));
                          throw enough;
                        })
                    .reduce(Reduction.sum()));
    assertEquals(enough, e);
    assertEquals(expected.subList(0, 1), heard);
  }

  /** The first negative element is in a piece, or begins one; what follows cannot be read. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void whatIsDecidedReadsNoFurther(int inPiece) throws IOException {
    int pieces = 1000;
    long at = 4L * piece() + inPiece;
    AtomicLong read = new AtomicLong();
    Source source =
        Source.generated(
            ElementType.INT,
            (long) pieces * piece(),
            (from, memory) -> {
              read.addAndGet(memory.byteSize() / Integer.BYTES);
              if (from > at) {
                throw new IOException("not needed");
              }
              for (int i = 0; i < memory.byteSize() / Integer.BYTES; i++) {
                memory.setAtIndex(
                    ValueLayout.JAVA_INT_UNALIGNED, i, from + i < at ? (int) from + i : -1);
              }
            });
    List<Long> heard = new ArrayList<>();
    ElementStream stream =
        funnel.over(source).pieces(piece()).listener((done, total) -> heard.add(done));
    FindFirst negative = FindFirst.where(Transform.testInt("negative", x -> x < 0));
    long most = (5L + 6 * Math.max(1, devices())) * piece();
    assertEquals(at, stream.run(negative).getLong("result"));
    assertTrue(read.get() <= most, () -> "read=%s, most=%s".formatted(read, most));
    assertEquals(source.length(), heard.getLast());
    read.set(0);
    Results sorted = stream.run(IsSorted.ascending());
    assertEquals(0, sorted.getLong("result"));
    assertEquals(at, sorted.getLong("result_first"));
    assertTrue(read.get() <= most, () -> "read=%s, most=%s".formatted(read, most));
    assertThrows(StreamException.class, () -> stream.reduce(Reduction.sum()));
  }

  @Test
  void anInterruptEndsTheCall() {
    Source zeros =
        Source.generated(ElementType.BYTE, Long.MAX_VALUE, (from, p) -> p.fill((byte) 0));
    assertThrows(
        InterruptedIOException.class,
        () ->
            funnel
                .over(zeros)
                .pieces(1 << 16)
                .listener((done, total) -> Thread.currentThread().interrupt())
                .reduce(Reduction.sum()));
    assertEquals(true, Thread.interrupted());
  }
}
