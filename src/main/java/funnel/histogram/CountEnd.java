package funnel.histogram;

import funnel.engine.DeviceArrays;
import funnel.engine.JvmRun;
import funnel.engine.Primitive;
import funnel.jit.KernelTask;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The end of a histogram whose samples were numbered and whose numbers were counted by parts before
 * this one: adds the counts so far, and writes the counters unless anything is refused.
 *
 * <p>It is a part of composites that do its work otherwise on the JVM.
 *
 * @param id name of the array of counters
 * @param numbers the part that numbered the samples
 * @param counts the array of counts, ints
 * @param old the counts so far, or null
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
  public String signature() {
    return "histogram's end, %d to %s%s"
        .formatted(bins().counters(), counter, old == null ? "" : "/accumulating");
  }

  @Override
  public List<String> inputs() {
    return old == null ? List.of(counts) : List.of(counts, old);
  }

  @Override
  public List<Slot> arrays() {
    return List.of(new Slot(id, counter, bins().counters()));
  }

  @Override
  public int lengthOf(String array, Lengths lengths) {
    return bins().counters();
  }

  @Override
  public List<Slot> results() {
    return List.of(new Slot(overflow(id), ElementType.LONG, 1));
  }

  @Override
  public List<Slot> scratch() {
    List<Slot> scratch = new ArrayList<>();
    scratch.add(
        new Slot(slot("over"), ElementType.INT, HistogramShape.counterBlocks(bins().counters())));
    if (old == null) {
      scratch.add(new Slot(slot("old"), counter, 1));
    }
    return scratch;
  }

  /** Places for what the samples' part has told already. */
  @Override
  public List<Preset> presets() {
    return List.of(
        new Preset(new Slot(slot("first"), ElementType.LONG, 2), 0),
        new Preset(new Slot(slot("second"), ElementType.LONG, 2), 0),
        new Preset(new Slot(slot("third"), ElementType.LONG, 2), 0));
  }

  @Override
  public int[] shape(Lengths lengths) {
    int[] shape = new int[HistogramShape.EDGES];
    shape[HistogramShape.OUTPUT] = lengths.offset(id);
    shape[HistogramShape.OLD] = old == null ? 0 : lengths.offset(old);
    return shape;
  }

  @Override
  public void requireLengths(Lengths lengths) {
    CountHistogram.requireOld(id, old, bins(), lengths);
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    CounterTasks.Arguments end =
        new CounterTasks.Arguments(
            arrays.shape(),
            (IntArray) arrays.array(counts),
            (IntArray) arrays.array(numbers.tallies()),
            (IntArray) arrays.array(slot("over")),
            arrays.array(old == null ? slot("old") : old),
            arrays.array(id),
            (LongArray) arrays.array(slot("first")),
            (LongArray) arrays.array(slot("second")),
            (LongArray) arrays.array(slot("third")),
            (LongArray) arrays.array(overflow(id)),
            arrays.shapeAt(this),
            0,
            0,
            0,
            arrays.index(overflow(id)),
            bins(),
            old != null,
            numbers.blocks());
    CounterTasks ends = CounterTasks.of(counter);
    KernelTask finish = ends.finish(KernelTask.id(id, "finish"), end);
    return old == null
        ? List.of(finish)
        : List.of(ends.check(KernelTask.id(id, "check"), end), finish);
  }

  @Override
  public void requireAccepted(Function<String, Number> results, Lengths lengths) {
    CountHistogram.requireNoOverflow(id, bins(), counter, results);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    throw new IllegalStateException("a device's part of histogram %s".formatted(id));
  }

  @Override
  public Primitive withCapacity(int most) {
    return new CountEnd(id, (BinNumbers) numbers.withCapacity(most), counts, old, counter);
  }
}
