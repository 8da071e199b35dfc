package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.group.SegmentedReduce;
import funnel.histogram.Arbitration;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Tickets;
import funnel.operation.Operation;
import funnel.operation.OutputTooShortException;
import funnel.operation.UnknownLengthException;
import funnel.operator.AffineMaps;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.SegmentedTopK;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.scan.SegmentOffsetsException;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import funnel.sort.SegmentedSort;
import funnel.transform.AdjacentDifference;
import funnel.transform.Bits;
import funnel.transform.Concat;
import funnel.transform.Elementwise;
import funnel.transform.Fill;
import funnel.transform.Gather;
import funnel.transform.IndexOutsideException;
import funnel.transform.Iota;
import funnel.transform.Reverse;
import funnel.transform.Sample;
import funnel.transform.Scatter;
import funnel.transform.Shift;
import funnel.transform.Shuffle;
import funnel.transform.Slice;
import funnel.transform.Transpose;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Operations over arrays whose length the run finds, on an engine: their results have the bits of
 * the JVM's over arrays of just that length.
 */
abstract class FoundLengthsContract extends FoundLengths {

  @ParameterizedTest
  @Types
  void reductions(ElementType type) {
    int capacity = scale() * 3 * REDUCE_TILE;
    SplittableRandom random = random("reductions");
    List<Elements> found =
        List.of(elements(type, random, capacity, 1000), elements(type, random, capacity, 1000));
    int lead = type == ElementType.BYTE ? 0 : 16 / type.bytes();
    check(
        found,
        Map.of(),
        plan ->
            plan.add("sum", Reduction.sum(), "f")
                .add("variance", Reduction.variance(), "f")
                .add("dot", Reduction.dot(), "f", "f_1")
                .add("least", Reduction.argMin(), "f"),
        around(capacity, REDUCE_TILE - lead));
  }

  @Test
  void aDestinationThatIsTooShortForWhatGoesOn() {
    Map<String, Elements> given =
        Map.of("k", Elements.of(new int[] {3}), "a", Elements.of(new int[] {1, 2, 3, 4}));
    try (Plan plan =
        inputs(funnel.plan("short"), given)
            .add("f", FirstOf.OPERATION, "k", "a")
            .add("y", Scan.inclusive(Operator.SUM), "f")
            .build()) {
      int[] two = {-1, -1};
      OutputTooShortException e =
          assertThrows(
              OutputTooShortException.class, () -> plan.run(given, Map.of("y", Elements.of(two))));
      assertTrue(e.getMessage().contains("output y is too short: found=3, length=2"), "" + e);
      assertArrayEquals(new int[] {-1, -1}, two);
      int[] three = new int[3];
      plan.run(given, Map.of("y", Elements.of(three)));
      assertArrayEquals(new int[] {1, 3, 6}, three);
    }
  }

  /**
   * Of several destinations all are written or none, also those that are known to be long enough.
   */
  @Test
  void aDestinationThatIsTooShort_besideOthers() {
    Map<String, Elements> given =
        Map.of("k", Elements.of(new int[] {3}), "a", Elements.of(new int[] {1, 2, 3, 4}));
    try (Plan plan =
        inputs(funnel.plan("short"), given)
            .add("before", Scan.inclusive(Operator.SUM), "a")
            .add("f", FirstOf.OPERATION, "k", "a")
            .add("y", Scan.inclusive(Operator.SUM), "f")
            .add("after", Scan.exclusive(Operator.SUM), "a")
            .build()) {
      for (String shorter : List.of("f", "y")) {
        Map<String, int[]> into = new TreeMap<>();
        for (String output : List.of("before", "f", "y", "after")) {
          int[] place = new int[output.equals(shorter) ? 2 : 4];
          Arrays.fill(place, -1);
          into.put(output, place);
        }
        Map<String, Elements> destinations = new TreeMap<>();
        into.forEach((output, place) -> destinations.put(output, Elements.of(place)));
        assertThrows(OutputTooShortException.class, () -> plan.run(given, destinations));
        into.forEach(
            (output, place) -> assertTrue(Arrays.stream(place).allMatch(i -> i == -1), output));
        int[] longer = {-1, -1, -1};
        into.put(shorter, longer);
        destinations.put(shorter, Elements.of(longer));
        plan.run(given, destinations);
        assertArrayEquals(new int[] {1, 3, 6, 10}, into.get("before"));
        assertArrayEquals(new int[] {1, 2, 3}, Arrays.copyOf(into.get("f"), 3));
        assertArrayEquals(new int[] {1, 3, 6}, Arrays.copyOf(into.get("y"), 3));
        assertArrayEquals(new int[] {0, 1, 3, 6}, into.get("after"));
      }
    }
  }

