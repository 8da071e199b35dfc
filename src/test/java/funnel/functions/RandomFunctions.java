package funnel.functions;

import funnel.Seed;
import funnel.operator.ElementFunction;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Lambdas of random expressions and statements: arithmetic, casts, methods of the JDK, conditions,
 * loops with several exits, switches, captured numbers and arrays.
 */
public final class RandomFunctions {

  /** Public, so that generated code may see it. */
  public interface Mixed extends ElementFunction {
    double of(int i, long l, float x, double y);
  }

  /**
   * A function and its source.
   *
   * @param text the lambda's body, in which k, c, e and t are captured
   */
  record Written(String text, Mixed function) {
    @Override
    public String toString() {
      return text + Seed.replay();
    }
  }

  private static final String[] INTS = {"0", "1", "-1", "7", "255", "-2147483648", "2147483647"};
  private static final String[] FLOATS = {
    "0f",
    "-0f",
    "1f",
    "0.1f",
    "-2.5f",
    "16777216f",
    "Float.NEGATIVE_INFINITY",
    "1e-45f",
    "1.2e-38f",
    "3e38f",
    "0.33333334f"
  };
  private static final String[] DOUBLES = {
    "0d",
    "-0d",
    "1d",
    "0.1",
    "-2.5",
    "9007199254740993d",
    "Double.POSITIVE_INFINITY",
    "4.9e-324",
    "2.3e-308",
    "1.7e308",
    "1e-7"
  };

  private static final Pattern VARIABLE = Pattern.compile("\\b[ilxy]\\b");

  private static final int[] TABLE = {3, -1, 4, 1, -5, 9, 2, -6};

  private final SplittableRandom random;
  private int loops;

  private RandomFunctions(SplittableRandom random) {
    this.random = random;
  }

