package funnel.cli;

import funnel.Funnel;
import funnel.io.ElementFile;
import funnel.io.Json;
import funnel.io.NpyOutput;
import funnel.io.Progress;
import funnel.operator.ElementType;
import funnel.scan.Scan;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code funnel scan}. */
@Command(
    name = "scan",
    description = {
      "Scan a file of numbers (prefix sums, running maxima, ...) into a .npy file.",
      "",
      "The input is raw little-endian elements or a .npy of any shape, taken in the order of the"
          + " file; the output has one dimension and one result for each element.",
      "The input is mapped and the output written as it comes, so both may be larger than the"
          + " heap, than memory and than the device. Work goes on in chunks; each begins with the"
          + " total of those before it.",
      "Floating-point sums and products of more than one chunk therefore depend on --chunk in the"
          + " last bits, and on nothing else: not on the engine, nor on the cores. --json names"
          + " the chunk's length. Integers, min and max do not depend on it.",
      "The output appears under its name when it is complete. If anything fails, or the command"
          + " is interrupted, nothing has changed.",
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the file is malformed or changed meanwhile, or the output cannot be written",
      "2:the command line is wrong, or the output is there already",
      "3:the engine asked for cannot be had"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  funnel scan data.npy --out sums.npy",
      "  funnel scan bytes.bin --type uint8 --to int64 --out sums.npy",
      "  funnel scan counts.npy --exclusive --init 1000 --out offsets.npy",
      "  funnel scan price.bin --type float64 --op max --out highest.npy --force"
    })
final class ScanCommand implements Callable<Integer> {

  static final int CHUNK = 1 << 24;
  private static final int LARGEST_CHUNK = Integer.MAX_VALUE - 8;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private EngineOption engine = new EngineOption();

  @Mixin private InputFile input = new InputFile();

  @Option(
      names = "--op",
      paramLabel = "OP",
      defaultValue = "sum",
      description = {
        "One of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.",
        "Integers wrap around. After a NaN all sums, products, minima and maxima are NaN; -0.0 is"
            + " smaller than 0.0."
      })
  private ScanOp op = ScanOp.SUM;

  @ArgGroup private Kind kind = new Kind();

  /** One of two. */
  static final class Kind {
    @Option(
        names = "--inclusive",
        description = "A result contains its own element; so it is unless said otherwise.")
    private boolean inclusive;

    @Option(
        names = "--exclusive",
        description = "A result contains the elements before its own; the first is --init.")
    private boolean exclusive;
  }

  @Option(
      names = "--init",
      paramLabel = "VALUE",
      description =
          "What everything is combined with first, of the results' type, which has to hold a whole"
              + " number exactly. Default: the operator's identity, such as 0 for sum.")
  private @Nullable String initial;

