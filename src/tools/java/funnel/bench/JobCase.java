package funnel.bench;

import funnel.operator.ElementType;

/**
 * A job.
 *
 * @param task the job's task
 * @param size the size of its data, in the task's units
 */
record JobCase(JobTask task, int size) implements Case {

  @Override
  public double bytes() {
    return (double) size * task.bytes();
  }

  /** Jobs have columns of several types; most are ints. */
  @Override
  public ElementType type() {
    return task == JobTask.WORDS ? ElementType.BYTE : ElementType.INT;
  }
}
