package funnel.call;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Elements;
import funnel.FakeDevices;
import funnel.Funnel;
import funnel.Results;
import funnel.Seed;
import funnel.SingleValues;
import funnel.Values;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.histogram.Histogram;
import funnel.histogram.KeyOutsideException;
import funnel.histogram.Uncounted;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.FindFirst;
import funnel.select.Partition;
import funnel.select.Select;
import funnel.sort.IsSorted;
import funnel.sort.Sort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One-shot calls by several devices come to what they come to by one, or are made by one. */
@Timeout(60)
class SpreadCallsTest {

  private static final int LEAST = 1000;
  private static final int PIECE = 300;
  private static final int DEVICES = 3;
  private static final String OUTPUT = "result";

  private final Funnel one = Funnel.open(Target.JVM);
  private final Funnel several = FakeDevices.open(DEVICES, FakeDevices.slower());

  @AfterEach
  void close() {
    one.close();
    several.close();
  }

  private @Nullable Results by(
      Funnel funnel, Operation operation, Map<String, Elements> into, Elements... inputs) {
    List<String> names =
        IntStream.rangeClosed(1, inputs.length).mapToObj(i -> "input" + i).toList();
    return new SpreadCalls(funnel == several ? DEVICES : 1, funnel::over, LEAST, PIECE)
        .once(new Call("run", OUTPUT, operation, names), into, inputs);
  }

  private static byte[] bytes(Elements elements) {
    return elements.segment().toArray(ValueLayout.JAVA_BYTE);
  }

  /** Spread, without a destination, unless there has to be one, and with a longer one. */
  private void assertSame(Operation operation, ElementType result, Elements... inputs) {
    boolean hasArray = !(operation instanceof Reduction);
    List<Integer> lengths = new ArrayList<>();
    if (!(operation instanceof Select)) {
      lengths.add(0);
    }
    if (hasArray) {
      lengths.addAll(List.of(inputs[0].length(), inputs[0].length() + 7));
    }
    for (int length : lengths) {
      Values expected = Values.guard(result, length + 2 * Values.GUARDS);
      Values actual = Values.guard(result, length + 2 * Values.GUARDS);
      Results by1 = one.run(operation, into(expected, length), inputs);
      Results by3 = by(several, operation, into(actual, length), inputs);
      String what = "%s of %s into %s".formatted(operation, inputs[0], length) + Seed.replay();
      assertNotNull(by3, what);
      assertEquals(by1.names(), by3.names(), what);
      assertEquals(SingleValues.of(by1), SingleValues.of(by3), what);
      if (hasArray) {
        assertEquals(by1.type(OUTPUT), by3.type(OUTPUT), what);
        assertArrayEquals(bytes(by1.elements(OUTPUT)), bytes(by3.elements(OUTPUT)), what);
        int written = Values.GUARDS + (length == 0 ? 0 : by1.length(OUTPUT));
        assertArrayEquals(
            bytes(expected.elements(0, written)), bytes(actual.elements(0, written)), what);
        actual.requireGuards(Values.GUARDS, what);
      }
    }
  }

  /** Spread, with the same values and arrays, of the same types. */
  private void assertValues(Operation operation, Elements... inputs) {
    Results by1 = one.run(operation, inputs);
    Results by3 = by(several, operation, Map.of(), inputs);
    String what = "%s of %s".formatted(operation, inputs[0]) + Seed.replay();
    assertNotNull(by3, what);
    assertEquals(by1.names(), by3.names(), what);
    assertEquals(SingleValues.of(by1), SingleValues.of(by3), what);
    for (String name : by1.names()) {
      if (!SingleValues.of(by1).containsKey(name)) {
        assertEquals(by1.type(name), by3.type(name), what);
        assertArrayEquals(bytes(by1.elements(name)), bytes(by3.elements(name)), what);
      }
    }
  }

  private static Map<String, Elements> into(Values values, int length) {
    return length == 0
        ? Map.of()
        : Map.of(OUTPUT, values.elements(Values.GUARDS, Values.GUARDS + length));
  }

  private static List<Reduction> reductions(ElementType type) {
    List<Reduction> all = new ArrayList<>(List.of(Reduction.min(), Reduction.max()));
    if (type != ElementType.BYTE) {
      all.addAll(List.of(Reduction.argMin(), Reduction.argMax(), Reduction.minMax()));
    }
    if (!type.isFloating()) {
      all.addAll(
          List.of(
              Reduction.sum(),
              Reduction.product(),
              Reduction.sumAsLong(),
              Reduction.sumOfSquares(),
              Reduction.of(Operator.XOR)));
    }
    return all;
  }

