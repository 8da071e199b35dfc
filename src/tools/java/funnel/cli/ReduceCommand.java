package funnel.cli;

import funnel.io.ElementFile;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel reduce}. */
@Command(
    name = "reduce",
    description = {
      "Reduce a file of numbers: raw little-endian elements, or NumPy's .npy.",
      "",
      "The file is read in parts, so it may be larger than the heap or memory. It is processed in"
          + " chunks, whose values are combined in order.",
      "Floating-point sums, means and variances therefore depend on --chunk in the last bits, but"
          + " not on the engine or the number of cores.",
      "The order of a Fortran-ordered .npy is that of the file: index n of argmin counts column by"
          + " column.",
      ""
    },
    footer = {
      "  funnel reduce data.npy",
      "  funnel reduce samples.bin --type float32 --op min-max,mean,variance",
      "  funnel reduce data.npy --op argmax --json",
      "  funnel reduce large.bin --type int64 --op sum --engine tornado"
    })
final class ReduceCommand extends FileCommand {

  static final int CHUNK = 1 << 26;

  @Option(
      names = "--op",
      paramLabel = "OP",
      split = ",",
      converter = ReduceOp.Converter.class,
      defaultValue = "sum,min,max,mean",
      description = {
        "One or more of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.",
        "sum is exact for integers of any size, and adds float32 as float64. product keeps the"
            + " type: integers wrap around.",
        "NaN makes min, max, argmin and argmax NaN, and counts as nonzero; -0.0 is smaller than"
            + " 0.0."
      })
  private List<ReduceOp> ops = List.of();

  ReduceCommand() {
    super(CHUNK);
  }

  @Override
  void requireOptions() {}

  @Override
  Job job(ElementFile file) {
    List<ReduceOp> distinct = ops.stream().distinct().toList();
    for (ReduceOp op : distinct) {
      String refusal = op.refusal(file.type());
      if (!refusal.isEmpty()) {
        throw usage("%s, %s has %s", refusal, path(), FileType.of(file.type()));
      }
    }
    return streams -> new Values(FileReduction.run(streams.over(file), file, distinct));
  }

  private record Values(Map<String, Object> values) implements Outcome {
    @Override
    public void describe(Map<String, Object> line) {
      line.put("results", values);
    }

    @Override
    public void printPlain(PrintWriter out) {
      for (Object value : values.values()) {
        out.println(
            value instanceof Map<?, ?> map
                ? map.values().stream()
                    .map(each -> Numbers.text((Number) each))
                    .collect(Collectors.joining("\t"))
                : Numbers.text((Number) value));
      }
    }

    @Override
    public void print(PrintWriter out) {
      int width = values.keySet().stream().mapToInt(String::length).max().orElse(1);
      values.forEach(
          (op, value) -> out.println(("%-" + width + "s  %s").formatted(op, text(value))));
    }
  }

  private static String text(Object value) {
    return value instanceof Map<?, ?> map
        ? map.entrySet().stream()
            .map(
                entry -> "%s %s".formatted(entry.getKey(), Numbers.text((Number) entry.getValue())))
            .collect(Collectors.joining(", "))
        : Numbers.text((Number) value);
  }
}
