package funnel.kernel;

import funnel.compiled.TaskAdder;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.WorkerGrid;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.WorkerGrid2D;
import uk.ac.manchester.tornado.api.common.TaskPackage;
import uk.ac.manchester.tornado.api.common.TornadoFunctions;

/**
 * One launch of a kernel, for every engine that can run it: the kernel as a method reference, its
 * grid, and its arguments after the {@link KernelContext}.
 *
 * <p>A task can go into a {@link TaskGraph} ({@link #addTo}) or into Funnel's emulator. The nested
 * kernel interfaces are TornadoVM's own task interfaces, made {@link Serializable} so that the
 * emulator can find the class file of a method reference. For kernels with more parameters use
 * {@link Kernel}.
 *
 * <p>Every {@code Number} among the arguments is compiled into the kernel as a constant.
 *
 * {@snippet class="funnel.docs.KernelSnippets" region="task"}
 *
 * @param id name of the task, unique in its task graph
 * @param grid blocks and threads
 * @param code the kernel: one of the nested interfaces, as a method reference
 * @param arguments the kernel's arguments after the context
 */
public record KernelTask(String id, Grid grid, Serializable code, List<Object> arguments) {

  private static final int DIGITS = 10;
  private static final char ONE = '-';
  private static final char ZERO = '_';
  private static final KernelContext SHARED = new KernelContext();
  private static final AtomicInteger CODES = new AtomicInteger();

