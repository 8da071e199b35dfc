package funnel.compiled;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.common.TaskPackage;

/** Adds kernels to task graphs as code that is compiled already. */
@FunctionalInterface
public interface TaskAdder {

  /**
   * Adds a task whose kernel is compiled.
   *
   * @param kernel its kernel, if that is known
   * @return whether it was added; otherwise TornadoVM compiles it
   */
  boolean add(TaskPackage task, Optional<Method> kernel, TaskGraph graph);

  /** Adds a task by that of the process, if an engine has stated one, or as TornadoVM does. */
  static void addTo(TaskGraph graph, TaskPackage task, Optional<Method> kernel) {
    if (!Current.adder.add(task, kernel, graph)) {
      addToCompile(graph, task);
    }
  }

  /** Adds a task that TornadoVM compiles. */
  static void addToCompile(TaskGraph graph, TaskPackage task) {
    Current.FIRST_USE.lock();
    try {
      graph.addTask(task);
    } finally {
      Current.FIRST_USE.unlock();
    }
  }

  /** Makes this the one of the process. */
  default void use() {
    Current.adder = this;
  }

  /** That of the process. */
  final class Current {

    /**
     * TornadoVM 5.2.0 passes a kernel's array accesses in a static field: if two kernels are
     * compiled for the first time simultaneously, one may get the other's accesses ({@code
     * TornadoSketcher}).
     */
    private static final Lock FIRST_USE = new ReentrantLock();

    private static volatile TaskAdder adder = (_, _, _) -> false;

    private Current() {}
  }
}
