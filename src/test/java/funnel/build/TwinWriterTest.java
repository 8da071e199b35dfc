package funnel.build;

import static funnel.build.TwinWriterSamples.CODE;
import static funnel.build.TwinWriterSamples.ROWS;
import static funnel.build.TwinWriterSamples.SUPPORT;
import static funnel.build.TwinWriterSamples.TOTALS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.javaparser.JavaParser;
import funnel.jit.Element;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code TwinWriter} as the build does, on masters in a folder of their own, and compiles,
 * loads and calls the twins beside their masters.
 */
class TwinWriterTest {

  private static final Path PROGRAM =
      Path.of("src", "build", "java", "funnel", "build", "TwinWriter.java");

  @TempDir static Path program;
  @TempDir Path folder;
  private Path in;
  private Path templates;
  private Path out;

  /** The build runs it from its sources; compiled once, the tests need not do so each time. */
  @BeforeAll
  static void compileProgram() throws Exception {
    assumeTrue(Files.exists(PROGRAM), "needs the project's sources: " + PROGRAM.toAbsolutePath());
    StringWriter messages = new StringWriter();
    List<Path> sources = List.of(PROGRAM, PROGRAM.resolveSibling("SourceFileWriter.java"));
    List<String> options =
        List.of(
            "-proc:none",
            "-cp",
            origin(JavaParser.class).toString(),
            "-sourcepath",
            PROGRAM.resolve("../../..").normalize().toString(),
            "-d",
            program.toString());
    assertTrue(isCompiled(sources, options, messages), messages::toString);
  }

  @BeforeEach
  void makeFolders() throws IOException {
    in = Files.createDirectory(folder.resolve("masters"));
    templates = Files.createDirectory(folder.resolve("templates"));
    out = folder.resolve("twins");
  }

  @Test
  void twinsComputeInTheirOwnTypes() throws Exception {
    writeSample();
    assertEquals(new Run(0, "twins=12, written=12, deleted=0\n", ""), run());
    try (URLClassLoader loader = compile()) {
      Class<?> master = loader.loadClass("sample.IntToIntTotals");
      Class<?> longs = loader.loadClass("sample.IntToLongTotals");
      Class<?> doubles = loader.loadClass("sample.FloatToDoubleTotals");
      Class<?> bytes = loader.loadClass("sample.ByteToIntTotals");
      Class<?> floats = loader.loadClass("sample.LongToFloatTotals");

      int[] large = {Integer.MAX_VALUE, Integer.MAX_VALUE, 3};
      assertEquals(1, call(master, "total", large));
      assertEquals(4_294_967_297L, call(longs, "total", large));
      float[] uneven = {16_777_216f, 1f, 1f};
      assertEquals(16_777_218.0, call(doubles, "total", uneven));
      assertEquals(456, call(bytes, "total", new byte[] {(byte) 200, (byte) 255, 1}));
      assertEquals(0L, call(longs, "total", new int[0]));
      assertEquals(200, call(bytes, "value", (byte) 200));
      assertEquals(0.5f, call(doubles, "value", 0.5f));

      assertArrayEquals(new int[] {0, 7}, (int[]) call(bytes, "arrays", 2));
      assertArrayEquals(new long[] {0, 7}, (long[]) call(longs, "arrays", 2));
      assertArrayEquals(new double[] {0, 0, 7}, (double[]) call(doubles, "arrays", 3));
      Object made = doubles.getConstructor(int.class).newInstance(5);
      assertEquals(5, ((double[]) doubles.getMethod("kept").invoke(made)).length);

      assertEquals("FLOAT", doubles.getField("ELEMENT").get(null).toString());
      assertEquals("DOUBLE", doubles.getField("ACCUMULATOR").get(null).toString());
      assertEquals("BYTE", bytes.getField("ELEMENT").get(null).toString());
      assertEquals(ValueLayout.JAVA_LONG_UNALIGNED, floats.getField("LAYOUT").get(null));
      assertEquals(ValueLayout.JAVA_BYTE, bytes.getField("LAYOUT").get(null));
      assertEquals(ValueLayout.JAVA_INT, doubles.getField("INDEX_LAYOUT").get(null));

      assertEquals("IntToIntTotals IntToIntRowsint[] 73 IntCode", call(master, "names"));
      assertEquals("IntToLongTotals IntToLongRowsint[] 73 LongCode", call(longs, "names"));
      assertEquals(
          "FloatToDoubleTotals FloatToDoubleRowsfloat[] 70 DoubleCode", call(doubles, "names"));
      assertEquals("LongToFloatTotals LongToFloatRowslong[] 74 FloatCode", call(floats, "names"));
    }
  }

