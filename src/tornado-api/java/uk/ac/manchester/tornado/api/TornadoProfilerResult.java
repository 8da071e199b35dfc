package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.profiler.ProfilerInterface;

/** What the profiler measured. A statement of signatures: there is none without TornadoVM. */
public class TornadoProfilerResult implements ProfilerInterface {
  TornadoProfilerResult() {
    throw new SdkMissing();
  }

  @Override
  public long getTotalTime() {
    throw new SdkMissing();
  }

  @Override
  public long getCompileTime() {
    throw new SdkMissing();
  }

  @Override
  public long getTornadoCompilerTime() {
    throw new SdkMissing();
  }

  @Override
  public long getDriverInstallTime() {
    throw new SdkMissing();
  }

  @Override
  public long getDataTransfersTime() {
    throw new SdkMissing();
  }

  @Override
  public long getDeviceWriteTime() {
    throw new SdkMissing();
  }

  @Override
  public long getDeviceReadTime() {
    throw new SdkMissing();
  }

  @Override
  public long getDataTransferDispatchTime() {
    throw new SdkMissing();
  }

  @Override
  public long getKernelDispatchTime() {
    throw new SdkMissing();
  }

  @Override
  public long getDeviceKernelTime() {
    throw new SdkMissing();
  }

  @Override
  public String getProfileLog() {
    throw new SdkMissing();
  }

  @Override
  public long getTotalBytesCopyIn() {
    throw new SdkMissing();
  }

  @Override
  public long getTotalBytesCopyOut() {
    throw new SdkMissing();
  }

  @Override
  public long getTotalBytesTransferred() {
    throw new SdkMissing();
  }

  @Override
  public long getTotalDeviceMemoryUsage() {
    throw new SdkMissing();
  }

  /** Prints the profile. */
  public void dumpProfiles() {
    throw new SdkMissing();
  }

  /** What was asked of the plan. */
  public String getTraceExecutionPlan() {
    throw new SdkMissing();
  }
}
