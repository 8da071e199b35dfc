package funnel.jit;

import funnel.operator.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Where the JDK sorts ints and longs with the processor's vectors. */
public final class VectorSorts {

  /* The JDK has such code for AVX-512, except on AMD's family 25; it does not say what it uses, and
   * Linux says what the processor has. Of 5 * 10^7 doubles in a new process, its sort on one core of
   * an AMD EPYC took a third of the radix sort's time on two. On an Intel Xeon with AVX-512 it was
   * no faster than without vectors: the command took 14 s for 10^8 ints with it, and 6 without.
   */

  /** The number of cores from which a radix sort by all of them is faster. */
  private static final int MANY_CORES = 8;

  private static final boolean ARE_FAST = areFast();

  private VectorSorts() {}

  /** Whether these sorts, on so many cores, are faster than others for many keys. */
  public static boolean pay(int cores) {
    return ARE_FAST && cores < MANY_CORES;
  }

  /**
   * Lets the JVM compile such a sort, in another thread, once.
   *
   * @return what to wait for before many keys are sorted
   */
  public static CompletableFuture<Void> prepare(ElementType type) {
    return type.bytes() == Long.BYTES ? LongVectorSort.rehearsal() : IntVectorSort.rehearsal();
  }

  private static boolean areFast() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return areFast(lines.takeWhile(line -> !line.isBlank()).toList());
    } catch (IOException | RuntimeException e) {
      return false; // another system
    }
  }

  /** Whether they are on a processor, as Linux describes it. */
  static boolean areFast(List<String> lines) {
    return lines.stream().anyMatch(line -> line.matches("flags.*\\bavx512dq\\b.*"))
        && lines.stream().anyMatch(line -> line.matches("vendor_id.*AuthenticAMD"))
        && lines.stream().noneMatch(line -> line.matches("cpu family\\s*:\\s*25"));
  }
}