  @Test
  void onlyMarkedTypesChange() throws Exception {
    writeSample();
    run();
    try (URLClassLoader loader = compile()) {
      Class<?> twin = loader.loadClass("sample.FloatToDoubleTotals");
      List<String> signatures =
          Stream.of(twin.getDeclaredMethods())
              .filter(m -> Modifier.isPublic(m.getModifiers()))
              .map(TwinWriterTest::signature)
              .sorted()
              .toList();
      assertEquals(
          List.of(
              "double total(float[])",
              "double[] arrays(int)",
              "double[] fresh(int)",
              "double[] kept()",
              "float value(float)",
              "int hidden(int)",
              "int mixed(FloatArray, DoubleArray, IntArray, IntList)",
              "java.lang.String names()"),
          signatures.stream().map(s -> s.replace("sample.support.", "")).toList());
      Class<?> item = loader.loadClass("sample.FloatToDoubleTotals$Item");
      assertEquals(float.class, item.getRecordComponents()[0].getType());
      assertEquals(int.class, item.getRecordComponents()[1].getType());
    }
  }

  @Test
  void textNamesItsMasterAndKeepsItsComments() throws Exception {
    writeSample();
    run();
    String twin = Files.readString(out.resolve("sample/FloatToDoubleTotals.java"));
    assertTrue(
        twin.startsWith(
            "/* Written from IntToIntTotals.java at build time; do not edit. */ package sample;\n"),
        twin);
    assertTrue(twin.contains("{@link FloatToDoubleTotals#total} and FloatToDoubleRows."), twin);
    assertFalse(twin.contains("funnel.jit"), twin);
    assertFalse(twin.matches("(?s).*@(Element|Value|Accumulator).*"), twin);
    List<String> arrays = twin.lines().filter(l -> l.startsWith("import sample.support.")).toList();
    assertEquals(
        List.of(
            "import sample.support.DoubleArray; import sample.support.FloatArray; import"
                + " sample.support.IntArray;",
            "import sample.support.IntList;",
            "import sample.support.Support;"),
        arrays);
  }

  /** A master for users has the plural of its type for a name; its full name stays. */
  @Test
  void pluralsAreNames() throws Exception {
    write(
        "funnel/Ints.java",
        """
        package funnel;
        import funnel.jit.Element;
        import funnel.jit.Twins;
        /** Ints, also of {@code funnel.Ints}. */
        @Twins("Long")
        final class Ints {
          @Element int[] values;
          Ints like() { return new Ints(); }
          funnel.Ints counts() { return new funnel.Ints(); }
        }
        """);
    assertEquals(new Run(0, "twins=1, written=1, deleted=0\n", ""), run());
    String twin = Files.readString(out.resolve("funnel/Longs.java"));
    for (String line :
        List.of(
            "Longs, also of {@code funnel.Ints}",
            "final class Longs {",
            "long[] values;",
            "Longs like() { return new Longs(); }",
            "funnel.Ints counts() { return new funnel.Ints(); }")) {
      assertTrue(twin.contains(line), twin);
    }
  }

  @Test
  void someTwinsHaveAMethod_andLinesStay() throws Exception {
    write(
        "sample/IntKeys.java",
        """
        package sample;
        import funnel.jit.*;
        @Twins({"Long", "Float"})
        class IntKeys {
          /**
           * Is for integers.
           */
          @Only("Long")
          @Element int only(@Element int value) {
            return value & 1;
          }
          @Element int all;
        }
        """);
    assertEquals(new Run(0, "twins=2, written=2, deleted=0\n", ""), run());
    String longs = Files.readString(out.resolve("sample/LongKeys.java"));
    String floats = Files.readString(out.resolve("sample/FloatKeys.java"));
    assertTrue(longs.contains("long only(long value) {") && !longs.contains("@Only"), longs);
    assertFalse(floats.contains("only") || floats.contains("Is for"), floats);
    assertEquals("  long all;", longs.lines().toList().get(11));
    assertEquals("  float all;", floats.lines().toList().get(11));
    write(
        "sample/IntKeys.java",
        """
        package sample;
        import funnel.jit.*;
        @Twins("Float")
        class IntKeys {
          @Only("Long")
          @Element int only() { return 1; }
        }
        """);
    assertTrue(run().err().contains("@Only(\"Long\") names a twin that IntKeys has not"));
  }

