package funnel.lessons;

import funnel.jit.FunctionCopies;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Output;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorThrewException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A reduction by one {@link LadderVariant}.
 *
 * <p>Each launch leaves one partial result per block; further launches of the same kernel reduce
 * those until one is left. With blocks of 256 threads and unrolling by 8, 2^20 elements become 512
 * partial results, which become one: two launches. The capacity fixes the number of launches.
 *
 * @param id name of the result
 * @param input name of the input
 * @param element the elements' type: int, long, float or double
 * @param operator the operator
 * @param variant the variant
 * @param blockSize threads of a block: 64, 128, 256, 512 or 1024
 * @param capacity the largest number of elements
 */
record Ladder(
    String id,
    String input,
    ElementType element,
    Operator operator,
    LadderVariant variant,
    int blockSize,
    int capacity)
    implements Primitive {

  private static final int INTS_OF_LAUNCH = IntLadderKernels.LENGTH_AT + 1;

  /** Checks the parts. */
  Ladder {
    require(variant, blockSize, operator);
    if (element == ElementType.BYTE) {
      throw new IllegalArgumentException(
          "no ladder over bytes: use int, long, float or double elements, or Reduction");
    }
    operator.requireDefinedOn(element);
    long threads = (long) Math.ceilDiv(capacity, variant.fold() * blockSize) * blockSize;
    if (threads > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "too many threads for one launch of %s: capacity=%s, threads=%s, most=%s"
              .formatted(variant.label(), capacity, threads, Integer.MAX_VALUE));
    }
  }

  /** Refuses block sizes and operators that the variant does not support. */
  static void require(LadderVariant variant, int blockSize, Operator operator) {
    Objects.requireNonNull(operator, "operator");
    requireBlockSize(blockSize);
    if (!variant.isOrdered() && !operator.isCommutative()) {
      throw new IllegalArgumentException(
          "variant %s exchanges operands, but operator %s is not declared commutative: use %s or %s, or call operator.commutative()"
              .formatted(
                  variant.label(),
                  operator,
                  LadderVariant.NEIGHBOURED_PAIRS.label(),
                  LadderVariant.NEIGHBOURED_LESS_DIVERGENCE.label()));
    }
  }

  /** Requires a block size that the kernels of the lessons support. */
  static void requireBlockSize(int blockSize) {
    if (blockSize < 64 || blockSize > 1024 || Integer.bitCount(blockSize) != 1) {
      throw new IllegalArgumentException(
          "blockSize=%s: use 64, 128, 256, 512 or 1024".formatted(blockSize));
    }
  }

  /** The primitive, and its value as output {@code id}. */
  static Expansion expand(
      String id, List<Input> inputs, LadderVariant variant, int blockSize, Operator operator) {
    Input input = Expansion.only(inputs, variant.label());
    Ladder ladder =
        new Ladder(id, input.name(), input.type(), operator, variant, blockSize, input.capacity());
    String emptyReason =
        operator.hasEmptyResult()
            ? ""
            : "%s of an empty array is not defined: length of %s=0"
                .formatted(operator, input.name());
    return new Expansion(
        List.of(ladder), List.of(Output.of(id, input.type(), input.name(), emptyReason)));
  }

  /** Blocks of each launch, for inputs of the capacity; the last launch has one block. */
  private List<Integer> blocksOfLaunches() {
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

  @Override
  public Step in(Setting setting) {
    return new Ladder(id, input, element, operator, variant, blockSize, setting.capacity(capacity))
        .step(Step.of(this, setting));
  }

  private Step step(Step step) {
    List<Integer> blocks = blocksOfLaunches();
    step.reads("values", input, IntLadderKernels.FROM_AT)
        .delivers("out", id, element)
        .combines(operator, input, element, null)
        .onDevice(launches -> launch(launches, blocks))
        .onJvm(this::reduce);
    for (int launch = 0; launch < blocks.size(); launch++) {
      int number = launch;
      int at = INTS_OF_LAUNCH * launch;
      step.number(
          at + IntLadderKernels.LENGTH_AT, lengths -> lengthOf(number, lengths.length(input)));
      if (launch > 0) {
        step.number(at + IntLadderKernels.FROM_AT, 0)
            .scratch(partials(launch - 1), partials(launch - 1), element, blocks.get(launch - 1));
      }
    }
    return step;
  }

  /** The number of values that a launch reduces. */
  private int lengthOf(int launch, int length) {
    return launch == 0 ? length : lengthOf(launch - 1, partialsOf(length));
  }

  private void launch(Launches launches, List<Integer> blocks) {
    launches
        .value("operator", operator.code())
        .value("identity", operator.identity(element))
        .value("threads", blockSize)
        .kernels(IntLadderKernels.class, element);
    for (int launch = 0; launch < blocks.size(); launch++) {
      boolean last = launch == blocks.size() - 1;
      launches
          .value("shapeAt", launches.shapeAt() + INTS_OF_LAUNCH * launch)
          .array("out", last ? id : partials(launch))
          .value("outAt", last ? launches.index(id) : 0)
          .value("last", last ? 1 : 0)
          .launch("launch" + launch, variant.kernel(), Grid.of(blocks.get(launch), blockSize));
      if (!last) {
        launches.array("values", partials(launch));
      }
    }
  }

  private LadderLoops loops() {
    return FunctionCopies.loops(LadderLoops.class, IntLadderLoops.class, operator, null, element);
  }

  private void reduce(JvmRun run) {
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
                        operator.identity(element))));
  }
}
