package funnel.reduce;

import funnel.engine.ProgramArrays;
import funnel.engine.TornadoEngine;
import funnel.jit.TwinClass;
import funnel.kernel.Kernel;
import funnel.kernel.KernelTask;
import funnel.operation.RunCounter;
import funnel.operator.ElementType;
import funnel.operator.OperatorCode;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Tests whether {@link LadderVariant#SINGLE_PASS} is correct on TornadoVM's device: its kernel
 * relies on the order in which the hardware makes writes of one block visible to others, which
 * neither Java nor TornadoVM guarantees.
 *
 * <p>The kernel itself is launched thousands of times with the maximum number of blocks, on windows
 * of random numbers that differ from launch to launch, so that a partial result of an earlier
 * launch gives a wrong sum. Every block has only a few elements, so that all blocks publish their
 * results and count themselves at about the same time. A probe that finds no mistake proves
 * nothing; a mistake that it finds is proof.
 */
final class SinglePassProbe {

  /** What a probe found. */
  enum Outcome {
    /** Every launch gave the right result. */
    RIGHT,
    /** A launch gave a wrong result, or none. */
    WRONG,
    /** The kernel cannot be compiled or launched there. */
    UNSUPPORTED
  }

  /**
   * What a probe found, and details.
   *
   * @param outcome the finding
   * @param detail launches, blocks and seed, or the first mistake
   */
  record Report(Outcome outcome, String detail) implements Serializable {}

  /** The default number of launches of a probe: a second or two. A property for tests. */
  static final int LAUNCHES = Integer.getInteger("funnel.reduce.launches", 20_000);

  private static final int ELEMENTS = 1 << 16;
  private static final int WINDOW = 1 << 14;

  /** A window's sum stays below 2^24, so that floats hold it exactly in any order. */
  private static final int LARGEST_ELEMENT = 1000;

  private record Key(ElementType type, int blockSize) {}

  private static final Map<Key, Report> REPORTS = new ConcurrentHashMap<>();
  private static final AtomicLong GRAPHS = new AtomicLong();

  private SinglePassProbe() {}

  /**
   * Probes the default device.
   *
   * @param type the element type: int, long, float or double
   * @param blockSize threads of a block: 64, 128, 256, 512 or 1024
   * @param launches how often the kernel is launched
   * @param seed the seed of the random numbers
   * @throws IllegalArgumentException if {@code launches} is not positive or the type is byte
   */
  static Report run(ElementType type, int blockSize, int launches, long seed) {
    Objects.requireNonNull(type, "type");
    if (launches < 1 || type == ElementType.BYTE) {
      throw new IllegalArgumentException(
          "a probe needs a launch and int, long, float or double elements: launches=%d, type=%s"
              .formatted(launches, type));
    }
    try {
      String mistake = new Probe(type, blockSize, seed).firstMistake(launches);
      if (!mistake.isEmpty()) {
        return new Report(Outcome.WRONG, mistake);
      }
    } catch (Throwable e) { // TornadoVM's compiler throws errors of its own
      return new Report(Outcome.UNSUPPORTED, "the kernel cannot be run: " + e);
    }
    return new Report(
        Outcome.RIGHT,
        "no mistake in %d launches of %d x %d threads, type=%s, seed=%d"
            .formatted(
                launches, SinglePass.blocks(Integer.MAX_VALUE, blockSize), blockSize, type, seed));
  }

  /**
   * The report of this process's probe of a type and block size; runs the probe if there is none
   * yet.
   */
  static Report report(ElementType type, int blockSize) {
    return REPORTS.computeIfAbsent(
        new Key(type, blockSize),
        key -> run(key.type(), key.blockSize(), LAUNCHES, System.nanoTime()));
  }

  static void requireRight(ElementType type, int blockSize) {
    Report report = report(type, blockSize);
    if (report.outcome() != Outcome.RIGHT) {
      throw new SinglePassUnavailableException(type, blockSize, report);
    }
  }

  /** One block size's launches. */
  private static final class Probe {
    private final ElementType type;
    private final int blockSize;
    private final int blocks;
    private final long seed;
    private final SplittableRandom random;
    private final long[] sums = new long[ELEMENTS + 1];
    private final TornadoNativeArray values;
    private final TornadoNativeArray result;
    private final TornadoNativeArray partials;
    private final IntArray count = new IntArray(2);
    private final IntArray shape = new IntArray(SinglePass.SHAPE_INTS);

    Probe(ElementType type, int blockSize, long seed) {
      this.type = type;
      this.blockSize = blockSize;
      this.blocks = SinglePass.blocks(Integer.MAX_VALUE, blockSize);
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.values = ProgramArrays.allocate(type, ELEMENTS);
      this.result = ProgramArrays.allocate(type, 2);
      this.partials = ProgramArrays.allocate(type, blocks * SinglePass.PITCH);
      for (int i = 0; i < ELEMENTS; i++) {
        int value = random.nextInt(LARGEST_ELEMENT);
        set(values, i, value);
        sums[i + 1] = sums[i] + value;
      }
      set(result, 0, 0);
      set(result, 1, 0);
      count.set(0, 0);
      count.set(1, 0);
    }

    private KernelTask task() {
      Number zero =
          switch (type) {
            case LONG -> 0L;
            case FLOAT -> 0f;
            case DOUBLE -> 0d;
            default -> 0;
          };
      Map<String, Object> arguments = new HashMap<>();
      arguments.put("shape", shape);
      arguments.put("values", values);
      arguments.put("partials", partials);
      arguments.put("result", result);
      arguments.put("count", count);
      arguments.put("operator", OperatorCode.SUM);
      arguments.put("identity", zero);
      arguments.put("shapeAt", 0);
      arguments.put("resultAt", 0);
      arguments.put("countAt", 0);
      arguments.put("threads", blockSize);
      arguments.put("blocksLog2", Integer.numberOfTrailingZeros(blocks));
      Class<?> kernels = TwinClass.of(MethodHandles.lookup(), IntLadderKernels.class, type);
      return Kernel.of(kernels, "singlePass")
          .task("singlePass", KernelTask.Grid.of(blocks, blockSize), arguments);
    }

    /** The first wrong launch, or an empty string. */
    String firstMistake(int launches) throws Exception {
      TaskGraph graph = new TaskGraph("funnelSinglePass" + GRAPHS.incrementAndGet());
      GridScheduler scheduler = new GridScheduler();
      graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, values, result, count);
      graph.transferToDevice(DataTransferMode.UNDER_DEMAND, partials);
      graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, shape);
      task().addTo(graph, scheduler);
      graph.transferToHost(DataTransferMode.EVERY_EXECUTION, result, count);
      try (TornadoEngine.ProbePlan plan = new TornadoEngine.ProbePlan(graph, scheduler)) {
        for (int launch = 1; launch <= launches; launch++) {
          int length = random.nextInt(blocks, WINDOW + 1);
          int offset = random.nextInt(ELEMENTS - length + 1);
          shape.set(0, offset);
          shape.set(1, length);
          shape.set(2, Math.ceilDiv(length, blocks));
          plan.execute();
          double expected = sums[offset + length] - sums[offset];
          int done = launch * blocks;
          if (get(result, 0) != expected
              || get(result, 1) != RunCounter.after(launch)
              || count.get(0) != done) {
            return "launch %d of %d x %d threads gave %s, expected %s; run counter %s, expected %d; blocks counted %d, expected %d; type=%s, seed=%d"
                .formatted(
                    launch,
                    blocks,
                    blockSize,
                    get(result, 0),
                    expected,
                    get(result, 1),
                    RunCounter.after(launch),
                    count.get(0),
                    done,
                    type,
                    seed);
          }
        }
      }
      return "";
    }

    private static void set(TornadoNativeArray array, int index, int value) {
      switch (array) {
        case IntArray a -> a.set(index, value);
        case LongArray a -> a.set(index, value);
        case FloatArray a -> a.set(index, value);
        case DoubleArray a -> a.set(index, value);
        default -> throw new IllegalStateException("not an element array: " + array.getClass());
      }
    }

    private static double get(TornadoNativeArray array, int index) {
      return switch (array) {
        case IntArray a -> a.get(index);
        case LongArray a -> a.get(index);
        case FloatArray a -> a.get(index);
        case DoubleArray a -> a.get(index);
        default -> throw new IllegalStateException("not an element array: " + array.getClass());
      };
    }
  }
}
