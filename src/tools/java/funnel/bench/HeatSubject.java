package funnel.bench;

import funnel.Funnel;
import funnel.heat.Heat2D;
import funnel.heat.HeatMethod;
import funnel.heat.HeatProblem;
import funnel.heat.HeatStepper;
import funnel.heat.Side;
import funnel.lessons.HeatVariant;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Funnel's heat equation by one of its methods. */
final class HeatSubject implements Subject<HeatField, Integer, HeatCase> {

  /** The note of methods that do not support the field. */
  static final String REFUSED = "for floats only";

  private final Funnel funnel;
  private final @Nullable HeatStepper method;
  private final int batch;

  /**
   * Makes a subject.
   *
   * @param method the method, or null for an engine that has only one
   * @param batch the largest number of steps in one submission to the device
   */
  HeatSubject(Funnel funnel, @Nullable HeatStepper method, int batch) {
    this.funnel = funnel;
    this.method = method;
    this.batch = batch;
  }

  @Override
  public String name() {
    return "funnel" + (method == null ? "" : "/" + method.label());
  }

  private HeatCase what(HeatField field, int steps, String hash) {
    int number = method == null ? 0 : HeatVariant.ALL.indexOf(method) + 1;
    return new HeatCase(number, field.type(), field.size(), steps, hash);
  }

  /**
   * Builds a solver, checks its first steps, then times further ones; their time does not depend on
   * the field's values. Each run copies the field's last node to the host, so that it ends when the
   * steps are done.
   */
  @Override
  public Measurement<HeatCase> measure(HeatField field, Integer steps, Effort effort) {
    if (method == HeatMethod.REGISTER_STREAM && field.type() != ElementType.FLOAT) {
      return Measurement.failed(name(), what(field, steps, ""), REFUSED);
    }
    try (Heat2D heat = build(field)) {
      heat.step(steps);
      MemorySegment result = heat.snapshot().values();
      HeatCase what = what(field, steps, field.hash(result));
      Outcome outcome = Outcome.of(field.check(result, steps));
      Runnable run = () -> heat.step(steps);
      Timing wall = effort.wall(run);
      Timing kernel =
          heat.deviceBytes() == 0 // on the JVM, which has no kernels
              ? null
              : Subject.kernelTimes(heat::measureKernels, run, heat::kernelNanos, effort);
      return Measurement.taken(name(), what, kernel, wall, outcome);
    } catch (RuntimeException e) {
      return Measurement.failed(name(), what(field, steps, ""), e.toString());
    } finally {
      Benchmark.release(field.bytes());
    }
  }

  private Heat2D build(HeatField field) {
    GridSize size = field.size();
    HeatProblem.Builder builder =
        HeatProblem.builder(size.nx(), size.ny())
            .type(field.type())
            .dt(HeatField.CX)
            .batch(batch)
            .sides(Side.dirichlet());
    if (method != null) {
      builder.method(method);
    }
    Object values = field.initial().heapBase().orElseThrow();
    if (field.type() == ElementType.FLOAT) {
      builder.initial((float[]) values);
    } else {
      builder.initial((double[]) values);
    }
    return builder.build().open(funnel);
  }
}