  @Test
  void orderedReductions_andOthers() {
    int capacity = scale() * 3 * REDUCE_TILE;
    SplittableRandom random = random("ordered reductions");
    List<Elements> found =
        List.of(
            elements(ElementType.LONG, random, capacity, Integer.MAX_VALUE),
            elements(ElementType.INT, random, capacity, 1000));
    Transform large = Transform.testInt("large", x -> x > 500);
    check(
        found,
        Map.of(),
        plan ->
            plan.add("maps", Reduction.of(AffineMaps.FOLLOWED_BY), "f")
                .add("max", Reduction.max(), "f_1")
                .add("mean", Reduction.mean(), "f_1")
                .add("sample", Reduction.sampleVariance(), "f_1")
                .add("ends", Reduction.minMax(), "f_1")
                .add("count", Reduction.countIf(large), "f_1")
                .add("squares", Reduction.sumOfSquares(), "f_1"),
        around(capacity, 8, 2 * REDUCE_TILE));
  }

  @ParameterizedTest
  @EnumSource
  void scans_andWhatGoesOnWithThem(ScanForm form) {
    int capacity = scale() * 2 * SCAN_TILE + 100;
    SplittableRandom random = random("scans");
    List<Elements> found =
        List.of(
            elements(ElementType.INT, random, capacity, 1000),
            elements(ElementType.FLOAT, random, capacity, 1000));
    check(
        found,
        Map.of("start", Elements.of(new int[] {77})),
        plan ->
            plan.add("y", Scan.inclusive(Operator.SUM).by(form).continuing(), "f", "start")
                .add("z", Scan.exclusive(Operator.SUM).by(form), "f_1")
                .add("steps", AdjacentDifference.left(), "z")
                .add("again", Scan.inclusive(Operator.MAX).by(form), "steps")
                .add("largest", Reduction.argMax(), "again")
                .add("sum", Reduction.sum(), "y"),
        capacity,
        0,
        SCAN_TILE - 3);
  }

  @ParameterizedTest
  @EnumSource
  void segmentedScans(ScanForm form) {
    int capacity = scale() * 2 * SCAN_TILE + 100;
    SplittableRandom random = random("segmented scans");
    byte[] heads = new byte[capacity];
    long[] keys = new long[capacity];
    for (int i = 0; i < capacity; i++) {
      heads[i] = (byte) (random.nextInt(300) == 0 ? 1 : 0);
      keys[i] = (i == 0 ? 0 : keys[i - 1]) + (random.nextInt(200) == 0 ? 1L << 40 : 0);
    }
    List<Elements> found =
        List.of(
            elements(ElementType.FLOAT, random, capacity, 1000),
            Elements.of(heads),
            Elements.of(keys));
    check(
        found,
        Map.of(),
        plan ->
            plan.add("y", SegmentedScan.inclusive(Operator.SUM).by(form), "f", "f_1")
                .add(
                    "z",
                    SegmentedScan.exclusive(Operator.SUM).segments(Segments.byKeys()).by(form),
                    "f",
                    "f_2")
                .add("least", Reduction.min(), "z"),
        around(capacity, SCAN_TILE - 4));
  }

