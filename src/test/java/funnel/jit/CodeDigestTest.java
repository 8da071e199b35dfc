package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import funnel.MainClasses;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Digests change with what compiled kernels depend on, and with nothing else. */
class CodeDigestTest {

  /** A kernel that has the array of lengths, where copies find captured values. */
  static final class Kernels {
    private Kernels() {}

    static void combine(
        KernelContext context, IntArray values, IntArray shape, int shapeAt, int m, int n, int o) {
      int combined = Combine.apply(7, values.get(m), values.get(n));
      values.set(shape.get(shapeAt) + o, combined);
    }
  }

  /** Functions. */
  static final class One {
    private One() {}

    static Operator.IntCombine plain() {
      return (a, b) -> {
        int sum = weighted(a) + b;
        return sum > 3 ? sum : b;
      };
    }

    private static int weighted(int value) {
      int twice = 2 * value;
      return twice + 1;
    }

    static Operator.IntCombine capturing(int offset) {
      return (a, b) -> weighted(a) + b + offset;
    }

    static Operator.IntCombine lookingUp(int[] table) {
      return (a, b) -> table[a & 1] + b;
    }

    static int divided(int a, int b) {
      return a / 3 + b;
    }
  }

  /** The same, with other names and on other lines. */
  static final class Two {
    private Two() {}

    static final Operator.IntCombine FIRST = (a, b) -> a;

    private static int value(int v) {
      int w = 2 * v;
      return w + 1;
    }

    static Operator.IntCombine capturing(int by) {
      return (p, q) -> value(p) + q + by;
    }

    static Operator.IntCombine plain() {
      return (x, y) -> {
        int z = value(x) + y;

        return z > 3 ? z : y;
      };
    }

    static Operator.IntCombine lookingUp(int[] of) {
      return (a, b) -> of[a & 1] + b;
    }

    static int quotient(int x, int y) {
      return x / 3 + y;
    }
  }

  /** Each differs from {@link One} in one thing. */
  static final class Others {
    private Others() {}

    static Operator.IntCombine constant() {
      return (a, b) -> {
        int sum = weighted(a) + b;
        return sum > 4 ? sum : b;
      };
    }

    static Operator.IntCombine callee() {
      return (a, b) -> {
        int sum = heavier(a) + b;
        return sum > 3 ? sum : b;
      };
    }

    static Operator.IntCombine comparison() {
      return (a, b) -> {
        int sum = weighted(a) + b;
        return sum >= 3 ? sum : b;
      };
    }

    private static int weighted(int value) {
      int twice = 2 * value;
      return twice + 1;
    }

    private static int heavier(int value) {
      int twice = 2 * value;
      return twice + 2;
    }

    static Operator.IntCombine capturing(short offset) {
      return (a, b) -> weighted(a) + b + offset;
    }

    static Operator.IntCombine lookingUp(byte[] table) {
      return (a, b) -> table[a & 1] + b;
    }

    private static final int THIRD = Integer.parseInt("5");

    static int divided(int a, int b) {
      return a / THIRD + b;
    }
  }

  private static Class<?> copy(Operator.IntCombine function) {
    return KernelCopies.copyForDevice(
        MethodHandles.lookup(),
        Kernels.class,
        Map.of("combine(II)I", new KernelCopies.Body(function)));
  }

  private static Class<?> copy(Operator.IntCombine function, Map<String, ?> numbers) {
    return KernelCopies.copyForDevice(
        MethodHandles.lookup(),
        Kernels.class,
        Map.of("combine(II)I", new KernelCopies.Body(function)),
        "combine",
        numbers);
  }

  private static String digest(Class<?> kernels) {
    return CodeDigest.of(kernels).orElseThrow();
  }

  private static final Map<String, Integer> NUMBERS = Map.of("m", 3, "n", 4, "o", 5, "shapeAt", 6);

  /** Copies, by what they are of. */
  private static Map<String, Class<?>> copies() {
    Map<String, Class<?>> copies = new TreeMap<>();
    copies.put("plain", copy(One.plain()));
    copies.put("capturing", copy(One.capturing(1)));
    copies.put("looking up", copy(One.lookingUp(new int[] {7, 8})));
    copies.put("divided", copy(One::divided));
    copies.put("with numbers", copy(One.lookingUp(new int[] {7, 8}), NUMBERS));
    copies.put(
        "other numbers",
        copy(One.lookingUp(new int[] {7, 8}), Map.of("m", 3, "n", 4, "o", 5, "shapeAt", 7)));
    copies.put("constant", copy(Others.constant()));
    copies.put("callee", copy(Others.callee()));
    copies.put("comparison", copy(Others.comparison()));
    copies.put("captured type", copy(Others.capturing((short) 1)));
    copies.put("array type", copy(Others.lookingUp(new byte[] {7, 8})));
    copies.put("constant field", copy(Others::divided));
    copies.put("of the JDK", copy(Math::max));
    copies.put("another of the JDK", copy(Math::min));
    copies.put("none", Kernels.class);
    return copies;
  }

