package funnel;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** For tests that need more memory than many machines have. */
public final class FreeMemory {

  private FreeMemory() {}

  /** Skips a test, and says so, unless there is enough memory, as far as Linux tells. */
  public static void assume(String test, long neededBytes) throws IOException {
    Path info = Path.of("/proc/meminfo");
    assumeTrue(Files.isReadable(info), "free memory is not known here: NOT run");
    long free =
        Files.readAllLines(info).stream()
            .filter(line -> line.startsWith("MemAvailable"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
            .findFirst()
            .orElse(0);
    boolean enough = free >= neededBytes;
    if (!enough) {
      System.err.printf(
          "%s was NOT run: free=%s bytes, needed=%s bytes%n", test, free, neededBytes);
    }
    assumeTrue(enough, "too little free memory: free=" + free + ", needed=" + neededBytes);
  }
}
