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

/** Lambdas of random expressions, of operations that every device computes as Java does. */
public final class RandomFunctions {

  /** Public, so that generated code may see it. */
  public interface Mixed extends ElementFunction {
    double of(int i, long l, float x, double y);
  }

  /**
   * A function and its source.
   *
   * @param text the expression, in which k, c and e are captured
   */
  record Written(String text, Mixed function) {
    @Override
    public String toString() {
      return text + Seed.replay();
    }
  }

  private static final String[] INTS = {"0", "1", "-1", "7", "255", "-2147483648", "2147483647"};
  private static final String[] FLOATS = {
    "0f", "-0f", "1f", "0.1f", "-2.5f", "16777216f", "1e-45f", "1.2e-38f", "3e38f", "0.33333334f"
  };
  private static final String[] DOUBLES = {
    "0d", "-0d", "1d", "0.1", "-2.5", "9007199254740993d", "4.9e-324", "2.3e-308", "1.7e308", "1e-7"
  };

  private static final Pattern VARIABLE = Pattern.compile("\\b[ilxy]\\b");

  private final SplittableRandom random;

  private RandomFunctions(SplittableRandom random) {
    this.random = random;
  }

  /** So many functions, compiled into a folder. */
  static List<Written> make(int count, Path folder)
      throws IOException, ReflectiveOperationException {
    RandomFunctions made = new RandomFunctions(Seed.random("functions"));
    List<String> texts = Stream.generate(() -> made.number('D', 4)).limit(count).toList();
    StringBuilder source = new StringBuilder("package drawn; public class Drawn {");
    for (int i = 0; i < count; i++) {
      source.append(
          "\npublic static class F%s { public static %s of(int k, float c, double e) { return (i, l, x, y) -> %s; } }"
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
              .getMethod("of", int.class, float.class, double.class)
              .invoke(null, i - count / 2, 0.7f * i, 1 / (i + 1.5));
      functions.add(new Written(texts.get(i), (Mixed) function));
    }
    return functions;
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
      case 5 -> "(%s / %s)".formatted(a, b);
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
