package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Seed;
import funnel.Values;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        "sixteens | BYTE",
        "sixteens | LONG",
        "tens, one, tens | INT",
        "one, tens | LONG",
        "tens, one | BYTE",
        "one | INT",
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
    int all = 8 * type.bytes();
    int from = random.nextInt(3) == 0 ? random.nextInt(all) : 0;
    int to = random.nextInt(3) == 0 ? random.nextInt(from + 1, all + 1) : all;
    boolean isSigned = random.nextBoolean();
    KeyOrder order = new KeyOrder(type, random.nextBoolean(), isSigned, from, to);
    Values keys = Values.random(type, length, random);
    Integer[] expected = IntStream.range(0, length).boxed().toArray(Integer[]::new);
    Comparator<Integer> byKey = (i, j) -> Long.compare(word(keys, i, order), word(keys, j, order));
    Arrays.sort(
        expected,
        Comparator.<Integer>comparingInt(i -> firsts[i])
            .thenComparing(order.isDescending() ? byKey.reversed() : byKey));
    int capacity = length + random.nextInt(3) * CHUNK;
    Input x = new Input("x", type, capacity);
    Input heads = new Input("b", ElementType.INT, Math.ceilDiv(capacity, 32));
    SegmentedSortStep sort = new SegmentedSortStep("y", "x", "b", order, isOrder, capacity);
    Values got = Values.ofLength(isOrder ? ElementType.INT : type, length);
    try (EmulatorEngine engine = inAnyOrder();
        LoadedProgram program =
            engine.load(Program.of(List.of(x, heads), List.of(sort)), Map.of())) {
      program.set("x", keys.segment());
      program.set("b", MemorySegment.ofArray(bits));
      for (int run = 0; run < 2; run++) {
        program.run();
        program.fetch("y", got.segment());
        for (int i = 0; i < length; i++) {
          long wanted = isOrder ? expected[i] : keys.longAt(expected[i]);
          assertEquals(wanted, got.longAt(i), sort + ", place " + i + Seed.replay());
        }
      }
    }
  }

  /** What is compared of a key, as a number that is above another one if its key is. */
  private static long word(Values keys, int i, KeyOrder order) {
    int all = 8 * order.type().bytes();
    long bits =
        switch (order.type()) {
          case BYTE -> keys.segment().get(ValueLayout.JAVA_BYTE, i);
          case INT -> keys.segment().get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
          default -> keys.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i);
        };
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
