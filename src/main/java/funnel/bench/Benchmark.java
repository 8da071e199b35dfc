package funnel.bench;

import funnel.Funnel;
import funnel.engine.Target;
import funnel.io.WholeFile;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * What all benchmarks have in common: options, the report, and the way it is written.
 *
 * @param <R> the report
 */
@Command(mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true)
abstract class Benchmark<R extends Report<?>> implements Callable<Integer> {

  /* Exit codes: 0 all right, 1 a wrong result or a subject of Funnel's own that failed; picocli's 2
   * for wrong usage.
   */

  private static final int WRONG = 1;
  private static final long LARGE_BYTES = 1L << 26;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      converter = TargetName.class,
      description = "jvm, tornado or emulator; the best there is unless given.")
  private @Nullable Target target;

  @Option(names = "--quick", description = "A trial run: short lengths, few repetitions.")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write JSON lines: the run, then every measurement with every single time.")
  private @Nullable Path json;

  @Option(names = "--png", paramLabel = "FILE", description = "Draw a plot.")
  private @Nullable Path png;

  /** Refuses options that mean nothing, before anything is opened. */
  abstract void requireOptions();

  /** An empty report. */
  abstract R report(String command, Funnel funnel);

  /** Measures everything into the report. */
  abstract void measure(Funnel funnel, R report);

  /** Whether all of Funnel's own that must not fail has been measured. */
  abstract boolean isComplete(R report);

  abstract void plot(R report, Path file) throws IOException;

  CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("not called through picocli");
    }
    return spec;
  }

  boolean isQuick() {
    return quick;
  }

  ParameterException wrongUsage(String message) {
    return new ParameterException(spec().commandLine(), message);
  }

  @Override
  public Integer call() throws IOException {
    requireOptions();
    requireWritable("--json", json);
    requireWritable("--png", png);
    try (Funnel funnel = target == null ? Funnel.open() : Funnel.open(target)) {
      R report = report(commandLine(), funnel);
      measure(funnel, report);
      PrintWriter out = spec().commandLine().getOut();
      out.print(report.table());
      if (json != null) {
        report.writeJson(json);
        out.println("written: " + json);
      }
      if (png != null) {
        plot(report, png);
        out.println("written: " + png);
      }
      out.flush();
      return report.isRight() && isComplete(report) ? 0 : WRONG;
    }
  }

  private void requireWritable(String option, @Nullable Path file) throws IOException {
    if (file != null) {
      Path folder = file.toAbsolutePath().getParent();
      if (folder == null || !Files.isDirectory(folder)) {
        throw wrongUsage("%s %s: there is no folder %s".formatted(option, file, folder));
      }
      WholeFile.create(file).close();
    }
  }

  private String commandLine() {
    CommandSpec root = spec().root();
    List<String> words = new ArrayList<>(List.of(root.name()));
    words.addAll(root.commandLine().getParseResult().originalArgs());
    return String.join(" ", words);
  }

  /** TornadoVM's arrays are freed by the garbage collector only, which does not see their size. */
  static void release(long bytes) {
    if (bytes >= LARGE_BYTES) {
      System.gc();
    }
  }

  /** Names of engines on the command line. */
  static final class TargetName implements ITypeConverter<Target> {
    @Override
    public Target convert(String name) {
      return switch (name) {
        case "jvm" -> Target.JVM;
        case "tornado" -> Target.TORNADO;
        case "emulator" -> Target.EMULATOR;
        default ->
            throw new TypeConversionException(
                "'%s' is none of jvm, tornado, emulator".formatted(name));
      };
    }
  }

  /** Names of types on the command line. */
  static final class TypeName implements ITypeConverter<ElementType> {
    @Override
    public ElementType convert(String name) {
      return switch (name) {
        case "int" -> ElementType.INT;
        case "long" -> ElementType.LONG;
        case "float" -> ElementType.FLOAT;
        case "double" -> ElementType.DOUBLE;
        default ->
            throw new TypeConversionException(
                "'%s' is none of int, long, float, double".formatted(name));
      };
    }
  }
}
