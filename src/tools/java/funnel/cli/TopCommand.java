package funnel.cli;

import funnel.Results;
import funnel.io.ElementFile;
import funnel.operator.ElementType;
import funnel.rank.TopK;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel top}. */
@Command(
    name = "top",
    description = {
      "Find the largest or the smallest elements of a file of numbers, and their positions.",
      "",
      "-0.0 comes before 0.0, and NaN is larger than all numbers. Of equal elements the one with"
          + " the smaller position comes first. A file with fewer elements gives all of them.",
      "The input is raw little-endian elements or a .npy of any shape, taken in the order of the"
          + " file. It is read in parts, so it may be larger than the heap, than memory and than"
          + " the device. The result does not depend on the engine or --chunk.",
      "The output appears under its name when it is complete. If anything fails, or the command"
          + " is interrupted, nothing has changed.",
      ""
    },
    footer = {
      "  funnel top data.npy -k 10",
      "  funnel top samples.bin --type float32 -k 3 --smallest --json",
      "  funnel top data.npy -k 1000 --positions --out where.npy"
    })
final class TopCommand extends FileCommand {

  private static final int MOST = 1 << 20;

  @Option(
      names = "-k",
      paramLabel = "NUMBER",
      defaultValue = "10",
      description = "Number of elements. Default: ${DEFAULT-VALUE}.")
  private int k;

  @Option(names = "--smallest", description = "The smallest, the smallest first.")
  private boolean smallest;

  @Option(
      names = "--positions",
      description =
          "With --out: positions in the file, from 0, as int64, instead of the elements; column by"
              + " column in a Fortran-ordered .npy.")
  private boolean positions;

  @Option(
      names = "--out",
      paramLabel = "FILE.npy",
      description = "Where they go; raw elements if it is a .bin. Without it they are printed.")
  private @Nullable OutputFile out;

  @Option(names = "--force", description = "Replace an existing output.")
  private boolean force;

  TopCommand() {
    super(ScanCommand.CHUNK);
  }

  @Override
  void requireOptions() throws IOException {
    requireRange("-k", k, 1, MOST);
    if (positions && out == null) {
      throw usage("--positions is for --out: without --out both are printed");
    }
    if (out != null) {
      requireElements("--out", out, force);
    }
  }

  @Override
  Job job(ElementFile file) {
    ElementType type = positions ? ElementType.LONG : file.type();
    TopK top = smallest ? TopK.smallest(k) : TopK.largest(k);
    return streams -> {
      try (FoundOutput output = new FoundOutput(out, null, type, Math.min(k, file.length()))) {
        Results found = streams.over(file).topK(top.withPositions());
        if (out != null) {
          output.write(0, positions ? longs(found) : elements(found, type));
          output.commit(force);
        }
        return outcome(
            Numbers.of(found, "result", file.type()), found.longs("result_positions"), type);
      } catch (FileAlreadyExistsException e) {
        throw usage("--out %s exists: --force replaces it", e.getFile());
      }
    };
  }

  private static MemorySegment longs(Results found) {
    return MemorySegment.ofArray(found.longs("result_positions"));
  }

  private static MemorySegment elements(Results found, ElementType type) {
    return switch (type) {
      case BYTE -> MemorySegment.ofArray(found.bytes("result"));
      case INT -> MemorySegment.ofArray(found.ints("result"));
      case LONG -> MemorySegment.ofArray(found.longs("result"));
      case FLOAT -> MemorySegment.ofArray(found.floats("result"));
      case DOUBLE -> MemorySegment.ofArray(found.doubles("result"));
    };
  }

  private Outcome outcome(List<Number> values, long[] places, ElementType type) {
    return new Outcome() {
      @Override
      public void describe(Map<String, Object> line) {
        line.put("k", k);
        line.put("smallest", smallest);
        line.put("values", values);
        line.put("positions", places);
        if (out != null) {
          line.put("out", out.toString());
          line.put("outType", FileType.of(type).toString());
        }
      }

      @Override
      public void printPlain(PrintWriter writer) {
        if (out == null) {
          values.forEach(value -> writer.println(Numbers.text(value)));
        }
      }

      @Override
      public void print(PrintWriter writer) {
        if (out != null) {
          String what = positions ? "positions" : "elements";
          writer.println("%s: %s as %s".formatted(out, what, FileType.of(type)));
          return;
        }
        for (int i = 0; i < places.length; i++) {
          writer.println("%s  at %s".formatted(Numbers.text(values.get(i)), places[i]));
        }
      }
    };
  }
}
