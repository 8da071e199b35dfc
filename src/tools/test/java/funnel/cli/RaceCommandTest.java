package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RaceCommandTest {

  @ParameterizedTest
  @CsvSource({"jvm, 4", "emulator, 6"})
  void command(String engine, int ways) {
    Run run = Run.of("demo", "race", "--engine", engine, "--increments", "1000");
    assertEquals(ExitCode.OK, run.exitCode(), run.out() + run.err());
    assertEquals("", run.err());
    String out = run.out();
    assertTrue(out.contains("6 orders, which come to these 4"), out);
    assertTrue(
        out.contains(
            "  0 reads 0, 1 reads 0, 1 writes 1, 0 writes 1             1  0, 0  one update is"
                + " lost"),
        out);
    assertEquals(ways, out.lines().filter(line -> line.matches(".*(right|a race.*)$")).count());
    assertTrue(out.lines().allMatch(line -> line.length() <= 110), out);
  }

  @Test
  void commandAsJson() {
    Run run = Run.of("demo", "race", "--engine", "emulator", "--increments", "1000", "--json");
    assertEquals(ExitCode.OK, run.exitCode(), run.out() + run.err());
    assertEquals(1, run.out().lines().count());
    assertTrue(
        run.out()
            .contains(
                "{\"order\":\"1 reads 0, 1 writes 1, 0 reads 1, 0 writes 2\",\"orders\":1,"
                    + "\"counted\":2,\"old\":[1,0]}"),
        run.out());
    assertTrue(run.out().stripTrailing().endsWith("\"right\":true}"), run.out());
  }

  @ParameterizedTest
  @CsvSource({
    "--threads=0, '--threads=0 is out of range: 1 to 1024'",
    "--increments=0, '--increments=0 is out of range: 1 to 536870911'",
    "--increments=536870912, '--increments=536870912 is out of range: 1 to 536870911'",
    "--blocks=0, '--blocks=0 is out of range: 1 to 4194304'"
  })
  void usageErrors(String option, String message) {
    Run run = Run.of("demo", "race", option);
    assertEquals(ExitCode.USAGE, run.exitCode());
    assertTrue(run.err().startsWith("funnel demo race: " + message), run.err());
  }

  @Tag("gpu")
  @Test
  void onDevice() {
    Run run = Run.of("demo", "race", "--engine", "tornado");
    assertEquals(ExitCode.OK, run.exitCode(), run.out() + run.err());
    assertTrue(run.out().contains("1,048,576 threads of a kernel on "), run.out());
    List<String> lines = run.out().lines().toList();
    assertTrue(
        lines.stream()
            .anyMatch(line -> line.contains("context.atomicAdd") && line.endsWith("right")),
        run.out());
    assertTrue(
        lines.stream().anyMatch(line -> line.contains("counts.set") && line.endsWith("a race")),
        run.out());
  }
}
