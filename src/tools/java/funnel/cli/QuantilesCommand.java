package funnel.cli;

import funnel.Results;
import funnel.io.ElementFile;
import funnel.operator.ElementType;
import funnel.rank.Quantiles;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel quantiles}. */
@Command(
    name = "quantiles",
    description = {
      "Exact quantiles of a file of numbers, without sorting it.",
      "",
      "The quantile q of n elements is the smallest element such that a share of at least q of all"
          + " elements is not above it; 0 is the smallest element, 1 the largest. With"
          + " --interpolated it is a double between the elements on both sides of q(n - 1), as"
          + " NumPy computes it. -0.0 comes before 0.0, and NaN is larger than all numbers.",
      "The input is raw little-endian elements or a .npy of any shape. It is read in parts, so it"
          + " may be larger than the heap, than memory and than the device. A file of more than one"
          + " chunk is read more than once: four times for int64 and float64. The result does not"
          + " depend on the engine or --chunk.",
      ""
    },
    footer = {
      "  funnel quantiles data.npy --at 0.5,0.99,0.999",
      "  funnel quantiles events.parquet --column price --at 0.5",
      "  funnel quantiles samples.bin --type float32 --at p25,p75 --interpolated"
    })
final class QuantilesCommand extends FileCommand {

  /** Files up to this length are read at most twice. */
  private static final int CHUNK = 1 << 28;

  @Option(
      names = "--at",
      split = ",",
      defaultValue = "0,0.25,0.5,0.75,1",
      paramLabel = "SHARE",
      description =
          "Numbers from 0 to 1, separated by commas; 99%% and p99 are 0.99. Default:"
              + " ${DEFAULT-VALUE}.")
  private List<String> at = List.of();

  @Option(names = "--interpolated", description = "Doubles between two elements.")
  private boolean interpolated;

  QuantilesCommand() {
    super(CHUNK);
  }

  @Override
  void requireOptions() {
    var _ = quantiles();
  }

  private Quantiles quantiles() {
    double[] shares = new double[at.size()];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = share(at.get(i).strip());
    }
    try {
      Quantiles quantiles = Quantiles.of(shares);
      return interpolated ? quantiles.interpolated() : quantiles;
    } catch (IllegalArgumentException e) {
      throw usage("--at: " + e.getMessage());
    }
  }

  private double share(String text) {
    boolean isPercentile = text.matches("[pP].*|.*%");
    String digits = isPercentile ? text.replaceFirst("^[pP]", "").replaceFirst("%$", "") : text;
    double share = number("--at", digits, ElementType.DOUBLE).doubleValue();
    return isPercentile ? share / 100 : share;
  }

  @Override
  Job job(ElementFile file) {
    ElementType type = interpolated ? ElementType.DOUBLE : file.type();
    return streams -> {
      Results results = streams.over(file).quantiles(quantiles());
      List<Number> values = Numbers.of(results, "result", type);
      if (values.isEmpty()) {
        throw new NoSuchElementException(file + " is empty: it has no quantiles");
      }
      return outcome(values);
    };
  }

  private Outcome outcome(List<Number> values) {
    return new Outcome() {
      @Override
      public void describe(Map<String, Object> line) {
        line.put("interpolated", interpolated);
        List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("at", share(at.get(i).strip()));
          one.put("value", values.get(i));
          all.add(one);
        }
        line.put("quantiles", all);
      }

      @Override
      public void printPlain(PrintWriter out) {
        values.forEach(value -> out.println(Numbers.text(value)));
      }

      @Override
      public void print(PrintWriter out) {
        int width = at.stream().mapToInt(share -> share.strip().length()).max().orElse(0);
        for (int i = 0; i < values.size(); i++) {
          out.println(
              ("%-" + width + "s  %s").formatted(at.get(i).strip(), Numbers.text(values.get(i))));
        }
      }
    };
  }
}
