package funnel.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.Funnel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that names nothing of TornadoVM compiles against the library's own classes alone. */
class WithoutTornadoTest {

  private static final String PROGRAM =
      """
      import funnel.*;
      import funnel.operator.*;
      import funnel.reduce.Reduction;
      import funnel.scan.Scan;
      import java.util.Map;

      class Program {
        void run(Funnel funnel) {
          int[] x = {3, 1, 4};
          int[] y = funnel.inclusiveScan(x, Operator.SUM);
          Elements into = Elements.of(new int[3], 0, 3);
          Number total = funnel.scan(Elements.of(x), Scan.inclusive(Operator.SUM), into);
          Plan.Builder plan = funnel.plan("p").input("x", ElementType.INT, 3);
          try (Plan p = plan.add("sum", Reduction.sum(), "x").build()) {
            Results results = p.set("x", Elements.of(y)).into("y", into).run();
            int sum = p.run(Map.of("x", Elements.of(x))).getInt("sum");
          }
        }
      }
      """;

  @Test
  void programsCompile(@TempDir Path folder) throws Exception {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    assumeTrue(javac != null, "this Java has no compiler");
    Path file = Files.writeString(folder.resolve("Program.java"), PROGRAM);
    Path library =
        Path.of(Funnel.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int status =
        javac.run(
            null,
            null,
            errors,
            "-proc:none",
            "-cp",
            library.toString(),
            "-d",
            folder.toString(),
            file.toString());
    assertEquals(0, status, () -> errors.toString(StandardCharsets.UTF_8));
  }
}
