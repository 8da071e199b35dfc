package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * All launches are as they were when {@code launches.digest} was written. If they are meant to
 * change, {@code -Dfunnel.test.golden=write} writes it anew; what changed is the difference of two
 * {@code target/golden/launches.txt}.
 */
class LaunchesDumpTest {

  private static final Path TEXT = Path.of("target/golden/launches.txt");
  private static final Path DIGEST = Path.of("src/test/resources/funnel/launches.digest");

  private static List<String> committed() throws IOException {
    try (InputStream in = LaunchesDumpTest.class.getResourceAsStream("launches.digest")) {
      byte[] bytes = Objects.requireNonNull(in, "launches.digest").readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** The lines by operations: two hashes come before each. */
  private static Map<String, String> byOperation(List<String> lines) {
    Map<String, String> all = new TreeMap<>();
    for (String line : lines) {
      int at = line.indexOf(' ', line.indexOf(' ') + 1);
      all.put(line.substring(at + 1), line.substring(0, at));
    }
    assertEquals(lines.size(), all.size(), "an operation twice");
    return all;
  }

  private static String hashWithoutNames(String hashes) {
    return hashes.substring(hashes.indexOf(' ') + 1);
  }

  /** What differs of an operation, or an empty string. */
  private static String difference(String then, String now) {
    if (then.equals(now)) {
      return "";
    }
    return then.isEmpty()
        ? "new"
        : now.isEmpty()
            ? "missing"
            : hashWithoutNames(then).equals(hashWithoutNames(now)) ? "names alone" : "launches";
  }

  @Test
  void launchesAreAsBefore() throws IOException {
    List<String> lines = GoldenDump.write(TEXT);
    boolean isWritten = System.getProperty("funnel.test.golden", "").equals("write");
    if (isWritten) {
      Files.write(DIGEST, lines);
    }
    Map<String, String> now = byOperation(lines);
    Map<String, String> then = byOperation(isWritten ? Files.readAllLines(DIGEST) : committed());
    TreeMap<String, String> differences = new TreeMap<>();
    now.forEach((name, is) -> differences.put(name, difference(then.getOrDefault(name, ""), is)));
    then.keySet().forEach(name -> differences.putIfAbsent(name, "missing"));
    differences.values().removeIf(String::isEmpty);
    assertTrue(
        differences.isEmpty(),
        () ->
            "%s of %s operations differ; compare %s with that of the commit before, and if all is meant, -Dfunnel.test.golden=write; of what differs: %s"
                .formatted(
                    differences.size(),
                    now.size(),
                    TEXT,
                    differences.entrySet().stream().limit(10).toList()));
  }

  @Test
  void namesAreLeftOut() {
    assertEquals("task .tiles\n = x", GoldenDump.withoutNames("task {A}.tiles\n{values} = x"));
  }
}