  private static List<Scan> scans(ElementType type) {
    List<Scan> all =
        new ArrayList<>(List.of(Scan.inclusive(Operator.MIN), Scan.exclusive(Operator.MAX)));
    if (!type.isFloating()) {
      all.addAll(
          List.of(
              Scan.inclusive(Operator.SUM),
              Scan.exclusive(Operator.SUM).from(5),
              Scan.inclusive(Operator.PRODUCT),
              Scan.exclusive(Operator.SUM).to(ElementType.LONG)));
    }
    return all;
  }

  private static List<Histogram> histograms(ElementType type) {
    Histogram even =
        type.isFloating() ? Histogram.even(9, -0.7, 0.8) : Histogram.even(9, -(1L << 30), 1L << 29);
    List<Histogram> all = new ArrayList<>(List.of(even, even.to(ElementType.LONG)));
    if (type == ElementType.BYTE) {
      all.addAll(List.of(Histogram.ofBytes(), Histogram.ofKeys(300)));
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource
  void whatChangesNoBitIsSpread(ElementType type) {
    SplittableRandom random = Seed.random("spread calls" + type);
    for (int length : new int[] {LEAST, 4 * PIECE, 4 * PIECE + 1}) {
      List<Values> all = new ArrayList<>(List.of(Values.random(type, length, random)));
      if (length == LEAST) {
        all.addAll(Values.special(type, length, random));
      }
      for (Values values : all) {
        Elements elements = values.elements();
        reductions(type).forEach(reduction -> assertSame(reduction, ElementType.INT, elements));
        scans(type).forEach(scan -> assertSame(scan, scan.resultType(type), elements));
        histograms(type)
            .forEach(histogram -> assertSame(histogram, histogram.counterType(), elements));
        assertValues(TopK.largest(5).withPositions(), elements);
        assertValues(IsSorted.ascending(), elements);
        if (type == ElementType.INT || type == ElementType.LONG) {
          Elements second = Values.random(type, length, random).elements();
          assertValues(Reduction.dot(), elements, second);
          assertSame(Histogram.even(9, -9, 9).weighted(), type, elements, second);
        }
        Elements flags = Values.random(ElementType.BYTE, length, random).elements();
        Elements few = Elements.of(new byte[length]);
        few.segment().set(ValueLayout.JAVA_BYTE, random.nextInt(length), (byte) 3);
        assertSame(Select.flagged(), type, elements, flags);
        assertSame(Select.flagged().rejecting(), type, elements, few);
      }
    }
  }

  @Test
  void subrangesAndMemoryOutsideOfTheHeap() {
    SplittableRandom random = Seed.random("spread ranges");
    Values values = Values.random(ElementType.INT, 2000, random);
    MemorySegment outside = Arena.ofAuto().allocate(4 * 2000, 4);
    outside.copyFrom(values.segment());
    for (Elements all : List.of(values.elements(), Elements.of(outside, ElementType.INT))) {
      for (Elements some : List.of(all.range(1, 1999), all.range(777, 1777))) {
        assertSame(Reduction.sum(), ElementType.INT, some);
        assertSame(Scan.inclusive(Operator.SUM), ElementType.INT, some);
      }
    }
  }

  /** Each is made by the first device, as it is with one. */
  @Test
  void whatIsNot() {
    Values ints = Values.random(ElementType.INT, 2000, Seed.random("not spread"));
    Elements all = ints.elements();
    Elements doubles = Elements.of(new double[2000]);
    Elements flags = Elements.of(new byte[2000]);
    Operator own = Operator.ofInt("own", 0, (a, b) -> a + b);
    Transform twice = Transform.ofInt("twice", x -> 2 * x);
    Transform positive = Transform.testInt("positive", x -> x > 0);
    for (Operation operation :
        List.of(
            Reduction.of(own),
            Reduction.of(Operator.SUM, twice),
            Reduction.countIf(positive),
            Reduction.mean(),
            Reduction.variance(),
            Scan.inclusive(own),
            Scan.inclusive(Operator.SUM).mapped(twice),
            Histogram.even(3, 0, 9).mapped(twice),
            Histogram.even(3, 0, 9).channels(2),
            Select.where(positive),
            Partition.where(positive),
            FindFirst.where(positive),
            Sort.ascending())) {
      assertNull(by(several, operation, Map.of(), all), operation.toString());
    }
    for (Operation operation :
        List.of(
            Reduction.sum(),
            Reduction.sumAsDouble(),
            Reduction.sumOfSquares(),
            Scan.inclusive(Operator.SUM))) {
      assertNull(by(several, operation, Map.of(), doubles), operation.toString());
    }
    for (Operation operation : List.of(Histogram.even(3, 0, 9).weighted(), Reduction.dot())) {
      Elements first = operation instanceof Histogram ? all : doubles;
      assertNull(by(several, operation, Map.of(), first, doubles), operation.toString());
    }
    assertNull(by(several, Select.flagged(), Map.of(), all, flags));
    assertNull(by(several, GroupBy.of(Aggregate.count()), Map.of(), all));
    Map<String, Elements> into = Map.of(OUTPUT, Elements.of(new int[2000]));
    for (Select select :
        List.of(
            Select.flagged().positions(),
            Select.flagged().withPositions(),
            Select.flagged().rows(),
            Select.flagged().mapped(twice))) {
      assertNull(by(several, select, into, all, flags), select.toString());
    }
    assertNull(by(several, Reduction.sum(), Map.of(), all.range(0, LEAST - 1)));
    assertNull(by(several, Select.flagged(), into, all, flags.range(0, 1999)));
    assertNull(by(one, Reduction.sum(), Map.of(), all));
    assertNull(by(several, Scan.inclusive(Operator.SUM), Map.of("other", all), all));
  }

  @Test
  void destinationsThatAreNotSimplyWritten() {
    int[] memory = new int[4001];
    Arrays.setAll(memory, i -> i);
    Elements all = Elements.of(memory);
    Elements first = all.range(0, 2000);
    Elements flags = Elements.of(new byte[2000]);
    MemorySegment readOnly = MemorySegment.ofArray(new int[2000]).asReadOnly();
    try (Arena confined = Arena.ofConfined()) {
      for (Elements place :
          List.of(
              first, // in place
              all.range(1, 2001),
              all.range(1999, 4001),
              Elements.of(new int[1999]),
              Elements.of(new long[2000]),
              Elements.of(readOnly, ElementType.INT),
              Elements.of(confined.allocate(8000, 4), ElementType.INT))) {
        Map<String, Elements> into = Map.of(OUTPUT, place);
        assertNull(by(several, Scan.inclusive(Operator.SUM), into, first), place.toString());
        assertNull(by(several, Select.flagged(), into, first, flags), place.toString());
      }
      Elements confinedInput = Elements.of(confined.allocate(8000, 4), ElementType.INT);
      assertNull(by(several, Reduction.sum(), Map.of(), confinedInput));
    }
    Map<String, Elements> few = Map.of(OUTPUT, Elements.of(new int[255]));
    assertNull(by(several, Histogram.ofBytes(), few, flags));
    for (int i = 0; i < memory.length; i++) {
      assertEquals(i, memory[i]);
    }
  }

  @Test
  void whatIsRefusedIsLeftToOneDevice() {
    int[] keys = new int[2000];
    keys[1500] = 10;
    int[] counts = {7, 7};
    Map<String, Elements> into = Map.of(OUTPUT, Elements.of(counts));
    assertNull(by(several, Histogram.ofKeys(2), into, Elements.of(keys)));
    assertArrayEquals(new int[] {7, 7}, counts);
    assertNull(by(several, Reduction.of(Operator.AND), Map.of(), Elements.of(new float[2000])));
  }

  /** Of the calls themselves. */
  @Test
  void bothDevicesWork_andExceptionsAreThoseOfOne() {
    Set<Integer> ran = ConcurrentHashMap.newKeySet();
    byte[] bytes = new byte[OneShotCalls.LEAST_SPREAD];
    bytes[bytes.length - 1] = 9;
    Elements all = Elements.of(bytes);
    int[] counts = new int[5];
    FakeDevices.Fault noting =
        (call, device) -> {
          if (call.startsWith("run")) {
            ran.add(device);
          }
        };
    try (Funnel two = FakeDevices.open(2, noting)) {
      assertEquals(
          new Uncounted(0, 0, 0),
          two.histogram(all, Histogram.ofKeys(10), Elements.of(new int[10])));
      assertEquals(Set.of(0, 1), ran);
      KeyOutsideException expected =
          assertThrows(
              KeyOutsideException.class,
              () -> one.histogram(all, Histogram.ofKeys(5), Elements.of(counts)));
      KeyOutsideException thrown =
          assertThrows(
              KeyOutsideException.class,
              () -> two.histogram(all, Histogram.ofKeys(5), Elements.of(counts)));
      assertEquals(expected.getMessage(), thrown.getMessage());
      assertEquals(bytes.length - 1, thrown.position());
    }
    assertArrayEquals(new int[5], counts);
  }
}
