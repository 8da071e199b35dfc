package uk.ac.manchester.tornado.api;

/** The outcome of one execution. A statement of signatures: there is none without TornadoVM. */
public class TornadoExecutionResult {
  TornadoExecutionResult() {
    throw new SdkMissing();
  }

  /** Times and sizes, where the profiler was on. */
  public TornadoProfilerResult getProfilerResult() {
    throw new SdkMissing();
  }

  /** Copies objects to the host that were asked for under demand. */
  public TornadoExecutionResult transferToHost(Object... objects) {
    throw new SdkMissing();
  }

  /** Copies a part of an array to the host. */
  public TornadoExecutionResult transferToHost(DataRange dataRange) {
    throw new SdkMissing();
  }

  /** Whether the execution is over. */
  public boolean isReady() {
    throw new SdkMissing();
  }
}
