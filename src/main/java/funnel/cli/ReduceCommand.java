package funnel.cli;

import funnel.Funnel;
import funnel.io.ElementFile;
import funnel.io.Json;
import funnel.io.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code funnel reduce}. */
@Command(
    name = "reduce",
    description = {
      "Reduce a file of numbers: raw little-endian elements, or NumPy's .npy.",
      "",
      "The file is mapped, so it may be larger than the heap or memory. It is worked on in chunks,"
          + " whose values are combined in order.",
      "Floating-point sums, means and variances therefore depend on --chunk in the last bits, and"
          + " on nothing else: not on the engine, nor on the cores.",
      "The order of a Fortran-ordered .npy is that of the file: index n of argmin counts column by"
          + " column.",
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the file is malformed, changed meanwhile, or has no such value",
      "2:the command line is wrong",
      "3:the engine asked for cannot be had"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  funnel reduce data.npy",
      "  funnel reduce samples.bin --type float32 --op min-max,mean,variance",
      "  funnel reduce data.npy --op argmax --json",
      "  funnel reduce large.bin --type int64 --op sum --engine tornado"
    })
final class ReduceCommand implements Callable<Integer> {

  static final int CHUNK = 1 << 26;
  private static final int LARGEST_CHUNK = Integer.MAX_VALUE - 8;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private EngineOption engine = new EngineOption();

  @Mixin private InputFile input = new InputFile();

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

  @Option(
      names = "--chunk",
      paramLabel = "ELEMENTS",
      defaultValue = "" + CHUNK,
      description = "Elements of one run. Default: ${DEFAULT-VALUE}, on every engine.")
  private int chunk;

  @Option(names = "--json", description = "One line of JSON. NaN and infinities are strings there.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (chunk < 1 || chunk > LARGEST_CHUNK) {
      throw usage("--chunk=%d is out of range: 1 to %d".formatted(chunk, LARGEST_CHUNK));
    }
    try (ElementFile file = input.open()) {
      List<ReduceOp> distinct = new ArrayList<>(new LinkedHashSet<>(ops));
      for (ReduceOp op : distinct) {
        String refusal = op.refusal(file.type());
        if (!refusal.isEmpty()) {
          throw usage("%s, %s has %s".formatted(refusal, input.path(), FileType.of(file.type())));
        }
      }
      Map<String, Object> values;
      String description;
      long started = System.nanoTime();
      try (Funnel funnel = engine.open();
          Progress progress = new Progress("reduce", file.length(), !json)) {
        values = FileReduction.run(funnel, file, distinct, chunk, progress::step);
        description = funnel.description();
      }
      print(file, values, description, (System.nanoTime() - started) / 1e9);
    }
    return ExitCode.OK;
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void print(
      ElementFile file, Map<String, Object> values, String description, double seconds) {
    PrintWriter out = spec.commandLine().getOut();
    long chunks = Math.max(1, Math.ceilDiv(file.length(), (long) chunk));
    if (json) {
      Map<String, Object> line = InputFile.asMap(file);
      line.put("results", values);
      line.put("engine", description);
      line.put("chunk", chunk);
      line.put("chunks", chunks);
      line.put("seconds", seconds);
      out.println(Json.of(line));
      return;
    }
    out.println(InputFile.describe(file));
    int width = values.keySet().stream().mapToInt(String::length).max().orElse(1);
    values.forEach((op, value) -> out.println(("%-" + width + "s  %s").formatted(op, text(value))));
    out.println(
        "in %s on %s%s"
            .formatted(
                "%.3f s".formatted(seconds),
                description,
                chunks == 1 ? "" : ", %,d chunks of %,d".formatted(chunks, chunk)));
  }

  private static String text(Object value) {
    return value instanceof Map<?, ?> map
        ? map.entrySet().stream()
            .map(entry -> "%s %s".formatted(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(", "))
        : value.toString();
  }
}
