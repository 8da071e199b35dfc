package funnel.cli;

import funnel.ElementStream;
import funnel.Results;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.histogram.KeyOutsideException;
import funnel.histogram.Uncounted;
import funnel.io.ElementFile;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel histogram}. */
@Command(
    name = "histogram",
    description = {
      "Count how many elements of a file fall into each bin: bytes, the letters of a text, or"
          + " numbers, raw little-endian or in a .npy.",
      "",
      "A raw file without --type is bytes. Bytes have a bin each; numbers have 32 bins of the same"
          + " width, from the smallest finite element to the largest, which takes another read of"
          + " the file. Integers have a bin each if there are no more than 32 values.",
      "A bin holds elements that are at least its low end and less than its high end; the last of"
          + " the bins from the smallest element to the largest holds its high end too, as in"
          + " NumPy. Elements outside all bins, and NaN, are counted separately.",
      "Even bins of integers are printed with the first integer of each: 3 bins from 0 to 10 are"
          + " [0, 4), [4, 7), [7, 10).",
      "",
      "The file is read and counted in chunks, so it may be larger than the heap, than memory and"
          + " than the device. Counts are exact and do not depend on the engine, --chunk or"
          + " --method.",
      ""
    },
    footer = {
      "  funnel histogram book.txt --letters",
      "  funnel histogram photo.raw --png bytes.png",
      "  funnel histogram data.npy --bins 100 --range=-1,1",
      "  funnel histogram ages.bin --type int32 --edges 0,18,65,130",
      "  funnel histogram words.npy --keys --bins 50000 --json"
    })
final class HistogramCommand extends FileCommand {

  static final int CHUNK = 1 << 26;
  private static final int BYTES = 256;
  private static final int NUMBERS = 32;

  /** Up to this many bins are drawn with a bar for each name, not on an axis of numbers. */
  private static final int MOST_NAMED = 64;

  @Option(
      names = "--letters",
      description = "Count the letters A to Z of a text in ASCII or UTF-8, whatever their case.")
  private boolean letters;

  @Option(
      names = "--bins",
      paramLabel = "BINS",
      description = "Number of bins: 1 to 2^24. Default: 256 for bytes, 32 for numbers.")
  private @Nullable Integer bins;

  @Option(
      names = "--range",
      paramLabel = "LOW,HIGH",
      description =
          "Bins of the same width from LOW below HIGH. Default: 0,256 for bytes, else from the"
              + " smallest finite element to the largest, which is in the last bin.")
  private @Nullable String range;

  @Option(
      names = "--edges",
      paramLabel = "E0,E1,...",
      description = "Ascending edges, with a bin between each two neighbours.")
  private @Nullable String edges;

