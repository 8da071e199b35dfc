package funnel.bench;

import funnel.Plan;

/**
 * A plan of Funnel over resident data, as a program would use it.
 *
 * @param <I> the input
 * @param <T> the task
 * @param <C> the case that its measurements describe
 */
abstract class PlanSubject<I extends Input, T, C extends Case> implements Subject<I, T, C> {

  /** The input's name in its plan. */
  static final String INPUT = "x";

  static final String OUTPUT = "result";
  static final int WARM_UP_LENGTH = 1024;

  /** A plan with its input set. */
  abstract Plan plan(I input, T task);

  abstract C what(I input, T task);

  /** The outcome of a run. May run the plan, outside the timing. */
  abstract Outcome outcome(Plan plan, I input, T task);

  /** Why there is no plan. */
  String refusal(RuntimeException e) {
    return e.toString();
  }

  @Override
  public final Measurement<C> measure(I input, T task, Effort effort) {
    boolean isBuilt = false;
    try (Plan plan = plan(input, task)) {
      isBuilt = true;
      effort.warmUp(plan::run);
      Timing wall = effort.wall(plan::run);
      C what = what(input, task);
      Timing kernel =
          plan.deviceBytes() == 0 // on the JVM, which has no kernels
              ? null
              : kernel(plan, input.bytes() / what.type().bytes(), effort);
      return Measurement.taken(name(), what, kernel, wall, outcome(plan, input, task));
    } catch (RuntimeException e) {
      return Measurement.failed(name(), what(input, task), isBuilt ? e.toString() : refusal(e));
    }
  }

  private static Timing kernel(Plan plan, long elements, Effort effort) {
    Timing queued = QueuedRuns.times(plan, elements, effort);
    return queued != null
        ? queued
        : Subject.kernelTimes(plan::measureKernels, plan::run, plan::kernelNanos, effort);
  }
}
