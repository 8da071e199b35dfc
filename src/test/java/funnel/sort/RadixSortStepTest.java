package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import funnel.Values;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.kernel.Kernel;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.LengthRule;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class RadixSortStepTest {

  private static Emulator.Builder inAnyOrder() {
    return Emulator.builder()
        .order(funnel.emulator.Order.RANDOM)
        .groupOrder(funnel.emulator.Order.RANDOM)
        .seed(Seed.VALUE);
  }

  /**
   * Of several tiles, of one, and of few with room for many, threads and blocks in other orders,
   * with a look for races.
   */
  @ParameterizedTest
  @EnumSource
  void inAnyOrder(ElementType type) {
    SplittableRandom random = Seed.random("any order" + type);
    int tile = IntRadixKernels.THREADS * IntRadixKernels.items(ElementType.LONG, true);
    inAnyOrder(type, 7424 + 77 + random.nextInt(8192), 24_000, random);
    inAnyOrder(type, tile - random.nextInt(tile / 2), tile, random);
    if (type == ElementType.INT) {
      int few = IntRadixCountKernels.FEW_TILES * IntRadixKernels.THREADS;
      int more = few * IntRadixKernels.items(ElementType.INT, false) + 1;
      inAnyOrder(type, 7424 + 77 + random.nextInt(8192), more, random);
    }
  }

  private static void inAnyOrder(
      ElementType type, int length, int capacity, SplittableRandom random) {
    Input x = new Input("x", type, capacity);
    Values keys = Values.random(type, length, random);
    for (int wanted = 1; wanted <= (type.isFloating() ? 2 : 3); wanted++) { // 3: both
      KeyOrder order = KeyOrder.of(type, random.nextBoolean());
      String sorted = (wanted & IntRadixKernels.KEYS) == 0 ? null : "y";
      String positions = (wanted & IntRadixKernels.POSITIONS) == 0 ? null : "at";
      RadixSortStep sort = new RadixSortStep("y", x, order, sorted, positions, null);
      MemorySegment expected = Values.ofLength(type, length).segment();
      MemorySegment expectedAt = Values.ofLength(ElementType.INT, length).segment();
      new SortLoops(order)
          .sort(
              keys.segment(),
              length,
              null,
              sorted == null ? null : expected,
              positions == null ? null : expectedAt);
      MemorySegment got = Values.ofLength(type, length).segment();
      MemorySegment gotAt = Values.ofLength(ElementType.INT, length).segment();
      try (EmulatorEngine engine = new EmulatorEngine(inAnyOrder().detectRaces(true).build());
          LoadedProgram program = engine.load(Program.of(List.of(x), List.of(sort)), Map.of())) {
        program.set("x", keys.segment());
        program.run();
        if (sorted != null) {
          program.fetch(sorted, got);
        }
        if (positions != null) {
          program.fetch(positions, gotAt);
        }
      }
      assertEquals(-1, expected.mismatch(got), () -> sort + Seed.replay());
      assertEquals(-1, expectedAt.mismatch(gotAt), () -> sort + Seed.replay());
    }
  }

  /** The check of a long sort runs the kernels of many tiles over few. */
  @ParameterizedTest
  @EnumSource(names = {"INT", "LONG"})
  void formOfManyTilesCutOff(ElementType type) {
    SplittableRandom random = Seed.random("cut off" + type);
    Input x = new Input("x", type, 1 << 27);
    RadixSortStep sort = RadixSortStep.of("y", x, KeyOrder.of(type, false), false);
    int most = sort.asIs().layout().checkedElements();
    Program program = Program.of(List.of(x), List.of(sort)).in(Setting.within(most));
    Values keys = Values.random(type, most, random);
    MemorySegment expected = Values.ofLength(type, most).segment();
    new SortLoops(KeyOrder.of(type, false)).sort(keys.segment(), most, null, expected, null);
    MemorySegment got = Values.ofLength(type, most).segment();
    try (EmulatorEngine engine = new EmulatorEngine(inAnyOrder().build());
        LoadedProgram loaded = engine.load(program, Map.of())) {
      loaded.set("x", keys.segment());
      loaded.run();
      loaded.fetch("y", got);
    }
    assertEquals(-1, expected.mismatch(got), Seed::replay);
  }

  /** Steps cover the bits that vary, no others that are far from them, and end in the output. */
  @Test
  void steps() {
    SplittableRandom random = Seed.random("steps");
    for (int i = 0; i < 20_000; i++) {
      ElementType type = ElementType.values()[random.nextInt(3)];
      int all = 8 * type.bytes();
      int from = random.nextInt(all);
      int bits = 1 + random.nextInt(all - from);
      int passes = Math.ceilDiv(bits, IntRadixKernels.BITS);
      long varying = random.nextLong() >>> random.nextInt(64) << random.nextInt(64);
      varying = random.nextBoolean() ? varying & random.nextLong() & random.nextLong() : varying;
      IntArray shape = new IntArray(20);
      shape.set(RadixSortStep.PASSES, passes);
      shape.set(RadixSortStep.FROM_BIT, from);
      shape.set(RadixSortStep.TO_BIT, from + bits);
      KeyOrder order = new KeyOrder(type, false, false, from, from + bits);
      RadixSortStep sort = RadixSortStep.of("y", new Input("x", type, 1), order, false);
      shape.set(RadixSortStep.FIRST_BITS, sort.firstBits());
      IntArray steps = new IntArray(RadixSteps.ints(passes));
      RadixSteps.plan(shape, steps, varying, 0);
      long covered = 0;
      int keys = RadixSteps.INPUT;
      boolean isLast = false;
      int count = 0;
      for (int pass = 0; pass < passes; pass++) {
        int at = RadixSteps.at(pass);
        if (steps.get(at) != RadixSteps.NONE) {
          assertEquals(keys, steps.get(at));
          assertFalse(isLast);
          int shift = steps.get(at + RadixSteps.SHIFT);
          int mask = steps.get(at + RadixSteps.MASK);
          assertTrue(mask > 0 && mask < IntRadixKernels.DIGITS);
          assertTrue(pass == 0 || (varying >> shift & 1) == 1);
          assertEquals(0, covered & ~((1L << shift) - 1), "digits overlap, or come too early");
          covered |= (long) mask << shift;
          keys = steps.get(at + RadixSteps.TO);
          isLast = steps.get(at + RadixSteps.IS_LAST) == 1;
          count++;
        }
      }
      long compared = (bits == 64 ? -1 : (1L << bits) - 1) << from;
      assertEquals(0, varying & compared & ~covered, Seed.replay());
      int most = 64 - Long.numberOfLeadingZeros(varying & compared) - from; // bits from the lowest
      if (type != ElementType.BYTE) {
        int needed = Math.ceilDiv(Math.max(1, most), IntRadixKernels.BITS);
        assertEquals(needed, Math.max(needed, count), "more than small keys need");
      }
      assertEquals(0, covered & ~compared);
      assertTrue(isLast);
      assertEquals(RadixSteps.OUTPUT, keys);
    }
  }

  /** Tiles begin before the first key. */
  @Test
  void tiles() {
    SplittableRandom random = Seed.random("tiles");
    for (int items : new int[] {13, 15, 23, 29}) {
      int tile = items * IntRadixKernels.THREADS;
      int lead = 1 << random.nextInt(1, 5);
      LengthRule rule = RadixSortStep.tiles(items, lead);
      assertEquals(0, rule.of(0));
      assertEquals(1, rule.of(tile - lead));
      assertEquals(2, rule.of(tile - lead + 1));
    }
  }

  /** One tile and several of a chunk, one chunk and as many as there can be. */
  @Test
  void startsOfManyTiles() {
    for (int tiles : new int[] {0, 1, 15, 16, 17, 256, 257, 4096, 4097}) {
      startsOf(tiles, RadixSortStep.chunks(tiles + 100), "sums", "starts");
    }
  }

  /** No tile, fewer than threads of a digit and more, and as many as there can be. */
  @Test
  void startsOfFewTiles() {
    for (int tiles : new int[] {0, 1, 63, 64, 65, 600, IntRadixCountKernels.FEW_TILES}) {
      startsOf(tiles, IntRadixCountKernels.COLUMN_BLOCKS + 1, "columns");
    }
  }

  private static void startsOf(int tiles, int blocks, String... launches) {
    int digits = IntRadixKernels.DIGITS;
    int[] counts = Seed.random("starts" + tiles).ints(digits * tiles, 0, 7425).toArray();
    IntArray starts = new IntArray(Math.max(1, counts.length));
    IntArray totals = new IntArray(digits * IntRadixCountKernels.CHUNKS);
    for (String launch : launches) {
      Map<String, Object> arguments =
          Map.of(
              "shape",
              IntArray.fromElements(0, tiles),
              "varying",
              new IntArray(1),
              "shapeAt",
              0,
              "steps",
              new IntArray(RadixSteps.ints(1)),
              "counts",
              counts.length == 0 ? starts : IntArray.fromArray(counts),
              "starts",
              starts,
              "totals",
              totals,
              "finds",
              0);
      Kernel kernel = Kernel.of(IntRadixCountKernels.class, launch);
      Grid grid = Grid.of(blocks, IntRadixCountKernels.START_THREADS);
      inAnyOrder().build().run(kernel.task(launch, grid, arguments));
    }
    boolean isByDigit = launches.length == 1;
    int sum = 0;
    for (int digit = 0; digit < digits; digit++) {
      sum = isByDigit ? 0 : sum;
      for (int tile = 0; tile < tiles; tile++) {
        int at = tile * digits + digit;
        assertEquals(sum, starts.get(at), "digit=%s, tile=%s".formatted(digit, tile));
        sum += counts[at];
      }
      if (isByDigit) {
        assertEquals(sum, totals.get(digit), "digit=%s of %s tiles".formatted(digit, tiles));
      }
    }
  }

  /** Words are in the order of the numbers, and give them back. */
  @Test
  void wordsOfFloats() {
    int[] bits = {
      0xff800000,
      0xff7fffff,
      0x80800000,
      0x807fffff,
      0x80000001,
      0x80000000,
      0,
      1,
      0x7f7fffff,
      0x7f800000,
      0x7f800001,
      0x7fc00000,
      0x7fffffff,
      -1,
      0xff800001
    };
    int[] words = new int[bits.length];
    for (int i = 0; i < bits.length; i++) {
      words[i] = KeyWords.word(bits[i]);
      assertEquals(bits[i], KeyWords.bits(words[i]));
      assertEquals(words[i], KeyWords.wrappedWord(bits[i]));
      assertEquals(bits[i], KeyWords.wrappedBits(words[i]));
      assertEquals(i < 10 ? words[i] : KeyWords.word(0x7f800001), KeyWords.merged(words[i]));
    }
    int[] sorted = words.clone();
    Arrays.sort(sorted);
    assertArrayEquals(sorted, words);
    assertEquals(Integer.MIN_VALUE, words[0]);
    long[] ofDoubles = {
      Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY),
      Long.MIN_VALUE,
      0,
      0x7ff0000000000000L,
      0x7ff0000000000001L,
      -1,
      0xfff0000000000001L
    };
    long before = Long.MIN_VALUE;
    for (int i = 0; i < ofDoubles.length; i++) {
      long word = KeyWords.word(ofDoubles[i]);
      assertTrue(word >= before);
      assertEquals(ofDoubles[i], KeyWords.bits(word));
      assertEquals(word, KeyWords.wrappedWord(ofDoubles[i]));
      assertEquals(ofDoubles[i], KeyWords.wrappedBits(word));
      assertEquals(i < 4 ? word : KeyWords.word(0x7ff0000000000001L), KeyWords.merged(word));
      before = word;
    }
  }
}
