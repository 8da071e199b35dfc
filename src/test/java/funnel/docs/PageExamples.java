package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The examples of a page of the documents are compiled. */
final class PageExamples {

  private static final Pattern REGION =
      Pattern.compile("// @start region=\"\\w+\"(.*?)// @end", Pattern.DOTALL);

  private PageExamples() {}

  /**
   * The page shows the regions of a class, in their order, and no others, but for line breaks and
   * spaces.
   */
  static void check(String page, Class<?> snippets) throws IOException {
    List<String> compiled =
        REGION.matcher(source(snippets)).results().map(region -> region.group(1)).toList();
    assertFalse(compiled.isEmpty(), () -> "no regions in " + snippets);
    List<String> shown =
        Pattern.compile("\\R{2,}")
            .splitAsStream(page(page))
            .filter(paragraph -> paragraph.lines().allMatch(line -> line.startsWith("    ")))
            .toList();
    assertEquals(
        compiled.stream().map(PageExamples::withoutSpace).toList(),
        shown.stream().map(PageExamples::withoutSpace).toList());
  }

  /** The text of a page. */
  static String page(String name) throws IOException {
    return text("docs/%s.md".formatted(name));
  }

  /** The text of a class. */
  static String source(Class<?> of) throws IOException {
    return text("src/test/java/%s.java".formatted(of.getName().replace('.', '/')));
  }

  private static String text(String file) throws IOException {
    assumeTrue(Files.isDirectory(Path.of("src/test/java")), "the sources are not here");
    return Files.readString(Path.of(file));
  }

  static String withoutSpace(String code) {
    return code.replaceAll("\\s", "");
  }
}
