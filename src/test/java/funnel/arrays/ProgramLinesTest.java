package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * How long the jobs are on arrays, as documents say: lines of code, without blank lines and
 * comments. They have no names that are strings, and no casts but to numbers.
 */
class ProgramLinesTest {

  private static final Path SOURCE = Path.of("src/test/java/funnel/arrays/Programs.java");
  private static final Pattern NUMBER = Pattern.compile("/\\*\\* (\\d+)\\. .*");
  private static final Pattern UNWANTED =
      Pattern.compile(
          "\"|\\bNumber\\b|Value\\(\\)|\\([A-Z]\\w*(<.*>)?\\) ?[\\w(]|\\bvar\\b|\\bObject\\b");

  private static List<String> between(String part) throws IOException {
    return Files.readAllLines(SOURCE).stream()
        .map(String::strip)
        .dropWhile(line -> !line.equals("// <" + part + ">"))
        .skip(1)
        .takeWhile(line -> !line.equals("// </" + part + ">"))
        .toList();
  }

  private static void check(String part, int first, int last, int most) throws IOException {
    List<String> all = between(part);
    List<Integer> jobs =
        all.stream()
            .map(NUMBER::matcher)
            .filter(job -> job.matches())
            .map(job -> Integer.valueOf(job.group(1)))
            .toList();
    assertEquals(IntStream.rangeClosed(first, last).boxed().toList(), jobs);
    List<String> code =
        all.stream()
            .filter(line -> !line.isEmpty() && !line.startsWith("/**") && !line.startsWith("*"))
            .toList();
    assertTrue(code.size() <= most, () -> "%s lines of code".formatted(code.size()));
    assertEquals(List.of(), code.stream().filter(line -> UNWANTED.matcher(line).find()).toList());
  }

  @Test
  void thirteenJobsTakeAtMost100Lines() throws IOException {
    check("thirteen", 1, 13, 100);
  }

  @Test
  void sixMoreTakeAtMost60() throws IOException {
    check("six", 14, 19, 60);
  }

  @Test
  void namesAndCastsAreFound() {
    for (String unwanted :
        List.of(
            "run(\"x\")",
            "Number mean = read.get(value);",
            "read.get(mean).doubleValue()",
            "(Standard) (v, mean) -> v",
            "(List<String>) names")) {
      assertTrue(UNWANTED.matcher(unwanted).find(), unwanted);
    }
  }
}