  /** The values, the offsets, and both, each by a result of its own. */
  @Test
  void segmentsByOffsets() {
    int capacity = 2000;
    SplittableRandom random = random("offsets");
    Elements values = elements(ElementType.DOUBLE, random, capacity, 0);
    int[] offsets = IntStream.range(0, 300).map(i -> 3 * i + i % 2).toArray();
    SegmentedScan scan = SegmentedScan.inclusive(Operator.SUM).segments(Segments.byOffsets());
    check(
        List.of(values),
        Map.of("offsets", Elements.of(offsets)),
        plan -> plan.add("y", scan, "f", "offsets"),
        1000,
        899);
    check(
        List.of(Elements.of(offsets)),
        Map.of("values", values),
        plan -> plan.add("y", scan, "values", "f"),
        0,
        256,
        257);
    try (Plan plan =
            funnel
                .plan("both")
                .input("k", ElementType.INT, 1)
                .input("values", ElementType.DOUBLE, capacity)
                .input("m", ElementType.INT, 1)
                .input("offsets", ElementType.INT, 300)
                .add("f", FirstOf.OPERATION, "k", "values")
                .add("g", FirstOf.OPERATION, "m", "offsets")
                .add("y", scan, "f", "g")
                .build();
        Plan oracle =
            jvm.plan("oracle")
                .input("f", ElementType.DOUBLE, capacity)
                .input("g", ElementType.INT, 300)
                .add("y", scan, "f", "g")
                .build()) {
      plan.set("values", values).set("offsets", Elements.of(offsets));
      for (int[] lengths : new int[][] {{capacity, 300}, {5, 2}, {777, 0}}) {
        plan.set("k", Elements.of(new int[] {lengths[0]}));
        plan.set("m", Elements.of(new int[] {lengths[1]}));
        Results expected =
            oracle.run(
                Map.of("f", values.range(0, lengths[0]), "g", Elements.of(offsets, 0, lengths[1])));
        same(expected, plan.run(), lengths[0] + ", " + lengths[1]);
      }
      plan.set("k", Elements.of(new int[] {5})).set("m", Elements.of(new int[] {3}));
      String message =
          String.valueOf(assertThrows(SegmentOffsetsException.class, plan::run).getMessage());
      assertTrue(message.contains("5") && message.contains("6"), message);
    }
  }

  /** What the engine counts by. */
  List<HistogramMethod> methods() {
    return List.of(HistogramMethod.values());
  }

  @Test
  void histograms() {
    methods().forEach(this::histograms);
  }

  private void histograms(HistogramMethod method) {
    int capacity = scale() * 3000;
    SplittableRandom random = random("histograms");
    List<Elements> found =
        List.of(
            elements(ElementType.INT, random, capacity, 90),
            elements(ElementType.DOUBLE, random, capacity, 0));
    check(
        found,
        Map.of("old", elements(ElementType.INT, random, 90, 1000)),
        plan ->
            plan.add("keys", Histogram.ofKeys(90).by(method).accumulating(), "f", "old")
                .add("even", Histogram.even(70, -100.0, 5000.0).by(method), "f_1")
                .add("most", Reduction.argMax(), "keys"),
        around(capacity, 1024));
  }

  @Test
  void histogramsOfBytes_andOfWeights() {
    int capacity = scale() * (SORT_TILE + 100);
    SplittableRandom random = random("histograms of weights");
    List<Elements> found =
        List.of(
            elements(ElementType.BYTE, random, capacity, 0),
            elements(ElementType.INT, random, capacity, 90),
            elements(ElementType.FLOAT, random, capacity, 0));
    check(
        found,
        Map.of("old", elements(ElementType.DOUBLE, random, 90, 0)),
        plan ->
            plan.add("bytes", Histogram.ofBytes(), "f")
                .add("sums", Histogram.ofKeys(90).weighted(), "f_1", "f_2")
                .add(
                    "more",
                    Histogram.ofKeys(90).weighted().to(ElementType.DOUBLE).accumulating(),
                    "f_1",
                    "f_2",
                    "old"),
        capacity,
        0,
        SORT_TILE - 4,
        SORT_TILE - 3);
  }

