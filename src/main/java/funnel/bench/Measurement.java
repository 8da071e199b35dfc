package funnel.bench;

import funnel.operator.ElementType;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One line of a benchmark: what was run, how long it took, and whether its result was right.
 *
 * @param subject who ran: funnel, cub, ...
 * @param block threads of a block where that is what is compared, else 0
 * @param work what was done
 * @param type the elements' type
 * @param op the operator's name
 * @param length elements
 * @param cache whether the same buffer was read again and again: warm or cold
 * @param kernel time on the device, or null where there is none
 * @param wall time on the host, or null where it was not taken
 * @param result what it gave, as text
 * @param expected what it should give
 * @param right whether it did
 * @param note why there are no times, or empty
 */
record Measurement(
    String subject,
    int block,
    Work work,
    ElementType type,
    String op,
    int length,
    String cache,
    @Nullable Timing kernel,
    @Nullable Timing wall,
    String result,
    String expected,
    boolean right,
    String note) {

  /** A subject that could not be measured. */
  static Measurement failed(
      String subject, int block, Work work, Workload workload, String op, String why) {
    return new Measurement(
        subject,
        block,
        work,
        workload.type(),
        op,
        workload.length(),
        "",
        null,
        null,
        "",
        "",
        false,
        why);
  }

  boolean isMeasured() {
    return kernel != null || wall != null;
  }

  /** Bytes that have to be moved: of the input, and of the output if it is as long. */
  double bytes() {
    return (double) length * type.bytes() * work.moved();
  }

  /** Useful bytes over the kernels' median time, or over the host's where there is no other. */
  double gigabytesPerSecond() {
    Timing timing = kernel != null ? kernel : wall;
    return timing == null ? Double.NaN : bytes() / timing.median();
  }

  /** Subject with block size and cache, for tables and legends. */
  String label() {
    return subject
        + (block > 0 ? "/" + block : "")
        + (cache.equals("cold") && work != Work.COPY ? " (cold)" : "");
  }

  String typeName() {
    return type.name().toLowerCase(Locale.ROOT);
  }
}
