package funnel.notebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every code cell of every notebook under docs runs. */
class NotebookTest {

  private static final Path FOLDER = Path.of("docs/notebooks");

  static List<Path> notebooks() throws IOException {
    Assumptions.assumeTrue(Files.isDirectory(FOLDER), "the sources are not here");
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".ipynb")).sorted().toList();
    }
  }

  /** A quarter of them: they take longer than anything else. */
  static List<Path> drawn() throws IOException {
    List<Path> notebooks = notebooks();
    SplittableRandom random = Seed.random("notebooks");
    int turn = random.nextInt(4);
    return IntStream.range(0, notebooks.size())
        .filter(i -> (i + turn) % 4 == 0 || Seed.draws(random, 20))
        .mapToObj(notebooks::get)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("drawn")
  void everyCellRuns(Path file) throws IOException {
    Notebook notebook = Notebook.read(file);
    assertFalse(notebook.code().isEmpty(), "no code cells");
    String engine;
    try (Funnel same = Funnel.open()) {
      engine = same.description();
    }
    try (Cells cells = new Cells()) {
      for (int i = 0; i < notebook.code().size(); i++) {
        String cell = notebook.code().get(i);
        assertFalse(isMagic(cell), () -> "not plain Java: " + cell);
        try {
          cells.run(cell);
        } catch (Cells.CellException e) {
          throw new AssertionError(
              "%s, code cell %s of %s:%n%s".formatted(file, i + 1, notebook.code().size(), cell),
              e);
        }
      }
      assertTrue(cells.output().contains(engine), "the engine is not stated");
      assertTrue(cells.output().contains("Java " + Runtime.version()), "no versions are stated");
    }
  }

  /**
   * Stored outputs are whole, of one run without errors, and the notebook says of which machine.
   */
  @ParameterizedTest
  @MethodSource("notebooks")
  void outputsSayWhereTheyAreFrom(Path file) throws IOException {
    Notebook notebook = Notebook.read(file);
    List<String> outputs = notebook.outputs();
    String text = notebook.text().getFirst();
    String from = "The outputs as committed come from a run on ";
    boolean told = text.contains(from);
    assertEquals(told, !outputs.isEmpty(), "outputs=" + outputs.size());
    if (told) {
      String engine = text.contains(from + "the JVM") ? "engine JVM: " : "engine TORNADO: NVIDIA";
      assertTrue(outputs.getFirst().contains(engine), outputs.getFirst());
      assertTrue(outputs.stream().anyMatch(output -> output.contains("image/png")), "no picture");
      assertFalse(outputs.toString().contains("\"output_type\":\"error\""), "a cell failed");
      assertFalse(outputs.toString().contains("\"name\":\"stderr\""), "something was logged");
      assertEquals(
          IntStream.rangeClosed(1, notebook.code().size()).boxed().toList(), notebook.executions());
    }
  }

  private static boolean isMagic(String cell) {
    return cell.lines().anyMatch(line -> line.startsWith("%") || line.startsWith("!"));
  }

  @Test
  void aCellThatThrowsOrDoesNotCompileFails() {
    try (Cells cells = new Cells()) {
      assertEquals("3", cells.run("int a = 1;\nint b = 2; a + b"));
      Cells.CellException thrown =
          assertThrows(Cells.CellException.class, () -> cells.run("int c = a / (b - 2);"));
      assertEquals("java.lang.ArithmeticException", thrown.thrown());
      for (String wrong :
          new String[] {"int d = \"\";", "nothing()", "void f() {", "int g() {\n"}) {
        assertEquals(
            "", assertThrows(Cells.CellException.class, () -> cells.run(wrong)).thrown(), wrong);
      }
      assertThrows(Cells.CellException.class, () -> cells.run("void h() { undefined(); }"));
    }
  }

  /** As docs/notebooks/README.md says. */
  @Test
  void aVariableHidesAPackageButNoImport() {
    try (Cells cells = new Cells()) {
      cells.run("import funnel.Funnel; Funnel funnel = null;");
      assertThrows(
          Cells.CellException.class, () -> cells.run("funnel.operator.Operator.SUM.toString()"));
      assertEquals(
          "\"sum\"", cells.run("import funnel.operator.Operator; Operator.SUM.toString()"));
    }
  }

  @Test
  void magicsAreSeen() {
    assertTrue(isMagic("int a;\n%maven a:b:1"));
    assertFalse(isMagic("int a = 5\n  % 3;"));
  }
}
