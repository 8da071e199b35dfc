package uk.ac.manchester.tornado.runtime.tasks.meta;

/** What holds for all tasks of a graph. A statement of signatures. */
public class ScheduleContext {
  /** For a graph of that name. */
  public ScheduleContext(String id) {}
}
