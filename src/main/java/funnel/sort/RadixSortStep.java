package funnel.sort;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.scan.SegmentedTree;
import org.jspecify.annotations.Nullable;

/**
 * Sorts keys, or their positions, or both, stably, by a range of their bits; for floating-point
 * numbers by the bits of their {@link KeyWords}.
 *
 * <p>For 2, 0, 2, 1 the sorted keys are 0, 1, 2, 2 and the positions 1, 3, 0, 2. A column of ints
 * or floats may take the place of positions: its bits are moved but not compared.
 *
 * @param keys the array of the sorted keys, or null for none
 * @param positions the array of the positions in the keys' order, or null for none
 * @param given the positions that belong to the keys, or the column; if null, 0, 1, 2 and so on
 */
record RadixSortStep(
    String id,
    Input input,
    KeyOrder order,
    @Nullable String keys,
    @Nullable String positions,
    @Nullable Input given)
    implements Primitive {

  /* Least significant digit first. Of each pass's three launches, one counts the digits of each
   * tile of keys, one turns these counts into where each tile's keys of each digit begin, and one
   * ranks a tile's keys, puts them into that order in local memory and writes them to their places:
   * after Satish, Harris and Garland, Designing Efficient Sorting Algorithms for Manycore GPUs,
   * 2009, and Merrill and Grimshaw, High Performance and Scalable Radix Sorting, 2011.
   *
   * Passes alternate between two arrays, the second of which is the output, or scratch if the
   * output has another type or lacks these: see RadixSteps. A pass that reads the sign inverts it,
   * and all digits are inverted for descending keys: so equal keys keep their order.
   */

  /* Where kernels find their ints. */

  static final int LENGTH = 0;
  static final int TILES = 1;
  static final int ROUNDS = 2;

  /** The offset of the input, and next to it that of the keys. */
  static final int IN_INPUT = 3;

  private static final int IN_KEYS = 4;

  /** The offset of the positions that are read, and next to it that of those that are written. */
  static final int IN_GIVEN = 5;

  private static final int IN_POSITIONS = 6;
  static final int PASSES = 7;
  static final int FROM_BIT = 8;
  static final int TO_BIT = 9;

  /** Bits of the digit that is counted first. */
  static final int FIRST_BITS = 10;

  /** The number of bits of keys with a sign, 0 for others. */
  static final int SIGNED_BITS = 11;

  static final int DESCENDING = 12;

  /** How many places before the first key tiles begin. */
  static final int LEAD = 13;

  /**
   * Tiles over keys, which begin {@code lead} places before the first key; none if there are no
   * keys.
   */
  static LengthRule tiles(int items, int lead) {
    return LengthRule.parts(IntRadixKernels.THREADS * items).beginning(lead);
  }

  /** Blocks that turn counts of {@code mostTiles} tiles into starts. */
  static int chunks(int mostTiles) {
    return Math.clamp(
        Math.ceilDiv(mostTiles, IntRadixCountKernels.CHUNK_STEP), 1, IntRadixCountKernels.CHUNKS);
  }

  /** The sort of an input's keys, or of their positions. */
  static RadixSortStep of(String id, Input keys, KeyOrder order, boolean isOrder) {
    return new RadixSortStep(id, keys, order, isOrder ? null : id, isOrder ? id : null, null);
  }

  private String slot(String name) {
    return id + "." + name;
  }

  /**
   * How bits of floating-point numbers become keys: all NaN are equal if positions are the only
   * output.
   */
  private int turned() {
    return !order.type().isFloating()
        ? KeyWords.NOT_TURNED
        : keys == null ? KeyWords.MERGED : KeyWords.TURNED;
  }

  private ElementType words() {
    return KeyWords.typeOf(order.type());
  }

  private int passes() {
    return Math.ceilDiv(order.bits(), IntRadixKernels.BITS);
  }

  /** Bits of the first digit, which is counted before it is known which bits vary. */
  int firstBits() {
    return Math.min(IntRadixKernels.BITS, order.bits());
  }

  /* The form follows from the whole capacity, also where a setting cuts inputs off: so the check runs
   * the kernels that are to be checked.
   */

  private int items() {
    return hasFewItems() ? IntRadixKernels.FEW_ITEMS : manyItems();
  }

  /** Keys that a thread that counts reads before it counts them; all are a multiple. */
  private static int round(int items) {
    return items == IntRadixKernels.FEW_ITEMS ? items : items % 3 == 0 ? 12 : 8;
  }

  private int manyItems() {
    return IntRadixKernels.items(words(), positions != null);
  }

  private boolean hasFewItems() {
    return (input.capacity() <= IntRadixKernels.FEW_ITEMS_UP_TO
            || order.type() == ElementType.DOUBLE)
        && manyItems() > IntRadixKernels.FEW_ITEMS
        && !isOfOneTile();
  }

  /** Aligns tiles to what a warp reads together, if there are several. */
  private int lead() {
    return isOfOneTile() ? 0 : SegmentedTree.lead(words());
  }

  private boolean isOfOneTile() {
    return input.capacity() <= IntRadixKernels.THREADS * manyItems();
  }

  /** Whether there are so many tiles that starts need the sums of chunks. */
  private boolean isSummed() {
    return tiles(items(), lead()).of(input.capacity()) > IntRadixCountKernels.FEW_TILES;
  }

  /** Several chunks of several tiles, the last of which is not full. */
  private int checked() {
    return (2 * IntRadixCountKernels.CHUNK_STEP + 1) * IntRadixKernels.THREADS * manyItems() + 77;
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(input.capacity());
    int lead = lead();
    int items = items();
    int mostTiles = tiles(items, lead).of(most);
    int tiles = Math.max(1, mostTiles);
    int counts = IntRadixKernels.DIGITS * tiles;
    int moving = passes() > 1 ? most : 1;
    ElementType varying = words() == ElementType.LONG ? words() : ElementType.INT;
    Step step = Step.of(this, setting);
    if (keys == null) {
      step.scratch("sortedKeys", slot("keys"), words(), moving).number(IN_KEYS, 0);
    } else {
      step.placeholder(slot("keys"), words(), "sortedKeys")
          .writes("sortedKeys", keys, order.type(), most, input.name(), IN_KEYS);
    }
    step.reads("input", input.name(), IN_INPUT, LENGTH)
        .derives(TILES, input.name(), tiles(items, lead))
        .number(
            ROUNDS,
            items * IntRadixKernels.THREADS / IntRadixCountKernels.COUNT_THREADS / round(items))
        .number(PASSES, passes())
        .number(FROM_BIT, order.fromBit())
        .number(TO_BIT, order.toBit())
        .number(FIRST_BITS, firstBits())
        .number(SIGNED_BITS, order.isSigned() ? 8 * order.type().bytes() : 0)
        .number(DESCENDING, order.isDescending() ? 1 : 0)
        .number(LEAD, lead)
        .scratch("otherKeys", slot("otherkeys"), words(), moving)
        .placeholder(slot("nopositions"), ElementType.INT, "sortedPositions")
        .scratch(
            "otherPositions",
            slot("otherpositions"),
            ElementType.INT,
            positions == null ? 1 : moving)
        .scratch("steps", slot("steps"), ElementType.INT, RadixSteps.ints(passes()))
        .scratch("varying", slot("varying"), varying, tiles)
        .scratch("counts", slot("counts"), ElementType.INT, counts)
        .scratch("starts", slot("starts"), ElementType.INT, counts)
        .scratch(
            "totals", slot("totals"), ElementType.INT, IntRadixKernels.DIGITS * chunks(mostTiles))
        .bitsOf("input", "sortedKeys", "sortedPositions")
        .counts()
        .checkedWith(checked())
        .onDevice(launches -> launch(launches, mostTiles))
        .onJvm(this::sort);
    if (given == null) {
      step.placeholder(slot("notgiven"), ElementType.INT, "given").number(IN_GIVEN, 0);
    } else {
      step.readsFound("given", given.name(), IN_GIVEN)
          .equallyLong(
              input.name(), given.name(), "columns of %s are as long as its keys".formatted(id));
    }
    return positions == null
        ? step.number(IN_POSITIONS, 0)
        : step.writes(
            "sortedPositions",
            positions,
            given == null ? ElementType.INT : given.type(),
            most,
            input.name(),
            IN_POSITIONS);
  }

  private void launch(Launches launches, int mostTiles) {
    if (given != null) {
      launches.bits("given", given.name());
    }
    launches
        .value("items", items())
        .value("round", round(items()))
        .value("turned", turned())
        .value(
            "payload",
            (keys == null ? 0 : IntRadixKernels.KEYS)
                | (positions == null ? 0 : IntRadixKernels.POSITIONS)
                | (given == null ? 0 : IntRadixKernels.GIVEN));
    Class<?> scatters = TwinClass.of(IntRadixScatterKernels.class, words());
    String what = positions == null ? "" : "Positions";
    if (isOfOneTile()) {
      launches.add("sort", scatters, "sort" + what, Grid.of(1, IntRadixKernels.THREADS));
      return;
    }
    int tiles = Math.max(1, mostTiles);
    Grid counting = Grid.of(tiles, IntRadixCountKernels.COUNT_THREADS);
    Grid starting = Grid.of(chunks(mostTiles), IntRadixCountKernels.START_THREADS);
    Grid scattering = Grid.of(tiles, IntRadixKernels.THREADS);
    String scatter = "scatter" + what + (hasFewItems() ? "Few" : "");
    Grid columns =
        Grid.of(IntRadixCountKernels.COLUMN_BLOCKS + 1, IntRadixCountKernels.START_THREADS);
    boolean isSummed = isSummed();
    launches.kernels(IntRadixCountKernels.class, words()).value("isSummed", isSummed ? 1 : 0);
    for (int pass = 0; pass < passes(); pass++) {
      launches
          .value("finds", pass == 0 ? 1 : 0)
          .launch(pass == 0 ? "find" : KernelTask.repetition("count", pass), "count", counting);
      if (isSummed) {
        launches.launch(pass == 0 ? "sum" : KernelTask.repetition("sums", pass), "sums", starting);
      }
      launches
          .launch(
              pass == 0 ? "plan" : KernelTask.repetition("starts", pass),
              isSummed ? "starts" : "columns",
              isSummed ? starting : columns)
          .add(KernelTask.repetition("scatter", pass), scatters, scatter, scattering);
    }
  }

  private void sort(JvmRun run) {
    new SortLoops(order)
        .sort(
            run.input(input.name()),
            run.length(input.name()),
            given == null ? null : run.input(given.name()),
            keys == null ? null : run.output(keys),
            positions == null ? null : run.output(positions));
  }
}
