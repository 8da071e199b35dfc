package funnel.lessons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

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
    assertTrue(Race.areAsTheyMust(outcomes, Race.atomicInterleavings()));
    assertFalse(Race.areAsTheyMust(outcomes.reversed(), Race.atomicInterleavings()));
    assertFalse(Race.areAsTheyMust(outcomes, outcomes));
    assertFalse(Race.areAsTheyMust(outcomes, List.of()));
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
}
