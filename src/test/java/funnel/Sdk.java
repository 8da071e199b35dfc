package funnel;

import uk.ac.manchester.tornado.api.TaskGraph;

/** Whether TornadoVM itself is here, or only the statement of its signatures. */
public final class Sdk {

  private Sdk() {}

  /** Whether it is. */
  public static boolean isHere() {
    try {
      Class.forName(
          "uk.ac.manchester.tornado.api.SdkMissing", false, TaskGraph.class.getClassLoader());
      return false;
    } catch (ClassNotFoundException e) {
      return true;
    }
  }
}
