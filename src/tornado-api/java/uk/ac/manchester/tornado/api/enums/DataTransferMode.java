package uk.ac.manchester.tornado.api.enums;

/** When an object of a task graph is copied. A statement of signatures. */
public class DataTransferMode {
  /** At the first execution. */
  public static final int FIRST_EXECUTION = 0;

  /** At every execution. */
  public static final int EVERY_EXECUTION = 1;

  /** When asked for. */
  public static final int UNDER_DEMAND = 2;
}