  /** So many functions, compiled into a folder. */
  static List<Written> make(int count, Path folder)
      throws IOException, ReflectiveOperationException {
    RandomFunctions made = new RandomFunctions(Seed.random("functions"));
    List<String> texts =
        Stream.iterate(0, i -> i + 1)
            .map(i -> i % 2 == 0 ? made.number('D', 4) : made.block())
            .limit(count)
            .toList();
    StringBuilder source = new StringBuilder("package drawn; public class Drawn {");
    for (int i = 0; i < count; i++) {
      source.append(
          "\npublic static class F%s { public static %s of(int k, float c, double e, int[] t) { return (i, l, x, y) -> %s; } }"
              .formatted(i, Mixed.class.getCanonicalName(), texts.get(i)));
    }
    Path file = Files.writeString(folder.resolve("Drawn.java"), source.append("\n}"));
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    String path = System.getProperty("java.class.path");
    String to = folder.toString();
    if (javac.run(null, null, null, "-proc:none", "-g", "-cp", path, "-d", to, file.toString())
        != 0) {
      throw new IllegalStateException("not compiled: " + source);
    }
    URLClassLoader loader = // the functions need it as long as they are used
        new URLClassLoader(
            new URL[] {folder.toUri().toURL()}, RandomFunctions.class.getClassLoader());
    List<Written> functions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Object function =
          Class.forName("drawn.Drawn$F" + i, true, loader)
              .getMethod("of", int.class, float.class, double.class, int[].class)
              .invoke(null, i - count / 2, 0.7f * i, 1 / (i + 1.5), TABLE);
      functions.add(new Written(texts.get(i), (Mixed) function));
    }
    return functions;
  }

  /* The variables of a block, all of which each statement may read: n, m, v and w. */

  private String block() {
    loops = 0;
    return "{ int n = %s; long m = %s; float v = %s; double w = %s; boolean is = %s;\n%s return %s; }"
        .formatted(
            number('I', 1),
            number('J', 1),
            number('F', 1),
            number('D', 1),
            condition(1),
            statements(2),
            one("w", "v + w", "n", "n * 3 + m", "is ? n : w", "m + v"));
  }

  private String statements(int depth) {
    return Stream.generate(() -> statement(depth))
        .limit(1 + random.nextInt(2))
        .reduce("", String::concat);
  }

  private String statement(int depth) {
    if (depth == 0) {
      return assignment();
    }
    int less = depth - 1;
    String loop = "j" + loops;
    return switch (random.nextInt(loops < 3 ? 12 : 7)) {
      case 0, 1 -> assignment();
      case 2 -> "if (%s) { %s }\n".formatted(test(), statements(less));
      case 3 ->
          "if (%s) { %s } else { %s }\n".formatted(test(), statements(less), statements(less));
      case 4 -> "is = %s && %s || is;\n".formatted(test(), test());
      case 5 ->
          "switch (n & 3) { case 0 -> { %s } case 2 -> { %s } default -> { %s } }\n"
              .formatted(statements(less), assignment(), assignment());
      case 6 ->
          "switch ((int) m & 7) { case 1: %s case 5: %s break; case 6: %s break; default: }\n"
              .formatted(assignment(), assignment(), assignment());
      case 7, 8 -> {
        loops++;
        yield "for (int %1$s = 0; %1$s < %2$s; %1$s++) { %3$s %4$s %5$s }\n"
            .formatted(
                loop, one("5", "(i & 7)", "(k & 3)"), statements(less), exit(), statements(0));
      }
      case 9 -> {
        loops++;
        yield "{ int %1$s = 0; while (%1$s < 6 && %2$s) { %3$s %1$s++; %4$s } }\n"
            .formatted(loop, test(), statements(less), exit());
      }
      case 10 -> {
        loops++;
        yield "{ int %1$s = 0; do { %3$s %1$s++; %4$s } while (%1$s < 4 && %2$s); }\n"
            .formatted(loop, test(), statements(less), exit());
      }
      default -> "{ int o = n; n = (int) m; m = o; double q = w; w = v; v = (float) q; }\n";
    };
  }

  /** What leaves a loop, or does not. */
  private String exit() {
    return switch (random.nextInt(5)) {
      case 0 -> "";
      case 1 -> "if (%s) { return %s; }".formatted(test(), one("w", "n", "v - 1", "-7"));
      case 2 -> "if (%s) { n += 3; break; }".formatted(test());
      case 3 -> "if (%s) { break; }".formatted(test());
      default -> "if (%s) { m -= 5; continue; }".formatted(test());
    };
  }

  private String assignment() {
    return switch (random.nextInt(7)) {
      case 0 ->
          "n = %s;\n"
              .formatted(
                  one(
                      "n * 31 + i",
                      "n ^ (int) m",
                      "n + t[n & 7]",
                      "(int) w",
                      "n % 7",
                      "(byte) n",
                      "-n"));
      case 1 ->
          "m = %s;\n".formatted(one("m * 31 + n", "m - l", "(long) w", "m >> 3", "(short) m", "n"));
      case 2 ->
          "v = %s;\n".formatted(one("v * 0.5f + n", "v - x", "(float) w", "-v", "v % 3", "n"));
      case 3 ->
          "w = %s;\n"
              .formatted(one("w * 0.5 + v", "w - y", "m * e", "-w", "w % 5", "Math.min(w, v)"));
      case 4 -> "is = %s;\n".formatted(test());
      case 5 -> "n += is ? %s : %s;\n".formatted(one("1", "-1", "n"), one("2", "0", "k"));
      default ->
          "w += %s;\n"
              .formatted(one("n", "v", "t[(int) m & 7]", "is ? 1 : -1", "Math.floorMod(n, 5)"));
    };
  }

  /** A condition of a block's variables. */
  private String test() {
    return one(
        "n > 3",
        "n < m",
        "(n & 3) == 1",
        "v < w",
        "w > 1",
        "is",
        "!is",
        "m % 3 == 0",
        "v != v",
        "n <= -2",
        "x < v || n == 2",
        "w == w && i > n",
        "t[n & 7] > 0",
        "(is ? n : -n) < k",
        "!(w >= 0)");
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }

  /** An expression that is not the same for all elements, so that no compiler makes it infinite. */
  private String varying(char type, int depth) {
    String text = number(type, depth);
    while (!VARIABLE.matcher(text).find()) {
      text = number(type, depth);
    }
    return text;
  }

  /** An expression of type I, J, F or D. */
  private String number(char type, int depth) {
    if (depth == 0) {
      return switch (type) {
        case 'I' -> one("i", "i", "k", one(INTS));
        case 'J' -> one("l", "l", "i", one(INTS) + "L");
        case 'F' -> one("x", "x", "c", one(FLOATS));
        default -> one("y", "y", "e", one(DOUBLES));
      };
    }
    int less = depth - 1;
    String a = varying(type, less);
    String b = varying(type, random.nextInt(depth));
    String arithmetic = "(%s %s %s)".formatted(a, one("+", "-", "*"), b);
    String choice = "(%s ? %s : %s)".formatted(condition(less), a, b);
    boolean isFloating = type == 'F' || type == 'D';
    return switch (random.nextInt(isFloating ? 9 : 5)) {
      case 0, 1 -> arithmetic;
      case 2 -> "-" + "(" + a + ")";
      case 3 -> choice;
      case 4 -> cast(type, less);
      case 5 -> "(%s %s %s)".formatted(a, one("/", "/", "%"), b);
      case 6 -> "Math.%s(%s, %s)".formatted(one("min", "max"), a, b);
      case 7 -> "Math.fma(%s, %s, %s)".formatted(a, b, number(type, 0));
      default ->
          one(
              "Math.abs(%s)".formatted(a),
              type == 'F'
                  ? "(float) Math.sqrt(%s)".formatted(a)
                  : one("Math.sqrt(%s)", "Math.floor(%s)", "Math.ceil(%s)", "(1 / Math.sqrt(%s))")
                      .formatted(a));
    };
  }

  private String cast(char type, int depth) {
    return switch (type) {
      case 'I' ->
          one(
              "(int) (%s)".formatted(number(one("J", "F", "D").charAt(0), depth)),
              "Double.compare(%s, %s)".formatted(number('D', depth), number('D', 0)),
              "(%s) (%s)"
                  .formatted(
                      one("byte", "short", "char"), number(one("I", "J", "F").charAt(0), depth)),
              "Integer.%s(%s)"
                  .formatted(
                      one("bitCount", "numberOfLeadingZeros", "reverse", "signum", "highestOneBit"),
                      number('I', depth)),
              "t[%s & 7]".formatted(number('I', depth)),
              "(%s %s)".formatted(number('I', depth), one("& 7", "% 5", "/ 3", ">> 2", ">>> 3")));
      case 'J' ->
          one(
              "(long) (%s)".formatted(number(one("I", "F", "D").charAt(0), depth)),
              "(%s %s)"
                  .formatted(
                      number('J', depth),
                      one("& 255", "% 5", "/ 3", ">> 2", ">>> 3", "& 0xffffffffL")));
      case 'F' -> "(float) (%s)".formatted(number(one("I", "J", "D").charAt(0), depth));
      default -> "(double) (%s)".formatted(number(one("I", "J", "F").charAt(0), depth));
    };
  }

  private String condition(int depth) {
    if (depth > 1 && random.nextInt(3) == 0) {
      return "(%s %s %s)".formatted(condition(depth - 1), one("&&", "||"), condition(depth - 2));
    }
    char type = one("F", "D", "D", "I", "J").charAt(0);
    String a = varying(type, depth);
    return random.nextInt(6) == 0
        ? "Double.isNaN(%s)".formatted(a)
        : "%s %s %s".formatted(a, one("<", "<=", ">", ">=", "==", "!="), number(type, 0));
  }
}
