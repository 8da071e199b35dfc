package funnel.cli;

import funnel.io.ElementFile;
import funnel.io.Source;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.select.Select;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel select}. */
@Command(
    name = "select",
    description = {
      "Keep the elements of a file of numbers for which a condition holds, in their order.",
      "",
      "The condition consists of comparisons with a number (< <= > >= == !=), ranges such as 3..7,"
          + " which include both ends, and nan. 'not' or ! negates one of these; 'and' or && binds"
          + " tighter than 'or' or ||; there are parentheses.",
      "A NaN is kept only by nan, by != and by negated conditions; -0.0 equals 0.0. Elements are"
          + " kept unchanged, bit for bit.",
      "The input is raw little-endian elements or a .npy of any shape, taken in the order of the"
          + " file; the output has one dimension. The input is read in parts and the output written"
          + " as it comes, so both may be larger than the heap, than memory and than the device."
          + " The result does not depend on the engine or --chunk.",
      "The condition is evaluated on the JVM, on all cores, since it cannot be compiled into a"
          + " device's kernel; the engine then moves the elements.",
      "The output appears under its name when it is complete. If anything fails, or the command"
          + " is interrupted, nothing has changed.",
      ""
    },
    footer = {
      "  funnel select data.npy --where '>= 3'",
      "  funnel select data.npy --where '3..7 or > 100' --out kept.npy",
      "  funnel select x.bin --type float32 --where 'not nan && != 0' --out clean.npy",
      "  funnel select data.npy --where '< 0' --positions --out where.npy --json"
    })
final class SelectCommand extends FileCommand {

  @Option(
      names = "--where",
      required = true,
      paramLabel = "CONDITION",
      description = "The elements to keep, such as '>= 3', '3..7 or > 100', 'not nan and < 0.5'.")
  private String where = "";

  private static final Transform IS_FLAGGED = Transform.testInt("is flagged", flag -> flag != 0);

  @Option(
      names = "--positions",
      description =
          "Positions in the file, from 0, as int64, instead of the elements; column by column in a"
              + " Fortran-ordered .npy.")
  private boolean positions;

  @Option(
      names = "--out",
      paramLabel = "FILE.npy",
      description =
          "Where they go; raw elements if it is a .bin. Without it they are counted, and the first"
              + " few are printed.")
  private @Nullable OutputFile out;

  @Option(names = "--force", description = "Replace an existing output.")
  private boolean force;

  SelectCommand() {
    super(ScanCommand.CHUNK);
  }

  @Override
  void requireOptions() throws IOException {
    if (out != null) {
      requireElements("--out", out, force);
    }
  }

  @Override
  Job job(ElementFile file) {
    Where condition = where(file.type());
    ElementType results = positions ? ElementType.LONG : file.type();
    return streams -> {
      try (FoundOutput output = new FoundOutput(out, plainElements(out), results, file.length())) {
        Source flags = ComputedElements.flags(file, condition);
        if (positions) {
          var _ = streams.over(flags).select(Select.where(IS_FLAGGED).positions(), output);
        } else {
          var _ = streams.over(file).select(Select.flagged(), flags, output);
        }
        output.commit(force);
        return outcome(file, output);
      } catch (FileAlreadyExistsException e) {
        throw usage("--out %s exists: --force replaces it", e.getFile());
      }
    };
  }

  private Where where(ElementType type) {
    try {
      return Where.parse(where, type);
    } catch (IllegalArgumentException e) {
      throw usage("--where '%s' %s", where, e.getMessage());
    }
  }

  private Outcome outcome(ElementFile file, FoundOutput output) {
    return new Outcome() {
      @Override
      public void describe(Map<String, Object> line) {
        line.put("where", where);
        line.put("positions", positions);
        line.put("kept", output.count());
        line.put("first", output.first());
        if (out != null) {
          line.put("out", out.toString());
          line.put("outType", FileType.of(output.type()).toString());
        }
      }

      @Override
      public void printPlain(PrintWriter writer) {
        if (out != null) {
          writer.println(output.count());
        }
      }

      @Override
      public void print(PrintWriter writer) {
        if (out != null) {
          String what = positions ? "positions" : "elements";
          writer.println("%s: %s as %s".formatted(out, what, FileType.of(output.type())));
        }
        double share = file.length() == 0 ? 0 : 100.0 * output.count() / file.length();
        writer.println(
            String.format(
                Locale.ROOT, "kept   %,d of %,d, %.1f %%", output.count(), file.length(), share));
        output.printFirst("first ", writer);
      }
    };
  }
}
