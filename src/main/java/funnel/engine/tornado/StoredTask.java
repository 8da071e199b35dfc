package funnel.engine.tornado;

import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.api.common.TaskPackage;
import uk.ac.manchester.tornado.runtime.tasks.PrebuiltTask;
import uk.ac.manchester.tornado.runtime.tasks.meta.ScheduleContext;

/** A task of a TornadoVM graph whose code is in the store of compiled kernels. */
final class StoredTask extends PrebuiltTask {

  /* TornadoVM's own PrebuiltTask is equal to no task, not even to itself, so that all such tasks of
   * a graph launch the code of the first.
   *
   * It asks for the entry point when it is about to look for the code in the code cache of a plan:
   * PlanCodes, which is asked next, then puts the code there.
   */

  private static final String PARAMETERS = "uk.ac.manchester.tornado.api.AccessorParameters";
  private static final String LISTED = "createPrebuiltTask";

  private static final String NO_FILE = "a kernel of the store";

  private static final ThreadLocal<@Nullable StoredTask> LOOKED_FOR = new ThreadLocal<>();

  private final StoredKernel kernel;

  StoredTask(ScheduleContext graph, String id, StoredKernel kernel, Object[] arguments) {
    super(graph, id, kernel.name(), NO_FILE, arguments, kernel.accesses());
    this.kernel = kernel;
  }

  /** The task whose code this thread is looking for, once; null if there is none. */
  static @Nullable StoredTask lookedFor() {
    StoredTask task = LOOKED_FOR.get();
    if (task != null) {
      LOOKED_FOR.remove();
    }
    return task;
  }

  /**
   * What a graph lists for it. Of tasks that are listed with their Java code, TornadoVM reads that
   * code when the graph is first executed, looking for reductions: this takes as long as everything
   * else.
   *
   * @param graph any object of TornadoVM's
   * @param id the task's name in the graph
   */
  Object listed(Object graph, String id) {
    Object none = Members.made(Members.type(graph, PARAMETERS), 0);
    return Members.ofClass(TaskPackage.class, LISTED, id, kernel.name(), NO_FILE, none);
  }

  /** Looks for what {@link #listed} uses. */
  static void requireListed(Object graph) {
    var _ = Members.constructor(Members.type(graph, PARAMETERS), 1);
    var _ = Members.method(TaskPackage.class, LISTED, 4);
  }

  StoredKernel kernel() {
    return kernel;
  }

  @Override
  public String getEntryPoint() {
    LOOKED_FOR.set(this);
    return kernel.name();
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  /**
   * A compiled kernel.
   *
   * @param name its name in TornadoVM's code caches, unique for its code
   * @param entry its name in the code
   * @param accesses what it does with each argument
   * @param code the code
   */
  record StoredKernel(String name, String entry, Access[] accesses, byte[] code) {}
}
