package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.engine.tornado.HostArrays;
import funnel.histogram.Arbitration;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Tickets;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.reduce.UserOperators;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.scan.SegmentedScan;
import funnel.scan.Segments;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Every primitive of several inputs, each of which lies in its array at a place of its own. The
 * oracle is the JVM engine over the same elements by themselves.
 */
class InputRangesTest {

  /** A full tile of every scan, and a part of one. */
  private static final int MOST = 8_300;

  private static final int[] LENGTHS = {0, 1, 77, MOST};

  /** Elements around an input in its array. */
  private static final int ROOM = 31;

  private static final int BINS = 300;

  /** Inputs of a case for a number of elements. */
  @FunctionalInterface
  private interface Inputs {
    Map<String, Elements> of(int n, SplittableRandom random);
  }

  private record Case(
      String name,
      Inputs inputs,
      Consumer<Plan.Builder> primitives,
      Function<Results, List<Object>> outputs) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Map<String, Elements> named(Object... namesAndElements) {
    Map<String, Elements> named = new LinkedHashMap<>();
    for (int i = 0; i < namesAndElements.length; i += 2) {
      named.put((String) namesAndElements[i], (Elements) namesAndElements[i + 1]);
    }
    return named;
  }

  /** Small whole numbers, whose sums and products are exact in every type and order. */
  private static Elements values(ElementType type, int n, SplittableRandom random) {
    int[] ints = random.ints(n, -9, 10).toArray();
    return switch (type) {
      case BYTE -> {
        byte[] bytes = new byte[n];
        for (int i = 0; i < n; i++) {
          bytes[i] = (byte) ints[i];
        }
        yield Elements.of(bytes);
      }
      case INT -> Elements.of(ints);
      case LONG -> Elements.of(java.util.Arrays.stream(ints).asLongStream().toArray());
      case FLOAT -> {
        float[] floats = new float[n];
        for (int i = 0; i < n; i++) {
          floats[i] = ints[i];
        }
        yield Elements.of(floats);
      }
      case DOUBLE -> Elements.of(java.util.Arrays.stream(ints).asDoubleStream().toArray());
    };
  }

  private static Object array(Results results, String name, ElementType type) {
    return switch (type) {
      case BYTE -> throw new IllegalArgumentException(name);
      case INT -> results.ints(name);
      case LONG -> results.longs(name);
      case FLOAT -> results.floats(name);
      case DOUBLE -> results.doubles(name);
    };
  }