  @Option(
      names = "--to",
      paramLabel = "TYPE",
      description =
          "The results' type: int64 of uint8 and int32, float64 of float32. Default: the file's,"
              + " int32 of uint8.")
  private @Nullable FileType to;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE.npy",
      description = "Where the results go.")
  private Path out = Path.of("");

  @Option(names = "--force", description = "Replace the output if it is there.")
  private boolean force;

  @Option(
      names = "--chunk",
      paramLabel = "ELEMENTS",
      defaultValue = "" + CHUNK,
      description =
          "Elements of one run. Default: ${DEFAULT-VALUE}, on every engine. Memory is taken for"
              + " this many results.")
  private int chunk;

  @Option(names = "--json", description = "One line of JSON. NaN and infinities are strings there.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (chunk < 1 || chunk > LARGEST_CHUNK) {
      throw usage("--chunk=%d is out of range: 1 to %d".formatted(chunk, LARGEST_CHUNK));
    }
    requireReplaceable();
    try (ElementFile file = input.open()) {
      Scan scan = scan(file.type());
      ElementType results = scan.resultType(file.type());
      Number first = initial == null ? op.operator().identity(results) : number(initial, results);
      Number total;
      String description;
      long started = System.nanoTime();
      try (Funnel funnel = engine.open();
          NpyOutput output = NpyOutput.create(out, results, file.length());
          Progress progress = new Progress("scan", file.length(), !json)) {
        total = FileScan.run(funnel, file, scan, first, chunk, output, progress::step);
        output.commit(force);
        description = funnel.description();
      } catch (FileAlreadyExistsException e) {
        throw exists();
      }
      print(file, results, first, total, description, (System.nanoTime() - started) / 1e9);
    }
    return ExitCode.OK;
  }

  /* What has the output's name may only be a regular file: a device, of which one might think that
   * it swallows output, would be replaced. A link stays, and the file behind it is replaced. */
  private void requireReplaceable() {
    Path folder = out.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw usage("--out %s: there is no folder %s".formatted(out, folder));
    }
    if (!Files.isWritable(folder)) {
      throw usage("--out %s: may not write to %s".formatted(out, folder));
    }
    if (Files.exists(out) && !Files.isRegularFile(out)) {
      throw usage("--out %s is no regular file".formatted(out));
    }
    if (!force && Files.exists(out, LinkOption.NOFOLLOW_LINKS)) {
      throw exists();
    }
  }

  private ParameterException exists() {
    return usage("--out %s exists: --force replaces it".formatted(out));
  }

  private Scan scan(ElementType element) {
    Scan scan = kind.exclusive ? Scan.exclusive(op.operator()) : Scan.inclusive(op.operator());
    try {
      op.operator().requireDefinedOn(element);
    } catch (IllegalArgumentException e) {
      throw usage(
          "%s is bitwise: it needs integers, %s has %s"
              .formatted(op, input.path(), FileType.of(element)));
    }
    if (to == null) {
      return scan;
    }
    if (!isResult(scan, element, to)) {
      throw usage(
          "no scan of %s has results of %s: --to takes %s"
              .formatted(
                  FileType.of(element),
                  to,
                  Arrays.stream(FileType.values())
                      .filter(other -> isResult(scan, element, other))
                      .map(FileType::toString)
                      .collect(Collectors.joining(", "))));
    }
    return scan.to(to.element());
  }

  private static boolean isResult(Scan scan, ElementType element, FileType results) {
    try {
      return scan.to(results.element()).resultType(element) == results.element();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private Number number(String text, ElementType results) {
    try {
      return switch (results) {
        case BYTE -> throw new IllegalStateException("no scan to bytes");
        case INT -> new BigDecimal(text).intValueExact();
        case LONG -> new BigDecimal(text).longValueExact();
        case FLOAT -> Numbers.fitting(Float.parseFloat(text), text);
        case DOUBLE -> Numbers.fitting(Double.parseDouble(text), text);
      };
    } catch (NumberFormatException e) {
      throw usage("--init '%s' is no number".formatted(text));
    } catch (ArithmeticException e) {
      throw usage("--init %s does not fit %s".formatted(text, FileType.of(results)));
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void print(
      ElementFile file,
      ElementType results,
      Number first,
      Number total,
      String description,
      double seconds) {
    PrintWriter writer = spec.commandLine().getOut();
    long chunks = Math.max(1, Math.ceilDiv(file.length(), (long) chunk));
    String scan = "%s %s".formatted(kind.exclusive ? "exclusive" : "inclusive", op);
    if (json) {
      Map<String, Object> line = InputFile.asMap(file);
      line.put("op", op.toString());
      line.put("inclusive", !kind.exclusive);
      line.put("init", first);
      line.put("out", out.toString());
      line.put("outType", FileType.of(results).toString());
      line.put("total", total);
      line.put("engine", description);
      line.put("chunk", chunk);
      line.put("chunks", chunks);
      line.put("seconds", seconds);
      writer.println(Json.of(line));
      return;
    }
    writer.println(InputFile.describe(file));
    writer.println("%s: %s scan as %s".formatted(out, scan, FileType.of(results)));
    writer.println("total  %s".formatted(total));
    writer.println(
        "in %s on %s%s"
            .formatted(
                "%.3f s".formatted(seconds),
                description,
                chunks == 1 ? "" : ", %,d chunks of %,d".formatted(chunks, chunk)));
  }
}
