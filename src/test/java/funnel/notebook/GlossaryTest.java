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
      String shown(Object value) {
        Object array = value instanceof Array<?, ?> lazy ? lazy.toArray() : value;
        String all = Arrays.deepToString(new Object[] {array});
        return all.replaceAll("[\\\\[\\\\]]", "");
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
          import java.util.stream.IntStream;
          Funnel funnel = Funnel.open();
          """);
      cells.run(SHOWN);
      cells.run(setUp);
      for (MatchResult row : rows) {
        check(cells, row.group(2), row.group(3), wrong);
        if (row.group(1).startsWith("`IntStream.")) {
          check(cells, row.group(1).replace("`", ""), row.group(3), wrong);
        }
      }
      cells.run("funnel.close();");
    }
    assertEquals(List.of(), wrong);
    assertTrue(rows.size() > 100, "rows=" + rows.size());
  }

  private static void check(Cells cells, String expression, String given, List<String> wrong) {
    String found;
    try {
      found = cells.run("shown(%s)".formatted(expression)).replace("\"", "");
    } catch (Cells.CellException e) {
      found = e.getMessage();
    }
    if (!found.equals(given)) {
      wrong.add("%s gives %s, not %s".formatted(expression, found, given));
    }
  }
}
