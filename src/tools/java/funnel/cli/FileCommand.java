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
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The common part of commands that process a file of numbers chunk by chunk. */
abstract class FileCommand extends EngineCommand {

  /** The maximum number of elements of one run. */
  static final int LARGEST_CHUNK = Integer.MAX_VALUE - 8;

  @Mixin private InputFile input = new InputFile();

  @Option(
      names = "--chunk",
      paramLabel = "ELEMENTS",
      description = "Number of elements of one run. Default: ${DEFAULT-VALUE}, on every engine.")
  private int chunk;

  @Option(
      names = "--plain",
      order = 2,
      description =
          "Only values, one on each line; without --out all elements of the result. With --json it"
              + " has no effect.")
  private boolean plain;

  /** A command with a default length of chunks. */
  FileCommand(int chunk) {
    this.chunk = chunk;
  }

  /** The work on a file. */
  interface Job {
    /** Does it. */
    Outcome run(Streams streams) throws IOException;
  }

  /** Streams a source in chunks, and shows the progress. */
  interface Streams {
    /** Streams a file, or another source that is read with it. */
    ElementStream over(Source source);

    /** The Funnel that runs it. */
    Funnel funnel();
  }

  /** The result of a job. */
  interface Outcome {
    /** Adds the result to a line of JSON. */
    void describe(Map<String, Object> line);

    /** Prints the result for people. */
    void print(PrintWriter out);

    /** Prints only the values, which have not been printed before. */
    void printPlain(PrintWriter out);

    /** Does what remains after that. */
    default void finish() throws IOException {}
  }

  /** Refuses meaningless options, before the file is opened. */
  abstract void requireOptions() throws IOException;

  /**
   * The work on a file.
   *
   * @throws ParameterException if the options are not for such a file
   */
  abstract Job job(ElementFile file) throws IOException;

  /** The default type of a raw file, or null if it must be given. */
  @Nullable FileType rawType() {
    return null;
  }

  /** Whether the command prints only its result. */
  boolean printsAllItself() {
    return false;
  }

  /** Opens the file that the command works on. */
  ElementFile openInput() throws IOException {
    return input.open(rawType(), isJson());
  }

  /** Closes other files that were opened with it. */
  void closeInput() {}

  /** Whether only values are printed. */
  final boolean isPlain() {
    return plain && !isJson();
  }

  /** Where all elements of a result are printed that go to no file; null if they are not. */
  final @Nullable PrintWriter plainElements(@Nullable OutputFile file) {
    return isPlain() && file == null ? out() : null;
  }

  /** The number of elements of one run. */
  final int chunk() {
    return chunk;
  }

  final Path path() {
    return input.path();
  }

  /** The file that the command works on. */
  final InputFile input() {
    return input;
  }

  /** A number of an option, which a type must represent exactly. */
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
    try (ElementFile file = openInput()) {
      Job job = job(file);
      Outcome outcome;
      String description;
      long started = System.nanoTime();
      try (Funnel funnel = open();
          Progress progress = new Progress(spec().name(), file.length(), !isJson())) {
        Streams streams =
            new Streams() {
              @Override
              public ElementStream over(Source source) {
                return funnel.over(source).pieces(chunk).listener(progress::stepTo);
              }

              @Override
              public Funnel funnel() {
                return funnel;
              }
            };
        outcome = job.run(streams);
        description = funnel.description();
      }
      double seconds = (System.nanoTime() - started) / 1e9;
      print(file, outcome, description, seconds);
      outcome.finish();
      passOutput();
      printTime(file, description, seconds);
    } finally {
      closeInput();
    }
    return ExitCode.OK;
  }

  private void print(ElementFile file, Outcome outcome, String description, double seconds) {
    PrintWriter out = out();
    if (isJson()) {
      Map<String, Object> line = input.asMap(file);
      outcome.describe(line);
      line.put("engine", description);
      line.put("chunk", chunk);
      line.put("chunks", chunks(file));
      line.put("seconds", seconds);
      printJson(line);
    } else if (plain) {
      outcome.printPlain(out);
    } else {
      if (!printsAllItself()) {
        out.println(input.describe(file));
      }
      outcome.print(out);
    }
    out.flush();
  }

  private long chunks(ElementFile file) {
    return Math.max(1, Math.ceilDiv(file.length(), (long) chunk));
  }

  private void printTime(ElementFile file, String description, double seconds) {
    if (isJson() || plain || printsAllItself()) {
      return;
    }
    long chunks = chunks(file);
    String parts =
        chunks == 1 ? "" : String.format(Locale.ROOT, ", %,d chunks of %,d", chunks, chunk);
    PrintWriter err = spec().commandLine().getErr();
    err.println(String.format(Locale.ROOT, "in %.3f s on %s%s", seconds, description, parts));
  }
}
