package funnel.engine.tornado;

import funnel.kernel.KernelTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The limits of a TornadoVM task graph. */
final class GraphRoom {

  /* TornadoVM 5.2.0 encodes a graph in a buffer of 8192 bytes, and then as at most 1024 nodes. An
   * array has a node for itself, its first use, its copy to the host, and its end; so has a context
   * of kernels, except for the copy. Each number has one. A launch has two, and one for each array
   * that it writes; which ones is not known here. Neither limit can be changed. One graph costs less
   * time on the host than two, so each graph gets as many launches as fit, but no more than have room
   * for their events in a recording on the ptx backend.
   */

  private static final int LAUNCHES = 100;
  private static final int NODES = 1000;
  private static final int BYTES = 8000;
  private static final int BYTES_OF_LAUNCH = 15;
  private static final int BYTES_OF_ARGUMENT = 5;

  private static final int NODES_OF_ARRAY = 4;
  private static final int NODES_OF_CONTEXT = 3;

  private GraphRoom() {}

  /**
   * Distributes launches to graphs, in order.
   *
   * @param tasks the launches
   * @param arrays those that each graph has, whether its launches use them or not
   * @return at least one list
   */
  static List<List<KernelTask>> split(List<KernelTask> tasks, Set<?>... arrays) {
    List<List<KernelTask>> graphs = new ArrayList<>();
    graphs.add(new ArrayList<>());
    Set<Object> known = all(arrays);
    int nodes = NODES_OF_ARRAY * known.size() + NODES_OF_CONTEXT;
    int bytes = 0;
    for (KernelTask task : tasks) {
      int taskBytes = BYTES_OF_LAUNCH + BYTES_OF_ARGUMENT * (1 + task.arguments().size());
      if (!graphs.getLast().isEmpty()
          && (nodes + nodes(task, known) > NODES
              || bytes + taskBytes > BYTES
              || graphs.getLast().size() == LAUNCHES)) {
        graphs.add(new ArrayList<>());
        known = all(arrays);
        nodes = NODES_OF_ARRAY * known.size() + NODES_OF_CONTEXT;
        bytes = 0;
      }
      nodes += nodes(task, known);
      bytes += taskBytes;
      known.addAll(task.arguments());
      graphs.getLast().add(task);
    }
    return graphs;
  }

  private static Set<Object> all(Set<?>... arrays) {
    Set<Object> all = new HashSet<>();
    List.of(arrays).forEach(all::addAll);
    return all;
  }

  /** The nodes of a launch, and of arrays and numbers that are new. */
  private static int nodes(KernelTask task, Set<Object> known) {
    int nodes = 2 + (task.hasOwnContext() ? NODES_OF_CONTEXT : 0);
    for (Object argument : new HashSet<>(task.arguments())) {
      boolean isArray = !(argument instanceof Number);
      nodes += (isArray ? 1 : 0) + (known.contains(argument) ? 0 : isArray ? NODES_OF_ARRAY : 1);
    }
    return nodes;
  }
}
