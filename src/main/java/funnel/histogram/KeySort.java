package funnel.histogram;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;

/**
 * Sorts int keys from 0 to a limit, stably, with or without the positions that they came from.
 *
 * <p>Of 2, 0, 2, 1 the sorted keys are 0, 1, 2, 2 and the positions 1, 3, 0, 2.
 *
 * <p>It compares the lowest {@link #bits} bits of a key and carries all of them. With keys outside
 * of the limit the positions are still a permutation, and keys that are equal in those bits are
 * still in the order that they came in.
 *
 * <p>It is a part of composites, and none of its kernels counts the run.
 *
 * @param id its name; its arrays are {@link #sorted} and {@link #positions}
 * @param input the keys
 * @param limit keys are below it, at least 1
 * @param hasPositions whether it writes the positions
 * @param capacity the most keys
 */
record KeySort(String id, String input, int limit, boolean hasPositions, int capacity)
    implements Primitive {

  /* Least significant digit first. Of each pass's three launches, one counts the digits of each tile
   * of keys, one turns these counts into where each tile's keys of each digit begin, and one ranks a
   * tile's keys, puts them into that order in local memory and writes them to their places: after
   * Satish, Harris and Garland, Designing Efficient Sorting Algorithms for Manycore GPUs, 2009, and
   * Merrill and Grimshaw, High Performance and Scalable Radix Sorting, 2011.
   *
   * Passes go to and fro between the output and scratch, so that the last one writes the output.
   * Digits are as equally wide as can be: fewer of them make longer runs of writes.
   */

  /** Two chunks of tiles, the last of which is not full. */
  static final int CHECKED = (KeySortKernels.CHUNK_STEP + 2) * KeySortKernels.TILE + 77;

  /** What pass by pass is read and written: indices of offsets in the shape array, see there. */
  private static final int FROM_INPUT = 3;

  private static final int IN_OUTPUT = 4;
  private static final int IN_SCRATCH = 5;

  /** Checks the limit. */
  KeySort {
    if (limit < 1) {
      throw new IllegalArgumentException("keys are below a limit of at least 1: limit=" + limit);
    }
  }

  /** The sort of an input's keys. */
  static KeySort of(String id, Input keys, int limit, boolean hasPositions) {
    if (keys.type() != ElementType.INT) {
      throw new IllegalArgumentException(
          "keys are ints, input %s is of type %s".formatted(keys.name(), keys.type()));
    }
    return new KeySort(id, keys.name(), limit, hasPositions, keys.capacity());
  }

  /** Name of the array of sorted keys. */
  String sorted() {
    return id + ".keys";
  }

  /** Name of the array of the positions in the input that they came from. */
  String positions() {
    return id + ".positions";
  }

  private String slot(String name) {
    return id + "." + name;
  }

  /** The low bits of a key that are compared. */
  int bits() {
    return Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(limit - 1));
  }

  private int passes() {
    return Math.ceilDiv(bits(), KeySortKernels.BITS);
  }

  private int mostTiles() {
    return KeySortKernels.tiles().of(capacity);
  }

  @Override
  public Layout layout() {
    int other = passes() > 1 ? capacity : 1;
    int counts = Math.max(1, KeySortKernels.DIGITS * mostTiles());
    Layout layout =
        Layout.reads(input)
            .derives(0, input)
            .derives(1, input, KeySortKernels.tiles())
            .derives(7, input, KeySortKernels.chunk(KeySortKernels.chunks(mostTiles())))
            .writes(sorted(), ElementType.INT, capacity, input)
            .scratch(slot("otherkeys"), ElementType.INT, other)
            .scratch(slot("otherpositions"), ElementType.INT, hasPositions ? other : 1)
            .scratch(slot("counts"), ElementType.INT, counts)
            .scratch(slot("starts"), ElementType.INT, counts)
            .scratch(slot("totals"), ElementType.INT, KeySortKernels.DIGITS)
            .checkedWith(CHECKED);
    return hasPositions ? layout.writes(positions(), ElementType.INT, capacity, input) : layout;
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      0, // length
      0, // tiles
      KeySortKernels.ROUNDS,
      lengths.offset(input),
      lengths.offset(sorted()),
      0,
      hasPositions ? lengths.offset(positions()) : 0,
      0 // tiles of a chunk
    };
  }

  /** Where the keys are before a pass, or after the last. */
  private String keys(int pass) {
    return pass == 0 ? input : (passes() - pass) % 2 == 0 ? sorted() : slot("otherkeys");
  }

  private String positions(int pass) {
    return (passes() - pass) % 2 == 0 ? positions() : slot("otherpositions");
  }

  private int offsetAt(int pass) {
    return pass == 0 ? FROM_INPUT : (passes() - pass) % 2 == 0 ? IN_OUTPUT : IN_SCRATCH;
  }

  @Override
  public void launch(Launches launches) {
    int mostTiles = mostTiles();
    int chunks = KeySortKernels.chunks(mostTiles);
    int startThreads = KeySortKernels.startThreads(mostTiles);
    int tiles = Math.max(1, mostTiles);
    Class<?> kernels = KeySortKernels.class;
    launches
        .array("counts", slot("counts"))
        .array("starts", slot("starts"))
        .array("totals", slot("totals"))
        .value("chunks", chunks)
        .value("threads", startThreads);
    for (int pass = 0; pass < passes(); pass++) {
      int shift = bits() * pass / passes();
      int width = bits() * (pass + 1) / passes() - shift;
      boolean moves = hasPositions && pass > 0;
      launches
          .array("keys", keys(pass))
          .array("sortedKeys", keys(pass + 1))
          .array("positions", moves ? positions(pass) : slot("otherpositions"))
          .array("sortedPositions", hasPositions ? positions(pass + 1) : slot("otherpositions"))
          .value("shift", shift)
          .value("mask", (1 << width) - 1)
          .value("fromAt", offsetAt(pass))
          .value("toAt", offsetAt(pass + 1))
          .value(
              "payload",
              moves
                  ? KeySortKernels.MOVED
                  : hasPositions ? KeySortKernels.NUMBERED : KeySortKernels.NONE)
          .add("count" + pass, kernels, "count", Grid.of(tiles, KeySortKernels.COUNT_THREADS))
          .add(
              "starts" + pass,
              kernels,
              "starts",
              Grid.of(KeySortKernels.DIGITS * chunks, startThreads))
          .add("scatter" + pass, kernels, "scatter", Grid.of(tiles, KeySortKernels.THREADS));
    }
  }

  @Override
  public Primitive in(Setting setting) {
    return new KeySort(id, input, limit, hasPositions, setting.capacity(capacity));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    KeySortLoops.sort(
        run.input(input),
        run.length(input),
        bits(),
        run.output(sorted()),
        hasPositions ? run.output(positions()) : null);
  }
}
