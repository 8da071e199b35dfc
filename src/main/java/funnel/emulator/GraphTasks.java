package funnel.emulator;

import funnel.kernel.KernelTask.Grid;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.WorkerGrid;
import uk.ac.manchester.tornado.api.common.TaskPackage;
import uk.ac.manchester.tornado.api.common.TornadoFunctions;

/** The tasks of a TornadoVM task graph, for the emulator. */
final class GraphTasks {

  /*
   * Our stand-in for TornadoVM's API keeps a graph's tasks in a field; TornadoVM's class has no
   * field of that name, and passes them on to its compiler immediately. The field is read by
   * reflection, since this class is compiled against either.
   */

  private static final String FIELD = "tasks";

  /**
   * One task.
   *
   * @param name {@code graph.task}
   * @param grid of a kernel; null for a method that takes no context
   * @param code the method reference
   * @param arguments without the context
   */
  record Task(String name, @Nullable Grid grid, Object code, List<Object> arguments) {}

  private GraphTasks() {}

  /** The tasks in their order, each with the grid that the scheduler has for it. */
  static List<Task> of(TaskGraph graph, GridScheduler scheduler) {
    List<Task> tasks = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (TaskPackage task : packages(graph)) {
      String name = graph.getTaskGraphName() + "." + task.getId();
      if (!names.add(name)) {
        throw new IllegalArgumentException(
            "two tasks are called %s, and a device would run both with the grid of the last: give each a name of its own"
                .formatted(name));
      }
      List<Object> parameters = Arrays.asList(task.getTaskParameters());
      Object code = parameters.getFirst();
      List<Object> arguments = parameters.subList(1, parameters.size());
      int context = 0;
      while (context < arguments.size() && !(arguments.get(context) instanceof KernelContext)) {
        context++;
      }
      if (context == arguments.size()) {
        tasks.add(new Task(name, null, code, arguments));
      } else if (context == 0) {
        Grid grid = grid(name, scheduler.get(name), scheduler);
        tasks.add(new Task(name, grid, code, arguments.subList(1, arguments.size())));
      } else {
        throw new IllegalArgumentException(
            "task %s: the emulator takes the KernelContext as the first argument, and here it is"
                    .formatted(name)
                + " argument %s".formatted(context));
      }
    }
    return tasks;
  }

  private static List<TaskPackage> packages(TaskGraph graph) {
    try {
      Field field = TaskGraph.class.getDeclaredField(FIELD);
      field.setAccessible(true);
      List<TaskPackage> tasks = new ArrayList<>();
      for (Object task : (List<?>) field.get(graph)) {
        tasks.add((TaskPackage) task);
      }
      return tasks;
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new UnsupportedOperationException(
          "graph %s is one of TornadoVM itself, which does not tell its tasks; for the emulator,"
                  .formatted(graph.getTaskGraphName())
              + " start Java with the funnel jar of classifier jvm-api instead of the SDK",
          e);
    }
  }

  private static Grid grid(String name, @Nullable WorkerGrid worker, GridScheduler scheduler) {
    if (worker == null) {
      throw new IllegalArgumentException(
          "task %s has no worker grid, and a device would run it in one thread; there are grids for"
                  .formatted(name)
              + " %s: call scheduler.addWorkerGrid(\"%s\", grid)"
                  .formatted(scheduler.keySet(), name));
    }
    long[] global = worker.getGlobalWork();
    long[] local = worker.getLocalWork();
    if (local == null) {
      throw new IllegalArgumentException(
          "the worker grid of task %s has no block size, and each device would choose its own: call"
                  .formatted(name)
              + " setLocalWork, %s".formatted(text(global, local)));
    }
    for (int i = 0; i < global.length; i++) {
      if (local[i] < 1 || global[i] < 1 || global[i] % local[i] != 0) {
        throw new IllegalArgumentException(
            "the worker grid of task %s is not of whole blocks, and a device would leave out the rest"
                    .formatted(name)
                + " or run too many threads: round the global size up to a multiple, and guard the"
                + " kernel; %s".formatted(text(global, local)));
      }
    }
    if (global[2] > 1 || Arrays.stream(worker.getGlobalOffset()).anyMatch(o -> o != 0)) {
      throw new IllegalArgumentException(
          "the emulator has grids of two dimensions without an offset, and that of task %s is not:"
                  .formatted(name)
              + " %s, offset=%s".formatted(text(global, local), text(worker.getGlobalOffset())));
    }
    return new Grid(
        Math.toIntExact(global[0] / local[0]),
        Math.toIntExact(local[0]),
        Math.toIntExact(global[1] / local[1]),
        Math.toIntExact(local[1]));
  }

  private static String text(long[] global, long @Nullable [] local) {
    return "global=%s, local=%s".formatted(text(global), local == null ? "none" : text(local));
  }

  private static String text(long[] sizes) {
    return Arrays.toString(sizes);
  }

  /** Runs a method that takes no context, as the Java that it is. */
  static void callAsJava(Task task) {
    int count = task.arguments().size();
    String type = TornadoFunctions.class.getName() + "$Task" + (count == 0 ? "" : count);
    try {
      Class<?> function = Class.forName(type, false, TornadoFunctions.class.getClassLoader());
      function.getMethods()[0].invoke(task.code(), task.arguments().toArray());
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause() == null ? e : e.getCause();
      throw new KernelFailedException(
          new Place(task.name(), Grid.of(1, 1), Place.NONE, Place.NONE),
          KernelThread.lineOf(thrown),
          thrown);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("task " + task.name() + " cannot be called", e);
    }
  }
}
