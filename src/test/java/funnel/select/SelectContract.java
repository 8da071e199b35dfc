package funnel.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Numbers;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Types;
import funnel.Values;
import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Operation;
import funnel.operation.OutputTooShortException;
import funnel.operation.Primitive;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;

/** What selections and partitions are on every engine; the oracle is a plain loop. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SelectContract {

  /** The first elements of runs, as reductions by key find them. */
  private static final Operation OF_BITS =
      (output, inputs) -> {
        Primitive step = Runs.step(output, inputs.getFirst(), false);
        return new Expansion(
            List.of(Composite.of(output, List.of(step), Set.of(output))), List.of());
      };

  /** Which elements are kept. */
  enum Kept {
    NONE,
    ALL,
    ONE,
    ALL_BUT_ONE,
    MIXED,
    FEW,
    STRETCHES
  }

  abstract Target target();

  /** The most elements of a plan. */
  abstract int capacity(ElementType type);

  /** Lengths up to the capacity. */
  abstract List<Integer> lengths(ElementType type);

  List<ScanForm> forms() {
    return List.of(ScanForm.values());
  }

  final Funnel funnel = Funnel.open(target());

  @AfterAll
  void close() {
    funnel.close();
  }

  static Transform test(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Transform.testInt("odd", v -> (v & 1) == 1);
      case LONG -> Transform.testLong("odd", v -> (v & 1L) == 1L);
      case FLOAT -> Transform.testFloat("positive", v -> v > 0f);
      case DOUBLE -> Transform.testDouble("positive", v -> v > 0d);
    };
  }

  /** A random element that the test holds for, or one that it does not hold for. */
  private static void put(Values x, int i, boolean holds, SplittableRandom random) {
    int special = random.nextInt(12);
    if (x.type().isFloating()) {
      double value =
          switch (special) {
            case 0 -> Double.POSITIVE_INFINITY;
            case 1 -> 0x1p-140;
            default -> random.nextDouble(1e-3, 1e6);
          };
      double not = special == 2 ? -0.0 : special == 3 ? 0.0 : special == 4 ? Double.NaN : -value;
      x.set(i, holds ? value : not);
    } else {
      long value =
          special == 0 ? Long.MIN_VALUE : special == 1 ? Long.MAX_VALUE : random.nextLong();
      x.set(i, holds ? value | 1 : value & ~1L);
    }
  }

  static boolean[] kept(Kept which, int length, SplittableRandom random) {
    boolean[] kept = new boolean[length];
    int one = length == 0 ? 0 : random.nextInt(length);
    boolean stretch = false;
    for (int i = 0; i < length; i++) {
      stretch = random.nextInt(300) == 0 ? !stretch : stretch;
      kept[i] =
          switch (which) {
            case NONE -> false;
            case ALL -> true;
            case ONE -> i == one;
            case ALL_BUT_ONE -> i != one;
            case MIXED -> random.nextBoolean();
            case FEW -> random.nextInt(1000) == 0;
            case STRETCHES -> stretch;
          };
    }
    return kept;
  }

  static Number[] at(Values x, int[] places) {
    return Numbers.of(places.length, i -> x.at(places[i]));
  }

  static Number[] array(Results results, String name, ElementType type) {
    Values values =
        switch (type) {
          case BYTE -> values(type, results.bytes(name), results.bytes(name).length);
          case INT -> values(type, results.ints(name), results.ints(name).length);
          case LONG -> values(type, results.longs(name), results.longs(name).length);
          case FLOAT -> values(type, results.floats(name), results.floats(name).length);
          case DOUBLE -> values(type, results.doubles(name), results.doubles(name).length);
        };
    return at(values, IntStream.range(0, values.length()).toArray());
  }

  private static Values values(ElementType type, Object array, int length) {
    return new Values(type, array, 0, length);
  }

  static int[] places(int length, IntPredicate is) {
    return IntStream.range(0, length).filter(is).toArray();
  }

  @ParameterizedTest
  @Types
  void byPredicate(ElementType type) {
    SplittableRandom random = Seed.random("predicate" + type);
    Transform test = test(type);
    for (ScanForm form : forms()) {
      try (Plan plan =
          funnel
              .plan("p")
              .input("x", type, capacity(type))
              .add("kept", Select.where(test).withPositions().by(form), "x")
              .add("not", Select.where(test).rejecting().by(form), "x")
              .add("at", Select.where(test).rejecting().positions().by(form), "x")
              .add("parts", Partition.where(test).by(form), "x")
              .add("joined", Partition.where(test).joined(), "x")
              .build()) {
        for (int length : lengths(type)) {
          Kept which = Kept.values()[random.nextInt(Kept.values().length)];
          boolean[] kept = kept(which, length, random);
          int from = random.nextInt(5);
          Values all = Values.guard(type, from + length + 3);
          Values x = all.range(from, from + length);
          for (int i = 0; i < length; i++) {
            put(x, i, kept[i], random);
          }
          int hash = all.hash();
          String what = "%s %s %s %s%s".formatted(type, form, which, length, Seed.replay());
          Results results = plan.run(Map.of("x", x.elements()));
          int[] yes = places(length, i -> kept[i]);
          int[] no = places(length, i -> !kept[i]);
          Numbers.requireSame(at(x, yes), array(results, "kept", type), what);
          assertArrayEquals(yes, results.ints("kept_positions"), what);
          Numbers.requireSame(at(x, no), array(results, "not", type), what);
          assertArrayEquals(no, results.ints("at"), what);
          Numbers.requireSame(at(x, yes), array(results, "parts_kept", type), what);
          Numbers.requireSame(at(x, no), array(results, "parts_rejected", type), what);
          assertEquals(yes.length, results.getInt("parts_split"), what);
          assertEquals(yes.length, results.getInt("joined_split"), what);
          int[] both = IntStream.concat(IntStream.of(yes), IntStream.of(no)).toArray();
          Numbers.requireSame(at(x, both), array(results, "joined", type), what);
          assertEquals(hash, all.hash(), what);
        }
      }
    }
  }

  @ParameterizedTest
  @Types
  void byFlags(ElementType type) {
    SplittableRandom random = Seed.random("flags" + type);
    int capacity = capacity(type);
    for (ScanForm form : forms()) {
      try (Plan plan =
          funnel
              .plan("p")
              .input("x", type, capacity)
              .input("bytes", ElementType.BYTE, capacity)
              .input("bits", ElementType.INT, Math.ceilDiv(capacity, 32))
              .add("kept", Select.flagged().by(form), "x", "bytes")
              .add("not", Select.flagged().rejecting().withPositions().by(form), "x", "bits")
              .add("parts", Partition.flagged(), "x", "bits")
              .add("joined", Partition.flagged().joined(), "x", "bytes")
              .build()) {
        for (int length : lengths(type)) {
          Kept which = Kept.values()[random.nextInt(Kept.values().length)];
          boolean[] kept = kept(which, length, random);
          Values x = Values.random(type, length, random);
          int shift = random.nextInt(4);
          byte[] bytes = new byte[shift + length];
          int[] bits = new int[shift + Math.ceilDiv(length, 32)];
          IntStream.range(0, bits.length).forEach(i -> bits[i] = random.nextInt());
          for (int i = 0; i < length; i++) {
            bytes[shift + i] = (byte) (kept[i] ? random.nextInt(1, 256) : 0);
            int bit = 1 << i;
            bits[shift + i / 32] =
                kept[i] ? bits[shift + i / 32] | bit : bits[shift + i / 32] & ~bit;
          }
          String what = "%s %s %s %s%s".formatted(type, form, which, length, Seed.replay());
          Results results =
              plan.run(
                  Map.of(
                      "x",
                      x.elements(),
                      "bytes",
                      Elements.of(bytes, shift, bytes.length),
                      "bits",
                      Elements.of(bits, shift, bits.length)));
          int[] yes = places(length, i -> kept[i]);
          int[] no = places(length, i -> !kept[i]);
          Numbers.requireSame(at(x, yes), array(results, "kept", type), what);
          Numbers.requireSame(at(x, no), array(results, "not", type), what);
          assertArrayEquals(no, results.ints("not_positions"), what);
          Numbers.requireSame(at(x, yes), array(results, "parts_kept", type), what);
          Numbers.requireSame(at(x, no), array(results, "parts_rejected", type), what);
          int[] both = IntStream.concat(IntStream.of(yes), IntStream.of(no)).toArray();
          Numbers.requireSame(at(x, both), array(results, "joined", type), what);
        }
      }
    }
  }

  /** Runs of random lengths, of elements that are equal and those that only look so. */
  @ParameterizedTest
  @Types
  void runsAndUnique(ElementType type) {
    SplittableRandom random = Seed.random("runs" + type);
    List<Number> few =
        type.isFloating()
            ? List.of(0.0, -0.0, Double.NaN, 1.0, Double.POSITIVE_INFINITY, -1.0)
            : List.of(0, 1, -1, 7);
    for (ScanForm form : forms()) {
      try (Plan plan =
          funnel
              .plan("p")
              .input("x", type, capacity(type))
              .add("runs", Runs.encode().by(form), "x")
              .add("unique", Unique.adjacent().by(form), "x")
              .add("again", Unique.adjacent().by(form), "unique")
              .add("bits", Runs.encode(), "x")
              .add("firsts", OF_BITS, "bits")
              .build()) {
        for (int length : lengths(type)) {
          int longest = 1 << random.nextInt(10);
          Values x = Values.ofLength(type, length);
          for (int i = 0, left = 0; i < length; i++, left--) {
            if (left == 0) {
              left = random.nextInt(1, longest + 1);
              x.put(i, few.get(random.nextInt(few.size())));
            } else {
              x.put(i, x.at(i - 1));
            }
          }
          int[] starts = places(length, i -> i == 0 || !x.at(i).equals(x.at(i - 1)));
          int[] lengths =
              IntStream.range(0, starts.length)
                  .map(i -> (i + 1 < starts.length ? starts[i + 1] : length) - starts[i])
                  .toArray();
          String what = "%s %s, runs up to %s%s".formatted(type, length, longest, Seed.replay());
          Results results = plan.run(Map.of("x", x.elements()));
          Numbers.requireSame(at(x, starts), array(results, "runs", type), what);
          assertArrayEquals(starts, results.ints("runs_starts"), what);
          assertArrayEquals(lengths, results.ints("runs_lengths"), what);
          Numbers.requireSame(at(x, starts), array(results, "unique", type), what);
          Numbers.requireSame(at(x, starts), array(results, "again", type), what);
          Numbers.requireSame(at(x, starts), array(results, "bits", type), what);
          assertArrayEquals(starts, results.ints("bits_starts"), what);
          assertArrayEquals(lengths, results.ints("bits_lengths"), what);
          Numbers.requireSame(at(x, starts), array(results, "firsts", type), what);
        }
      }
    }
  }

  /** A selection of a selection, and of what a scan makes of it. */
  @Test
  void ofWhatWasSelected() {
    SplittableRandom random = Seed.random("chain");
    int capacity = capacity(ElementType.INT);
    Transform small = Transform.testInt("small", v -> v < 1 << 29);
    Transform odd = Transform.testInt("odd", v -> (v & 1) == 1);
    try (Plan plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, capacity)
            .add("a", Select.where(small), "x")
            .add("b", Select.where(odd).withPositions(), "a")
            .add("c", Partition.where(small).joined(), "b")
            .build()) {
      for (int length : lengths(ElementType.INT)) {
        int[] x = random.ints(length).toArray();
        int[] a = IntStream.of(x).filter(v -> v < 1 << 29).toArray();
        int[] b = IntStream.of(a).filter(v -> (v & 1) == 1).toArray();
        Results results = plan.run(Map.of("x", Elements.of(x)));
        assertArrayEquals(a, results.ints("a"), Seed.replay());
        assertArrayEquals(b, results.ints("b"), Seed.replay());
        assertArrayEquals(
            places(a.length, i -> (a[i] & 1) == 1), results.ints("b_positions"), Seed.replay());
        assertArrayEquals(b, results.ints("c"), Seed.replay());
      }
    }
  }

  /** Flags have to be as long as the elements, also where their length is found. */
  @Test
  void flagsOfFoundLength() {
    Transform small = Transform.testInt("small", v -> v < 100);
    Plan.Builder plan =
        funnel
            .plan("p")
            .input("x", ElementType.INT, 10)
            .input("f", ElementType.BYTE, 10)
            .add("a", Select.where(small), "x")
            .add("g", Select.flagged(), "f", "f")
            .add("b", Select.flagged(), "x", "f")
            .add("h", Partition.flagged(), "f", "f");
    for (String flags : List.of("f", "g")) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () ->
                      funnel
                          .plan("q")
                          .input("x", ElementType.INT, 10)
                          .input("f", ElementType.BYTE, 10)
                          .add("a", Select.where(small), "x")
                          .add("g", Select.flagged(), "f", "f")
                          .add("z", Select.flagged(), "a", flags)
                          .build())
              .getMessage();
      assertTrue(String.valueOf(message).contains("a.count"), message);
    }
    try (Plan built = plan.add("c", Select.flagged(), "g", "g").build()) {
      Results results =
          built.run(
              Map.of(
                  "x",
                  Elements.of(new int[] {1, 200, 3}),
                  "f",
                  Elements.of(new byte[] {0, 5, -6})));
      assertArrayEquals(new byte[] {5, -6}, results.bytes("c"));
      assertArrayEquals(new int[] {200, 3}, results.ints("b"));
      assertEquals(2, results.length("c"));
    }
  }

  /** A destination may be as short as what is found, and is left as it was where it is shorter. */
  @Test
  void destinations() {
    int[] x = IntStream.range(0, 5000).toArray();
    Transform small = Transform.testInt("small", v -> v < 1000);
    int[] into = new int[1002];
    Elements middle = Elements.of(into, 1, 1001);
    Results results = funnel.run(Select.where(small), Map.of("result", middle), Elements.of(x));
    assertEquals(1000, results.length("result"));
    assertArrayEquals(IntStream.range(0, 1000).toArray(), Arrays.copyOfRange(into, 1, 1001));
    assertEquals(0, into[0] + into[1001]);
    Arrays.fill(into, -1);
    OutputTooShortException e =
        assertThrows(
            OutputTooShortException.class,
            () ->
                funnel.run(
                    Select.where(small),
                    Map.of("result", Elements.of(into, 1, 1000)),
                    Elements.of(x)));
    assertTrue(String.valueOf(e.getMessage()).contains("found=1000, length=999"), e.getMessage());
    assertEquals(1000, e.found());
    assertEquals(-1002, IntStream.of(into).sum());
  }

  @Test
  void examples() {
    int[] x = {3, 1, 4, 1, 5};
    Transform over2 = Transform.testInt("over 2", v -> v > 2);
    assertArrayEquals(
        new int[] {3, 4, 5}, funnel.run(Select.where(over2), Elements.of(x)).ints("result"));
    assertArrayEquals(
        new int[] {0, 2, 4},
        funnel.run(Select.where(over2).positions(), Elements.of(x)).ints("result"));
    Results parts = funnel.run(Partition.where(over2), Elements.of(x));
    assertArrayEquals(new int[] {1, 1}, parts.ints("result_rejected"));
    assertArrayEquals(
        new int[] {3, 4, 5, 1, 1},
        funnel.run(Partition.where(over2).joined(), Elements.of(x)).ints("result"));
  }

  @Test
  void whatTheyDoNotTake_isNamed() {
    Elements ints = Elements.of(new int[] {1, 2, 3});
    List<Runnable> calls =
        List.of(
            () -> Select.where(Transform.ofInt("f", v -> v)),
            () -> funnel.run(Select.where(test(ElementType.LONG)), ints),
            () -> funnel.run(Select.where(test(ElementType.INT)), ints, ints),
            () -> funnel.run(Select.flagged(), ints),
            () -> funnel.run(Select.flagged(), ints, Elements.of(new long[3])),
            () -> funnel.run(Select.flagged(), ints, Elements.of(new byte[4])),
            () -> funnel.run(Partition.flagged(), ints, Elements.of(new int[2])));
    List<String> messages =
        List.of(
            "transform f is not a predicate",
            "predicate odd takes LONG, the elements of",
            "takes one input, given=2",
            "takes elements and flags, given=1",
            "is of type LONG",
            "length=4, for 3 elements it is 3",
            "length=2, for 3 elements it is 1");
    List<String> seen = new ArrayList<>();
    for (Runnable call : calls) {
      seen.add(assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }
    for (int i = 0; i < messages.size(); i++) {
      assertTrue(seen.get(i).contains(messages.get(i)), seen.get(i));
    }
  }
}
