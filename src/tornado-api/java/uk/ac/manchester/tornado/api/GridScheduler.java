package uk.ac.manchester.tornado.api;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Worker grids by the name of their task, {@code graph.task}. A statement of signatures that works
 * on the JVM.
 */
public class GridScheduler {
  private final ConcurrentHashMap<String, WorkerGrid> grids = new ConcurrentHashMap<>();

  /** No grids. */
  public GridScheduler() {}

  /** One grid. */
  public GridScheduler(String taskName, WorkerGrid workerGrid) {
    grids.put(taskName, workerGrid);
  }

  /** Adds or replaces the grid of a task. */
  public void addWorkerGrid(String taskName, WorkerGrid workerGrid) {
    grids.put(taskName, workerGrid);
  }

  /** The grid of a task, or null. */
  public WorkerGrid get(String taskName) {
    return grids.get(taskName);
  }

  /** Whether a task of a graph has a grid. */
  public boolean contains(String taskScheduleName, String taskName) {
    return grids.containsKey(taskScheduleName + "." + taskName);
  }

  /** The names that have grids. */
  public Set<String> keySet() {
    return grids.keySet();
  }

  @Override
  public String toString() {
    return grids.entrySet().stream()
        .map(
            entry ->
                "%s: global %s, local %s"
                    .formatted(
                        entry.getKey(),
                        Arrays.toString(entry.getValue().getGlobalWork()),
                        Arrays.toString(entry.getValue().getLocalWork())))
        .collect(Collectors.joining("; "));
  }
}