  /** A unique number for each class of {@link #code}. */
  private static final ClassValue<Integer> CODE =
      new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
          return CODES.incrementAndGet();
        }
      };

  /**
   * Blocks of a launch and threads of a block, in one or two dimensions.
   *
   * @param blocks blocks along x
   * @param threads threads of a block along x
   * @param blocksY blocks along y
   * @param threadsY threads of a block along y
   */
  public record Grid(int blocks, int threads, int blocksY, int threadsY) {
    /** Requires at least one block and one thread. */
    public Grid {
      if (blocks < 1 || threads < 1 || blocksY < 1 || threadsY < 1) {
        throw new IllegalArgumentException(
            "a grid needs at least one block and one thread: blocks=%s, threads=%s, blocksY=%s, threadsY=%s"
                .formatted(blocks, threads, blocksY, threadsY));
      }
    }

    /** A grid in one dimension. */
    public static Grid of(int blocks, int threads) {
      return new Grid(blocks, threads, 1, 1);
    }

    /** What TornadoVM calls this grid in its own methods. */
    public WorkerGrid workerGrid() {
      if (blocksY == 1 && threadsY == 1) {
        WorkerGrid worker = new WorkerGrid1D(Math.multiplyExact(blocks, threads));
        worker.setLocalWork(threads, 1, 1);
        return worker;
      }
      WorkerGrid worker =
          new WorkerGrid2D(
              Math.multiplyExact(blocks, threads), Math.multiplyExact(blocksY, threadsY));
      worker.setLocalWork(threads, threadsY, 1);
      return worker;
    }
  }

  /**
   * The id of a task that belongs to something named: {@code id("v.sum", "rows")} is {@code
   * v__sum_rows}. A kernel's name on a device cannot contain dots.
   */
  public static String id(String owner, String task) {
    return owner.replace(".", "__") + "_" + task;
  }

  /**
   * The id of one of several launches of the same kernel in a task graph, with arguments of the
   * same classes and equal numbers. TornadoVM compiles every task of a graph separately; on its
   * {@code ptx} backend, tasks with such ids and the same owner share the code that is compiled for
   * the first.
   *
   * @param id the common prefix of the launches' ids
   * @param number the number of the launch, 0 to 1023
   */
  public static String repetition(String id, int number) {
    if (number < 0 || number >> DIGITS > 0) {
      throw new IllegalArgumentException(
          "repetition %s is none of 0 to %s".formatted(number, (1 << DIGITS) - 1));
    }
    StringBuilder name = new StringBuilder(id).append(ONE);
    for (int digit = DIGITS - 1; digit >= 0; digit--) {
      name.append((number >> digit & 1) == 1 ? ONE : ZERO);
    }
    return name.toString();
  }

  /**
   * Identifies the compiled code of this task: the kernel, the numbers among its arguments, the
   * classes of the others, and the grid. Tasks that differ only in ids and arrays have the same
   * signature.
   */
  public String signature() {
    return "%s%s%s"
        .formatted(
            CODE.get(code.getClass()),
            grid,
            arguments.stream()
                .map(a -> a instanceof Number ? a.toString() : a.getClass().getSimpleName())
                .toList());
  }

  /**
   * The kernel that {@link #code} calls. Empty if the code is no method reference or lambda or
   * captured values, its method is not static or takes no {@link KernelContext} first, or its class
   * is not found by its name.
   */
  public Optional<Method> method() {
    return Kernel.behind(code);
  }

  /* The ptx backend finds compiled code by the graph's name, the task's id, the numbers among the
   * arguments, the classes of the others, and the context's hash; it maps all characters other than
   * letters and digits to the same character.
   */
  private KernelContext context() {
    return hasOwnContext() ? new KernelContext() : SHARED;
  }

  /** Whether its context is another one than that of all repetitions. */
  public boolean hasOwnContext() {
    return id.indexOf(ONE) < 0;
  }

  /**
   * Adds this task and its worker grid to a task graph.
   *
   * {@snippet class="funnel.docs.KernelSnippets" region="graph"}
   *
   * @param graph the graph, which must not have been frozen yet
   * @param scheduler the scheduler that the graph's execution plan will use
   */
  public void addTo(TaskGraph graph, GridScheduler scheduler) {
    TaskAdder.addTo(graph, taskPackage(), method());
    scheduler.addWorkerGrid(graph.getTaskGraphName() + "." + id, grid.workerGrid());
  }

  /** What TornadoVM calls this task in its own methods. */
  public TaskPackage taskPackage() {
    List<Object> all = new ArrayList<>(List.of(id, code, context()));
    all.addAll(arguments);
    try {
      Class<?> type =
          Class.forName(TornadoFunctions.class.getName() + "$Task" + (arguments.size() + 1));
      Class<?>[] types = new Class<?>[all.size()];
      Arrays.fill(types, Object.class);
      types[0] = String.class;
      types[1] = type;
      return TaskPackage.class.getConstructor(types).newInstance(all.toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("TornadoVM has no task of " + all.size() + " arguments", e);
    }
  }

  /** A kernel of 0 arguments after its context. */
  @FunctionalInterface
  public interface Kernel1 extends TornadoFunctions.Task1<KernelContext>, Serializable {}

  /** A kernel of 1 argument after its context. */
  @FunctionalInterface
  public interface Kernel2<T1> extends TornadoFunctions.Task2<KernelContext, T1>, Serializable {}

  /** A kernel of 2 arguments after its context. */
  @FunctionalInterface
  public interface Kernel3<T1, T2>
      extends TornadoFunctions.Task3<KernelContext, T1, T2>, Serializable {}

  /** A kernel of 3 arguments after its context. */
  @FunctionalInterface
  public interface Kernel4<T1, T2, T3>
      extends TornadoFunctions.Task4<KernelContext, T1, T2, T3>, Serializable {}

  /** A kernel of 4 arguments after its context. */
  @FunctionalInterface
  public interface Kernel5<T1, T2, T3, T4>
      extends TornadoFunctions.Task5<KernelContext, T1, T2, T3, T4>, Serializable {}

  /** A kernel of 5 arguments after its context. */
  @FunctionalInterface
  public interface Kernel6<T1, T2, T3, T4, T5>
      extends TornadoFunctions.Task6<KernelContext, T1, T2, T3, T4, T5>, Serializable {}

  /** A kernel of 6 arguments after its context. */
  @FunctionalInterface
  public interface Kernel7<T1, T2, T3, T4, T5, T6>
      extends TornadoFunctions.Task7<KernelContext, T1, T2, T3, T4, T5, T6>, Serializable {}

  /** A kernel of 7 arguments after its context. */
  @FunctionalInterface
  public interface Kernel8<T1, T2, T3, T4, T5, T6, T7>
      extends TornadoFunctions.Task8<KernelContext, T1, T2, T3, T4, T5, T6, T7>, Serializable {}

  /** A task of a kernel with 0 arguments after its context. */
  public static KernelTask of(String id, Grid grid, Kernel1 code) {
    return new KernelTask(id, grid, code, List.of());
  }

  /** A task of a kernel with 1 argument after its context. */
  public static <T1> KernelTask of(String id, Grid grid, Kernel2<T1> code, T1 a1) {
    return new KernelTask(id, grid, code, List.of(a1));
  }

  /** A task of a kernel with 2 arguments after its context. */
  public static <T1, T2> KernelTask of(String id, Grid grid, Kernel3<T1, T2> code, T1 a1, T2 a2) {
    return new KernelTask(id, grid, code, List.of(a1, a2));
  }

  /** A task of a kernel with 3 arguments after its context. */
  public static <T1, T2, T3> KernelTask of(
      String id, Grid grid, Kernel4<T1, T2, T3> code, T1 a1, T2 a2, T3 a3) {
    return new KernelTask(id, grid, code, List.of(a1, a2, a3));
  }

  /** A task of a kernel with 4 arguments after its context. */
  public static <T1, T2, T3, T4> KernelTask of(
      String id, Grid grid, Kernel5<T1, T2, T3, T4> code, T1 a1, T2 a2, T3 a3, T4 a4) {
    return new KernelTask(id, grid, code, List.of(a1, a2, a3, a4));
  }

  /** A task of a kernel with 5 arguments after its context. */
  public static <T1, T2, T3, T4, T5> KernelTask of(
      String id, Grid grid, Kernel6<T1, T2, T3, T4, T5> code, T1 a1, T2 a2, T3 a3, T4 a4, T5 a5) {
    return new KernelTask(id, grid, code, List.of(a1, a2, a3, a4, a5));
  }

  /** A task of a kernel with 6 arguments after its context. */
  public static <T1, T2, T3, T4, T5, T6> KernelTask of(
      String id,
      Grid grid,
      Kernel7<T1, T2, T3, T4, T5, T6> code,
      T1 a1,
      T2 a2,
      T3 a3,
      T4 a4,
      T5 a5,
      T6 a6) {
    return new KernelTask(id, grid, code, List.of(a1, a2, a3, a4, a5, a6));
  }

  /** A task of a kernel with 7 arguments after its context. */
  public static <T1, T2, T3, T4, T5, T6, T7> KernelTask of(
      String id,
      Grid grid,
      Kernel8<T1, T2, T3, T4, T5, T6, T7> code,
      T1 a1,
      T2 a2,
      T3 a3,
      T4 a4,
      T5 a5,
      T6 a6,
      T7 a7) {
    return new KernelTask(id, grid, code, List.of(a1, a2, a3, a4, a5, a6, a7));
  }
}
