package funnel.histogram;

import funnel.engine.AtomicsProbe;
import funnel.engine.Device;

/** Whether atomic additions in local memory are right. */
final class LocalAtomics {

  private LocalAtomics() {}

  /** Whether kernels on a device may rely on them: what was found there once in this process. */
  static boolean areRight(Device device) {
    return AtomicsProbe.localAdd(device).outcome() == AtomicsProbe.Outcome.RIGHT;
  }
}
