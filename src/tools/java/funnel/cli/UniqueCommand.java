package funnel.cli;

import funnel.io.ElementFile;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel unique}. */
@Command(
    name = "unique",
    description = {
      "Take one element of each run of equal neighbours in a file of numbers, and count the run's"
          + " elements: for sorted numbers, the distinct ones and how often each occurs.",
      "",
      "All NaN are equal, and 0.0 and -0.0 differ; a run has the bits of its first element.",
      "The input is raw little-endian elements or a .npy of any shape, taken in the order of the"
          + " file; outputs have one dimension. The input is read in parts and outputs are written"
          + " as they come, so all may be larger than the heap, than memory and than the device. A"
          + " run may be longer than a chunk: the result does not depend on the engine or --chunk.",
      "Outputs appear under their names when they are complete. If anything fails, or the command"
          + " is interrupted, nothing has changed.",
      ""
    },
    footer = {
      "  funnel unique sorted.npy",
      "  funnel unique sorted.npy --out values.npy --counts counts.npy",
      "  funnel unique pixels.bin --type uint8 --out values.npy --counts n.npy"
    })
final class UniqueCommand extends FileCommand {

  @Option(
      names = "--out",
      paramLabel = "FILE.npy",
      description =
          "Where the elements go; raw if it is a .bin. Without it runs are counted, and the first"
              + " few are printed.")
  private @Nullable OutputFile out;

  @Option(
      names = "--counts",
      paramLabel = "FILE.npy",
      description = "Where the numbers of elements of the runs go, as int64; raw if it is a .bin.")
  private @Nullable OutputFile counts;

  @Option(names = "--force", description = "Replace existing outputs.")
  private boolean force;

  UniqueCommand() {
    super(ScanCommand.CHUNK);
  }

  @Override
  void requireOptions() throws IOException {
    if (out != null) {
      requireElements("--out", out, force);
    }
    if (counts != null) {
      requireElements("--counts", counts, force);
    }
  }

  @Override
  Job job(ElementFile file) {
    return streams -> {
      try (FoundOutput values =
              new FoundOutput(out, plainElements(out), file.type(), file.length());
          FoundOutput lengths =
              counts == null
                  ? null
                  : new FoundOutput(counts, null, ElementType.LONG, file.length())) {
        if (lengths == null) {
          var _ = streams.over(file).unique(values);
        } else {
          var _ = streams.over(file).runs(values, lengths);
          lengths.commit(force);
        }
        values.commit(force);
        return outcome(values, lengths);
      } catch (FileAlreadyExistsException e) {
        throw usage("%s exists: --force replaces it", e.getFile());
      }
    };
  }

  private Outcome outcome(FoundOutput values, @Nullable FoundOutput lengths) {
    return new Outcome() {
      @Override
      public void describe(Map<String, Object> line) {
        line.put("runs", values.count());
        line.put("first", values.first());
        if (out != null) {
          line.put("out", out.toString());
        }
        if (lengths != null) {
          line.put("firstCounts", lengths.first());
          line.put("counts", String.valueOf(counts));
        }
      }

      @Override
      public void printPlain(PrintWriter writer) {
        if (out != null) {
          writer.println(values.count());
        }
      }

      @Override
      public void print(PrintWriter writer) {
        if (out != null) {
          writer.println("%s: elements as %s".formatted(out, FileType.of(values.type())));
        }
        if (lengths != null) {
          writer.println("%s: counts as %s".formatted(counts, FileType.of(lengths.type())));
        }
        writer.println(String.format(Locale.ROOT, "runs   %,d", values.count()));
        values.printFirst("first ", writer);
        if (lengths != null) {
          lengths.printFirst("counts", writer);
        }
      }
    };
  }
}