  private static Elements ints(int n, int from, int to, SplittableRandom random) {
    return Elements.of(random.ints(n, from, to).toArray());
  }

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      cases.add(
          new Case(
              "dot product of " + type,
              (n, random) -> named("x", values(type, n, random), "z", values(type, n, random)),
              plan -> plan.add("dot", Reduction.dot(), "x", "z"),
              results -> List.of(results.get("dot"))));
      if (type == ElementType.INT || type == ElementType.DOUBLE) { // the others are twins
        addScans(cases, type);
        addScatters(cases, type);
      }
    }
    cases.add(
        new Case(
            "accumulating histogram",
            (n, random) -> named("x", ints(n, 0, BINS, random), "old", ints(BINS, 0, 99, random)),
            plan -> plan.add("h", Histogram.ofKeys(BINS).accumulating(), "x", "old"),
            results -> List.of(results.ints("h"))));
    cases.add(
        new Case(
            "accumulating histogram of bytes",
            (n, random) ->
                named("x", values(ElementType.BYTE, n, random), "old", ints(256, 0, 99, random)),
            plan -> plan.add("h", Histogram.ofBytes().accumulating(), "x", "old"),
            results -> List.of(results.ints("h"))));
    cases.add(
        new Case(
            "tickets and arbitration",
            (n, random) ->
                named("x", values(ElementType.BYTE, n, random), "z", ints(n, -1, BINS, random)),
            plan -> plan.add("t", Tickets.stable(), "x").add("a", Arbitration.of(BINS), "z"),
            results ->
                List.of(
                    results.ints("t"),
                    results.get("t_total"),
                    results.ints("a"),
                    results.ints("a_won"))));
    addChains(cases);
    return cases;
  }

  private static void addScans(List<Case> cases, ElementType type) {
    for (ScanForm form : ScanForm.values()) {
      Scan inclusive = Scan.inclusive(Operator.SUM).by(form).continuing();
      Scan exclusive = Scan.exclusive(Operator.MAX).by(form).continuing();
      cases.add(
          new Case(
              "continuing scan of %s, %s".formatted(type, form.label()),
              (n, random) -> named("x", values(type, n, random), "s", values(type, 1, random)),
              plan -> plan.add("y", inclusive, "x", "s").add("z", exclusive, "x", "s"),
              results ->
                  List.of(
                      array(results, "y", type),
                      results.get("y_total"),
                      array(results, "z", type),
                      results.get("z_total"))));
      SegmentedScan segmented = SegmentedScan.inclusive(Operator.SUM).by(form);
      addSegmented(
          cases,
          type,
          segmented.segments(Segments.byHeads()),
          (n, random) -> ints(n, 0, 9, random).segment(),
          ElementType.BYTE);
      addSegmented(
          cases,
          type,
          segmented.segments(Segments.byHeadBits()),
          (n, random) ->
              MemorySegment.ofArray(random.ints(Math.ceilDiv(n, Integer.SIZE)).toArray()),
          ElementType.INT);
      addSegmented(
          cases,
          type,
          segmented.segments(Segments.byOffsets()),
          (n, random) -> MemorySegment.ofArray(random.ints(n / 5, 0, n + 1).sorted().toArray()),
          ElementType.INT);
      addSegmented(
          cases,
          type,
          segmented.segments(Segments.byKeys()),
          (n, random) -> ints(n, 0, 2, random).segment(),
          ElementType.INT);
      addSegmented(
          cases,
          type,
          segmented.segments(Segments.byKeys()),
          (n, random) -> MemorySegment.ofArray(random.longs(n, 0, 2).toArray()),
          ElementType.LONG);
    }
  }

  @FunctionalInterface
  private interface Given {
    MemorySegment of(int n, SplittableRandom random);
  }

  private static void addSegmented(
      List<Case> cases,
      ElementType type,
      SegmentedScan scan,
      Given segments,
      ElementType segmentsType) {
    cases.add(
        new Case(
            "%s of %s over %s".formatted(scan, segmentsType, type),
            (n, random) -> {
              MemorySegment given = segments.of(n, random);
              long bytes = segmentsType == ElementType.BYTE ? n : given.byteSize();
              return named(
                  "x",
                  values(type, n, random),
                  "b",
                  Elements.of(given.asSlice(0, bytes), segmentsType));
            },
            plan -> plan.add("y", scan, "x", "b"),
            results -> List.of(array(results, "y", type), results.get("y_total"))));
  }

  private static void addScatters(List<Case> cases, ElementType type) {
    cases.add(
        new Case(
            "scatter reductions of " + type,
            (n, random) ->
                named(
                    "i",
                    ints(n, 0, BINS, random),
                    "v",
                    values(type, n, random),
                    "into",
                    values(type, BINS, random)),
            plan ->
                plan.add("y", ScatterReduce.by(Operator.SUM), "i", "v", "into")
                    .add("last", ScatterReduce.last(), "i", "v", "into"),
            results -> List.of(array(results, "y", type), array(results, "last", type))));
    cases.add(
        new Case(
            "weighted histograms of " + type,
            (n, random) ->
                named(
                    "x",
                    ints(n, -50, BINS + 50, random),
                    "w",
                    values(type, n, random),
                    "old",
                    values(type, BINS, random)),
            plan ->
                plan.add("h", Histogram.even(BINS, 0, BINS).weighted(), "x", "w")
                    .add(
                        "g",
                        Histogram.even(BINS, 0, BINS).weighted().accumulating(),
                        "x",
                        "w",
                        "old"),
            results ->
                List.of(
                    array(results, "h", type), array(results, "g", type), results.get("h_below"))));
  }

  /** Second inputs that earlier primitives have written, beside first ones at a place of theirs. */
  private static void addChains(List<Case> cases) {
    cases.add(
        new Case(
            "arrays of earlier primitives",
            (n, random) ->
                named(
                    "x",
                    ints(n, -9, 10, random),
                    "i",
                    ints(n, 0, BINS, random),
                    "into",
                    ints(BINS, 0, 99, random)),
            plan ->
                plan.add("s", Scan.inclusive(Operator.SUM), "x")
                    .add("one", Histogram.even(1, -99, 99), "x")
                    .add("dot", Reduction.dot(), "x", "s")
                    .add("tod", Reduction.dot(), "s", "x")
                    .add("c", Scan.exclusive(Operator.SUM).continuing(), "x", "one")
                    .add(
                        "k",
                        SegmentedScan.inclusive(Operator.SUM).segments(Segments.byKeys()),
                        "x",
                        "s")
                    .add("r", ScatterReduce.by(Operator.SUM), "i", "s", "into")
                    .add("w", Histogram.ofKeys(BINS).weighted(), "i", "s"),
            results ->
                List.of(
                    results.get("dot"),
                    results.get("tod"),
                    results.ints("c"),
                    results.ints("k"),
                    results.ints("r"),
                    results.ints("w"))));
  }

  abstract static class Contract {

    abstract Target target();

    private static List<Object> expected(Case tried, Map<String, Elements> inputs) {
      try (Funnel jvm = Funnel.open(Target.JVM)) {
        Plan.Builder builder = jvm.plan("expected");
        int most = inputs.values().stream().mapToInt(Elements::length).max().orElse(0);
        inputs.forEach((name, elements) -> builder.input(name, elements.type(), most));
        tried.primitives().accept(builder);
        try (Plan plan = builder.build()) {
          return tried.outputs().apply(plan.run(inputs));
        }
      }
    }

    private static List<Case> cases() {
      return InputRangesTest.cases();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyInputAtAPlaceOfItsOwn(Case tried) {
      SplittableRandom random = Seed.random("ranges" + tried);
      try (Funnel funnel = Funnel.open(target())) {
        Map<String, TornadoNativeArray> arrays = new LinkedHashMap<>();
        Plan.Builder builder = funnel.plan("ranges");
        tried
            .inputs()
            .of(MOST, random)
            .forEach(
                (name, elements) -> {
                  TornadoNativeArray array = HostArrays.allocate(elements.type(), MOST + ROOM);
                  arrays.put(name, array);
                  builder.input(name, array);
                });
        tried.primitives().accept(builder);
        try (Plan plan = builder.build()) {
          for (int run = 0; run < LENGTHS.length; run++) {
            Map<String, Elements> inputs = tried.inputs().of(LENGTHS[run], random);
            Map<String, Integer> places = new HashMap<>();
            inputs.forEach(
                (name, elements) -> {
                  int at = (places.size() * 7 + plan.name().length() + 5) % ROOM;
                  places.put(name, at);
                  put(elements, arrays.get(name), at);
                  plan.changed(name, at, at + elements.length());
                });
            assertArrayEquals(
                expected(tried, inputs).toArray(),
                tried.outputs().apply(plan.run()).toArray(),
                "%s, n=%s, at %s%s".formatted(tried, LENGTHS[run], places, Seed.replay()));
          }
        }
      }
    }

    private static void put(Elements elements, TornadoNativeArray array, int at) {
      MemorySegment all = array.getSegment();
      all.fill((byte) 0x5a);
      MemorySegment from = elements.segment();
      MemorySegment.copy(from, 0, all, (long) at * elements.type().bytes(), from.byteSize());
    }

    @Test
    void dotProduct_ofRangesThatDoNotMeet() {
      IntArray a = IntArray.fromElements(1, 2, 3, 4);
      IntArray b = IntArray.fromElements(10, 20, 30, 40);
      try (Funnel funnel = Funnel.open(target());
          Plan plan =
              funnel
                  .plan("dot")
                  .input("a", a)
                  .input("b", b)
                  .add("dot", Reduction.dot(), "a", "b")
                  .build()) {
        assertEquals(
            1 * 30 + 2 * 40, plan.changed("a", 0, 2).changed("b", 2, 4).run().getLong("dot"));
        assertEquals(
            3 * 10 + 4 * 20, plan.changed("a", 2, 4).changed("b", 0, 2).run().getLong("dot"));
      }
    }

    /** An output that is in place has the place of its array, as a second input too. */
    @Test
    void arrayWrittenInPlace_asSecondInput() {
      IntArray x = IntArray.fromElements(9, 9, 9, 1, 2, 3);
      IntArray z = IntArray.fromElements(7, 4, 5, 6, 7, 8);
      try (Funnel funnel = Funnel.open(target());
          Plan plan =
              funnel
                  .plan("inPlace")
                  .input("x", x)
                  .input("z", z)
                  .add("y", Scan.inclusive(UserOperators.JOIN_INT), "x")
                  .output("y", x)
                  .add("dot", Reduction.dot(), "z", "y")
                  .build()) {
        assertEquals(
            4 * 1 + 5 * 5 + 6 * 23,
            plan.changed("x", 3, 6).changed("z", 1, 4).run().getLong("dot"));
      }
    }
  }

  @Nested
  class OnJvm extends Contract {
    @Override
    Target target() {
      return Target.JVM;
    }
  }

  @Nested
  class InEmulator extends Contract {
    @Override
    Target target() {
      return Target.EMULATOR;
    }
  }

  @Nested
  @Tag("gpu")
  class OnDevice extends Contract {
    @Override
    Target target() {
      return Target.TORNADO;
    }
  }
}
