package funnel.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.Seed;
import funnel.operation.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of examples/jobs; {@code JobsBenchTest} compares the jobs with plain loops. */
class JobsTest {

  @TempDir Path folder;

  /** A program as one starts it. */
  private interface Program {
    void run(String... arguments) throws IOException;
  }

  private static List<String> lines(Program program, String argument) throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      program.run(argument);
    } finally {
      System.setOut(before);
    }
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void programsPrintWhatTheyFind() throws IOException {
    List<String> events = lines(Events::main, "5000");
    assertEquals(13, events.size(), events::toString);
    assertTrue(events.getFirst().startsWith("5,000 events with 1,000 keys: "), events::toString);
    assertTimes(events);
    assertTrue(
        events.get(3).matches("key \\d+: \\d+ events, sum \\d+, \\d+ to \\d+, mean [\\d.]+"),
        events::toString);
    List<String> latencies = lines(Latencies::main, "5000");
    assertTimes(latencies);
    assertTrue(
        latencies.getLast().matches("p50 1,\\d+ us, p99 .* us, mean .* us"), latencies::toString);
    List<String> rows = lines(Rows::main, "5000");
    assertEquals(13, rows.size(), rows::toString);
    assertTimes(rows);
    assertTrue(rows.get(2).startsWith("customers: "), rows::toString);
    List<String> pi = lines(MonteCarlo::main, "5000");
    assertTimes(pi);
    assertTrue(
        pi.get(2).matches("pi is 3\\.[01]\\d+ \\+- 0\\.0[12]\\d+ \\(95 %\\); the heights:"),
        pi::toString);
    assertEquals(24, pi.size(), pi::toString);
    assertTrue(
        pi.getLast().matches("an option .* is worth [12]\\.\\d+ \\+- 0\\.[01]\\d+"), pi::toString);
    Path text = Files.writeString(folder.resolve("text"), "to be or not to be to");
    List<String> words = lines(Words::main, text.toString());
    assertEquals("the most frequent words of 21 bytes of " + text, words.getFirst());
    assertTimes(words);
    assertEquals(List.of("to: 3", "be: 2"), words.subList(2, 4));
    assertEquals(6, words.size(), words::toString);
  }

  private static void assertTimes(List<String> lines) {
    String times = lines.get(1);
    assertTrue(times.matches("[\\d.]+ ms on JVM .*; a parallel stream takes [\\d.]+ ms"), times);
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "0", "-1", "1e6", "9999999999"})
  void numbersOfElements(String text) throws IOException {
    assertEquals(123, Screen.count("0123"));
    IOException e = assertThrows(IOException.class, () -> Screen.count(text));
    assertEquals(
        "'%s' is no number of elements: give one from 1 to 999999999".formatted(text),
        e.getMessage());
  }

  /** The formula is that of Bachelier: the price of an option on a normally distributed price. */
  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void optionPricesAreThoseOfTheFormula(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      double density = Math.exp(-0.125) / Math.sqrt(2 * Math.PI);
      double formula = 10 * density - 5 * 0.3085375387259869;
      MonteCarlo.Price price = MonteCarlo.option(funnel, 20_000, 7, 100, 10, 105);
      assertEquals(formula, price.mean(), 2 * price.error());
      assertEquals(0.05, price.error(), 0.01);
    }
  }

  private Map<String, Long> words(Funnel funnel, String text, int most) throws IOException {
    Path file = Files.writeString(folder.resolve("text"), text);
    return Words.count(funnel, file, most).ofWords();
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void wordsAreThoseBetweenBlanks(Target target) throws IOException {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(Map.of(), words(funnel, "", 16));
      assertEquals(Map.of(), words(funnel, " \n\t ", 16));
      assertEquals(Map.of("a", 1L), words(funnel, "a", 16));
      assertEquals(Map.of("a", 2L, "\u00e9\u4e00", 1L), words(funnel, "a \n\u00e9\u4e00  a\n", 16));
    }
  }

  @Test
  void partsEndBetweenWords() throws IOException {
    SplittableRandom random = Seed.random("words");
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      for (int most : new int[] {6, 7, 16, 100}) {
        StringBuilder text = new StringBuilder();
        Map<String, Long> expected = new TreeMap<>();
        for (int w = 0; w < 60; w++) {
          String word = "abcde".substring(random.nextInt(5));
          expected.merge(word, 1L, Long::sum);
          text.append(word).append(" ".repeat(random.nextInt(1, 9)));
        }
        assertEquals(
            expected,
            new TreeMap<>(words(funnel, text.toString(), most)),
            () -> text + Seed.replay());
      }
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> words(funnel, "a abcdef", 4));
      assertEquals("a word of more than 4 bytes, from byte 2 on", e.getMessage());
    }
  }
}
