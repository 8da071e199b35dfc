package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Relative links of the documents lead to files that exist, and to headings in them. */
class LinksTest {

  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|^ {4}[^\\n]*$|`[^`\\n]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");

  @TempDir Path folder;

  private static List<Path> pages() throws IOException {
    List<Path> pages =
        new ArrayList<>(
            List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md")));
    for (String folder : List.of("docs", "examples", "spark", "tornado-config")) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    return pages;
  }

  /** The anchors that GitHub gives to headings: another one of the same text gets a number. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    String text = FENCED.matcher(Files.readString(page)).replaceAll("");
    HEADING
        .matcher(text)
        .results()
        .map(heading -> LINK.matcher(heading.group(1)).replaceAll(""))
        .map(title -> title.toLowerCase(Locale.ROOT).strip())
        .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .forEach(
            anchor -> {
              String free = anchor;
              for (int n = 1; !anchors.add(free); n++) {
                free = anchor + "-" + n;
              }
            });
    return anchors;
  }

  /** What is wrong with the links of a page. */
  private static List<String> broken(Path page) throws IOException {
    List<String> broken = new ArrayList<>();
    String text = CODE.matcher(Files.readString(page)).replaceAll("");
    for (MatchResult link : LINK.matcher(text).results().toList()) {
      String[] target = link.group(1).split("#", 2);
      if (target[0].matches("[a-z]+:.*")) {
        continue;
      }
      Path file = target[0].isEmpty() ? page : page.resolveSibling(target[0]);
      if (!Files.exists(file)) {
        broken.add("%s: no file %s".formatted(page, link.group(1)));
      } else if (target.length > 1 && !anchors(file).contains(target[1])) {
        broken.add("%s: no heading %s".formatted(page, link.group(1)));
      }
    }
    return broken;
  }

  @Test
  void allLinksLeadSomewhere() throws IOException {
    assumeTrue(Files.exists(Path.of("docs")), "no documents here");
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : pages()) {
      broken.addAll(broken(page));
      links += (int) LINK.matcher(Files.readString(page)).results().count();
    }
    assertEquals(List.of(), broken);
    assertTrue(links > 100, "links=" + links);
  }

  @Test
  void whatIsBrokenIsFound() throws IOException {
    Path page = folder.resolve("page.md");
    Files.writeString(
        folder.resolve("other.md"), "# `a` Title, with 2^2\n\n## Twice\n\n## Twice\n");
    Files.writeString(
        page,
        """
        # Here
        [all](other.md), [a
        title](other.md#a-title-with-22), [second](other.md#twice-1), [here](#here),
        [web](https://x.y/z#a), `[code](none.md)`
        [lost](none.md), [gone](other.md#twice-2), [where](#there)
        """);
    assertEquals(
        List.of("no file none.md", "no heading other.md#twice-2", "no heading #there"),
        broken(page).stream().map(each -> each.substring(each.indexOf(": ") + 2)).toList());
  }
}