  @Test
  void scatterReductions() {
    int capacity = scale() * (SORT_TILE + 100);
    SplittableRandom random = random("scatter reductions");
    List<Elements> found =
        List.of(
            elements(ElementType.INT, random, capacity, 300),
            elements(ElementType.DOUBLE, random, capacity, 0));
    Elements into = elements(ElementType.DOUBLE, random, 300, 0);
    check(
        found,
        Map.of("into", into),
        plan ->
            plan.add("sums", ScatterReduce.by(Operator.SUM), "f", "f_1", "into")
                .add("last", ScatterReduce.last(), "f", "f_1", "into"),
        around(capacity, SORT_TILE - 4));
  }

  /** The size is found: an index that is outside of it is refused, and the array is as it was. */
  @Test
  void scatterReductionsIntoArraysOfFoundLength() {
    SplittableRandom random = random("into");
    Elements indices = elements(ElementType.INT, random, 500, 40);
    Elements values = elements(ElementType.LONG, random, 500, 1000);
    Map<String, Elements> known = Map.of("i", indices, "v", values);
    UnaryOperator<Plan.Builder> add =
        plan ->
            plan.add("sums", ScatterReduce.by(Operator.SUM), "i", "v", "f")
                .add("total", Reduction.sum(), "sums");
    Elements into = elements(ElementType.LONG, random, 200, 1000);
    check(List.of(into), known, add, 200, 40, 41);
    IndexOutsideException e =
        assertThrows(IndexOutsideException.class, () -> check(List.of(into), known, add, 30));
    assertTrue(String.valueOf(e.getMessage()).contains("30"), e.getMessage());
    try (Plan plan =
        inputs(funnel.plan("outside"), known)
            .input("k", ElementType.INT, 1)
            .input("a0", ElementType.LONG, 200)
            .add("f", FirstOf.OPERATION, "k", "a0")
            .add("sums", ScatterReduce.by(Operator.SUM), "i", "v", "f")
            .build()) {
      plan.set("a0", into).set("k", Elements.of(new int[] {30}));
      known.forEach(plan::set);
      String message =
          String.valueOf(assertThrows(IndexOutsideException.class, plan::run).getMessage());
      assertEquals(String.valueOf(e.getMessage()), message);
    }
  }

  @Test
  void ticketsAndArbitration() {
    int capacity = scale() * (SORT_TILE + 100);
    SplittableRandom random = random("tickets");
    List<Elements> found =
        List.of(
            elements(ElementType.INT, random, capacity, 3),
            elements(ElementType.INT, random, capacity, 300));
    check(
        found,
        Map.of(),
        plan ->
            plan.add("tickets", Tickets.stable(), "f")
                .add("winners", Arbitration.of(300), "f_1")
                .add("won", Reduction.sum(), "winners_won"),
        around(capacity, SORT_TILE - 4));
  }

  /** Elements and positions of one found length, then elements alone. */
  @Test
  void gathersAndScatters() {
    int capacity = scale() * 2500;
    SplittableRandom random = random("gathers");
    int[] turned = IntStream.range(0, capacity).map(i -> i ^ 1).toArray();
    Elements values = elements(ElementType.FLOAT, random, capacity, 1000);
    Map<String, Elements> known =
        Map.of("at", elements(ElementType.INT, random, 300, 2), "old", values);
    check(
        List.of(values, Elements.of(turned)),
        known,
        plan ->
            plan.add("some", Gather.at(), "f", "at")
                .add("all", Gather.at(), "f", "f_1")
                .add("again", Gather.at(), "old", "f_1")
                .add("back", Scatter.over(), "f", "f_1", "f")
                .add("into", Scatter.into(capacity), "all", "f_1")
                .add("sum", Reduction.max(), "back"),
        capacity,
        2,
        1024,
        1026);
    IndexOutsideException e =
        assertThrows(
            IndexOutsideException.class,
            () -> check(List.of(values), known, plan -> plan.add("y", Gather.at(), "f", "at"), 1));
    assertTrue(String.valueOf(e.getMessage()).contains("size=1;"), e.getMessage());
  }

