package funnel.engine.tornado;

import funnel.kernel.KernelTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The limits of a TornadoVM task graph. */
final class GraphRoom {

  /* TornadoVM 5.2.0 encodes a graph in a buffer of 8192 bytes, and then as at most 1024 nodes: one
   * for each array and constant, for each launch, for each array that a launch writes, and for the
   * first use and the end of each array. Neither limit can be changed. One graph costs less time on
   * the host than two, so each graph gets as many launches as fit.
   */

  private static final int NODES = 1000;
  private static final int BYTES = 8000;
  private static final int BYTES_OF_LAUNCH = 15;
  private static final int BYTES_OF_ARGUMENT = 5;

  /** Of an array that a launch uses: itself, its first use, its copy to the host, its end. */
  private static final int NODES_OF_ARRAY = 4;

  private GraphRoom() {}

  /**
   * Distributes launches to graphs, in order.
   *
   * @param tasks the launches
   * @param arrays how many arrays each graph has in addition to those that its launches use
   * @return at least one list
   */
  static List<List<KernelTask>> split(List<KernelTask> tasks, int arrays) {
    List<List<KernelTask>> graphs = new ArrayList<>();
    graphs.add(new ArrayList<>());
    Set<Object> known = new HashSet<>();
    int nodes = arrays;
    int bytes = 0;
    for (KernelTask task : tasks) {
      int taskBytes = BYTES_OF_LAUNCH + BYTES_OF_ARGUMENT * (1 + task.arguments().size());
      if (!graphs.getLast().isEmpty()
          && (nodes + nodes(task, known) > NODES || bytes + taskBytes > BYTES)) {
        graphs.add(new ArrayList<>());
        known.clear();
        nodes = arrays;
        bytes = 0;
      }
      nodes += nodes(task, known);
      bytes += taskBytes;
      known.addAll(task.arguments());
      graphs.getLast().add(task);
    }
    return graphs;
  }

  /**
   * The nodes of a launch: itself, its context, the state of each array after it, and new arrays
   * and constants.
   */
  private static int nodes(KernelTask task, Set<Object> known) {
    int nodes = 1 + NODES_OF_ARRAY + 1;
    for (Object argument : new HashSet<>(task.arguments())) {
      boolean isArray = !(argument instanceof Number);
      nodes += (isArray ? 1 : 0) + (known.contains(argument) ? 0 : isArray ? NODES_OF_ARRAY : 1);
    }
    return nodes;
  }
}
