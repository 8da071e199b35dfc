package funnel.scan;

import funnel.jit.KernelTask;

/** The launch that scans blocks by shuffles, for the types that can be shuffled. */
interface ShuffleTasks {

  /** As {@link VariantTasks#scan}. */
  KernelTask scan(
      String id, int blocks, int threads, VariantTasks.Level level, Object totals, boolean isLast);
}