  @Test
  void functionsElementByElement() {
    int capacity = scale() * 2500;
    SplittableRandom random = random("functions");
    List<Elements> found =
        List.of(
            elements(ElementType.INT, random, capacity, 1000),
            elements(ElementType.INT, random, capacity, 1000));
    check(
        found,
        Map.of(),
        plan ->
            plan.add("y", Elementwise.ofInt("minus", (a, b) -> a - b), "f", "f_1")
                .add("z", Elementwise.ofInt("down", (i, a) -> a - i).indexed(), "y")
                .add("turned", Reverse.elements(), "z")
                .add("mixed", Shuffle.by(7), "turned")
                .add("sum", Reduction.sum(), "mixed"),
        capacity,
        0,
        1,
        1025,
        2048);
  }

  /** Equal slices of two arrays are equally long, and operations take both. */
  @Test
  void slices_shifts_andConcatenations() {
    int capacity = scale() * 2500;
    SplittableRandom random = random("slices");
    List<Elements> found =
        List.of(
            elements(ElementType.INT, random, capacity, 1000),
            elements(ElementType.INT, random, capacity, 1000),
            elements(ElementType.DOUBLE, random, capacity, 0));
    Elementwise minus = Elementwise.ofInt("minus", (a, b) -> a - b);
    check(
        found,
        Map.of("known", Elements.of(new int[] {7, 8, 9})),
        plan ->
            plan.add("part", Slice.of(3, 60), "f")
                .add("turned", Transpose.of(3), "part") // takes a known length
                .add("from", Slice.from(60), "f_2")
                .add("skip", Slice.skip(1000), "f")
                .add("skip_1", Slice.skip(1000), "f_1")
                .add("minus", minus, "skip", "skip_1")
                .add("limit", Slice.limit(300), "minus")
                .add("last", Slice.last(7), "limit")
                .add("end", Slice.last(1500), "f_2")
                .add("later", Shift.by(100, 7), "skip")
                .add("change", minus, "skip_1", "later")
                .add("all", Concat.all(), "limit", "f", "known", "limit")
                .add("steps", AdjacentDifference.left(), "all")
                .add("sevens", Fill.with(ElementType.INT, 7), "change")
                .add("sevenths", Elementwise.ofInt("over", (a, b) -> a / b), "change", "sevens")
                .add("ramp", Iota.of(ElementType.FLOAT).step(0.5), "f_2")
                .add(
                    "isLarge", Elementwise.ofInt("is large", v -> v >> 9).to(ElementType.BYTE), "f")
                .add("bits", Bits.ofFlags(), "isLarge")
                .add("words", Reduction.sum(), "bits")
                .add("known_twice", Concat.all(), "known", "known")
                .add("known_turned", Transpose.of(2), "known_twice")
                .add("sum", Reduction.sum(), "limit"),
        capacity,
        60,
        1000,
        1001,
        1300,
        1301);
    for (Slice slice : List.of(Slice.of(3, 60), Slice.from(60))) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> check(found, Map.of(), plan -> plan.add("part", slice, "f"), 59));
      assertTrue(String.valueOf(e.getMessage()).contains("length=59"), e.getMessage());
      try (Plan plan =
          inputs(funnel.plan("short"), Map.of("k", Elements.of(new int[1]), "a", found.get(0)))
              .add("f", FirstOf.OPERATION, "k", "a")
              .add("part", slice, "f")
              .build()) {
        plan.set("a", found.get(0)).set("k", Elements.of(new int[] {59}));
        String message =
            String.valueOf(assertThrows(IllegalArgumentException.class, plan::run).getMessage());
        assertEquals(e.getMessage(), message);
      }
    }
    refused(plan -> plan.add("a", Slice.skip(1), "f").add("z", minus, "a", "f"), "z ", "a", "f");
  }

  private void refused(UnaryOperator<Plan.Builder> add, String... said) {
    Plan.Builder builder =
        funnel
            .plan("refused")
            .input("k", ElementType.INT, 1)
            .input("x", ElementType.INT, 100)
            .input("y", ElementType.INT, 100)
            .input("h", ElementType.BYTE, 100)
            .add("f", FirstOf.OPERATION, "k", "x", "y", "h")
            .add("g", FirstOf.OPERATION, "k", "x", "h");
    String message =
        String.valueOf(
            assertThrows(UnknownLengthException.class, () -> add.apply(builder).build())
                .getMessage());
    for (String part : said) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void lengthsThatCannotBeCompared() {
    refused(plan -> plan.add("z", Reduction.dot(), "f", "y"), "z ", " f ", " y ", "f_length");
    refused(plan -> plan.add("z", Reduction.dot(), "y", "f"), "z ", " f,", " y ", "f_length");
    refused(plan -> plan.add("z", Reduction.dot(), "f", "g"), "f_length", "g_length");
    SegmentedScan scan = SegmentedScan.inclusive(Operator.SUM);
    refused(plan -> plan.add("z", scan, "f", "h"), "z ", "f ", " h ", "f_length");
    refused(
        plan -> plan.add("z", scan.segments(Segments.byKeys()), "f", "g"), "f_length", "g_length");
    refused(plan -> plan.add("z", scan.segments(Segments.byHeadBits()), "f", "y"), "f", "f_length");
    refused(plan -> plan.add("z", scan.segments(Segments.byHeadBits()), "x", "f"), "f", "f_length");
    Segments ended = Segments.byOffsetsWithEnd();
    for (Operation operation :
        List.of(
            scan.segments(ended),
            SegmentedReduce.by(Operator.SUM).segments(ended),
            SegmentedSort.ascending().segments(ended),
            SegmentedTopK.of(TopK.largest(1)).segments(ended))) {
      refused(plan -> plan.add("z", operation, "x", "f"), "f", "f_length");
    }
    refused(plan -> plan.add("z", ScatterReduce.last(), "f", "y", "x"), "f ", " y ", "f_length");
    refused(plan -> plan.add("z", Scatter.into(5), "f", "y"), "f ", " y ", "f_length");
    refused(plan -> plan.add("z", Sample.of(5, 1), "f"), "f", "f_length");
    refused(plan -> plan.add("z", Transpose.of(2), "f"), "f", "f_length");
    Elementwise plus = Elementwise.ofInt("plus", (a, b) -> a + b);
    refused(plan -> plan.add("z", plus, "f", "y"), "f ", " y ", "f_length");
    Histogram weighted = Histogram.ofKeys(10).weighted();
    refused(plan -> plan.add("z", weighted, "x", "f"), "x ", " f ", "f_length");
    Histogram channels = Histogram.ofKeys(10).channels(2);
    refused(plan -> plan.add("z", channels, "f"), "f", "f_length");
    refused(plan -> plan.add("z", channels.weighted(), "f", "f_1"), "f", "f_length");
    refused(plan -> plan.add("z", Histogram.ofKeys(10).accumulating(), "x", "f"), "f", "f_length");
    refused(
        plan -> plan.add("z", Scan.inclusive(Operator.SUM).continuing(), "x", "f"),
        "f",
        "f_length");
  }
}
