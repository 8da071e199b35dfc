package funnel.sort;

import funnel.operation.ParallelRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where the JDK sorts with the processor's vectors. */
final class VectorSorts {

  /* The JDK has such code for x86: of ints for AVX2, of longs for AVX-512, which it leaves out on
   * AMD's family 25. It does not say what it uses; Linux says what the processor has.
   */

  /** The number of cores from which a radix sort by all of them is faster. */
  private static final int MANY_CORES = 8;

  private static final int WIDEST = widest();

  private VectorSorts() {}

  /** Whether these sorts are faster for many keys of so many bits. */
  static boolean pay(int bits) {
    return bits <= WIDEST && ParallelRows.cores() < MANY_CORES;
  }

  private static int widest() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return widest(lines.takeWhile(line -> !line.isBlank()).toList());
    } catch (IOException | RuntimeException e) {
      return 0; // another system
    }
  }

  /** The most bits of keys for a processor, as Linux describes it. */
  static int widest(List<String> lines) {
    boolean isWide =
        lines.stream().anyMatch(line -> line.matches("flags.*\\bavx512dq\\b.*"))
            && !(lines.stream().anyMatch(line -> line.matches("vendor_id.*AuthenticAMD"))
                && lines.stream().anyMatch(line -> line.matches("cpu family\\s*:\\s*25")));
    boolean hasVectors = lines.stream().anyMatch(line -> line.matches("flags.*\\bavx2\\b.*"));
    return isWide ? Long.SIZE : hasVectors ? Integer.SIZE : 0;
  }
}
