package funnel.notebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the README shows is what a user gets who pastes it. */
class ReadmeTest {

  private static final Path README = Path.of("README.md");
  private static final Path LIBRARY = Path.of("examples/library");
  private static final Pattern SHELL =
      Pattern.compile("(?m)^    jshell> (.*)\\R    [$\\w]+ ==> (.*)$");
  private static final Pattern PRINTED = Pattern.compile("println\\(.*\\); +// (.*)");

  @BeforeEach
  void requireSources() {
    assumeTrue(Files.isDirectory(LIBRARY), "the sources are not here");
  }

  /** The blocks of a language, without their fences. */
  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(README))
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  @Test
  void theExamplePrintsWhatItsCommentsSay() throws IOException {
    String example = blocks("java").getFirst();
    List<String> expected = PRINTED.matcher(example).results().map(line -> line.group(1)).toList();
    assertEquals(4, expected.size(), expected::toString);
    try (Cells cells = new Cells()) {
      cells.run(example);
      cells.run("main()");
      assertEquals(expected, cells.output().lines().toList());
    }
  }

  /** What {@code funnel jshell} begins with, and the README's lines for it. */
  @Test
  void theShellGivesWhatTheReadmeSays() throws IOException {
    try (Cells cells = new Cells()) {
      cells.run("import java.util.*;");
      cells.run(Files.readString(Path.of("tornado-config/startup.jsh")));
      List<MatchResult> lines = SHELL.matcher(Files.readString(README)).results().toList();
      assertEquals(3, lines.size());
      for (MatchResult line : lines) {
        String value = cells.run(line.group(1));
        assertEquals(line.group(2).strip(), value.strip(), line::group);
      }
      cells.run("funnel.close();");
    }
  }

  @Test
  void theExampleIsAProgram() throws IOException {
    assertEquals(
        blocks("java").getFirst(), Files.readString(LIBRARY.resolve("src/main/java/Example.java")));
  }

  private static String uncommented(String xml) {
    return xml.replaceAll("<!--.*?-->", "");
  }

  @Test
  void theDependenciesAreThoseOfTheProgram() throws IOException {
    List<MatchResult> shown =
        Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL)
            .matcher(uncommented(blocks("sh").getFirst()))
            .results()
            .toList();
    assertEquals(2, shown.size());
    String pom = uncommented(Files.readString(LIBRARY.resolve("pom.xml"))).replaceAll("\\s+", "");
    for (MatchResult dependency : shown) {
      String text = dependency.group().replaceAll("\\s+", "");
      assertTrue(pom.contains(text), () -> text + " is not in the POM");
    }
  }
}
