package uk.ac.manchester.tornado.runtime.tasks;

import uk.ac.manchester.tornado.api.common.Access;
import uk.ac.manchester.tornado.runtime.tasks.meta.ScheduleContext;

/** A task whose code exists. A statement of signatures. */
public class PrebuiltTask {
  private final String id;
  private final String entryPoint;

  /** A task of a graph. */
  public PrebuiltTask(
      ScheduleContext scheduleMeta,
      String id,
      String entryPoint,
      String filename,
      Object[] args,
      Access[] access) {
    this.id = id;
    this.entryPoint = entryPoint;
  }

  /** The name of the code. */
  public String getEntryPoint() {
    return entryPoint;
  }

  /** The task's full name. */
  public String getId() {
    return id;
  }
}
