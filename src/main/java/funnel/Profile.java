package funnel;

import funnel.engine.KernelsOfProgram;
import funnel.engine.PrimitiveTime;
import funnel.engine.Program;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The time, bytes and launches of each operation of a plan in one run, and what was compiled for
 * the plan: {@link Plan#profile}.
 *
 * {@snippet class="funnel.docs.PlanSnippets" region="profile"}
 *
 * @param operations in the order in which they were added
 * @param kernels the kernels of the plan
 */
public record Profile(List<Row> operations, Compiled kernels) {

  /** Copies the list. */
  public Profile {
    operations = List.copyOf(operations);
  }

  /**
   * The figures of one operation.
   *
   * @param operation the name of its output
   * @param nanos its time in nanoseconds: of its kernels on a device, of its loops on the JVM, of
   *     the emulation in the emulator. Copies between host and device are not included
   * @param bytes the bytes of the arrays that it reads and writes, each array once: 8000 for an
   *     inclusive scan of 1000 ints. This is the minimum that must be moved; a sort, which passes
   *     over its elements several times, moves more
   * @param launches the number of kernel launches; 0 on the JVM
   */
  public record Row(String operation, long nanos, long bytes, int launches) {}

  /**
   * The kernels that a plan has needed on a device so far, also to check them, and what was
   * compiled of them. Those of a plan of 12 kernels that another process has left in the folder of
   * compiled kernels are 12, of which 0 were compiled. All are 0 on the JVM and in the emulator,
   * and where TornadoVM itself compiles for each plan.
   *
   * @param kernels how many there are
   * @param compiled how many of them were compiled for this plan, while it waited
   * @param nanos the time that it waited, in nanoseconds
   */
  public record Compiled(int kernels, int compiled, long nanos) {}

  /**
   * The figures by operation.
   *
   * @param names of the operations, by the ids of their primitives
   * @param lengths of all arrays after the run
   */
  static Profile of(
      Program program,
      Map<String, String> names,
      Primitive.Lengths lengths,
      List<PrimitiveTime> times,
      KernelsOfProgram kernels) {
    Map<String, ElementType> types = new HashMap<>();
    program.inputs().forEach(input -> types.put(input.name(), input.type()));
    program.arrays().forEach(slot -> types.put(slot.name(), slot.type()));
    Map<String, Long> bytes = new HashMap<>();
    for (Step step : program.steps()) {
      Layout layout = step.layout();
      Stream<String> written = layout.arrays().stream().map(Primitive.Slot::name);
      long sum =
          Stream.of(layout.inputs().stream().distinct(), layout.changedInputs().stream(), written)
              .flatMap(each -> each)
              .mapToLong(name -> lengths.length(name) * (long) type(types, name).bytes())
              .sum();
      bytes.put(step.id(), sum);
    }
    Map<String, Row> rows = new LinkedHashMap<>();
    for (PrimitiveTime time : times) {
      String name = names.getOrDefault(time.id(), time.id());
      long moved = bytes.getOrDefault(time.id(), 0L);
      rows.merge(name, new Row(name, time.nanos(), moved, time.launches()), Profile::plus);
    }
    return new Profile(
        List.copyOf(rows.values()),
        new Compiled(kernels.kernels(), kernels.compiled(), kernels.nanos()));
  }

  private static ElementType type(Map<String, ElementType> types, String name) {
    return Objects.requireNonNull(types.get(name), name);
  }

  private static Row plus(Row a, Row b) {
    return new Row(
        a.operation(), a.nanos() + b.nanos(), a.bytes() + b.bytes(), a.launches() + b.launches());
  }

  /**
   * A line for each operation: its name, microseconds, bytes, gigabytes a second, launches. On a
   * device one more, with the kernels.
   */
  @Override
  public String toString() {
    Stream<String> rows =
        operations.stream()
            .map(
                row ->
                    String.format(
                        Locale.ROOT,
                        "%-20s %12.1f us %,16d bytes %8.1f GB/s %4s launches",
                        row.operation(),
                        row.nanos() / 1e3,
                        row.bytes(),
                        row.nanos() == 0 ? 0 : (double) row.bytes() / row.nanos(),
                        row.launches()));
    Stream<String> compiled =
        kernels.kernels() == 0
            ? Stream.empty()
            : Stream.of(
                String.format(
                    Locale.ROOT,
                    "%s of %s kernels compiled in %.1f ms",
                    kernels.compiled(),
                    kernels.kernels(),
                    kernels.nanos() / 1e6));
    return Stream.concat(rows, compiled).collect(Collectors.joining("\n"));
  }
}
