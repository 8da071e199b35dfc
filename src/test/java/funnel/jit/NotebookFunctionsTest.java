package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import funnel.notebook.Cells;
import funnel.operator.Operator;
import java.lang.invoke.MethodHandles;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import org.junit.jupiter.api.Test;

/**
 * Operators from cells of a notebook, whose class files only the notebook has. Needs jdk.jshell.
 */
public class NotebookFunctionsTest {

  @Test
  void cellsAndTheirVariables() throws URISyntaxException {
    try (JShell shell = JShell.builder().executionEngine(new Cells.Direct(), Map.of()).build()) {
      for (Class<?> type : List.of(NotebookFunctionsTest.class, Operator.class)) {
        shell.addToClasspath(
            Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
      }
      cell(shell, "int f(int a, int b) { return a > b ? 10 * a + b : 7; }");
      cell(shell, "funnel.jit.NotebookFunctionsTest.fromNotebook = (a, b) -> f(a, b) + 1;");
      assertEquals(44, combined(4, 3));
      assertEquals("", KernelCopies.deviceReason(fromNotebook).orElse(""));

      cell(shell, "int k = 5;");
      cell(shell, "funnel.jit.NotebookFunctionsTest.fromNotebook = (a, b) -> f(a, b) + k;");
      assertEquals(48, combined(4, 3));
      cell(shell, "k = 8;");
      assertEquals(51, combined(4, 3));
      assertEquals("", KernelCopies.deviceReason(fromNotebook).orElse(""));
    }
  }

  /** Cells of the notebook put their functions here. */
  public static Operator.IntCombine fromNotebook = Integer::sum;

  private static int combined(int left, int right) {
    PlaceholderCalls kernels =
        (PlaceholderCalls)
            KernelCopies.instance(
                MethodHandles.lookup(),
                CopiedKernels.class,
                Map.of("combine(II)I", new KernelCopies.Body(fromNotebook)));
    return kernels.combine(left, right);
  }

  private static void cell(JShell shell, String code) {
    for (SnippetEvent event : shell.eval(code)) {
      assertEquals(
          List.of(),
          shell.diagnostics(event.snippet()).map(d -> d.getMessage(null)).toList(),
          code);
      assertEquals(Snippet.Status.VALID, event.status(), code);
      assertNull(event.exception(), code);
    }
  }
}
