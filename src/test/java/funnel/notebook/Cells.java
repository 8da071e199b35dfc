package funnel.notebook;

import funnel.Table;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jshell.EvalException;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import jdk.jshell.execution.DirectExecutionControl;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;

/**
 * Runs cells of a notebook as the Java kernels of Jupyter do: snippet by snippet through jshell's
 * API, in this JVM, compiled with {@code -g}, and without the imports that the kernels add.
 */
public final class Cells implements AutoCloseable {

  /** A cell that does not compile, or that throws. */
  static final class CellException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String thrown;

    private CellException(String message, String thrown) {
      super(message);
      this.thrown = thrown;
    }

    /** The name of the class of what was thrown; empty if the cell does not compile. */
    String thrown() {
      return thrown;
    }
  }

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final PrintStream print = new PrintStream(output, true, StandardCharsets.UTF_8);
  private final JShell shell;

  /** Cells on the engine that the kernels extend. */
  Cells() {
    this(JShell.builder().executionEngine(new Direct(), Map.of()));
  }

  private Cells(JShell.Builder builder) {
    shell = builder.compilerOptions("-g").build();
    for (String entry : classPath()) {
      shell.addToClasspath(entry);
    }
  }

  /** Cells on the JDK's own engine for the same JVM, which changes the bytecode. */
  static Cells onTheLocalEngine() {
    return new Cells(JShell.builder().executionEngine("local"));
  }

  /** Runs snippets in this JVM, as notebooks do. */
  public static final class Direct implements ExecutionControlProvider {
    @Override
    public String name() {
      return "direct";
    }

    @Override
    public ExecutionControl generate(ExecutionEnv environment, Map<String, String> parameters) {
      return new DirectExecutionControl() {
        /**
         * As a kernel, which computes what is lazy, but without all elements of an array in a
         * string, which jshell then searches.
         */
        @Override
        protected String invoke(Method cell) throws Exception {
          Object value = cell.invoke(null);
          if (value instanceof funnel.Array<?, ?> array) {
            var _ = array.toArray();
          } else if (value instanceof Table table) {
            var _ = table.text(10);
          }
          return value != null && value.getClass().isArray()
              ? value.getClass().getSimpleName()
              : valueString(value);
        }
      };
    }
  }

  /* Maven gives its JVM a jar that only names the class path. With an SDK, TornadoVM's API is on the
   * module path, which the compiler of cells does not see. */
  private static List<String> classPath() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    String sdk = Objects.requireNonNullElse(System.getenv("TORNADOVM_HOME"), "");
    Stream<String> jars = Stream.empty();
    if (!sdk.isBlank()) {
      try (Stream<Path> files = Files.list(Path.of(sdk, "share/java/tornado"))) {
        jars = files.map(Path::toString).filter(f -> f.contains("/tornado-api-")).toList().stream();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return Stream.concat(Stream.of(path.split(File.pathSeparator)), jars).toList();
  }

  /**
   * Runs a cell.
   *
   * @return the value of its last expression as jshell shows it; empty if there is none
   * @throws CellException if it does not compile or throws
   */
  String run(String cell) {
    String value = "";
    String rest = cell;
    PrintStream out = System.out;
    System.setOut(print);
    try {
      while (!rest.isBlank()) {
        CompletionInfo info = shell.sourceCodeAnalysis().analyzeCompletion(rest);
        if (!info.completeness().isComplete()) {
          throw new CellException("incomplete: " + rest, "");
        }
        for (SnippetEvent event : shell.eval(info.source())) {
          require(event);
          value = Objects.requireNonNullElse(event.value(), "");
        }
        rest = info.remaining();
      }
    } finally {
      System.setOut(out);
    }
    return value;
  }

  private void require(SnippetEvent event) {
    String source = event.snippet().source().strip();
    if (event.status() != Snippet.Status.VALID && event.status() != Snippet.Status.OVERWRITTEN) {
      String reasons =
          shell
              .diagnostics(event.snippet())
              .map(diagnostic -> diagnostic.getMessage(null))
              .collect(Collectors.joining("; "));
      throw new CellException("%s: %s: %s".formatted(source, event.status(), reasons), "");
    }
    if (event.exception() instanceof EvalException thrown) {
      String name = thrown.getExceptionClassName();
      throw new CellException(
          "%s: %s: %s".formatted(source, name, String.valueOf(thrown.getMessage())), name);
    }
    if (event.exception() != null) {
      throw new CellException("%s: %s".formatted(source, event.exception()), "");
    }
  }

  /** What the cells printed so far. */
  String output() {
    return output.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    shell.close();
  }
}
