package funnel.notebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The expressions of docs/glossary.md give what it says, those of Java's streams too. */
class GlossaryTest {

  private static final Path PAGE = Path.of("docs/glossary.md");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (.*?) \\| `([^`]+)` \\| ([^|`]+) \\|$");

  /** Shows what the last column has. */
  private static final String SHOWN =
      """
      String shown(Callable<?> expression) {
        try {
          Object value = expression.call();
          Object array = value instanceof Array<?, ?> lazy ? lazy.toArray() : value;
          return Arrays.deepToString(new Object[] {array}).replaceAll("[\\\\[\\\\]]", "");
        } catch (Exception e) {
          return e.toString();
        }
      }
      """;

  @Test
  void expressionsGiveWhatIsSaid() throws IOException {
    assumeTrue(Files.exists(PAGE), "no documents here");
    String page = Files.readString(PAGE);
    String setUp =
        page.lines().filter(line -> line.startsWith("    ")).collect(Collectors.joining("\n"));
    List<String> wrong = new ArrayList<>();
    List<MatchResult> rows = ROW.matcher(page).results().toList();
    assertEquals(
        page.lines().filter(line -> line.startsWith("| ")).count(),
        rows.size() + 2 * page.lines().filter(line -> line.startsWith("| --- ")).count(),
        "rows that are not understood");
    try (Cells cells = new Cells()) {
      cells.run(
          """
          import funnel.*;
          import funnel.operator.*;
          import funnel.histogram.Histogram;
          import funnel.sort.Sort;
          import java.util.Arrays;
          import java.util.concurrent.Callable;
          import java.util.stream.IntStream;
          Funnel funnel = Funnel.open();
          """);
      cells.run(SHOWN);
      cells.run(setUp);
      List<String> expressions = new ArrayList<>();
      List<String> given = new ArrayList<>();
      for (MatchResult row : rows) {
        expressions.add(row.group(2));
        given.add(row.group(3));
        if (row.group(1).startsWith("`IntStream.")) {
          expressions.add(row.group(1).replace("`", ""));
          given.add(row.group(3));
        }
      }
      // all in one cell: to compile a cell takes longer than to run it
      String found =
          cells.run(
              expressions.stream()
                  .map("shown(() -> %s)"::formatted)
                  .collect(Collectors.joining(",\n", "String.join(\"|\",\n", ")")));
      String[] all = found.replace("\"", "").split("\\|", -1);
      assertEquals(expressions.size(), all.length, found);
      for (int i = 0; i < all.length; i++) {
        if (!all[i].equals(given.get(i))) {
          wrong.add("%s gives %s, not %s".formatted(expressions.get(i), all[i], given.get(i)));
        }
      }
      cells.run("funnel.close();");
    }
    assertEquals(List.of(), wrong);
    assertTrue(rows.size() > 100, "rows=" + rows.size());
  }
}
