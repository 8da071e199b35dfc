package funnel.cli;

import funnel.io.ElementFile;
import funnel.operator.ElementType;
import funnel.scan.Scan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel scan}. */
@Command(
    name = "scan",
    description = {
      "Scan a file of numbers (prefix sums, running maxima, ...) into a .npy file.",
      "",
      "The input is raw little-endian elements or a .npy of any shape, taken in the order of the"
          + " file; the output has one dimension and one result for each element.",
      "The input is read in parts and the output written as it comes, so both may be larger than"
          + " the heap, than memory and than the device. The input is processed in chunks, with"
          + " memory for the results of two; each starts from the total of those before it.",
      "Floating-point sums and products of more than one chunk therefore depend on --chunk in the"
          + " last bits, but not on the engine or the number of cores. --json has the chunk's"
          + " length. Integers, min and max do not depend on it.",
      "The output appears under its name when it is complete. If anything fails, or the command"
          + " is interrupted, nothing has changed.",
      ""
    },
    footer = {
      "  funnel scan data.npy --out sums.npy",
      "  funnel scan bytes.bin --type uint8 --to int64 --out sums.npy",
      "  funnel scan counts.npy --exclusive --init 1000 --out offsets.npy",
      "  funnel scan price.bin --type float64 --op max --out highest.npy --force"
    })
final class ScanCommand extends FileCommand {

  static final int CHUNK = 1 << 24;

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
    @Option(names = "--inclusive", description = "A result contains its own element. The default.")
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
          "The initial value, of the results' type, which must represent a whole number exactly."
              + " Default: the operator's identity, such as 0 for sum.")
  private @Nullable String initial;

  @Option(
      names = "--to",
      paramLabel = "TYPE",
      description =
          "The results' type: int64 for uint8 and int32, float64 for float32. Default: these for"
              + " sums, as funnel reduce adds; else the file's type, int32 for uint8.")
  private @Nullable FileType to;

  @Option(
      names = "--out",
      paramLabel = "FILE.npy",
      description =
          "Where the results go; raw elements if it is a .bin. Without it the first few are"
              + " printed, or with --plain all.")
  private @Nullable OutputFile out;

  @Option(names = "--force", description = "Replace an existing output.")
  private boolean force;

  ScanCommand() {
    super(CHUNK);
  }

  @Override
  void requireOptions() throws IOException {
    if (out != null) {
      requireElements("--out", out, force);
    }
  }

  @Override
  Job job(ElementFile file) {
    Scan scan = scan(file.type());
    ElementType results = scan.resultType(file.type());
    Number first =
        initial == null ? op.operator().identity(results) : number("--init", initial, results);
    return streams -> {
      try (FoundOutput output = new FoundOutput(out, plainElements(out), results, file.length())) {
        Number total = streams.over(file).scan(scan.from(first), output);
        output.commit(force);
        return outcome(output, first, total);
      } catch (FileAlreadyExistsException e) {
        throw exists("--out", e.getFile());
      }
    };
  }

  private Scan scan(ElementType element) {
    Scan scan = kind.exclusive ? Scan.exclusive(op.operator()) : Scan.inclusive(op.operator());
    try {
      op.operator().requireDefinedOn(element);
    } catch (IllegalArgumentException e) {
      throw usage("%s is bitwise: it needs integers, %s has %s", op, path(), FileType.of(element));
    }
    if (to == null) {
      return op == ScanOp.SUM
          ? scan.to(element.isFloating() ? ElementType.DOUBLE : ElementType.LONG)
          : scan;
    }
    if (!isResult(scan, element, to)) {
      throw usage(
          "no scan of %s has results of %s: --to takes %s",
          FileType.of(element),
          to,
          Arrays.stream(FileType.values())
              .filter(other -> isResult(scan, element, other))
              .map(FileType::toString)
              .collect(Collectors.joining(", ")));
    }
    return scan.to(to.element());
  }

  private static boolean isResult(Scan scan, ElementType element, FileType results) {
    try {
      return results.isElement()
          && scan.to(results.element()).resultType(element) == results.element();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private Outcome outcome(FoundOutput output, Number first, Number total) {
    return new Outcome() {
      @Override
      public void describe(Map<String, Object> line) {
        line.put("op", op.toString());
        line.put("inclusive", !kind.exclusive);
        line.put("init", first);
        line.put("first", output.first());
        if (out != null) {
          line.put("out", out.toString());
          line.put("outType", FileType.of(output.type()).toString());
        }
        line.put("total", total);
      }

      @Override
      public void printPlain(PrintWriter writer) {
        if (out != null) {
          writer.println(Numbers.text(total));
        }
      }

      @Override
      public void print(PrintWriter writer) {
        String scan = "%s %s".formatted(kind.exclusive ? "exclusive" : "inclusive", op);
        String what = "%s scan as %s".formatted(scan, FileType.of(output.type()));
        writer.println(out == null ? what : "%s: %s".formatted(out, what));
        output.printFirst("first ", writer);
        writer.println("total  %s".formatted(Numbers.text(total)));
      }
    };
  }
}
