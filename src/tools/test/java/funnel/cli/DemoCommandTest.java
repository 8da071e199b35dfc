package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoCommandTest {

  @TempDir Path folder;

  @Test
  void reducesAFileOfTheRuntime() {
    Run run = Run.of("demo", "--bytes", "1000003", "--engine", "jvm");
    assertEquals(ExitCode.OK, run.exitCode(), run.out() + run.err());
    List<String> lines = run.out().lines().toList();
    assertTrue(lines.get(0).startsWith("Input:  1,000,003 bytes of "), run.out());
    assertTrue(lines.get(1).startsWith("Engine: JVM "), run.out());
    int reductions = Trial.ALL.size();
    int scans = ScanTrial.ALL.size();
    assertEquals(
        "%s reductions and %s scans checked, %s right"
            .formatted(reductions, scans, reductions + scans),
        lines.getLast());
    assertTrue(lines.stream().allMatch(line -> line.length() <= 110), run.out());
    assertEquals("", run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"jvm", "emulator"})
  void givesTheSameOnEveryEngine(String engine) throws IOException {
    byte[] bytes = new byte[30_000];
    new Random(3).nextBytes(bytes);
    Path file = Files.write(folder.resolve("bytes"), bytes);
    Run run = Run.of("demo", "--file", file.toString(), "--engine", engine, "--json");
    assertEquals(ExitCode.OK, run.exitCode(), run.out() + run.err());
    int trials = Trial.ALL.size() + ScanTrial.ALL.size();
    assertTrue(
        run.out().contains("\"checked\":%s,\"right\":%s}".formatted(trials, trials)), run.out());
    assertTrue(run.out().contains("\"name\":\"own operator: affine maps in order\""), run.out());
    assertTrue(run.out().contains("\"scans\":[{\"name\":\"running sum of the ints"), run.out());
  }

  @Test
  void refusesFilesThatAreTooSmall() throws IOException {
    Path file = Files.write(folder.resolve("bytes"), new byte[7]);
    Run run = Run.of("demo", "--file", file.toString(), "--engine", "jvm");
    assertEquals(ExitCode.FAILURE, run.exitCode());
    assertEquals("", run.out());
    assertTrue(run.err().contains("7 bytes, at least 8 are needed"), run.err());
  }
}
