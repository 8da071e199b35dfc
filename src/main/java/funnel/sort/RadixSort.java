package funnel.sort;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * Sorts keys, or the positions that they are at, stably, by a range of their bits: those of
 * floating-point numbers are the bits of {@link KeyWords}.
 *
 * <p>Of 2, 0, 2, 1 the sorted keys are 0, 1, 2, 2 and the positions 1, 3, 0, 2.
 *
 * @param id its name, and that of the array it writes
 * @param input the keys
 * @param type their type
 * @param isDescending whether the largest key comes first; equal ones stay in their order
 * @param fromBit the lowest bit that is compared
 * @param toBit the one after the highest
 * @param isOrder whether the positions are wanted, and not the keys
 * @param capacity the most keys
 */
record RadixSort(
    String id,
    String input,
    ElementType type,
    boolean isDescending,
    int fromBit,
    int toBit,
    boolean isOrder,
    int capacity)
    implements Primitive {

  /* Least significant digit first. Of each pass's three launches, one counts the digits of each tile
   * of keys, one turns these counts into where each tile's keys of each digit begin, and one ranks a
   * tile's keys, puts them into that order in local memory and writes them to their places: after
   * Satish, Harris and Garland, Designing Efficient Sorting Algorithms for Manycore GPUs, 2009, and
   * Merrill and Grimshaw, High Performance and Scalable Radix Sorting, 2011.
   *
   * Passes go to and fro between two places, the second of which is the output, or scratch if the
   * output is of another type or not wanted. Digits are as equally wide as can be: fewer of them make
   * longer runs of writes. The sign is turned round where a pass sees it, and so are all digits where
   * keys descend: then equal keys stay in their order.
   */

  /**
   * Where kernels find the offset of the input, and of the two places, in the ints of the shape.
   */
  static final int IN_INPUT = 3;

  static final int IN_OUTPUT = 4;
  private static final int IN_OTHER = 5;

  /** Where they find the tiles of a chunk. */
  static final int CHUNK = 6;

  /** So much further is the offset of the positions in a place. */
  static final int POSITIONS = 4;

  /** Where they find the offset of the sorted numbers that keys are turned back into. */
  static final int TO_RESULT = 10;

  /** The sort of an input's keys by all of their bits. */
  static RadixSort of(String id, Input keys, boolean isDescending, boolean isOrder) {
    int bits = 8 * keys.type().bytes();
    return new RadixSort(
        id, keys.name(), keys.type(), isDescending, 0, bits, isOrder, keys.capacity());
  }

  private String slot(String name) {
    return id + "." + name;
  }

  private ElementType words() {
    return switch (type) {
      case FLOAT -> ElementType.INT;
      case DOUBLE -> ElementType.LONG;
      default -> type;
    };
  }

  private int bits() {
    return toBit - fromBit;
  }

  private int passes() {
    return Math.max(1, Math.ceilDiv(bits(), IntRadixKernels.BITS));
  }

  private int items() {
    return isOrder || words() == ElementType.LONG ? IntRadixKernels.FEW : IntRadixKernels.MANY;
  }

  private int mostTiles() {
    return IntRadixKernels.tiles(items()).of(capacity);
  }

  /** Two chunks of tiles, the last of which is not full. */
  private int checked() {
    return (IntRadixKernels.CHUNK_STEP + 2) * IntRadixKernels.THREADS * items() + 77;
  }

  @Override
  public Layout layout() {
    int counts = Math.max(1, IntRadixKernels.DIGITS * mostTiles());
    boolean isTurned = type.isFloating();
    return Layout.reads(input)
        .derives(0, input)
        .derives(1, input, IntRadixKernels.tiles(items()))
        .derives(CHUNK, input, IntRadixKernels.chunk(items(), IntRadixKernels.chunks(mostTiles())))
        .scratch(slot("keys"), words(), isTurned || isOrder ? capacity : 1)
        .scratch(slot("otherkeys"), words(), isTurned || passes() > 1 ? capacity : 1)
        .scratch(slot("otherpositions"), ElementType.INT, isOrder && passes() > 1 ? capacity : 1)
        .scratch(slot("counts"), ElementType.INT, counts)
        .scratch(slot("starts"), ElementType.INT, counts)
        .scratch(slot("totals"), ElementType.INT, IntRadixKernels.DIGITS)
        .writes(id, isOrder ? ElementType.INT : type, capacity, input)
        .counts(id)
        .checkedWith(checked());
  }

  @Override
  public int[] shape(Lengths lengths) {
    int to = lengths.offset(id);
    return new int[] {
      0, // length
      0, // tiles
      items() / IntRadixKernels.ROUND, // rounds
      lengths.offset(input),
      isOrder || type.isFloating() ? 0 : to,
      0,
      0, // tiles of a chunk
      0,
      isOrder ? to : 0,
      0,
      to
    };
  }

  /** Where the keys are before a pass, or after the last. */
  private String keys(int pass) {
    if (pass == 0 && !type.isFloating()) {
      return input;
    }
    boolean isScratch = isOrder || type.isFloating();
    return isOther(pass) ? slot("otherkeys") : isScratch ? slot("keys") : id;
  }

  private boolean isOther(int pass) {
    return (passes() - pass) % 2 == 1;
  }

  private int offsetAt(int pass) {
    return pass == 0 && !type.isFloating() ? IN_INPUT : isOther(pass) ? IN_OTHER : IN_OUTPUT;
  }

  private String positions(int pass) {
    return !isOrder || isOther(pass) ? slot("otherpositions") : id;
  }

  private int payload(int pass) {
    if (!isOrder) {
      return IntRadixKernels.NONE;
    }
    return (pass == 0 ? IntRadixKernels.NUMBERED : IntRadixKernels.MOVED)
        + (pass + 1 < passes() ? 0 : IntRadixKernels.WITHOUT_KEYS);
  }

  @Override
  public void launch(Launches launches) {
    int chunks = IntRadixKernels.chunks(mostTiles());
    int startThreads = IntRadixKernels.startThreads(mostTiles());
    int tiles = Math.max(1, mostTiles());
    boolean isTurned = type.isFloating();
    boolean isTurnedBack = isTurned && !isOrder;
    Class<?> kernels = TwinClass.of(MethodHandles.lookup(), IntRadixKernels.class, words());
    if (isTurned) {
      launches
          .array("values", input)
          .array("words", keys(0))
          .value("mergesNaN", isOrder ? 1 : 0)
          .add("encode", wordKernels(), "encode", wordGrid());
    }
    launches
        .array("counts", slot("counts"))
        .array("starts", slot("starts"))
        .array("totals", slot("totals"))
        .value("chunks", chunks)
        .value("threads", startThreads)
        .value("items", items())
        .value("single", tiles > 1 ? 0 : 1);
    for (int pass = 0; pass < passes(); pass++) {
      int shift = fromBit + bits() * pass / passes();
      int mask = (1 << (fromBit + bits() * (pass + 1) / passes() - shift)) - 1;
      boolean hasSign =
          type != ElementType.BYTE && toBit == 8 * type.bytes() && pass == passes() - 1;
      int flip = (isDescending ? mask : 0) ^ (hasSign ? (mask + 1) / 2 : 0);
      launches
          .array("keys", keys(pass))
          .array("sortedKeys", keys(pass + 1))
          .array("positions", positions(pass))
          .array("sortedPositions", positions(pass + 1))
          .value("shift", shift)
          .value("mask", mask)
          .value("flip", flip)
          .value("fromAt", offsetAt(pass))
          .value("toAt", offsetAt(pass + 1))
          .value("payload", payload(pass))
          .value("last", pass + 1 == passes() && !isTurnedBack ? 1 : 0);
      if (tiles > 1) {
        launches
            .add("count" + pass, kernels, "count", Grid.of(tiles, IntRadixKernels.COUNT_THREADS))
            .add(
                "starts" + pass,
                kernels,
                "starts",
                Grid.of(IntRadixKernels.DIGITS * chunks, startThreads));
      }
      launches.add("scatter" + pass, kernels, "scatter", Grid.of(tiles, IntRadixKernels.THREADS));
    }
    if (isTurnedBack) {
      launches
          .array("words", keys(passes()))
          .array("sorted", id)
          .add("decode", wordKernels(), "decode", wordGrid());
    }
  }

  private Class<?> wordKernels() {
    return TwinClass.of(MethodHandles.lookup(), IntToIntWordKernels.class, type, words());
  }

  private Grid wordGrid() {
    return Grid.of(IntToIntWordKernels.blocks(capacity), IntToIntWordKernels.THREADS);
  }

  @Override
  public Primitive in(Setting setting) {
    int most = setting.capacity(capacity);
    return new RadixSort(id, input, type, isDescending, fromBit, toBit, isOrder, most);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    SortLoops loops = new SortLoops(type, isDescending, fromBit, toBit);
    MemorySegment keys = run.input(input);
    if (isOrder) {
      loops.order(keys, run.length(input), run.output(id));
    } else {
      loops.sort(keys, run.length(input), run.output(id));
    }
  }
}
