package funnel.rank;

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
import funnel.sort.WordsOf;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * Finds the elements at ranks, or the positions of the first elements, in no order except that
 * positions of equal elements ascend.
 *
 * <p>For 3, 1, 4, 1 the elements at the ranks 0 and 3 are 1, 4; the positions of the first 2 are 1,
 * 3.
 *
 * @param id its name
 * @param input the elements
 * @param type of the elements
 * @param ranks the wanted ranks
 * @param output the array of the elements or positions
 * @param mostParts the maximum number of parts that elements are cut into on a device
 * @param sample the number of elements of a sample
 * @param leastSampled the number of elements from which a sample is taken
 * @param capacity the largest number of elements
 */
record RankSelect(
    String id,
    String input,
    ElementType type,
    Ranks ranks,
    String output,
    int mostParts,
    int sample,
    int leastSampled,
    int capacity)
    implements Primitive {

  /* Where kernels find ints in the shape, after the length. */

  /** Elements of a part. */
  static final int PART = 1;

  /** Number of parts. */
  static final int PARTS = 2;

  static final int INPUT = 3;
  static final int OUTPUT = 4;

  /** Number of ranks. */
  static final int RANKS = 5;

  /** Number of wanted first elements. */
  static final int FIRST = 6;

  static final int QUANTILES = 7;

  /** Several times as many as run on a device at once, so that few remain for the last wave. */
  private static final int MOST_PARTS = 8192;

  /** A smaller sample leaves more candidates; finding places in a larger one takes longer. */
  private static final int SAMPLE = 8192;

  /** Passes over fewer take no longer than the sample. */
  private static final int LEAST_SAMPLED = 1 << 24;

  static RankSelect of(String id, Input of, Ranks ranks, String output) {
    return new RankSelect(
        id, of.name(), of.type(), ranks, output, MOST_PARTS, SAMPLE, LEAST_SAMPLED, of.capacity());
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
    return leastSampled <= capacity
        && type != ElementType.BYTE
        && ranks.ranges() <= IntSampleKernels.RANGES;
  }

  private ElementType words() {
    return type == ElementType.BYTE ? ElementType.INT : WordsOf.typeOf(type);
  }

  private int sets() {
    return Math.ceilDiv(ranks.count(), IntRankKernels.RANKS);
  }

  private int parts() {
    return Math.clamp(Math.ceilDiv(capacity, IntRankKernels.TILE), 1, mostParts);
  }

  /** Parts of fewer elements have more room each than those of more, but no more in all. */
  private int candidates() {
    int tiles = Math.ceilDiv(capacity, IntRankKernels.TILE);
    return (tiles + Math.ceilDiv(tiles, mostParts)) * (IntRankKernels.TILE / IntRankKernels.ROOM);
  }

  /** The largest number of passes of a set, with each rank alone from the second one on. */
  private int passes() {
    return 1 + Math.ceilDiv(8 * type.bytes() - IntRankKernels.BITS, IntRankKernels.BITS - steps());
  }

  /** The logarithm of the largest number of groups, rounded up, for the search for a group. */
  private int steps() {
    int groups = Math.min(ranks.count(), IntRankKernels.RANKS);
    return Integer.SIZE - Integer.numberOfLeadingZeros(groups - 1);
  }

  @Override
  public Layout layout() {
    ElementType words = words();
    Layout layout =
        Layout.reads(input)
            .derives(0, input)
            .derives(
                PART,
                input,
                LengthRule.parts(IntRankKernels.TILE * mostParts)
                    .within(1, Integer.MAX_VALUE)
                    .times(IntRankKernels.TILE))
            .derives(PARTS, input, LengthRule.parts(1).timesIntAt(PART))
            .delivers(count(), ElementType.INT)
            .scratch(slot("words"), words, sets() * IntRankKernels.WORDS)
            .scratch(slot("state"), ElementType.INT, sets() * IntRankKernels.STATE)
            .scratch(slot("totals"), ElementType.INT, sets() * IntRankKernels.COUNTERS)
            .scratch(slot("places"), ElementType.DOUBLE, sets() * IntRankKernels.RANKS)
            .scratch(slot("candidates"), words, isSampled() ? candidates() : 1)
            .scratch(slot("stored"), ElementType.INT, isSampled() ? parts() : 1)
            .checkedWith(3 * IntRankKernels.TILE + 77)
            .writesFound(
                output,
                ranks.isFirst() ? ElementType.INT : type,
                ranks.wanted(Math.max(1, capacity)),
                count());
    if (ranks.isInterpolated()) {
      layout.writes(weights(), ElementType.DOUBLE, ranks.quantiles().size());
    } else {
      layout.scratch(weights(), ElementType.DOUBLE, 1);
    }
    if (isSampled()) {
      layout
          .scratch(slot("samples"), words, sample)
          .scratch(slot("bounds"), words, 2 * IntSampleKernels.RANGES)
          .scratch(slot("sampleplaces"), ElementType.INT, IntSampleKernels.PLACES);
    }
    if (ranks.isFirst()) {
      for (String each : new String[] {"before", "equal", "startsbefore", "startsequal"}) {
        layout.scratch(slot(each), ElementType.INT, parts());
      }
    }
    return layout;
  }

  @Override
  public int[] shape(Lengths lengths) {
    int[] shape = new int[QUANTILES + Ranks.INTS * ranks.quantiles().size()];
    shape[INPUT] = lengths.offset(input);
    shape[OUTPUT] = lengths.offset(output);
    shape[RANKS] = ranks.count();
    shape[FIRST] = ranks.first();
    for (int i = 0; i < ranks.quantiles().size(); i++) {
      Ranks.put(ranks.quantiles().get(i), shape, QUANTILES + i * Ranks.INTS);
    }
    return shape;
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels =
        TwinClass.of(MethodHandles.lookup(), IntRankKernels.class, WordsOf.typeOf(type));
    int parts = parts();
    Grid ofSets = Grid.of(sets(), IntRankKernels.THREADS);
    Grid counting = Grid.of(sets() * parts, IntRankKernels.COUNT_THREADS);
    launches
        .bits("values", input)
        .array("candidates", slot("candidates"))
        .array("stored", slot("stored"))
        .array("words", slot("words"))
        .array("state", slot("state"))
        .array("totals", slot("totals"))
        .array("places", slot("places"))
        .array("weights", weights())
        .result("count", count())
        .value("parts", parts)
        .value("steps", steps())
        .value("bits", 8 * type.bytes())
        .value("leastSampled", isSampled() ? leastSampled : IntRankKernels.NEVER)
        .value(
            "kind",
            !type.isFloating()
                ? IntRankKernels.INTEGERS
                : ranks.isFirst() ? IntRankKernels.NUMBERS_MERGED : IntRankKernels.NUMBERS_APART)
        .value("isSigned", type == ElementType.BYTE ? 0 : 1)
        .value("complement", !ranks.isDescending() ? 0 : type == ElementType.BYTE ? 0xff : -1)
        .value(
            "rule",
            ranks.isFirst()
                ? IntRankKernels.FIRST
                : ranks.isInterpolated() ? IntRankKernels.INTERPOLATED : IntRankKernels.QUANTILES)
        .add("begin", kernels, "begin", ofSets);
    if (isSampled()) {
      sample(launches);
    }
    for (int pass = 0; pass < passes(); pass++) {
      launches
          .add(KernelTask.repetition("count", pass), kernels, "count", counting)
          .add(KernelTask.repetition("choose", pass), kernels, "choose", ofSets);
    }
    if (!ranks.isFirst()) {
      launches
          .bits("output", output)
          .add("report", kernels, "report", Grid.of(sets(), IntRankKernels.RANKS));
      return;
    }
    Grid ofParts = Grid.of(parts, IntRankKernels.THREADS);
    launches
        .array("before", slot("before"))
        .array("equal", slot("equal"))
        .array("startsBefore", slot("startsbefore"))
        .array("startsEqual", slot("startsequal"))
        .array("positions", output)
        .add("sides", kernels, "sides", ofParts)
        .add("starts", kernels, "starts", Grid.of(1, IntRankKernels.THREADS))
        .add("store", kernels, "store", ofParts);
  }

  private void sample(Launches launches) {
    Class<?> kernels =
        TwinClass.of(MethodHandles.lookup(), IntSampleKernels.class, WordsOf.typeOf(type));
    int threads = IntSampleKernels.THREADS;
    launches
        .array("samples", slot("samples"))
        .array("bounds", slot("bounds"))
        .array("places", slot("sampleplaces"))
        .value("size", sample)
        .value("ranges", ranks.ranges())
        .add("sample", kernels, "sample", Grid.of(Math.ceilDiv(sample, threads), threads))
        .add("bounds", kernels, "bounds", Grid.of(sample / IntSampleKernels.OWN, threads))
        .add("filter", kernels, "filter", Grid.of(parts(), threads))
        .add("decide", kernels, "decide", Grid.of(1, IntSampleKernels.DECIDERS));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    int length = run.length(input);
    RankLoops loops = new RankLoops(run.input(input), length, type, ranks);
    MemorySegment found = run.output(output);
    if (ranks.isFirst()) {
      loops.positions(ranks.wanted(length), found);
    } else {
      loops.elements(found);
    }
    if (ranks.isInterpolated()) {
      MemorySegment weights = run.output(weights());
      for (int i = 0; i < ranks.quantiles().size(); i++) {
        weights.setAtIndex(Interpolate.WEIGHTS, i, length > 0 ? ranks.weight(i, length) : 0);
      }
    }
    run.deliver(count(), ranks.wanted(length));
  }

  /** Few elements are sampled in the check of kernels, too. */
  @Override
  public Primitive in(Setting setting) {
    int most = setting.capacity(capacity);
    int least = leastSampled <= capacity ? Math.min(leastSampled, most) : leastSampled;
    return new RankSelect(id, input, type, ranks, output, mostParts, sample, least, most);
  }
}
