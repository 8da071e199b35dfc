package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.Values;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.device.ProgramArrays;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels of segmented sorts in any order of threads, by segments around tiles and chunks. */
class SegmentedSortStepTest {

  private static final int TILE = IntSegmentedSortKernels.TILE;
  private static final int CHUNK = IntSegmentedSortKernels.CHUNK;

  /** Segments' lengths, of which one after the other is taken until there are enough keys. */
  private static int[] lengths(String segments, SplittableRandom random) {
    return switch (segments) {
      case "ones" -> new int[] {1};
      case "sixteens" -> new int[] {16};
      case "tens, one, tens" -> repeated(10, 300, new int[] {2 * CHUNK + 1}, 10, 300);
      case "one, tens" -> repeated(10, 0, new int[] {2 * CHUNK}, 10, 300);
      case "tens, one" -> repeated(10, 400, new int[] {3 * CHUNK}, 10, 0);
      case "one" -> new int[] {4 * CHUNK + 1};
      case "tiles" -> new int[] {TILE - 1, TILE, TILE + 1, CHUNK - TILE, 1};
      case "chunks" -> new int[] {CHUNK - 1, 1, CHUNK, CHUNK + 1, 2};
      case "around sixteen" -> new int[] {15, 16, 17, 1, 16, 2, 31, 7, 8, 9};
      case "counted" -> IntStream.rangeClosed(1, 33).toArray();
      case "around counted" -> new int[] {31, 32, 33, 34, 1, 39, 40, 41, 3, 24, 25};
      case "some counted" -> repeated(16, 2 * TILE / 16, new int[] {100, 255, 256}, 5, TILE / 5);
      case "short and long" -> new int[] {CHUNK - TILE, TILE, CHUNK - TILE + 1, TILE + 1};
      default -> random.ints(40, 1, random.nextInt(2, 1 + CHUNK)).toArray();
    };
  }