  @Test
  void equalCode_isOneCopy() {
    assertSame(copy(One.plain()), copy(Two.plain()));
    assertSame(copy(One.capturing(1)), copy(Two.capturing(-77)));
    assertSame(
        copy(One.lookingUp(new int[] {7, 8})), copy(Two.lookingUp(new int[] {1, 2, 3, 4, 5})));
    Operator.IntCombine divided = One::divided;
    Operator.IntCombine quotient = Two::quotient;
    assertSame(copy(divided), copy(quotient));
    assertSame(copy(One.lookingUp(new int[2]), NUMBERS), copy(Two.lookingUp(new int[3]), NUMBERS));
  }

  @Test
  void copiesForTheJvm_haveTheirOwnNames() {
    assertNotSame(
        KernelCopies.copy(
            MethodHandles.lookup(),
            Kernels.class,
            Map.of("combine(II)I", new KernelCopies.Body(One.plain()))),
        KernelCopies.copy(
            MethodHandles.lookup(),
            Kernels.class,
            Map.of("combine(II)I", new KernelCopies.Body(Two.plain()))));
  }

  @Test
  void otherCode_isAnotherDigest() {
    Map<String, String> by = new HashMap<>();
    copies()
        .forEach(
            (name, copy) -> {
              String same = by.put(digest(copy), name);
              assertEquals(null, same, name);
            });
  }

  /** Prints the digests of another process. */
  public static void main(String[] arguments) {
    copies().forEach((name, copy) -> System.out.println(name + "=" + digest(copy)));
  }

  @Test
  void digestsOfAnotherProcess_areTheSame() throws Exception {
    List<String> here = new ArrayList<>();
    copies().forEach((name, copy) -> here.add(name + "=" + digest(copy)));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CodeDigestTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String there = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(here, there.lines().filter(line -> line.contains("=")).toList(), there);
  }

  // Kernels that are compiled again

  @TempDir private Path folder;

  private static final String KERNELS =
      """
      import uk.ac.manchester.tornado.api.KernelContext;
      public class Kernels {
        static final int SHIFT = Constants.THREE + 1;
        public static void kernel(KernelContext context, int n) {
          int sum = Callee.twice(n) + SHIFT + Constants.FIVE;
        }
        static Object launched() {
          return new Launch();
        }
      }
      """;

  private static final Map<String, String> SOURCES =
      Map.of(
          "Kernels",
          KERNELS,
          "Callee",
          "class Callee { int of() { return 1; } static int twice(int n) { return 2 *"
              + " Base.same(n); } }",
          "Base",
          "class Base { static int same(int n) { return n; } }",
          "Constants",
          "class Constants { static int three() { return 3; }"
              + " static final int THREE = three(); static final int FIVE = 5; }",
          "Launch",
          "class Launch { int n = 1; }");

  /** Kernels compiled from sources in which a text is replaced. */
  private Class<?> compiled(String source, String text, String by, boolean isOld) throws Exception {
    Map<String, String> sources = new HashMap<>(SOURCES);
    assertTrue(SOURCES.get(source).contains(text), SOURCES.get(source));
    sources.put(source, SOURCES.get(source).replace(text, by));
    return compiled(sources, "Kernels", isOld);
  }

  private Class<?> compiled(Map<String, String> sources, String name, boolean isOld)
      throws Exception {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    assumeTrue(javac != null, "this Java has no compiler");
    Path classes = Files.createTempDirectory(folder, "classes");
    List<String> options =
        new ArrayList<>(List.of("-proc:none", "-g", "-cp", System.getProperty("java.class.path")));
    options.addAll(List.of("-d", classes.toString()));
    for (Map.Entry<String, String> each : sources.entrySet()) {
      Path file = classes.resolve(each.getKey() + ".java");
      options.add(Files.writeString(file, "package other; " + each.getValue()).toString());
    }
    assertEquals(0, javac.run(null, null, null, options.toArray(String[]::new)));
    if (isOld) {
      try (Stream<Path> files = Files.list(classes.resolve("other"))) {
        for (Path file : files.toList()) {
          Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        }
      }
    }
    URLClassLoader loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
    return Class.forName("other." + name, false, loader);
  }

  @ParameterizedTest
  @CsvSource({
    "Kernels, twice(n), twice(n + 1), false",
    "Callee, 2 *, 3 *, false",
    "Base, return n, return -n, false",
    "Constants, return 3, return 4, false",
    "Constants, FIVE = 5, FIVE = 6, false",
    "Launch, n = 1, n = 2, true",
    "Base, same, same, true"
  })
  void aBodyThatChanges(String source, String text, String by, boolean isSame) throws Exception {
    Class<?> before = compiled("Launch", "", "", true);
    Class<?> after = compiled(source, text, by, true);
    assertNotSame(before, after);
    if (isSame) {
      assertEquals(digest(before), digest(after));
    } else {
      assertNotEquals(digest(before), digest(after));
    }
  }

