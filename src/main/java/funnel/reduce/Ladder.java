package funnel.reduce;

import funnel.engine.DeviceArrays;
import funnel.engine.Input;
import funnel.engine.JvmRun;
import funnel.engine.Output;
import funnel.engine.Primitive;
import funnel.engine.Step;
import funnel.engine.Target;
import funnel.jit.FunctionCopies;
import funnel.jit.KernelCopies;
import funnel.jit.KernelTask;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * A reduction by one {@link LadderVariant}: the classic steps from the simplest kernel to a fast
 * one, to compare and to learn from. For work, use {@link Reduction}, which is faster than all of
 * them.
 *
 * <p>Each launch leaves one partial result a block; further launches of the same kernel reduce
 * those, until one is left. With blocks of 256 threads and unrolling by 8, 2^20 elements become 512
 * partial results, and those one: two launches. The number of launches is fixed by the capacity.
 *
 * <p><b>Results.</b> Right for any length; the identity if the input is empty (min and max: {@link
 * java.util.NoSuchElementException} when the value is read). Integer sums and products wrap around;
 * NaN and -0.0 are treated as in {@link Math} by min and max. A sum of floats or doubles depends on
 * variant, block size and length: its bits differ between variants, and are the same on every
 * engine, since the JVM form replays the kernels' tree. A sum of nothing but zeros may have either
 * sign.
 *
 * <p><b>Cost.</b> Each element is read once, each partial result written and read once: 4 bytes an
 * int, and another 4/64 to 4/8192.
 *
 * <p>Source: the sequence of kernels is that of Harris, "Optimizing Parallel Reduction in CUDA", in
 * the form in which textbooks on CUDA C retell it.
 *
 * {@snippet class="funnel.docs.ReduceSnippets" region="ladder"}
 *
 * @param id name of the result
 * @param input name of the input
 * @param element the elements' type: int, long, float or double
 * @param operator the operator
 * @param variant the variant
 * @param blockSize threads of a block: 64, 128, 256, 512 or 1024
 * @param capacity the most elements
 */
