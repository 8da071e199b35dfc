package funnel.cli;

import funnel.ElementStream;
import funnel.io.ElementFile;
import funnel.operator.ElementType;
import funnel.sort.Order;
import funnel.sort.Sort;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel sort}. */
@Command(
    name = "sort",
    description = {
      "Sort a file of numbers into a .npy file, or find their order.",
      "",
      "-0.0 comes before 0.0, and NaN after all numbers, with --descending before them. Elements"
          + " keep their bits. In an order all NaN are equal, and equal elements keep the file's"
          + " order, with --descending too.",
      "The input is raw little-endian elements or a .npy of any shape, taken in the order of the"
          + " file; the output has one dimension. A file of more than one chunk is sorted chunk by"
          + " chunk into a hidden file in the output's folder, and merged from there on the JVM: it"
          + " may be larger than the heap, than memory and than the device. Meanwhile this takes as"
          + " much space again on the output's disk, and 8 more bytes per element for --order. The"
          + " result does not depend on the engine or --chunk.",
      "The output appears under its name when it is complete. If anything fails, or the command"
          + " is interrupted, nothing has changed, and hidden files are gone.",
      ""
    },
    footer = {
      "  funnel sort data.npy --out sorted.npy",
      "  funnel sort samples.bin --type float32 --descending --out largest.npy --force",
      "  funnel sort data.npy --order --out positions.npy --json"
    })
final class SortCommand extends FileCommand {

  /** The bytes of heap for each element of a chunk; a sort on the JVM takes at most 24 of them. */
  private static final int BYTES_OF_AN_ELEMENT = 32;

  private static final int LEAST_CHUNK = 1 << 16;
  private static final int LARGEST_CHUNK = 1 << 28;

  /** The maximum number of chunks that are merged. */
  private static final int MOST_CHUNKS = 1 << 16;

  @Option(names = "--descending", description = "The largest first.")
  private boolean descending;

  @Option(
      names = "--order",
      description =
          "Positions in the file, from 0, as int64, instead of the elements: that of the smallest"
              + " first; column by column in a Fortran-ordered .npy.")
  private boolean order;

  @Option(
      names = "--out",
      paramLabel = "FILE.npy",
      description =
          "Where they go; raw elements if it is a .bin. Without it the first few are printed, or"
              + " with --plain all.")
  private @Nullable OutputFile out;

  @Option(names = "--force", description = "Replace an existing output.")
  private boolean force;

  SortCommand() {
    super(
        Math.clamp(
            Runtime.getRuntime().maxMemory() / BYTES_OF_AN_ELEMENT, LEAST_CHUNK, LARGEST_CHUNK));
  }

  @Override
  void requireOptions() throws IOException {
    if (out != null) {
      requireElements("--out", out, force);
    }
  }

  @Override
  Job job(ElementFile file) {
    long chunks = Math.ceilDiv(file.length(), (long) chunk());
    if (chunks > MOST_CHUNKS) {
      throw usage(
          "--chunk=%s makes %,d chunks of %s, and at most %,d are merged: give --chunk=%s or more",
          chunk(), chunks, path(), MOST_CHUNKS, Math.ceilDiv(file.length(), (long) MOST_CHUNKS));
    }
    ElementType results = order ? ElementType.LONG : file.type();
    return streams -> {
      try (FoundOutput output = new FoundOutput(out, plainElements(out), results, file.length())) {
        ElementStream stream = streams.over(file).scratch(folder());
        if (order) {
          stream.sort(descending ? Order.descending() : Order.ascending(), output);
        } else {
          stream.sort(descending ? Sort.descending() : Sort.ascending(), output);
        }
        output.commit(force);
        return outcome(output);
      } catch (FileAlreadyExistsException e) {
        throw exists("--out", e.getFile());
      }
    };
  }

  /** A folder on the output's disk. */
  private Path folder() throws IOException {
    if (out == null) {
      return Path.of(System.getProperty("java.io.tmpdir"));
    }
    Path file = out.file();
    file = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    return Objects.requireNonNull(file.getParent(), "folder");
  }

  private Outcome outcome(FoundOutput output) {
    return new Outcome() {
      @Override
      public void describe(Map<String, Object> line) {
        line.put("descending", descending);
        line.put("order", order);
        line.put("first", output.first());
        if (out != null) {
          line.put("out", out.toString());
          line.put("outType", FileType.of(output.type()).toString());
        }
      }

      @Override
      public void printPlain(PrintWriter writer) {
        // elements were printed, or are in a file
      }

      @Override
      public void print(PrintWriter writer) {
        String order = (descending ? "descending" : "ascending") + " order";
        String what = SortCommand.this.order ? order + ", positions" : order;
        writer.println(
            out == null ? what : "%s: %s as %s".formatted(out, what, FileType.of(output.type())));
        output.printFirst("first ", writer);
      }
    };
  }
}
