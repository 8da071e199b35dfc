package funnel.histogram;

import funnel.jit.TwinClass;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The last part of a histogram, after parts that numbered the samples and counted the numbers: adds
 * the previous counts, and writes the counters unless something is refused.
 *
 * <p>It is a part of composites that have other parts on the JVM.
 *
 * @param id name of the array of counters
 * @param numbers the part that numbered the samples
 * @param counts the array of counts, ints
 * @param old the previous counts, or null
 * @param counter the counters' type
 */
record CountEnd(
    String id, BinNumbers numbers, String counts, @Nullable String old, ElementType counter)
    implements Primitive {

  /** The result that is the first counter that overflows, or -1. */
  static String overflow(String id) {
    return id + ".overflow";
  }

  private String slot(String name) {
    return id + "." + name;
  }

  private Bins bins() {
    return numbers.bins();
  }

  @Override
  public Layout layout() {
    int counters = bins().counters();
    Layout layout =
        Layout.reads(counts)
            .writes(id, counter, counters)
            .reports(overflow(id), ElementType.LONG)
            .scratch(slot("over"), ElementType.INT, HistogramShape.counterBlocks(counters))
            .filled(slot("first"), ElementType.LONG, 2, 0) // the reports of the samples' part
            .filled(slot("second"), ElementType.LONG, 2, 0)
            .filled(slot("third"), ElementType.LONG, 2, 0);
    return old == null ? layout.scratch(slot("old"), counter, 1) : layout.alsoReads(old);
  }

  @Override
  public int[] shape(Lengths lengths) {
    int[] shape = new int[HistogramShape.EDGES];
    shape[HistogramShape.OUTPUT] = lengths.offset(id);
    shape[HistogramShape.OLD] = old == null ? 0 : lengths.offset(old);
    shape[HistogramShape.OVERFLOW] = lengths.index(overflow(id));
    return shape;
  }

  @Override
  public void requireLengths(Lengths lengths) {
    CountHistogram.requireOld(id, old, bins(), lengths);
  }

  /** The kernels that end a histogram of counters of a type. */
  static Class<?> kernels(ElementType counter) {
    return TwinClass.of(MethodHandles.lookup(), IntCounterKernels.class, counter);
  }

  /**
   * Binds the parameters, besides the counts, of the kernels that end a histogram.
   *
   * @param id name of the histogram
   * @param outside the names of the arrays for the results about samples outside the bins, see
   *     {@link Outside}
   * @param old the previous counts, or null
   * @param counter the counters' type
   */
  static void bind(
      Launches launches,
      String id,
      List<String> outside,
      @Nullable String old,
      ElementType counter) {
    launches
        .array("over", id + ".over")
        .array("old", old == null ? id + ".old" : old)
        .array("output", id)
        .array("first", outside.get(0))
        .array("second", outside.get(1))
        .array("third", outside.get(2))
        .array("overflow", overflow(id))
        .value("largest", Operator.MIN.identity(counter))
        .value("isAccumulating", old == null ? 0 : 1);
  }

  /** Adds the launches that end a histogram. */
  static void add(Launches launches, @Nullable String old, ElementType counter, Bins bins) {
    Class<?> kernels = kernels(counter);
    Grid grid = HistogramShape.counterGrid(bins.counters());
    launches.value("counters", bins.counters());
    if (old != null) {
      launches.add("check", kernels, "check", grid);
    }
    launches.add("finish", kernels, "finish", grid);
  }

  @Override
  public void launch(Launches launches) {
    launches
        .array("counts", counts)
        .array("tallies", numbers.tallies())
        .value("areKeys", bins().areKeys() ? 1 : 0)
        .value("blocks", numbers.blocks());
    bind(launches, id, List.of(slot("first"), slot("second"), slot("third")), old, counter);
    add(launches, old, counter, bins());
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    CountHistogram.requireNoOverflow(id, bins(), counter, results);
    return "";
  }

  @Override
  public Primitive in(Setting setting) {
    return new CountEnd(id, (BinNumbers) numbers.in(setting), counts, old, counter);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    throw new IllegalStateException("a device's part of histogram %s".formatted(id));
  }
}
