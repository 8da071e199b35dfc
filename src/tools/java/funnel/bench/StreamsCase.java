package funnel.bench;

import funnel.operator.ElementType;

/**
 * A stream and a task on it.
 *
 * @param task the task
 * @param size the number of bytes read
 * @param isFile whether they are in a mapped file, not in memory
 */
record StreamsCase(StreamsTask task, long size, boolean isFile) implements Case {

  @Override
  public double bytes() {
    return size;
  }

  @Override
  public ElementType type() {
    return task.type();
  }

  /** The memory of the elements. */
  String from() {
    return isFile ? "file" : "memory";
  }
}