public record Ladder(
    String id,
    String input,
    ElementType element,
    Operator operator,
    LadderVariant variant,
    int blockSize,
    int capacity)
    implements Primitive {

  private static final int SMALLEST_BLOCK = 64;
  private static final int LARGEST_BLOCK = 1024;
  private static final int SHAPE_INTS_OF_LAUNCH = 2;

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the block size is none of those above, the type is byte,
   *     the operator is not defined on it or not commutative where the variant needs that, or the
   *     grid would have more threads than a device can count
   */
  public Ladder {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(element, "element");
    Objects.requireNonNull(operator, "operator");
    Objects.requireNonNull(variant, "variant");
    if (blockSize < SMALLEST_BLOCK
        || blockSize > LARGEST_BLOCK
        || Integer.bitCount(blockSize) != 1) {
      throw new IllegalArgumentException(
          "block size must be 64, 128, 256, 512 or 1024: blockSize=" + blockSize);
    }
    if (element == ElementType.BYTE) {
      throw new IllegalArgumentException(
          "no ladder over bytes: use int, long, float or double elements, or Reduction");
    }
    operator.requireDefinedOn(element);
    if (!variant.isOrdered() && !operator.isCommutative()) {
      throw new IllegalArgumentException(
          "variant %s exchanges operands, and operator %s is not commutative: use %s or %s, or say operator.commutative()"
              .formatted(
                  variant.label(),
                  operator,
                  LadderVariant.NEIGHBOURED_PAIRS.label(),
                  LadderVariant.NEIGHBOURED_LESS_DIVERGENCE.label()));
    }
    if (variant != LadderVariant.SINGLE_PASS) {
      long threads = (long) Math.ceilDiv(capacity, variant.fold() * blockSize) * blockSize;
      if (threads > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "too many threads for one launch of %s: capacity=%d, threads=%d, most=%d"
                .formatted(variant.label(), capacity, threads, Integer.MAX_VALUE));
      }
    }
  }

  /**
   * What a plan adds for a ladder: the primitive, and its value as output {@code id}.
   *
   * @param id name of the output
   * @param input the input
   * @param variant the variant
   * @param blockSize threads of a block: 64, 128, 256, 512 or 1024
   * @param operator the operator
   * @param target what the plan will run on
   * @throws IllegalArgumentException as the constructor
   * @throws SinglePassUnavailableException if the variant is {@link LadderVariant#SINGLE_PASS}, the
   *     target is a device, and {@link SinglePassProbe} does not find it right there
   */
  public static Step step(
      String id,
      Input input,
      LadderVariant variant,
      int blockSize,
      Operator operator,
      Target target) {
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(target, "target");
    Ladder ladder =
        new Ladder(id, input.name(), input.type(), operator, variant, blockSize, input.capacity());
    if (variant == LadderVariant.SINGLE_PASS && target == Target.TORNADO) {
      SinglePassProbe.requireRight(input.type(), blockSize);
    }
    String emptyReason =
        operator.hasEmptyResult()
            ? ""
            : operator + " of the empty input " + input.name() + " is not defined";
    return new Step(
        List.of(ladder), List.of(Output.of(id, input.type(), input.name(), emptyReason)));
  }

  private boolean isSinglePass() {
    return variant == LadderVariant.SINGLE_PASS;
  }

  /** Blocks of each launch, for inputs of the capacity; the last launch has one block. */
  private List<Integer> blocksOfLaunches() {
    if (isSinglePass()) {
      return List.of(SinglePass.blocks(capacity, blockSize));
    }
    List<Integer> blocks = new ArrayList<>();
    int count = capacity;
    do {
      count = partialsOf(count);
      blocks.add(count);
    } while (count > 1);
    return blocks;
  }

  private int partialsOf(int length) {
    return Math.max(1, Math.ceilDiv(length, variant.fold() * blockSize));
  }

  private String partials(int launch) {
    return id + ".partials" + launch;
  }

  private String count() {
    return id + ".count";
  }

  @Override
  public String signature() {
    return "ladder %s %s by %s %s/%d/%d"
        .formatted(
            variant.label(),
            element,
            kernels().getClass().getSimpleName(),
            operator,
            blockSize,
            isSinglePass() ? blocksOfLaunches().getFirst() : 0);
  }

  @Override
  public List<String> inputs() {
    return List.of(input);
  }

  @Override
  public List<Slot> results() {
    Slot result = new Slot(id, element, 1);
    return isSinglePass()
        ? List.of(result, new Slot(count(), ElementType.INT, 1))
        : List.of(result);
  }

  @Override
  public List<Slot> scratch() {
    List<Integer> blocks = blocksOfLaunches();
    if (isSinglePass()) {
      return List.of(new Slot(partials(0), element, blocks.getFirst() * SinglePass.PITCH));
    }
    List<Slot> scratch = new ArrayList<>();
    for (int launch = 0; launch < blocks.size() - 1; launch++) {
      scratch.add(new Slot(partials(launch), element, blocks.get(launch)));
    }
    return scratch;
  }

  @Override
  public int shapeInts() {
    return isSinglePass()
        ? SinglePass.SHAPE_INTS
        : SHAPE_INTS_OF_LAUNCH * blocksOfLaunches().size();
  }

  @Override
  public int[] shape(Lengths lengths) {
    int offset = lengths.offset(input);
    int length = lengths.length(input);
    if (isSinglePass()) {
      return SinglePass.shape(offset, length, blocksOfLaunches().getFirst(), blockSize);
    }
    int[] shape = new int[shapeInts()];
    for (int at = 0; at < shape.length; at += SHAPE_INTS_OF_LAUNCH) {
      shape[at] = offset;
      shape[at + 1] = length;
      offset = 0;
      length = partialsOf(length);
    }
    return shape;
  }

  private LadderTasks kernels() {
    Class<? extends LadderTasks> kernels =
        TwinClass.of(MethodHandles.lookup(), IntLadderKernels.class, element)
            .asSubclass(LadderTasks.class);
    Serializable function = operator.function();
    if (function != null) {
      FunctionCopies.requireForDevice(operator.name(), function);
    }
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        LadderTasks.class,
        function == null
            ? kernels
            : KernelCopies.copyForDevice(
                MethodHandles.lookup(),
                kernels,
                Map.of(FunctionCopies.combineKey(function), new KernelCopies.Body(function))));
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    LadderTasks kernels = kernels();
    List<Integer> blocks = blocksOfLaunches();
    int shapeAt = arrays.shapeAt(this);
    if (isSinglePass()) {
      return List.of(
          kernels.singlePass(
              id + "_singlePass",
              blocks.getFirst(),
              blockSize,
              arguments(arrays, arrays.array(input), shapeAt, true, 0),
              arrays.array(partials(0)),
              (IntArray) arrays.array(count()),
              arrays.index(count())));
    }
    List<KernelTask> tasks = new ArrayList<>();
    Object values = arrays.array(input);
    for (int launch = 0; launch < blocks.size(); launch++) {
      boolean last = launch == blocks.size() - 1;
      tasks.add(
          kernels.launch(
              variant,
              id + "_launch" + launch,
              blocks.get(launch),
              blockSize,
              arguments(arrays, values, shapeAt + SHAPE_INTS_OF_LAUNCH * launch, last, launch)));
      if (!last) {
        values = arrays.array(partials(launch));
      }
    }
    return tasks;
  }

  private LadderTasks.Arguments arguments(
      DeviceArrays arrays, Object values, int shapeAt, boolean last, int launch) {
    return new LadderTasks.Arguments(
        arrays.shape(),
        values,
        arrays.array(last ? id : partials(launch)),
        operator.code(),
        operator.identity(element),
        shapeAt,
        last ? arrays.index(id) : 0,
        last);
  }

  private LadderLoops loops() {
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        LadderLoops.class,
        TwinClass.of(MethodHandles.lookup(), IntLadderLoops.class, element));
  }

  @Override
  public List<Combined> combined() {
    return List.of(new Combined(operator, input, element, null));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    List<Integer> blocks = blocksOfLaunches();
    OperatorThrewException.naming(
        operator,
        null,
        () ->
            run.deliver(
                id,
                loops()
                    .reduce(
                        run.input(input),
                        run.length(input),
                        variant,
                        blockSize,
                        blocks.size(),
                        blocks.getFirst(),
                        operator.code(),
                        operator.function(),
                        operator.identity(element))));
    if (isSinglePass()) {
      run.deliver(count(), blocks.getFirst()); // as on a device after one run
    }
  }

  @Override
  public Primitive withCapacity(int most) {
    return new Ladder(id, input, element, operator, variant, blockSize, Math.min(capacity, most));
  }

  @Override
  public boolean mayBeContracted() {
    return element.isFloating() && operator.isUser();
  }
}
