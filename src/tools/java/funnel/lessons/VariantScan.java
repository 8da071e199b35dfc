package funnel.lessons;

import funnel.jit.FunctionCopies;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import java.util.ArrayList;
import java.util.List;

/**
 * An inclusive scan by a {@link ScanVariant}.
 *
 * @param id name of the array and, in its tasks' names, of the scan
 * @param input name of the input
 * @param element the elements' type
 * @param operator the operator
 * @param variant the variant
 * @param blockSize threads of a block
 * @param capacity the largest number of elements
 */
record VariantScan(
    String id,
    String input,
    ElementType element,
    Operator operator,
    ScanVariant variant,
    int blockSize,
    int capacity)
    implements Primitive {

  /* Level 0 is the input, level k + 1 the totals of level k's blocks, and the last level has one
   * block. Level k has the arrays totals<k>, its blocks' totals, and scanned<k>, its scan, which
   * for level 0 is the output. Levels are launched upwards by scans and downwards by propagations.
   */

  /* Where kernels find the ints of a level. */

  private static final int FROM_AT = 0;
  static final int LENGTH_AT = 1;
  static final int TO_AT = 2;

  private static final int INTS_OF_LEVEL = 3;

  VariantScan {
    if (!variant.isOver(element)) {
      throw new IllegalArgumentException(
          "no scan of %s elements by variant %s: use %s over int, long, float or double"
              .formatted(element, variant.label(), ScanVariant.SCAN_THEN_PROPAGATE.label()));
    }
    operator.requireDefinedOn(element);
    long threads = (long) Math.ceilDiv(capacity, variant.items() * blockSize) * blockSize;
    if (threads > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "too many threads for one launch of %s: capacity=%s, threads=%s, most=%s"
              .formatted(variant.label(), capacity, threads, Integer.MAX_VALUE));
    }
  }

  /** The name of the scan's total among the results. */
  static String total(String id) {
    return id + "_total";
  }

  private boolean isChained() {
    return variant == ScanVariant.CHAINED;
  }

  private int blocksOf(int length) {
    return Math.ceilDiv(length, variant.items() * blockSize);
  }

  /** Blocks of each level, for inputs of the capacity; the last one has one block. */
  private List<Integer> blocksOfLevels() {
    List<Integer> blocks = new ArrayList<>();
    int count = capacity;
    do {
      count = Math.max(1, blocksOf(count));
      blocks.add(count);
    } while (count > 1 && !isChained());
    return blocks;
  }

  private String totals(int level) {
    return id + ".totals" + level;
  }

  private String scanned(int level) {
    return level == 0 ? id : id + ".scanned" + level;
  }

  @Override
  public Step in(Setting setting) {
    return new VariantScan(
            id,
            input,
            element,
            operator,
            isChained() && !setting.mayGiveUp() ? ScanVariant.SCAN_THEN_PROPAGATE : variant,
            blockSize,
            setting.capacity(capacity))
        .step(Step.of(this, setting));
  }

  private Step step(Step step) {
    List<Integer> blocks = blocksOfLevels();
    String gaveUp = id + ".gaveup";
    step.reads("values", input, FROM_AT)
        .writes("out", id, element, capacity, input, TO_AT)
        .inPlaceOf(id, input)
        .delivers("result", total(id), element)
        .combines(operator, input, element, null)
        .onDevice(launches -> launch(launches, blocks))
        .onJvm(this::scan);
    for (int level = 0; level < blocks.size(); level++) {
      int number = level;
      int at = INTS_OF_LEVEL * level;
      step.number(at + LENGTH_AT, lengths -> lengthOf(number, lengths.length(input)));
      if (level > 0) {
        step.number(at + FROM_AT, 0).number(at + TO_AT, 0);
      }
    }
    if (isChained()) {
      return step.reports("gaveUp", gaveUp, ElementType.INT)
          .gaveUpAt(gaveUp, place -> "block " + (place - 1))
          .filled("words", id + ".words", ElementType.LONG, words(element, blocks.getFirst()), 0);
    }
    for (int level = 0; level < blocks.size(); level++) {
      step.scratch(totals(level), totals(level), element, blocks.get(level));
      if (level > 0) {
        step.scratch(scanned(level), scanned(level), element, blocks.get(level - 1));
      }
    }
    return step;
  }

  /** The number of elements of a level. */
  private int lengthOf(int level, int length) {
    return level == 0 ? length : lengthOf(level - 1, blocksOf(length));
  }

  private Class<?> master() {
    return switch (variant) {
      case CHAINED -> IntChainedKernels.class;
      case WARP_SHUFFLE -> IntShuffleKernels.class;
      default -> IntVariantKernels.class;
    };
  }

  private Launches level(Launches launches, int level) {
    return launches
        .value("shapeAt", launches.shapeAt() + INTS_OF_LEVEL * level)
        .array("values", level == 0 ? input : totals(level - 1))
        .array("out", scanned(level));
  }

  private void launch(Launches launches, List<Integer> blocks) {
    launches
        .value("operator", operator.code())
        .value("identity", operator.identity(element))
        .value("threads", blockSize)
        .value("tile", blockSize * variant.items())
        .kernels(master(), element);
    if (isChained()) {
      level(launches, 0)
          .value("pitch", pitch(element, blocks.getFirst()))
          .launch("chained", variant.kernel(), Grid.of(blocks.getFirst(), blockSize));
      return;
    }
    for (int k = 0; k < blocks.size(); k++) {
      level(launches, k)
          .array("totals", totals(k))
          .value("last", blocks.size() == 1 ? 1 : 0)
          .launch("scan" + k, variant.kernel(), Grid.of(blocks.get(k), blockSize));
    }
    launches.kernels(IntVariantKernels.class, element);
    for (int k = blocks.size() - 2; k >= 0; k--) {
      level(launches, k)
          .array("scannedTotals", scanned(k + 1))
          .value("last", k == 0 ? 1 : 0)
          .launch("propagate" + k, "propagate", Grid.of(blocks.get(k), blockSize));
    }
  }

  /** The distance between the two words of a value; 0 if it has only one. */
  static int pitch(ElementType element, int blocks) {
    return element.bytes() > Integer.BYTES ? 1 + blocks : 0;
  }

  /** Longs in which the blocks pass words to each other, all zero before the first run. */
  static int words(ElementType element, int blocks) {
    return 1 + blocks + pitch(element, blocks);
  }

  private VariantLoops loops() {
    return FunctionCopies.loops(VariantLoops.class, IntVariantLoops.class, operator, null, element);
  }

  private void scan(JvmRun run) {
    OperatorThrewException.naming(
        operator,
        null,
        () ->
            run.deliver(
                total(id),
                loops().scan(this, run.input(input), run.output(id), run.length(input))));
  }
}
