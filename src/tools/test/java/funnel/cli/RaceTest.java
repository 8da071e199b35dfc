package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RaceTest {

  @Test
  void theFourInterleavings() {
    List<Race.Outcome> outcomes = Race.interleavings();
    assertEquals(List.of(2, 2, 1, 1), outcomes.stream().map(Race.Outcome::counted).toList());
    assertEquals(
        List.of(List.of(0, 1), List.of(1, 0), List.of(0, 0), List.of(0, 0)),
        outcomes.stream().map(Race.Outcome::old).toList());
    assertEquals(
        List.of(
            "0 reads 0, 0 writes 1, 1 reads 1, 1 writes 2",
            "1 reads 0, 1 writes 1, 0 reads 1, 0 writes 2",
            "1 reads 0, 0 reads 0, 0 writes 1, 1 writes 1",
            "0 reads 0, 1 reads 0, 1 writes 1, 0 writes 1"),
        outcomes.stream().map(Race.Outcome::toString).toList());
    assertTrue(RaceCommand.asTheyMust(outcomes, Race.atomicInterleavings()));
    assertFalse(RaceCommand.asTheyMust(outcomes.reversed(), Race.atomicInterleavings()));
    assertFalse(RaceCommand.asTheyMust(outcomes, outcomes));
    assertFalse(RaceCommand.asTheyMust(outcomes, List.of()));
  }

  @Test
  void onlyARaceMayLoseUpdates() {
    assertTrue(new Race.Row("race", 10, 10, false, 1).possible());
    assertTrue(new Race.Row("race", 10, 1, false, 1).possible());
    assertFalse(new Race.Row("race", 10, 0, false, 1).possible());
    assertFalse(new Race.Row("race", 10, 11, false, 1).possible());
    assertTrue(new Race.Row("atomic", 10, 10, true, 1).possible());
    assertFalse(new Race.Row("atomic", 10, 9, true, 1).possible());
  }

  @Test
  void threadsOfTheJvm() {
    List<Race.Row> rows = Race.onJvm(3, 10_000);
    assertEquals(4, rows.size());
    assertTrue(rows.stream().allMatch(Race.Row::possible), rows.toString());
    assertEquals(1, rows.stream().filter(row -> !row.exact()).count());
    assertTrue(rows.stream().allMatch(row -> row.asked() == 30_000), rows.toString());
  }

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
