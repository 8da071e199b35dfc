package funnel.histogram;

import funnel.engine.DeviceArrays;
import funnel.engine.JvmRun;
import funnel.engine.Launches;
import funnel.engine.Primitive;
import funnel.jit.FunctionCopies;
import funnel.jit.KernelTask;
import funnel.jit.KernelTask.Grid;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The end of a weighted histogram, whose samples were numbered and whose weights were put into the
 * numbers' order and scanned by them: adds each number's sum to the sums so far, or to zeros,
 * unless a sample is no key.
 *
 * @param id name of the array of sums
 * @param numbers the part that numbered the samples
 * @param sort the part that sorted the numbers
 * @param weights the weights as they were given
 * @param scan name of the part that scanned them
 * @param total its result that is the sum of the largest number
 * @param old the sums so far, or null
 * @param element type of the weights
 * @param type of the sums
 */
record WeightEnd(
    String id,
    BinNumbers numbers,
    KeySort sort,
    String weights,
    String scan,
    String total,
    @Nullable String old,
    ElementType element,
    ElementType type)
    implements Primitive {

  /* It is the end of a scatter reduction into the sums so far; without them into the output itself,
   * after it was cleared. Samples in no bin have a number behind all counters, which is passed over.
   *
   * As there, the JVM adds integers one after the other, without the parts between.
   */

  private static final Operator SUM = Operator.SUM;

  /** Whether the JVM does without the parts between. */
  static boolean isDirectOnJvm(ElementType type) {
    return Scatter.isDirectOnJvm(type, SUM);
  }

  private String done() {
    return id + ".done";
  }

  private Bins bins() {
    return numbers.bins();
  }

  @Override
  public String signature() {
    return "weighted histogram's end, %d of %s%s"
        .formatted(bins().counters(), type, old == null ? "" : "/accumulating");
  }

  @Override
  public List<String> inputs() {
    Set<String> inputs = new LinkedHashSet<>();
    inputs.add(numbers.id());
    inputs.add(weights);
    inputs.add(numbers.refused());
    inputs.add(sort.sorted());
    inputs.add(scan);
    if (old != null) {
      inputs.add(old);
    }
    return List.copyOf(inputs);
  }

  @Override
  public List<Slot> arrays() {
    return List.of(new Slot(id, type, bins().counters()));
  }

  @Override
  public List<String> inputsInPlace(String array) {
    return old == null || old.equals(weights) ? List.of() : List.of(old);
  }

  @Override
  public int lengthOf(String array, Lengths lengths) {
    return bins().counters();
  }

  @Override
  public List<Slot> results() {
    return List.of(new Slot(done(), ElementType.INT, 1));
  }

  @Override
  public void requireLengths(Lengths lengths) {
    int samples = lengths.length(numbers.input());
    int given = lengths.length(weights);
    if (given != samples) {
      throw new IllegalArgumentException(
          "histogram %s takes a weight for each sample: length of %s=%d, length of %s=%d"
              .formatted(id, numbers.input(), samples, weights, given));
    }
    CountHistogram.requireOld(id, old, bins(), lengths);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {
      lengths.length(numbers.input()),
      bins().counters(),
      lengths.offset(old == null ? id : old),
      lengths.offset(id),
      lengths.offset(weights)
    };
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    String into = old == null ? id : old;
    Launches launches =
        new Launches(this, arrays)
            .array("keys", sort.sorted())
            .array("values", scan)
            .array("refused", numbers.refused())
            .array("into", into)
            .array("output", id)
            .result("done", done())
            .value("operator", SUM.code());
    Class<?> kernels = Scatter.kernels(type, SUM);
    Grid sums = IntScatterKernels.grid(bins().counters());
    if (old == null) {
      launches.add("clear", kernels, "clear", sums);
    } else if (arrays.array(into) != arrays.array(id)) {
      launches.add("copy", kernels, "copy", sums);
    }
    return launches
        .add("combine", kernels, "combine", IntScatterKernels.grid(numbers.capacity()))
        .tasks();
  }

  @Override
  public void runOnJvm(JvmRun run) {
    MemorySegment output = run.output(id);
    MemorySegment given = run.input(weights);
    if (old == null) {
      output.fill((byte) 0);
    } else {
      MemorySegment.copy(run.input(old), 0, output, 0, output.byteSize());
    }
    int length = run.length(numbers.id());
    int counters = bins().counters();
    ScatterLoops loops =
        FunctionCopies.loops(
            MethodHandles.lookup(), ScatterLoops.class, Scatter.loops(element, type), SUM);
    if (isDirectOnJvm(type)) {
      run.deliver(
          total,
          loops.all(
              run.input(numbers.id()),
              given,
              length,
              output,
              counters,
              SUM.function(),
              SUM.identity(type)));
    } else if (length > 0) {
      loops.ends(
          run.input(sort.sorted()), run.input(scan), length, output, counters, SUM.function());
    }
    run.deliver(done(), 0);
  }

  /** As many as the sort wants, of all channels, and all sums so far. */
  @Override
  public int checkedElements() {
    int samples = Math.ceilDiv(sort.checkedElements(), 12) * 12;
    return old == null ? samples : Math.max(samples, bins().counters());
  }

  @Override
  public Primitive withCapacity(int most) {
    return new WeightEnd(
        id,
        (BinNumbers) numbers.withCapacity(most),
        (KeySort) sort.withCapacity(most),
        weights,
        scan,
        total,
        old,
        element,
        type);
  }
}