  /** In a class with many constants, one is loaded by another instruction. */
  @Test
  void aFunctionOnAnotherLine_inALargerClass() throws Exception {
    String function =
        "public class Function { %s public static funnel.operator.Operator.IntCombine get() {"
            + " return (a, b) -> a * 123456789 + b; } %s }";
    StringBuilder many = new StringBuilder("\n\nstatic long first(int n) { return 0");
    IntStream.range(0, 300).forEach(i -> many.append(" + n * ").append(i + 1_000_000));
    Map<Class<?>, String> copies = new HashMap<>();
    for (String source :
        List.of(
            function.formatted("", ""),
            function.formatted(many + "; }", ""),
            function.formatted("", "static int last() { return 1; }"))) {
      Class<?> type = compiled(Map.of("Function", source), "Function", true);
      copies.put(copy((Operator.IntCombine) type.getMethod("get").invoke(null)), source);
    }
    assertEquals(1, copies.size(), copies::toString);
  }

  // What cannot be known

  @ParameterizedTest
  @CsvSource({
    "Constants, return 3, 'return Integer.getInteger(\"three\", 3)'",
    "Constants, return 3, return System.identityHashCode(null)",
    "Constants, static final int THREE, static int THREE",
    "Constants, 'return 3', 'return new java.util.Random().nextInt()'",
    "Callee, 2 *, new Callee().of() *",
    "Callee, 2 *, '(\"a\" + n).length() *'"
  })
  void kernelsThatDependOnMoreThanClassFiles(String source, String text, String by)
      throws Exception {
    assertTrue(CodeDigest.of(compiled(source, text, by, true)).isEmpty(), "is known");
  }

  @Test
  void classFilesThatAreNewerThanTheProcess() throws Exception {
    assertTrue(CodeDigest.of(compiled("Launch", "", "", false)).isEmpty(), "is known");
  }

  @Test
  void aHiddenClass() throws Exception {
    byte[] bytes = ClassFiles.read(Kernels.class.getName(), Kernels.class.getClassLoader());
    Class<?> hidden = MethodHandles.lookup().defineHiddenClass(bytes, false).lookupClass();
    assertTrue(CodeDigest.of(hidden).isEmpty(), "is known");
  }

  // Our own kernels

  @Test
  void allKernelsAreKnown_reachFewClasses_andDiffer() throws Exception {
    Map<String, Class<?>> digests = new HashMap<>();
    for (JavaClass each : MainClasses.LIBRARY) {
      boolean hasKernels =
          !each.getPackageName().equals("funnel.emulator")
              && each.getMethods().stream()
                  .anyMatch(
                      method ->
                          method.getModifiers().contains(JavaModifier.STATIC)
                              && !method.getRawParameterTypes().isEmpty()
                              && method
                                  .getRawParameterTypes()
                                  .getFirst()
                                  .isEquivalentTo(KernelContext.class));
      if (hasKernels) {
        Class<?> type = Class.forName(each.getName(), false, getClass().getClassLoader());
        int reached = CodeDigest.classes(type).size();
        assertTrue(reached <= 16, type + " reaches " + reached + CodeDigest.classes(type));
        assertEquals(null, digests.put(digest(type), type), type::toString);
      }
    }
    assertTrue(digests.size() > 230, "classes=" + digests.size());
    System.out.println("digests of classes with kernels: " + digests.size());
  }

  /** Kernels that call methods which call themselves, and one that does not. */
  static final class Recursive {
    private Recursive() {}

    private static int factorial(int n) {
      return n < 2 ? 1 : n * factorial(n - 1);
    }

    private static int even(int n) {
      return n == 0 ? 1 : odd(n - 1);
    }

    private static int odd(int n) {
      return n == 0 ? 0 : even(n - 1);
    }

    static void direct(KernelContext context, IntArray x) {
      x.set(context.globalIdx, factorial(x.get(0)));
    }

    static void indirect(KernelContext context, IntArray x) {
      x.set(context.globalIdx, odd(x.get(0)));
    }

    /** Whose digest cannot be known either. */
    static void afterLambda(KernelContext context, IntArray x) {
      Runnable none = () -> {};
      none.run();
      x.set(context.globalIdx, factorial(x.get(0)));
    }

    static void itself(KernelContext context, IntArray x) {
      itself(context, x);
    }

    static void none(KernelContext context, IntArray x) {
      x.set(context.globalIdx, Math.max(1, x.get(0)));
    }
  }

  @ParameterizedTest
  @CsvSource({"direct,factorial", "indirect,odd|even", "afterLambda,factorial", "itself,itself"})
  void aKernelThatLeadsToARecursion_isRefused(String kernel, String method) throws Exception {
    Method refused = Recursive.class.getDeclaredMethod(kernel, KernelContext.class, IntArray.class);
    OperatorException e =
        assertThrows(OperatorException.class, () -> CodeDigest.requireNoRecursion(refused));
    String message = e.getMessage();
    assertTrue(
        message.matches(".*Recursive\\.(" + method + ") .*" + kernel + ".*Write a loop"), message);
    CodeDigest.requireNoRecursion(
        Recursive.class.getDeclaredMethod("none", KernelContext.class, IntArray.class));
  }
}