  @Test
  void linesStayWhereTheyAre() throws Exception {
    write(
        "sample/IntLines.java",
        """
        // a first line
        package sample;

        import funnel.jit.*;

        @SuppressWarnings({
          "unused"
        })
        @Twins({
          "Float",
          "Byte"
        })
        class IntLines {
          /* IntLines,
           * in a comment */
          @Element
          int[] values = new @Element int[] {1, 2}; // of @Element int[]
          String text = ""\"
              @Element int
              IntLines""\";
          @Element int first(@Element int  unused) { return (@Element int) values[0]; }
        }
        """);
    assertEquals(0, run().status());
    assertEquals(
        """
        /* Written from IntLines.java at build time; do not edit. */ // a first line
        package sample;

        import funnel.jit.*;




        @SuppressWarnings({"unused", "cast"})



        class FloatLines {
          /* FloatLines,
           * in a comment */

          float[] values = new float[] {1, 2}; // of @Element int[]
          String text = ""\"
              @Element int
              IntLines""\";
          float first(float  unused) { return (float) values[0]; }
        }
        """,
        Files.readString(out.resolve("sample/FloatLines.java")).replaceAll("(?m)^ +$", ""));
  }

  @Test
  void classFilesNameTheirMaster() throws Exception {
    writeSample();
    write("sample/IntToIntTotals.java", TOTALS.replace("public final class", "final class"));
    run();
    compile().close();
    Path classes = folder.resolve("classes");
    for (int time = 0; time < 2; time++) {
      assertEquals(0, java("SourceFileWriter", out, classes).inheritIO().start().waitFor());
    }
    assertEquals("IntToIntTotals.java", sourceFile(classes, "IntToIntTotals"));
    assertEquals("IntToIntTotals.java", sourceFile(classes, "FloatToDoubleTotals"));
    assertEquals("IntToIntTotals.java", sourceFile(classes, "FloatToDoubleTotals$Item"));
    assertEquals("ByteCode.java", sourceFile(classes, "ByteCode"), "public");
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
      Class<?> doubles = loader.loadClass("sample.FloatToDoubleTotals");
      InvocationTargetException thrown =
          assertThrows(InvocationTargetException.class, () -> call(doubles, "hidden", -1));
      StackTraceElement frame = thrown.getCause().getStackTrace()[1];
      assertEquals("IntToIntTotals.java", frame.getFileName());
      String line = TOTALS.lines().toList().get(frame.getLineNumber() - 1);
      assertEquals("late = Support.allocateIntLocalArray(n);", line.strip());
    }
  }

  private static String sourceFile(Path classes, String name) throws IOException {
    return ClassFile.of()
        .parse(classes.resolve("sample").resolve(name + ".class"))
        .findAttribute(Attributes.sourceFile())
        .orElseThrow()
        .sourceFile()
        .stringValue();
  }

  @Test
  void overloadsFollowTheMembersOfTheirMaster() throws Exception {
    write(
        templates.resolve("sample/Cells.java"),
        """
        package sample;

        import funnel.jit.Element;
        import funnel.jit.Overloads;
        import java.util.Interior;
        import java.util.function.IntUnaryOperator;

        /** Calls of ints. */
        @Overloads({"Long", "Double"})
        final class Cells {
          /* Int, for the maintainer. */

          /** Calls an int; {@code Integer.BYTES} of ints, a point, Integers. */
          static @Element int call(IntUnaryOperator f, @Element int[] x, int n) {
            return f.applyAsInt(x[n] + Integer.BYTES + Point.of()); // Interior
          }

          static int kept(int n) {
            return n;
          }

          @Overloads("Double")
          interface FloatBox {
            @Element
            float get(int n);
          }

          @Overloads("Byte")
          static ElementType type(@Element IntCells cells) {
            return ElementType.INT;
          }
        }
        """);
    assertEquals(new Run(0, "twins=1, written=1, deleted=0\n", ""), run());
    assertEquals(
        """
        /* Written from Cells.java at build time; do not edit. */ package sample;



        import java.util.Interior;
        import java.util.function.IntUnaryOperator; import java.util.function.DoubleUnaryOperator;\
         import java.util.function.LongUnaryOperator;

        /** Calls of ints. */

        final class Cells {
          /* Int, for the maintainer. */

          /** Calls an int; {@code Integer.BYTES} of ints, a point, Integers. */
          static int call(IntUnaryOperator f, int[] x, int n) {
            return f.applyAsInt(x[n] + Integer.BYTES + Point.of()); // Interior
          }

          static int kept(int n) {
            return n;
          }


          interface FloatBox {

            float get(int n);
          }


          static ElementType type(IntCells cells) {
            return ElementType.INT;
          }


          static ElementType type(ByteCells cells) {
            return ElementType.BYTE;
          }

          /** Calls a long; {@code Long.BYTES} of longs, a point, Integers. */
          static long call(LongUnaryOperator f, long[] x, int n) {
            return f.applyAsLong(x[n] + Long.BYTES + Point.of()); // Interior
          }

          /** Calls a double; {@code Double.BYTES} of doubles, a point, Integers. */
          static double call(DoubleUnaryOperator f, double[] x, int n) {
            return f.applyAsDouble(x[n] + Double.BYTES + Point.of()); // Interior
          }


          interface DoubleBox {
            double get(int n);
          }
        }
        """,
        Files.readString(out.resolve("sample/Cells.java")).replaceAll("(?m)^ +$", ""));
    Files.delete(templates.resolve("sample/Cells.java"));
    assertEquals(new Run(0, "twins=0, written=0, deleted=1\n", ""), run());
  }

  @Test
  void overloadsThatCannotBeAreFaults() throws Exception {
    write(
        templates.resolve("p/Cells.java"),
        """
        package p;
        import funnel.jit.*;
        @Overloads("Short")
        class Cells<@Element T> {
          @Overloads("Long") int none;
          @Overloads("Int") void same(@Element int x) {}
          @Overloads({"Long"}) void value(@Element int x, @Value int y) {}
          @Element int x; int y;
        }
        """);
    Run run = run();
    assertEquals(1, run.status());
    String at = templates.resolve("p/Cells.java") + ":";
    assertEquals(
        List.of(
            at + "3: \"Short\" is none of Byte, Int, Long, Float, Double",
            at + "4: @Element outside a member of Cells",
            at + "5: @Overloads on a member without @Element",
            at + "6: overload for Int, which the member is written for",
            at + "7: @Value in a master with @Overloads"),
        run.err().lines().sorted().toList());
    assertFalse(Files.exists(out));
  }

  @Test
  void importsNoLongerUsedGo() throws Exception {
    write(
        "sample/IntCells.java",
        """
        package sample;
        import funnel.jit.*;
        import other.IntCode;
        import sample.support.IntArray;
        import static other.IntCode.code;
        @Twins("Float")
        class IntCells { @Element IntArray cells; IntCode code; }
        """);
    write(
        "other/IntCode.java",
        "package other; import funnel.jit.*; @Twins(\"Float\") class IntCode { @Element int x; }");
    assertEquals(0, run().status());
    assertEquals(
        List.of(
            "import funnel.jit.*;",
            "import other.FloatCode;",
            "import sample.support.FloatArray;",
            "import static other.FloatCode.code;"),
        Files.readString(out.resolve("sample/FloatCells.java"))
            .lines()
            .filter(l -> l.startsWith("import"))
            .toList());
  }

  @Test
  void touchesOnlyWhatChanged() throws Exception {
    writeSample();
    run();
    Path own = Files.writeString(out.resolve("sample/LongHandWritten.java"), "class X {}");
    Path kept = out.resolve("sample/LongCode.java");
    Path gone = out.resolve("sample/IntToLongTotals.java");
    String before = Files.readString(kept);
    FileTime past = FileTime.fromMillis(1_000_000_000_000L);
    Files.setLastModifiedTime(kept, past);
    Files.setLastModifiedTime(out.resolve("sample/IntToLongRows.java"), past);

    Files.delete(in.resolve("sample/IntToIntTotals.java"));
    write("sample/IntToIntRows.java", ROWS.replace("getSimpleName", "getName"));
    assertEquals(new Run(0, "twins=8, written=4, deleted=4\n", ""), run());

    assertEquals(past, Files.getLastModifiedTime(kept));
    assertEquals(before, Files.readString(kept));
    assertTrue(Files.readString(out.resolve("sample/IntToLongRows.java")).contains("getName()"));
    assertFalse(Files.exists(gone));
    assertTrue(Files.exists(own));
  }

  @Test
  void faultsAreNamedWithFileAndLineAndNothingIsWritten() throws Exception {
    String head = "package p;\nimport funnel.jit.*;\n";
    write("p/IntA.java", head + "@Twins({\"Long\",\n  \"Short\"})\nclass IntA { @Element int x; }");
    write("p/IntToIntB.java", head + "@Twins(\"Long\") class IntToIntB { @Element int x; }");
    write("p/IntC.java", head + "@Twins(\"Int\") class IntC { @Element int x; }");
    write("p/Cells.java", head + "@Twins(\"Long\")\nclass Cells { @Element int x; }");
    write("p/IntD.java", head + "@Twins(\"Long\")\nclass IntD { int x; }");
    write("p/IntE.java", head + "class IntE {\n  @Element int x; }");
    write("p/IntF.java", head + "@Twins(\"Long\") class IntF {\n @Element int x;\n IntG g; }");
    write("p/IntG.java", head + "@Twins(\"Float\") class IntG { @Element int x; }");
    write("p/IntH.java", head + "@Twins(\"Long\") class IntH {\n @Element String x; }");
    write(
        "p/IntI.java",
        head + "@Twins(\"Long\") class IntI {\n @Element int x; @Accumulator int y; }");
    write(
        "p/IntJ.java",
        head + "@Twins(\"Long\") class IntJ {\n @Element int x =\n Integer.MAX_VALUE; }");
    write("p/IntK.java", head + "@Twins(\"Long\") class IntK { @Element int x; }");
    write("p/LongK.java", "package p; class LongK {}");
    write("p/IntL.java", head + "@Twins(\"Long\") class IntL { @Element int x }");
    write("p/IntM.java", head + "@Twins({}) class IntM { @Element int x; }");
    write(
        "p/IntN.java",
        head + "@Twins(\"Long\") class IntN { @Element int x;\n static final int ELEMENT = 2; }");
    Run run = run();
    assertEquals(1, run.status());
    String kinds = "of Byte, Int, Long, Float, Double";
    List<String> expected =
        List.of(
            "Cells.java:4: master Cells must be named IntToInt..., Int... or Ints",
            "IntA.java:4: unknown prefix \"Short\": IntA takes X other than Int, " + kinds,
            "IntC.java:3: unknown prefix \"Int\": IntC takes X other than Int, " + kinds,
            "IntD.java:4: master IntD has no type marked @Element",
            "IntE.java:4: @Element outside a master: a master is the only top-level class of its"
                + " file and has @Twins or @Overloads",
            "IntF.java:5: twin Long needs LongG; add it to IntG",
            "IntH.java:4: @Element marks String, not int, Integer, Int..., IndexedInt... or"
                + " ...OfInt",
            "IntI.java:4: @Accumulator in a master of one type; name it IntToInt... or unmark",
            "IntJ.java:5: Integer.MAX_VALUE as a marked value is right for int only",
            "IntK.java:3: twin p" + File.separator + "LongK.java exists as a source",
            "IntM.java:3: @Twins names no prefix",
            "IntN.java:4: ELEMENT must be set to ElementType.INT",
            "IntToIntB.java:3: unknown prefix \"Long\": IntToIntB takes XToA other than IntToInt, "
                + kinds);
    List<String> found =
        run.err()
            .lines()
            .filter(l -> l.contains(".java:") && !l.contains("IntL.java"))
            .map(l -> l.substring(in.resolve("p").toString().length() + 1))
            .sorted()
            .toList();
    assertEquals(expected, found);
    assertTrue(run.err().contains("IntL.java:3: "), run.err());
    assertFalse(Files.exists(out));
  }

  @Test
  void wantsTwoFoldersOfWhichTheFirstExists() throws Exception {
    Files.delete(in);
    assertEquals(2, run().status());
  }

  /** Those of another folder have twins there. */
  @Test
  void mastersOfAnotherFolderAreNamedByTheirTwins() throws Exception {
    Path others = folder.resolve("others");
    Files.createDirectories(others);
    Files.writeString(
        others.resolve("IntOther.java"),
        "package other; @Twins(\"Long\") public class IntOther { @Element int field; }");
    write(
        "sample/IntUser.java",
        """
        package sample;
        import static other.IntOther.*;
        import other.IntOther;
        @Twins("Long") class IntUser { @Element int field; IntOther other; }
        """);
    assertEquals(
        0,
        java("TwinWriter", in, out, Path.of("--named=" + others))
            .redirectErrorStream(true)
            .start()
            .waitFor());
    String twin = Files.readString(out.resolve("sample/LongUser.java"));
    assertTrue(twin.contains("import static other.LongOther.*;"), twin);
    assertTrue(twin.contains("import other.LongOther;"), twin);
    assertTrue(twin.contains("LongOther other;"), twin);
    assertFalse(Files.exists(out.resolve("LongOther.java")));
  }

  private record Run(int status, String out, String err) {}

  private Run run() throws IOException, InterruptedException, URISyntaxException {
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    Process process =
        java("TwinWriter", in, templates, out)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    int status = process.waitFor();
    String written = Files.readString(output).replace(System.lineSeparator(), "\n");
    return new Run(status, written, Files.readString(errors));
  }

  private static ProcessBuilder java(String name, Path... folders) throws URISyntaxException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(program + File.pathSeparator + origin(JavaParser.class));
    command.add("funnel.build." + name);
    Stream.of(folders).map(Path::toString).forEach(command::add);
    return new ProcessBuilder(command);
  }

  private void writeSample() throws IOException {
    write("sample/IntToIntTotals.java", TOTALS);
    write("sample/IntToIntRows.java", ROWS);
    write("sample/IntCode.java", CODE);
  }

  private void write(String file, String text) throws IOException {
    write(in.resolve(file), text);
  }

  private static void write(Path path, String text) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** Compiles masters, twins and what they use, with all of javac's warnings as errors. */
  private URLClassLoader compile() throws IOException, URISyntaxException {
    Path support = Files.createDirectories(folder.resolve("support"));
    Files.writeString(support.resolve("Support.java"), SUPPORT);
    for (String type : List.of("Byte", "Int", "Long", "Float", "Double")) {
      String boxed = type.equals("Int") ? "Integer" : type;
      Files.writeString(
          support.resolve(type + "Array.java"),
          "package sample.support; public interface %sArray { %s get(int i); }"
              .formatted(type, boxed));
    }
    Files.writeString(
        support.resolve("IntList.java"), "package sample.support; public interface IntList {}");
    List<Path> sources = new ArrayList<>();
    for (Path root : List.of(in, out, support)) {
      try (Stream<Path> files = Files.walk(root)) {
        files.filter(f -> f.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    Path classes = Files.createDirectories(folder.resolve("classes"));
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of(
            "-Xlint:all",
            "-Werror",
            "-proc:none",
            "-cp",
            origin(Element.class).toString(),
            "-d",
            classes.toString());
    assertTrue(isCompiled(sources, options, messages), messages::toString);
    return new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
  }

  private static boolean isCompiled(List<Path> sources, List<String> options, StringWriter messages)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      return compiler
          .getTask(messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
          .call();
    }
  }

  private static Path origin(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static Object call(Class<?> type, String method, Object... arguments)
      throws IllegalAccessException, InvocationTargetException {
    for (Method candidate : type.getDeclaredMethods()) {
      if (candidate.getName().equals(method)) {
        candidate.setAccessible(true);
        return candidate.invoke(null, arguments);
      }
    }
    throw new AssertionError(type + " has no method " + method);
  }

  private static String signature(Method method) {
    return Stream.of(method.getParameterTypes())
        .map(Class::getTypeName)
        .collect(
            Collectors.joining(
                ", ", method.getReturnType().getTypeName() + " " + method.getName() + "(", ")"));
  }
}
