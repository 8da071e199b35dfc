package funnel.rank;

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
import funnel.sort.KeyWords;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;

/**
 * Finds the elements at ranks, or the positions of the first elements: of few in the elements'
 * order on a device if wanted, else in no order. Positions of equal elements ascend.
 *
 * <p>For 3, 1, 4, 1 the elements at the ranks 0 and 3 are 1, 4; the positions of the first 2 are 1,
 * 3.
 *
 * @param mostParts the maximum number of parts that elements are cut into on a device
 * @param leastSampled the number of elements from which a sample is taken
 * @param isInOrder whether positions are in the elements' order; not on the JVM
 */
record RankSelectStep(
    String id,
    Input of,
    Ranks ranks,
    String output,
    int mostParts,
    int sample,
    int leastSampled,
    boolean isInOrder)
    implements Primitive {

  /* Where kernels find ints in the shape. */

  private static final int LENGTH = 0;
  static final int PART = 1;
  static final int PARTS = 2;

  static final int INPUT = 3;
  static final int OUTPUT = 4;
  static final int RANKS = 5;

  /** Number of first elements to find. */
  static final int FIRST = 6;

  static final int QUANTILES = 7;

  /** Several times as many as run on a device at once, so that few remain for the last wave. */
  private static final int MOST_PARTS = 8192;

  /** A smaller sample leaves more candidates; finding places in a larger one takes longer. */
  private static final int SAMPLE = 8192;

  /** Passes over fewer take no longer than the sample. */
  private static final int LEAST_SAMPLED = 1 << 24;

  static RankSelectStep of(String id, Input of, Ranks ranks, String output) {
    return new RankSelectStep(id, of, ranks, output, MOST_PARTS, SAMPLE, LEAST_SAMPLED, false);
  }

  /** With positions in the elements' order, for a device. */
  RankSelectStep inOrder() {
    return new RankSelectStep(id, of, ranks, output, mostParts, sample, leastSampled, true);
  }

  /** Whether a block can put so many positions in order. */
  static boolean canOrder(int first) {
    return first <= IntRankSelectKernels.THREADS;
  }

  ElementType type() {
    return of.type();
  }

  int capacity() {
    return of.capacity();
  }

  private String slot(String name) {
    return id + "." + name;
  }

  private String count() {
    return slot("count");
  }

  /** The array of each interpolated quantile's distance from the rank below it. */
  String weights() {
    return slot("weights");
  }

  /** One pass is enough for bytes. */
  private boolean isSampled() {
    return leastSampled <= capacity()
        && type() != ElementType.BYTE
        && ranks.ranges() <= IntSampleKernels.RANGES;
  }

  private ElementType words() {
    return type() == ElementType.BYTE ? ElementType.INT : KeyWords.typeOf(type());
  }

  private int sets() {
    return Math.ceilDiv(ranks.count(), IntRankSelectKernels.RANKS);
  }

  private int parts() {
    return Math.clamp(Math.ceilDiv(capacity(), IntRankSelectKernels.TILE), 1, mostParts);
  }

  /** Parts of fewer elements have more room each than those of more, but no more in all. */
  private int candidates() {
    int tiles = Math.ceilDiv(capacity(), IntRankSelectKernels.TILE);
    return (tiles + Math.ceilDiv(tiles, mostParts))
        * (IntRankSelectKernels.TILE / IntRankSelectKernels.ROOM);
  }

  /** The largest number of passes of a set, with each rank alone from the second one on. */
  private int passes() {
    return 1
        + Math.ceilDiv(
            8 * type().bytes() - IntRankSelectKernels.BITS, IntRankSelectKernels.BITS - steps());
  }

  /** The logarithm of the largest number of groups, rounded up, for the search for a group. */
  private int steps() {
    int groups = Math.min(ranks.count(), IntRankSelectKernels.RANKS);
    return Integer.SIZE - Integer.numberOfLeadingZeros(groups - 1);
  }

  /** Few elements are sampled in the check of kernels, too. */
  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(capacity());
    int least = leastSampled <= capacity() ? Math.min(leastSampled, most) : leastSampled;
    Input first = new Input(of.name(), type(), most);
    return new RankSelectStep(id, first, ranks, output, mostParts, sample, least, isInOrder)
        .step(Step.of(this, setting));
  }

  private Step step(Step step) {
    ElementType words = words();
    step.reads("values", of.name(), INPUT, LENGTH)
        .derives(
            PART,
            of.name(),
            LengthRule.parts(IntRankSelectKernels.TILE * mostParts)
                .within(1, Integer.MAX_VALUE)
                .times(IntRankSelectKernels.TILE))
        .derives(PARTS, of.name(), LengthRule.parts(1).timesIntAt(PART))
        .number(RANKS, ranks.count())
        .number(FIRST, ranks.first())
        .delivers("count", count(), ElementType.INT)
        .scratch("words", slot("words"), words, sets() * IntRankSelectKernels.WORDS)
        .scratch("state", slot("state"), ElementType.INT, sets() * IntRankSelectKernels.STATE)
        .scratch("totals", slot("totals"), ElementType.INT, sets() * IntRankSelectKernels.COUNTERS)
        .scratch("places", slot("places"), ElementType.DOUBLE, sets() * IntRankSelectKernels.RANKS)
        .scratch("candidates", slot("candidates"), words, isSampled() ? candidates() : 1)
        .scratch("stored", slot("stored"), ElementType.INT, isSampled() ? parts() : 1)
        .writesFound(
            "output",
            output,
            ranks.isFirst() ? ElementType.INT : type(),
            ranks.wanted(Math.max(1, capacity())),
            count(),
            null,
            OUTPUT)
        .bitsOf("values", "output")
        .checkedWith(3 * IntRankSelectKernels.TILE + 77)
        .onDevice(this::find)
        .onJvm(this::find);
    for (int i = 0; i < ranks.quantiles().size(); i++) {
      step.numbers(QUANTILES + i * Ranks.INTS, Ranks.ints(ranks.quantiles().get(i)));
    }
    if (ranks.isInterpolated()) {
      step.writes("weights", weights(), ElementType.DOUBLE, ranks.quantiles().size());
    } else {
      step.scratch("weights", weights(), ElementType.DOUBLE, 1);
    }
    if (isSampled()) {
      step.scratch("samples", slot("samples"), words, sample)
          .scratch("bounds", slot("bounds"), words, 2 * IntSampleKernels.RANGES)
          .scratch("samplePlaces", slot("sampleplaces"), ElementType.INT, IntSampleKernels.PLACES);
    }
    if (ranks.isFirst()) {
      for (String each : List.of("before", "equal", "startsBefore", "startsEqual")) {
        step.scratch(each, slot(each.toLowerCase(Locale.ROOT)), ElementType.INT, parts());
      }
      if (isInOrder) {
        step.scratch("unordered", slot("unordered"), ElementType.INT, ranks.first());
      }
    }
    return step;
  }

  private void find(Launches launches) {
    int parts = parts();
    Grid ofSets = Grid.of(sets(), IntRankSelectKernels.THREADS);
    Grid counting = Grid.of(sets() * parts, IntRankSelectKernels.COUNT_THREADS);
    launches
        .value("parts", parts)
        .value("steps", steps())
        .value("bits", 8 * type().bytes())
        .value("leastSampled", isSampled() ? leastSampled : IntRankSelectKernels.NEVER)
        .value(
            "kind",
            !type().isFloating()
                ? IntRankSelectKernels.INTEGERS
                : ranks.isFirst()
                    ? IntRankSelectKernels.NUMBERS_MERGED
                    : IntRankSelectKernels.NUMBERS_APART)
        .value("isSigned", type() == ElementType.BYTE ? 0 : 1)
        .value("complement", !ranks.isDescending() ? 0 : type() == ElementType.BYTE ? 0xff : -1)
        .value(
            "rule",
            ranks.isFirst()
                ? IntRankSelectKernels.FIRST
                : ranks.isInterpolated()
                    ? IntRankSelectKernels.INTERPOLATED
                    : IntRankSelectKernels.QUANTILES)
        .kernels(IntRankSelectKernels.class, KeyWords.typeOf(type()))
        .launch("begin", "begin", ofSets);
    if (isSampled()) {
      sample(launches);
    }
    launches.kernels(IntRankSelectKernels.class, KeyWords.typeOf(type()));
    for (int pass = 0; pass < passes(); pass++) {
      launches
          .launch(KernelTask.repetition("count", pass), "count", counting)
          .launch(KernelTask.repetition("choose", pass), "choose", ofSets);
    }
    if (!ranks.isFirst()) {
      launches.launch("report", "report", Grid.of(sets(), IntRankSelectKernels.RANKS));
      return;
    }
    Grid ofParts = Grid.of(parts, IntRankSelectKernels.THREADS);
    launches
        .array("positions", isInOrder ? slot("unordered") : output)
        .value("isLast", isInOrder ? 0 : 1)
        .launch("sides", "sides", ofParts)
        .launch("starts", "starts", Grid.of(1, IntRankSelectKernels.THREADS))
        .launch("store", "store", ofParts);
    if (isInOrder) {
      launches
          .array("ordered", output)
          .launch("order", "order", Grid.of(1, IntRankSelectKernels.THREADS));
    }
  }

  private void sample(Launches launches) {
    int threads = IntSampleKernels.THREADS;
    launches
        .array("places", slot("sampleplaces"))
        .value("size", sample)
        .value("ranges", ranks.ranges())
        .kernels(IntSampleKernels.class, KeyWords.typeOf(type()))
        .launch("sample", "sample", Grid.of(Math.ceilDiv(sample, threads), threads))
        .launch("bounds", "bounds", Grid.of(sample / IntSampleKernels.OWN, threads))
        .launch("filter", "filter", Grid.of(parts(), threads))
        .launch("decide", "decide", Grid.of(1, IntSampleKernels.DECIDERS));
  }

  private void find(JvmRun run) {
    int length = run.length(of.name());
    RankSelectLoops loops = new RankSelectLoops(run.input(of.name()), length, type(), ranks);
    MemorySegment found = run.output(output);
    if (ranks.isFirst()) {
      loops.positions(ranks.wanted(length), found);
    } else {
      loops.elements(found);
    }
    if (ranks.isInterpolated()) {
      MemorySegment weights = run.output(weights());
      for (int i = 0; i < ranks.quantiles().size(); i++) {
        weights.setAtIndex(InterpolateStep.WEIGHTS, i, length > 0 ? ranks.weight(i, length) : 0);
      }
    }
    run.deliver(count(), ranks.wanted(length));
  }
}