  @Option(
      names = "--keys",
      description = "An integer is its bin's number: 0 to BINS - 1. Any other is an error.")
  private boolean keys;

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      converter = Method.class,
      description =
          "How a device counts: sectioned, strided, privatised, thread-counters, passes, sorted."
              + " Default: the fastest by measurements.")
  private @Nullable HistogramMethod method;

  @Option(names = "--png", paramLabel = "FILE.png", description = "Draw a picture.")
  private @Nullable OutputFile png;

  @Option(names = "--force", description = "Replace an existing picture.")
  private boolean force;

  HistogramCommand() {
    super(CHUNK);
  }

  @Override
  FileType rawType() {
    return FileType.UINT8;
  }

  @Override
  void requireOptions() throws IOException {
    if (bins != null) {
      requireRange("--bins", bins, 1, Histogram.MOST_BINS);
    }
    requireAlone("--letters", letters, bins != null || range != null || edges != null || keys);
    requireAlone("--edges", edges != null, bins != null || range != null || keys);
    if (keys && range != null) {
      throw usage("--keys are their own bins: they take --bins, and no --range");
    }
    if (png != null) {
      requireReplaceable("--png", png, force);
      if (png.toString().matches(".*\\.\\w+") && !png.toString().matches("(?i).*\\.png")) {
        throw usage("--png %s: the name of a PNG ends in .png", png);
      }
      HeatRun.requireWritable(png.file());
    }
  }

  @Override
  Job job(ElementFile file) {
    if (letters && file.type() != ElementType.BYTE) {
      throw usage("--letters needs bytes, %s has %s", path(), FileType.of(file.type()));
    }
    return streams -> {
      ElementStream stream = streams.over(file);
      HistogramBins chosen = bins(stream, file);
      return outcome(file, chosen, count(stream, file, chosen.histogram()));
    };
  }

  /**
   * How many elements are in each bin, and how many are in none of them.
   *
   * @param bins the counts
   */
  private record Counts(long[] bins, Uncounted outside) {}

  private Counts count(ElementStream stream, ElementFile file, Histogram wanted)
      throws IOException {
    Histogram histogram = method == null ? wanted : wanted.by(method);
    long[] counts = new long[histogram.bins()];
    try {
      return new Counts(counts, stream.histogram(histogram, counts));
    } catch (KeyOutsideException e) {
      throw new KeyInFileException(file, e.position(), e.key(), counts.length, e);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private void requireAlone(String option, boolean isGiven, boolean areOthers) {
    if (isGiven && areOthers) {
      throw usage(
          "%s defines the bins: it cannot be combined with --bins, --range, --edges or --keys",
          option);
    }
  }

  private HistogramBins bins(ElementStream stream, ElementFile file) throws IOException {
    ElementType type = file.type();
    boolean isByte = type == ElementType.BYTE;
    if (letters) {
      return HistogramBins.ofLetters();
    }
    if (edges != null) {
      return ranges(edges.split(",", -1), type);
    }
    if (keys) {
      if (type.isFloating()) {
        throw usage("--keys are integers, %s has %s".formatted(path(), FileType.of(file.type())));
      }
      if (bins == null && !isByte) {
        throw usage("--keys needs --bins, the number of keys");
      }
      return HistogramBins.ofKeys(bins == null ? BYTES : bins);
    }
    if (range != null) {
      return even(ends(range), type);
    }
    if (isByte) {
      return bins == null ? HistogramBins.ofBytes() : HistogramBins.even(bins, 0, BYTES);
    }
    return byElements(stream, file);
  }

  private HistogramBins ranges(String[] texts, ElementType type) {
    try {
      return type.isFloating()
          ? HistogramBins.ranges(doubles("--edges", texts))
          : HistogramBins.ranges(longs("--edges", texts));
    } catch (IllegalArgumentException e) {
      throw usage("--edges: " + e.getMessage());
    }
  }

  private HistogramBins even(String[] texts, ElementType type) {
    int count = bins != null ? bins : type == ElementType.BYTE ? BYTES : NUMBERS;
    try {
      if (type.isFloating()) {
        double[] ends = doubles("--range", texts);
        return HistogramBins.even(count, ends[0], ends[1]);
      }
      long[] ends = longs("--range", texts);
      return HistogramBins.even(count, ends[0], ends[1]);
    } catch (IllegalArgumentException e) {
      throw usage("--range: " + e.getMessage());
    }
  }

  /* NumPy's range: the largest element is the end of the last bin and in it. If all elements are
   * equal, it extends by a half in both directions, or for integers by one.
   */
  private HistogramBins byElements(ElementStream stream, ElementFile file) throws IOException {
    if (file.length() == 0) {
      throw new IOException("%s is empty: give the range with --range".formatted(path()));
    }
    Results ends =
        switch (file.type()) {
          case FLOAT ->
              stream.reduce(
                  range(
                      Transform.ofFloat("finite", x -> x - x == 0 ? x : Float.MAX_VALUE),
                      Transform.ofFloat("finite", x -> x - x == 0 ? x : -Float.MAX_VALUE)));
          case DOUBLE ->
              stream.reduce(
                  range(
                      Transform.ofDouble("finite", x -> x - x == 0 ? x : Double.MAX_VALUE),
                      Transform.ofDouble("finite", x -> x - x == 0 ? x : -Double.MAX_VALUE)));
          default -> stream.reduce(Map.of("min", Reduction.min(), "max", Reduction.max()));
        };
    Number min = ends.get("min");
    Number max = ends.get("max");
    if (!file.type().isFloating()) {
      return byElements(min.longValue(), max.longValue());
    }
    double low = min.doubleValue();
    double high = max.doubleValue();
    if (low > high) {
      throw new IOException(
          "%s has no finite element: give the range with --range".formatted(path()));
    }
    if (low == high) {
      low -= 0.5;
      high += 0.5;
    }
    try {
      return HistogramBins.even(bins == null ? NUMBERS : bins, low, high).closed();
    } catch (IllegalArgumentException e) {
      throw usage("%s: give the range with --range", e.getMessage());
    }
  }

  private static Map<String, Reduction> range(Transform orLargest, Transform orSmallest) {
    return Map.of(
        "min",
        Reduction.of(Operator.MIN, orLargest),
        "max",
        Reduction.of(Operator.MAX, orSmallest));
  }

  private HistogramBins byElements(long min, long max) {
    long values = max - min + 1;
    boolean areFew = values > 0 && values <= NUMBERS;
    int count = bins != null ? bins : areFew ? (int) values : NUMBERS;
    if (min == max && max < Long.MAX_VALUE) {
      return HistogramBins.even(count, min, max + 1);
    }
    return HistogramBins.even(count, min == max ? min - 1 : min, max).closed();
  }

  private long[] longs(String option, String[] texts) {
    return numbers(option, ElementType.LONG, texts).mapToLong(Number::longValue).toArray();
  }

  private double[] doubles(String option, String[] texts) {
    return numbers(option, ElementType.DOUBLE, texts).mapToDouble(Number::doubleValue).toArray();
  }

  private Stream<Number> numbers(String option, ElementType type, String[] texts) {
    return Arrays.stream(texts).map(text -> number(option + ":", text.strip(), type));
  }

  private static List<String> letterNames() {
    return IntStream.rangeClosed('A', 'Z').mapToObj(Character::toString).toList();
  }

  private static long[] lettersOnly(long[] letters) {
    return Arrays.copyOf(letters, letters.length - 1);
  }

  private Outcome outcome(ElementFile file, HistogramBins chosen, Counts counts) {
    return new Outcome() {
      @Override
      public void describe(Map<String, Object> line) {
        line.put("histogram", chosen.kind());
        if (chosen.areLetters()) {
          long[] found = HistogramBins.letters(counts.bins());
          List<String> names = letterNames();
          Map<String, Object> byLetter = new LinkedHashMap<>();
          for (int i = 0; i < names.size(); i++) {
            byLetter.put(names.get(i), found[i]);
          }
          line.put("letters", byLetter);
          line.put("others", found[names.size()]);
        } else {
          line.put("bins", counts.bins().length);
          line.putAll(chosen.ends());
          line.put("counts", counts.bins());
          line.putAll(outside(chosen, counts, file.type()));
        }
        if (method != null) {
          line.put("method", method.label());
        }
      }

      @Override
      public void printPlain(PrintWriter out) {
        long[] all = counts.bins();
        Arrays.stream(chosen.areLetters() ? lettersOnly(HistogramBins.letters(all)) : all)
            .forEach(out::println);
      }

      @Override
      public void print(PrintWriter out) {
        HistogramCommand.this.print(out, chosen, counts, file.type());
      }

      @Override
      public void finish() throws IOException {
        if (png != null) {
          plot(title(chosen, counts, file.type()), chosen, counts.bins(), png.file());
        }
      }
    };
  }

  private void print(PrintWriter out, HistogramBins chosen, Counts counts, ElementType type) {
    int width = spec().usageMessage().width();
    if (chosen.areLetters()) {
      long[] found = HistogramBins.letters(counts.bins());
      HistogramBars.lines(letterNames(), lettersOnly(found), width).forEach(out::println);
      out.println(String.format(Locale.ROOT, "no letters  %,d", found[found.length - 1]));
      return;
    }
    int merged = HistogramBars.merged(counts.bins().length);
    HistogramBars.lines(chosen.names(merged), HistogramBars.merge(counts.bins(), merged), width)
        .forEach(out::println);
    if (merged > 1) {
      out.println(
          String.format(
              Locale.ROOT,
              "%,d bins, a line for %,d each: --json has all",
              counts.bins().length,
              merged));
    }
    outside(chosen, counts, type)
        .forEach((name, count) -> out.println(String.format(Locale.ROOT, "%s  %,d", name, count)));
  }

  private static Map<String, Long> outside(HistogramBins chosen, Counts counts, ElementType type) {
    Map<String, Long> outside = new LinkedHashMap<>();
    if (!chosen.areSingle()) {
      outside.put("below", counts.outside().below());
      outside.put("above", counts.outside().above());
      if (type.isFloating()) {
        outside.put("nan", counts.outside().nan());
      }
    }
    return outside;
  }

  /** The file's name, and how many elements are in no bin. */
  private String title(HistogramBins chosen, Counts counts, ElementType type) {
    String others =
        outside(chosen, counts, type).entrySet().stream()
            .filter(outside -> outside.getValue() > 0)
            .map(
                outside ->
                    String.format(Locale.ROOT, "%,d %s", outside.getValue(), outside.getKey()))
            .collect(Collectors.joining(", "));
    return others.isEmpty() ? input().name() : "%s (%s)".formatted(input().name(), others);
  }

  private static void plot(String title, HistogramBins chosen, long[] counts, Path picture)
      throws IOException {
    if (chosen.areLetters()) {
      long[] found = HistogramBins.letters(counts);
      HistogramPlot.writeNamed(title, letterNames(), lettersOnly(found), picture);
    } else if (chosen.areSingle() && counts.length <= MOST_NAMED) {
      HistogramPlot.writeNamed(title, chosen.names(1), counts, picture);
    } else {
      HistogramPlot.writeSteps(title, chosen, counts, picture);
    }
  }

  /** Reads a method's name. */
  static final class Method extends NamedConverter<HistogramMethod> {
    Method() {
      super(List.of(HistogramMethod.values()), HistogramMethod::label);
    }
  }
}