  private static int[] repeated(int before, int count, int[] one, int after, int times) {
    return IntStream.concat(
            IntStream.concat(IntStream.range(0, count).map(_ -> before), Arrays.stream(one)),
            IntStream.range(0, times).map(_ -> after))
        .toArray();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ones | INT",
        "ones | DOUBLE",
        "sixteens | BYTE",
        "sixteens | FLOAT",
        "around sixteen | INT",
        "around sixteen | DOUBLE",
        "counted | BYTE",
        "counted | INT",
        "counted | LONG",
        "counted | FLOAT",
        "around counted | INT",
        "around counted | LONG",
        "some counted | INT",
        "some counted | FLOAT",
        "sixteens | LONG",
        "tens, one, tens | INT",
        "one, tens | LONG",
        "tens, one | BYTE",
        "one | INT",
        "one | FLOAT",
        "one, tens | DOUBLE",
        "tiles | INT",
        "tiles | LONG",
        "chunks | BYTE",
        "chunks | INT",
        "short and long | LONG",
        "random | INT",
        "random | LONG"
      })
  void sortsInAnyOrder(String segments, ElementType type) {
    SplittableRandom random = Seed.random("segments" + segments + type);
    int[] lengths = lengths(segments, random);
    int length = Math.max(Arrays.stream(lengths).sum(), 4 * TILE) + random.nextInt(3);
    int[] bits = new int[Math.ceilDiv(length, 32)];
    int[] firsts = new int[length];
    for (int at = 0, k = 0; at < length; k++) {
      int end = Math.min(length, at + lengths[k % lengths.length]);
      bits[at / 32] |= 1 << at;
      Arrays.fill(firsts, at, end, at);
      at = end;
    }
    boolean isOrder = random.nextBoolean();
    int width = 8 * type.bytes();
    int from = !type.isFloating() && random.nextInt(3) == 0 ? random.nextInt(width) : 0;
    int to =
        !type.isFloating() && random.nextInt(3) == 0 ? random.nextInt(from + 1, width + 1) : width;
    boolean isSigned = type.isFloating() || random.nextBoolean();
    KeyOrder order = new KeyOrder(type, random.nextBoolean(), isSigned, from, to);
    List<Values> all = new ArrayList<>(Values.special(type, length, random));
    all.add(Values.random(type, length, random));
    Values keys = all.get(random.nextInt(all.size()));
    Integer[] expected = IntStream.range(0, length).boxed().toArray(Integer[]::new);
    Comparator<Integer> byKey =
        (i, j) -> Long.compare(word(keys, i, order, isOrder), word(keys, j, order, isOrder));
    Arrays.sort(
        expected,
        Comparator.<Integer>comparingInt(i -> firsts[i])
            .thenComparing(order.isDescending() ? byKey.reversed() : byKey));
    int capacity = length + random.nextInt(3) * CHUNK;
    Input x = new Input("x", type, capacity);
    Input heads = new Input("b", ElementType.INT, Math.ceilDiv(capacity, 32));
    SegmentedSortStep sort = new SegmentedSortStep("y", "x", "b", order, isOrder, capacity);
    Values got = Values.ofLength(isOrder ? ElementType.INT : type, length);
    Program sorting = Program.of(List.of(x, heads), List.of(sort));
    if (random.nextBoolean()) {
      sorting = sorting.in(Setting.assumingNothing());
    }
    try (EmulatorEngine engine = inAnyOrder();
        LoadedProgram program = engine.load(sorting, Map.of())) {
      program.set("x", keys.segment());
      program.set("b", MemorySegment.ofArray(bits));
      for (int run = 0; run < 2; run++) {
        program.run();
        program.fetch("y", got.segment());
        for (int i = 0; i < length; i++) {
          long wanted = isOrder ? expected[i] : bits(keys, expected[i]);
          assertEquals(wanted, bits(got, i), sort + ", place " + i + Seed.replay());
        }
      }
    }
  }

  private static int launches(Program program) {
    return new ProgramArrays(program, Map.of()).tasks().size();
  }

  /** A launch for short segments; as many as the capacity needs once there has been a long one. */
  @Test
  void longSegmentsAreFoundInARun() {
    int capacity = 5 * CHUNK;
    Input x = new Input("x", ElementType.INT, capacity);
    Input heads = new Input("b", ElementType.INT, capacity / 32);
    KeyOrder order = KeyOrder.of(ElementType.INT, false);
    Primitive sort = new SegmentedSortStep("y", "x", "b", order, false, capacity);
    Program sorting = Program.of(List.of(x, heads), List.of(sort));
    assertEquals(1, launches(sorting));
    assertEquals(6, launches(sorting.in(Setting.assumingNothing())));
    Primitive zeros = new Zeros();
    Program changing = Program.of(List.of(x, heads), List.of(zeros, sort));
    assertEquals(7, launches(changing.on(Device.EMULATOR, Map.of())));
    SplittableRandom random = Seed.random("long segments");
    int[] keys = random.ints(capacity).toArray();
    int[] got = new int[capacity];
    try (EmulatorEngine engine = inAnyOrder();
        LoadedProgram program = engine.load(sorting, Map.of())) {
      program.set("x", MemorySegment.ofArray(keys));
      for (int length : new int[] {32, TILE, CHUNK + 1, 32, capacity}) {
        int[] bits = new int[capacity / 32];
        int[] expected = keys.clone();
        for (int at = 0; at < capacity; at += length) {
          bits[at / 32] |= 1 << at;
          Arrays.sort(expected, at, Math.min(capacity, at + length));
        }
        program.set("b", MemorySegment.ofArray(bits));
        program.run();
        program.fetch("y", MemorySegment.ofArray(got));
        assertArrayEquals(expected, got, () -> "segments of " + length + Seed.replay());
      }
    }
  }

  /** Overwrites an input. */
  private record Zeros() implements Primitive {
    @Override
    public String id() {
      return "zeros";
    }

    @Override
    public Step in(Setting setting) {
      return Step.of(this, setting)
          .reads("x", "x", 0, 1)
          .changes("x")
          .counts()
          .onDevice(
              launches -> launches.add("set", SegmentedSortStepTest.class, "zeros", Grid.of(1, 1)));
    }
  }

  static void zeros(
      KernelContext context, IntArray shape, IntArray x, IntArray done, int shapeAt, int doneAt) {}

  private static long bits(Values keys, int i) {
    return switch (keys.type().bytes()) {
      case 1 -> keys.segment().get(ValueLayout.JAVA_BYTE, i);
      case 4 -> keys.segment().get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
      default -> keys.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i);
    };
  }

  /** What is compared of a key, as a number that is above another one if its key is. */
  private static long word(Values keys, int i, KeyOrder order, boolean isOrder) {
    int all = 8 * order.type().bytes();
    long bits = bits(keys, i);
    if (order.type() == ElementType.FLOAT) {
      int word = KeyWords.word((int) bits);
      return isOrder ? KeyWords.merged(word) : word;
    }
    if (order.type() == ElementType.DOUBLE) {
      long word = KeyWords.word(bits);
      return isOrder ? KeyWords.merged(word) : word;
    }
    long above = bits << (Long.SIZE - order.toBit());
    int width = Long.SIZE - order.bits();
    boolean hasSign = order.isSigned() && order.toBit() == all;
    return hasSign ? above >> width : (above >>> width) ^ (order.bits() == 64 ? 1L << 63 : 0);
  }

  private static EmulatorEngine inAnyOrder() {
    return new EmulatorEngine(
        Emulator.builder()
            .order(funnel.emulator.Order.RANDOM)
            .groupOrder(funnel.emulator.Order.RANDOM)
            .seed(Seed.VALUE)
            .detectRaces(true)
            .build());
  }
}
