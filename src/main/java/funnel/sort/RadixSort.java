package funnel.sort;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.scan.SegmentedTree;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Sorts keys, or their positions, or both, stably, by a range of their bits; for floating-point
 * numbers by the bits of their {@link KeyWords}.
 *
 * <p>For 2, 0, 2, 1 the sorted keys are 0, 1, 2, 2 and the positions 1, 3, 0, 2. A column of ints
 * or floats may take the place of positions: its bits are moved but not compared.
 *
 * @param id its name
 * @param input the keys
 * @param order the order
 * @param keys the array of the sorted keys, if they are wanted
 * @param positions the array of the positions in the keys' order, if they are wanted
 * @param given the positions that belong to the keys; if there are none, they are 0, 1, 2 and so on
 * @param moved the type of positions, or of the column in their place
 * @param capacity the largest number of keys
 */
record RadixSort(
    String id,
    String input,
    KeyOrder order,
    @Nullable String keys,
    @Nullable String positions,
    @Nullable String given,
    ElementType moved,
    int capacity)
    implements Primitive {

  /* Least significant digit first. Of each pass's three launches, one counts the digits of each
   * tile of keys, one turns these counts into where each tile's keys of each digit begin, and one
   * ranks a tile's keys, puts them into that order in local memory and writes them to their places:
   * after Satish, Harris and Garland, Designing Efficient Sorting Algorithms for Manycore GPUs,
   * 2009, and Merrill and Grimshaw, High Performance and Scalable Radix Sorting, 2011.
   *
   * Passes alternate between two arrays, the second of which is the output, or scratch if the
   * output is of another type or not wanted: see RadixSteps. A pass that reads the sign inverts it,
   * and all digits are inverted for descending keys: so equal keys keep their order.
   */

  /** Where kernels find the offset of the input in the shape, and next to it that of the keys. */
  static final int IN_INPUT = 3;

  /** Where they find the offset of given positions, and next to it that of the positions. */
  static final int IN_GIVEN = 5;

  /** Where they find the tiles of a chunk. */
  static final int CHUNK = 7;

  static final int PASSES = 8;
  static final int FROM_BIT = 9;
  static final int TO_BIT = 10;

  /** Bits of the digit that is counted first. */
  static final int FIRST_BITS = 11;

  /** The number of bits of keys with a sign, 0 for others. */
  static final int SIGNED_BITS = 12;

  static final int DESCENDING = 13;

  private static final int MOST_CHUNKS = 16;

  /** Where they find how many places before the first key tiles begin. */
  static final int LEAD = 14;

  /**
   * Tiles over keys, which begin {@code lead} places before the first key; none if there are no
   * keys.
   */
  static LengthRule tiles(int items, int lead) {
    return LengthRule.parts(IntRadixKernels.THREADS * items).beginning(lead);
  }

  /** Threads of a block that turns counts into starts: a warp if a warp can do it in one step. */
  static int startThreads(int mostTiles) {
    return mostTiles <= IntRadixCountKernels.STARTS * IntRadixCountKernels.WARP
        ? IntRadixCountKernels.WARP
        : IntRadixCountKernels.START_THREADS;
  }

  /** The maximum number of chunks of {@code mostTiles} tiles. */
  static int chunks(int mostTiles) {
    return Math.clamp(Math.ceilDiv(mostTiles, IntRadixCountKernels.CHUNK_STEP), 1, MOST_CHUNKS);
  }

  /** Tiles of a chunk of the tiles over keys, which are cut into at most {@code chunks} chunks. */
  static LengthRule chunk(int items, int lead, int chunks) {
    return LengthRule.parts(
            IntRadixKernels.THREADS * items * IntRadixCountKernels.CHUNK_STEP * chunks)
        .beginning(lead)
        .within(1, Integer.MAX_VALUE)
        .times(IntRadixCountKernels.CHUNK_STEP);
  }

  /** The sort of an input's keys, or of their positions. */
  static RadixSort of(String id, Input keys, KeyOrder order, boolean isOrder) {
    return new RadixSort(
        id, keys.name(), order, isOrder ? null : id, isOrder ? id : null, null, keys.capacity());
  }

  /** The same of positions. */
  RadixSort(
      String id,
      String input,
      KeyOrder order,
      @Nullable String keys,
      @Nullable String positions,
      @Nullable String given,
      int capacity) {
    this(id, input, order, keys, positions, given, ElementType.INT, capacity);
  }

  private String slot(String name) {
    return id + "." + name;
  }

  /**
   * How bits of floating-point numbers become keys: all NaN are equal if only positions are wanted.
   */
  private int turned() {
    return !order.type().isFloating()
        ? KeyWords.NOT_TURNED
        : keys == null ? KeyWords.MERGED : KeyWords.TURNED;
  }

  private ElementType words() {
    return WordsOf.typeOf(order.type());
  }

  private int passes() {
    return Math.ceilDiv(order.bits(), IntRadixKernels.BITS);
  }

  /**
   * Bits of the first digit. It is counted before it is known which bits vary. It is as wide as
   * possible, which leaves less for the others; for bytes, equal widths of the two digits make
   * longer runs.
   */
  int firstBits() {
    return order.type() == ElementType.BYTE
        ? order.bits() / passes()
        : Math.min(IntRadixKernels.BITS, order.bits());
  }

  private int items() {
    return words() == ElementType.LONG ? IntRadixKernels.FEW : IntRadixKernels.MANY;
  }

  private int mostTiles() {
    return tiles(items(), lead()).of(capacity);
  }

  /** Aligns tiles to what a warp reads together, if there are several. */
  private int lead() {
    return capacity <= IntRadixKernels.THREADS * items() ? 0 : SegmentedTree.lead(words());
  }

  /** Two chunks of tiles, the last of which is not full. */
  private int checked() {
    return (IntRadixCountKernels.CHUNK_STEP + 2) * IntRadixKernels.THREADS * items() + 77;
  }

  @Override
  public Layout layout() {
    int tiles = Math.max(1, mostTiles());
    int counts = IntRadixKernels.DIGITS * tiles;
    Layout layout =
        Layout.reads(input)
            .derives(0, input)
            .derives(1, input, tiles(items(), lead()))
            .derives(CHUNK, input, chunk(items(), lead(), chunks(mostTiles())))
            .scratch(slot("keys"), words(), keys == null && passes() > 1 ? capacity : 1)
            .scratch(slot("otherkeys"), words(), passes() > 1 ? capacity : 1)
            .scratch(slot("nopositions"), ElementType.INT, 1)
            .scratch(
                slot("otherpositions"),
                ElementType.INT,
                positions != null && passes() > 1 ? capacity : 1)
            .scratch(slot("steps"), ElementType.INT, RadixSteps.ints(passes()))
            .scratch(
                slot("varying"), words() == ElementType.LONG ? words() : ElementType.INT, tiles)
            .scratch(slot("counts"), ElementType.INT, counts)
            .scratch(slot("starts"), ElementType.INT, counts)
            .scratch(slot("totals"), ElementType.INT, IntRadixKernels.DIGITS)
            .counts(id)
            .checkedWith(checked());
    if (given != null) {
      layout.readsFound(given).sameLength(input, given);
    }
    if (keys != null) {
      layout.writes(keys, order.type(), capacity, input);
    }
    return positions == null ? layout : layout.writes(positions, moved, capacity, input);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    if (given != null && lengths.length(given) != lengths.length(input)) {
      throw new IllegalArgumentException(
          "columns of %s are as long as its keys: length of %s=%s, length of %s=%s"
              .formatted(id, input, lengths.length(input), given, lengths.length(given)));
    }
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0, // length
      0, // tiles
      items() / IntRadixKernels.ROUND, // rounds
      lengths.offset(input),
      keys == null ? 0 : lengths.offset(keys),
      given == null ? 0 : lengths.offset(given),
      positions == null ? 0 : lengths.offset(positions),
      0, // tiles of a chunk
      passes(),
      order.fromBit(),
      order.toBit(),
      firstBits(),
      order.isSigned() ? 8 * order.type().bytes() : 0,
      order.isDescending() ? 1 : 0,
      lead()
    };
  }

  @Override
  public void launch(Launches launches) {
    int chunks = chunks(mostTiles());
    int startThreads = startThreads(mostTiles());
    int tiles = Math.max(1, mostTiles());
    Class<?> scatters = TwinClass.of(MethodHandles.lookup(), IntRadixScatterKernels.class, words());
    Class<?> counts = TwinClass.of(MethodHandles.lookup(), IntRadixCountKernels.class, words());
    launches
        .bits("input", input)
        .array("otherKeys", slot("otherkeys"))
        .bits("sortedKeys", keys == null ? slot("keys") : keys)
        .bits("given", given == null ? slot("counts") : given)
        .array("otherPositions", slot("otherpositions"))
        .bits("sortedPositions", positions == null ? slot("nopositions") : positions)
        .array("steps", slot("steps"))
        .array("varying", slot("varying"))
        .array("counts", slot("counts"))
        .array("starts", slot("starts"))
        .array("totals", slot("totals"))
        .value("chunks", chunks)
        .value("threads", startThreads)
        .value("items", items())
        .value("turned", turned())
        .value(
            "payload",
            (keys == null ? 0 : IntRadixKernels.KEYS)
                | (positions == null ? 0 : IntRadixKernels.POSITIONS)
                | (given == null ? 0 : IntRadixKernels.GIVEN));
    if (capacity <= IntRadixKernels.THREADS * items()) {
      launches.add("sort", scatters, "sort", Grid.of(1, IntRadixKernels.THREADS));
    } else {
      Grid counting = Grid.of(tiles, IntRadixCountKernels.COUNT_THREADS);
      Grid starting = Grid.of(IntRadixKernels.DIGITS * chunks, startThreads);
      launches
          .value("finds", 1)
          .add("find", counts, "count", counting)
          .add("plan", counts, "plan", Grid.of(1, IntRadixCountKernels.START_THREADS))
          .value("finds", 0);
      for (int pass = 0; pass < passes(); pass++) {
        if (pass > 0) {
          launches.add(KernelTask.repetition("count", pass), counts, "count", counting);
        }
        launches
            .add(KernelTask.repetition("starts", pass), counts, "starts", starting)
            .add(
                KernelTask.repetition("scatter", pass),
                scatters,
                "scatter",
                Grid.of(tiles, IntRadixKernels.THREADS));
      }
    }
  }

  @Override
  public Primitive in(Setting setting) {
    return new RadixSort(
        id, input, order, keys, positions, given, moved, setting.capacity(capacity));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    new SortLoops(order)
        .sort(
            run.input(input),
            run.length(input),
            given == null ? null : run.input(given),
            keys == null ? null : run.output(keys),
            positions == null ? null : run.output(positions));
  }
}
