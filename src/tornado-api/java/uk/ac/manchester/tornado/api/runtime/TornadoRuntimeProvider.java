package uk.ac.manchester.tornado.api.runtime;

import uk.ac.manchester.tornado.api.SdkMissing;
import uk.ac.manchester.tornado.api.TornadoRuntime;

/** The way to the runtime. A statement of signatures: every method throws {@link SdkMissing}. */
public class TornadoRuntimeProvider {

  /** The runtime. */
  public static TornadoRuntime getTornadoRuntime() {
    throw new SdkMissing();
  }

  /** Whether the profiler is on. */
  public static boolean isProfilerEnabled() {
    throw new SdkMissing();
  }

  /** Whether power is measured. */
  public static boolean isPowerMonitoringEnabled() {
    throw new SdkMissing();
  }

  /** Sets an option of TornadoVM. */
  public static void setProperty(String key, String value) {
    throw new SdkMissing();
  }

  /** An option of TornadoVM, with a default. */
  public static String getProperty(String key, String value) {
    throw new SdkMissing();
  }

  /** An option of TornadoVM. */
  public static String getProperty(String key) {
    throw new SdkMissing();
  }

  /** Reads options from a file. */
  public static void loadSettings(String property) {
    throw new SdkMissing();
  }
}
