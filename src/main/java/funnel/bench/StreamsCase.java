package funnel.bench;

import funnel.operator.ElementType;

/**
 * A stream and what is computed of it.
 *
 * @param task what is computed
 * @param size bytes that are read
 * @param isFile whether they are in a mapped file, and not in memory
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

  /** Where the elements are. */
  String from() {
    return isFile ? "file" : "memory";
  }
}
