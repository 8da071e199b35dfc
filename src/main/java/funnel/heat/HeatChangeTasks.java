package funnel.heat;

import funnel.jit.KernelTask;

/** Launches of the kernel of one element type behind {@link HeatChange}. */
interface HeatChangeTasks {

  /** Replaces each node of the field after by its distance from the field before. */
  KernelTask distance(String id, HeatTasks.Arguments arguments);
}
