package funnel.cli;

import funnel.ElementStream;
import funnel.Funnel;
import funnel.file.Progress;
import funnel.io.ElementFile;
import funnel.io.Source;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What commands have in common that work on a file of numbers, chunk by chunk. */
abstract class FileCommand extends EngineCommand {

  /** The most elements of one run. */
  static final int LARGEST_CHUNK = Integer.MAX_VALUE - 8;

  @Mixin private InputFile input = new InputFile();

  @Option(
      names = "--chunk",
      paramLabel = "ELEMENTS",
      description = "Elements of one run. Default: ${DEFAULT-VALUE}, on every engine.")
  private int chunk;

  /** With a chunk's length unless the user says another. */
  FileCommand(int chunk) {
    this.chunk = chunk;
  }

  /** What is to be done with a file. */
  interface Job {
    /** Does it. */
    Outcome run(Streams streams) throws IOException;
  }

  /** Reads what it is given in chunks, and shows how far that has come. */
  interface Streams {
    /** A file, or what is read beside it. */
    ElementStream over(Source source);
  }

  /** What came out. */
  interface Outcome {
    /** Adds it to a line of JSON. */
    void describe(Map<String, Object> line);

    /** Prints it for people. */
    void print(PrintWriter out);

    /** What is left to do after that. */
    default void finish() throws IOException {}
  }

  /** Refuses options that mean nothing, before the file is opened. */
  abstract void requireOptions() throws IOException;

  /**
   * What is to be done with a file.
   *
   * @throws ParameterException if the options are not for such a file
   */
  abstract Job job(ElementFile file) throws IOException;

  /** What a raw file holds if nothing is said, or null if it must be said. */
  @Nullable FileType rawType() {
    return null;
  }

  /** Whether what comes out is printed with nothing beside it. */
  boolean printsAllItself() {
    return false;
  }

  /** Elements of one run. */
  final int chunk() {
    return chunk;
  }

  final Path path() {
    return input.path();
  }

  /** What the command works on. */
  final InputFile input() {
    return input;
  }

  /** A number of an option, which has to be one of a type exactly. */
  final Number number(String option, String text, ElementType type) {
    try {
      return Numbers.parsed(text, type);
    } catch (NumberFormatException e) {
      throw usage("%s '%s' is no number", option, text);
    } catch (ArithmeticException e) {
      throw usage("%s %s does not fit %s", option, text, FileType.of(type));
    }
  }

  @Override
  public final Integer call() throws IOException {
    requireRange("--chunk", chunk, 1, LARGEST_CHUNK);
    requireOptions();
    try (ElementFile file = input.open(rawType(), isJson())) {
      Job job = job(file);
      Outcome outcome;
      String description;
      long started = System.nanoTime();
      try (Funnel funnel = open();
          Progress progress = new Progress(spec().name(), file.length(), !isJson())) {
        outcome = job.run(source -> funnel.over(source).pieces(chunk).listener(progress::stepTo));
        description = funnel.description();
      }
      print(file, outcome, description, (System.nanoTime() - started) / 1e9);
      outcome.finish();
      passOutput();
    }
    return ExitCode.OK;
  }

  private void print(ElementFile file, Outcome outcome, String description, double seconds) {
    long chunks = Math.max(1, Math.ceilDiv(file.length(), (long) chunk));
    if (isJson()) {
      Map<String, Object> line = input.asMap(file);
      outcome.describe(line);
      line.put("engine", description);
      line.put("chunk", chunk);
      line.put("chunks", chunks);
      line.put("seconds", seconds);
      printJson(line);
      return;
    }
    PrintWriter out = out();
    if (printsAllItself()) {
      outcome.print(out);
      return;
    }
    out.println(input.describe(file));
    outcome.print(out);
    String parts = chunks == 1 ? "" : ", %,d chunks of %,d".formatted(chunks, chunk);
    out.println("in %.3f s on %s%s".formatted(seconds, description, parts));
  }
}
