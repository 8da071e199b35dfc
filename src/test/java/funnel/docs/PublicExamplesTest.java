package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.Exports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every public class of the packages for users has an example in its Javadoc that is compiled, and
 * run by a test.
 */
class PublicExamplesTest {

  private static final Path SOURCES = Path.of("src/main");
  private static final Path EXAMPLES = Path.of("src/test/java");
  private static final Pattern PUBLIC =
      Pattern.compile(
          "^public (?:(?:abstract|final|sealed|non-sealed|static)"
              + " )*(?:class|interface|@interface|enum|record) (\\w+)",
          Pattern.MULTILINE);
  private static final Pattern SNIPPET =
      Pattern.compile("\\{@snippet class=\"funnel\\.docs\\.(\\w+)\" region=\"([\\w-]+)\"\\}");

  @BeforeEach
  void requireSources() {
    assumeTrue(Files.isDirectory(SOURCES), "the sources are not here");
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  /** The snippets of a comment that stands before the type's declaration. */
  private static List<MatchResult> snippets(String source) {
    Matcher type = PUBLIC.matcher(source);
    return type.find()
        ? SNIPPET.matcher(source.substring(0, type.start())).results().toList()
        : List.of();
  }

  @Test
  void everyPublicClassHasOne() throws IOException {
    Set<String> exported = Exports.packages();
    List<String> without = new ArrayList<>();
    int types = 0;
    for (Path file : files(SOURCES)) {
      String source = Files.readString(file);
      String folder = SOURCES.relativize(file.getParent()).toString();
      String inside = folder.replaceFirst("^\\w+/", "").replace('/', '.');
      if (exported.contains(inside) && PUBLIC.matcher(source).find()) {
        types++;
        if (snippets(source).isEmpty()) {
          without.add(file.toString());
        }
      }
    }
    assertTrue(types > 50, "types=" + types);
    assertEquals(List.of(), without, "no {@snippet class=... region=...} before the declaration");
  }

  @Test
  void everyExampleIsRunByATest() throws IOException {
    String tests =
        files(EXAMPLES).stream()
            .filter(file -> file.toString().endsWith("Test.java"))
            .map(PublicExamplesTest::text)
            .collect(Collectors.joining());
    Set<String> wrong = new TreeSet<>();
    for (Path file : files(SOURCES)) {
      for (MatchResult snippet : snippets(text(file))) {
        String example = text(EXAMPLES.resolve("funnel/docs/%s.java".formatted(snippet.group(1))));
        if (!example.contains("@start region=\"%s\"".formatted(snippet.group(2)))) {
          wrong.add("%s: no region %s".formatted(file, snippet.group(2)));
        }
        if (!tests.contains(snippet.group(1))) {
          wrong.add("%s: %s is in no test".formatted(file, snippet.group(1)));
        }
      }
    }
    assertEquals(Set.of(), wrong);
  }

  /** What an inline tag left behind would stand on the page as a brace. */
  @Test
  void everyInlineTagEndsWhereItsBracesDo() throws IOException {
    Pattern comment = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);
    Set<String> wrong = new TreeSet<>();
    for (Path file : files(SOURCES)) {
      for (MatchResult found : comment.matcher(text(file)).results().toList()) {
        String tags = found.group();
        if (tags.chars().filter(c -> c == '{').count()
            != tags.chars().filter(c -> c == '}').count()) {
          wrong.add("%s: %s".formatted(file, tags));
        }
      }
    }
    assertEquals(Set.of(), wrong);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
