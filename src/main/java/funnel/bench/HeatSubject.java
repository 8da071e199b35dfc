package funnel.bench;

import funnel.Funnel;
import funnel.heat.Heat2D;
import funnel.heat.HeatMethod;
import funnel.heat.HeatProblem;
import funnel.heat.Side;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Funnel's heat equation by one of its methods. */
final class HeatSubject {

  /** The note of methods that are not for such a field. */
  static final String REFUSED = "for floats only";

  private HeatSubject() {}

  /**
   * Builds a solver, checks its first steps, then times further ones; how long they take does not
   * depend on the field.
   *
   * @param method the method, or none for an engine that has only one
   * @param steps of a run
   * @param runs that are timed
   * @param batch steps at most that go to the device at once
   */
  static HeatMeasurement measure(
      Funnel funnel, Optional<HeatMethod> method, HeatField field, int steps, int runs, int batch) {
    String subject = "funnel" + method.map(m -> "/" + m.label()).orElse("");
    int number = method.map(HeatMethod::number).orElse(0);
    if (number == HeatMethod.REGISTER_STREAM.number() && field.type() != ElementType.FLOAT) {
      return failed(subject, number, field, steps, REFUSED);
    }
    try (Heat2D heat = build(funnel, method, field, batch)) {
      heat.step(steps);
      MemorySegment result = heat.snapshot().values();
      String hash = field.hash(result);
      String check = field.check(result, steps);
      Timing wall = times(runs, () -> wallNanos(heat, steps));
      Timing kernel = kernel(heat, steps, runs);
      return new HeatMeasurement(
          subject, number, field.type(), field.size(), steps, kernel, wall, hash, check, "");
    } catch (RuntimeException e) {
      return failed(subject, number, field, steps, e.toString());
    }
  }

  private static Heat2D build(
      Funnel funnel, Optional<HeatMethod> method, HeatField field, int batch) {
    GridSize size = field.size();
    HeatProblem.Builder builder =
        HeatProblem.builder(size.nx(), size.ny())
            .type(field.type())
            .dt(HeatField.CX)
            .batch(batch)
            .sides(Side.dirichlet());
    method.ifPresent(builder::method);
    Object values = field.initial().heapBase().orElseThrow();
    if (field.type() == ElementType.FLOAT) {
      builder.initial((float[]) values);
    } else {
      builder.initial((double[]) values);
    }
    return builder.build().open(funnel);
  }

  /**
   * The last node of the field comes to the host with each run, so that this is when it is over.
   */
  private static long wallNanos(Heat2D heat, int steps) {
    long started = System.nanoTime();
    heat.step(steps);
    return System.nanoTime() - started;
  }

  /** A pass of its own, since TornadoVM's profiler slows every run down. */
  private static @Nullable Timing kernel(Heat2D heat, int steps, int runs) {
    heat.measureKernels(true);
    try {
      heat.step(steps);
      return heat.kernelNanos() < 0
          ? null
          : times(
              runs,
              () -> {
                heat.step(steps);
                return heat.kernelNanos();
              });
    } finally {
      heat.measureKernels(false);
    }
  }

  private static Timing times(int runs, LongSupplier oneRun) {
    double[] nanos = new double[runs];
    for (int run = 0; run < runs; run++) {
      nanos[run] = oneRun.getAsLong();
    }
    return new Timing(nanos);
  }

  private static HeatMeasurement failed(
      String subject, int number, HeatField field, int steps, String why) {
    return new HeatMeasurement(
        subject, number, field.type(), field.size(), steps, null, null, "", "", why);
  }
}
