package funnel.cli;

import funnel.Funnel;
import funnel.Plan;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.io.ElementFile;
import funnel.io.Json;
import funnel.io.Progress;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code funnel histogram}. */
@Command(
    name = "histogram",
    description = {
      "Count how many elements of a file fall into each bin: bytes, the letters of a text, or"
          + " numbers, raw little-endian or in a .npy.",
      "",
      "A raw file without --type is bytes. Bytes have a bin each; numbers have 32 bins of the same"
          + " width, from the smallest element to the largest, which the file is read for once"
          + " more.",
      "A bin holds what is at least its low end and less than its high end. Elements outside of"
          + " all bins, and NaN, are counted apart.",
      "",
      "The file is mapped and counted in chunks, so it may be larger than the heap, than memory and"
          + " than the device. Counts are exact and depend neither on the engine nor on --chunk nor"
          + " on --method.",
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the file is malformed, changed meanwhile, or holds what is no key; or the picture cannot"
          + " be written",
      "2:the command line is wrong, or the picture is there already",
      "3:the engine asked for cannot be had"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  funnel histogram book.txt --letters",
      "  funnel histogram photo.raw --png bytes.png",
      "  funnel histogram data.npy --bins 100 --range=-1,1",
      "  funnel histogram ages.bin --type int32 --edges 0,18,65,130",
      "  funnel histogram words.npy --keys --bins 50000 --json"
    })
final class HistogramCommand implements Callable<Integer> {

  static final int CHUNK = 1 << 26;
  private static final int LARGEST_CHUNK = Integer.MAX_VALUE - 8;
  private static final int BYTES = 256;
  private static final int NUMBERS = 32;

  /** What is drawn with a bar for each name, and not on an axis of numbers. */
  private static final int MOST_NAMED = 64;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private EngineOption engine = new EngineOption();

  @Mixin private InputFile input = new InputFile();

  @Option(
      names = "--letters",
      description = "Count the letters A to Z of a text in ASCII or UTF-8, whatever their case.")
  private boolean letters;

  @Option(
      names = "--bins",
      paramLabel = "BINS",
      description = "How many: 1 to 2^24. Default: 256 of bytes, 32 of numbers.")
  private @Nullable Integer bins;

  @Option(
      names = "--range",
      paramLabel = "LOW,HIGH",
      description =
          "Bins of the same width from LOW below HIGH. Default: 0,256 of bytes, else from the"
              + " smallest element up to the largest.")
  private @Nullable String range;

  @Option(
      names = "--edges",
      paramLabel = "E0,E1,...",
      description = "A bin between each two neighbours, which ascend.")
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
              + " Default: what is fastest by measurements.")
  private @Nullable HistogramMethod method;

  @Option(
      names = "--chunk",
      paramLabel = "ELEMENTS",
      defaultValue = "" + CHUNK,
      description = "Elements of one run. Default: ${DEFAULT-VALUE}, on every engine.")
  private int chunk;

  @Option(names = "--png", paramLabel = "FILE.png", description = "Draw a picture.")
  private @Nullable Path png;

  @Option(names = "--force", description = "Replace the picture if it is there.")
  private boolean force;

  @Option(
      names = "--json",
      description = "One line of JSON with all bins. NaN and infinities are strings there.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    requireOptions();
    try (ElementFile file = input.open(FileType.UINT8)) {
      if (letters && file.type() != ElementType.BYTE) {
        throw usage("--letters needs bytes, %s has %s".formatted(input.path(), nameOf(file)));
      }
      FileHistogram.Counts counts;
      HistogramBins chosen;
      String description;
      long started = System.nanoTime();
      int passes = isByElements(file) ? 2 : 1;
      try (Funnel funnel = engine.open();
          Progress progress = new Progress("histogram", passes * file.length(), !json)) {
        chosen = bins(funnel, file, progress::step);
        Histogram histogram = method == null ? chosen.histogram() : chosen.histogram().by(method);
        try (Plan plan = plan(funnel, file, histogram)) {
          counts = FileHistogram.count(plan, file, histogram, chunk, progress::step);
        }
        description = funnel.description();
      }
      print(file, chosen, counts, description, (System.nanoTime() - started) / 1e9);
      if (png != null) {
        plot(file, chosen, counts, png);
      }
    }
    return ExitCode.OK;
  }

  private void requireOptions() throws IOException {
    if (chunk < 1 || chunk > LARGEST_CHUNK) {
      throw usage("--chunk=%d is out of range: 1 to %d".formatted(chunk, LARGEST_CHUNK));
    }
    if (bins != null && (bins < 1 || bins > Histogram.MOST_BINS)) {
      throw usage("--bins=%d is out of range: 1 to %d".formatted(bins, Histogram.MOST_BINS));
    }
    requireAlone("--letters", letters, bins != null || range != null || edges != null || keys);
    requireAlone("--edges", edges != null, bins != null || range != null || keys);
    if (keys && range != null) {
      throw usage("--keys are their own bins: they take --bins, and no --range");
    }
    if (png != null) {
      requireReplaceable(png);
    }
  }

  private void requireAlone(String option, boolean isGiven, boolean areOthers) {
    if (isGiven && areOthers) {
      throw usage(
          "%s says what the bins are: give no --bins, --range, --edges or --keys beside it"
              .formatted(option));
    }
  }

  private void requireReplaceable(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw usage("--png %s: there is no folder %s".formatted(file, folder));
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw usage("--png %s is no regular file".formatted(file));
    }
    if (!force && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw usage("--png %s exists: --force replaces it".formatted(file));
    }
    HeatRun.requireWritable(file);
  }

  /** Whether the file's own elements say where bins begin and end. */
  private boolean isByElements(ElementFile file) {
    return file.type() != ElementType.BYTE && range == null && edges == null && !keys;
  }

  private HistogramBins bins(Funnel funnel, ElementFile file, LongConsumer done)
      throws IOException {
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
        throw usage("--keys are integers, %s has %s".formatted(input.path(), nameOf(file)));
      }
      if (bins == null && !isByte) {
        throw usage("--keys needs --bins: how many there are");
      }
      return HistogramBins.ofKeys(bins == null ? BYTES : bins);
    }
    if (range != null) {
      return even(range.split(",", -1), type);
    }
    if (isByte) {
      return bins == null ? HistogramBins.ofBytes() : HistogramBins.even(bins, 0, BYTES);
    }
    return byElements(funnel, file, done);
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
    if (texts.length != 2) {
      throw usage("--range %s is not of the form LOW,HIGH".formatted(range));
    }
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

  /* The largest element is to be in the last bin, whose high end is therefore the next number. Where
   * all floating-point elements are alike, the range goes from a half below to a half above. */
  private HistogramBins byElements(Funnel funnel, ElementFile file, LongConsumer done)
      throws IOException {
    if (file.length() == 0) {
      throw usage("%s is empty: say from where to where with --range".formatted(file.path()));
    }
    Map<String, Object> ends =
        FileReduction.run(funnel, file, List.of(ReduceOp.MIN, ReduceOp.MAX), chunk, done);
    Number min = number(ends, ReduceOp.MIN);
    Number max = number(ends, ReduceOp.MAX);
    if (!file.type().isFloating()) {
      return byElements(min.longValue(), max.longValue());
    }
    double low = min.doubleValue();
    double high = max.doubleValue();
    if (!Double.isFinite(low) || !Double.isFinite(high)) {
      throw usage(
          "%s has elements from %s to %s: say from where to where with --range"
              .formatted(file.path(), min, max));
    }
    if (low == high) {
      low -= 0.5;
      high += 0.5;
    }
    try {
      return HistogramBins.even(bins == null ? NUMBERS : bins, low, Math.nextUp(high));
    } catch (IllegalArgumentException e) {
      throw usage("%s: say from where to where with --range".formatted(e.getMessage()));
    }
  }

  private static Number number(Map<String, Object> values, ReduceOp op) {
    return (Number) Objects.requireNonNull(values.get(op.toString()));
  }

  private HistogramBins byElements(long min, long max) {
    if (max == Long.MAX_VALUE) {
      throw usage(
          "the largest element is %d, so that no bin ends above it: say from where to where with"
                  .formatted(max)
              + " --range");
    }
    long high = max + 1;
    long span = high - min;
    boolean isNarrow = span > 0 && span < NUMBERS;
    return HistogramBins.even(bins != null ? bins : isNarrow ? (int) span : NUMBERS, min, high);
  }

  private Plan plan(Funnel funnel, ElementFile file, Histogram histogram) {
    try {
      return FileHistogram.plan(funnel, file, histogram, chunk);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private long[] longs(String option, String[] texts) {
    return Arrays.stream(texts).mapToLong(text -> integer(option, text.strip())).toArray();
  }

  private long integer(String option, String text) {
    try {
      return new BigDecimal(text).longValueExact();
    } catch (NumberFormatException e) {
      throw usage("%s: '%s' is no number".formatted(option, text));
    } catch (ArithmeticException e) {
      throw usage("%s: %s does not fit int64".formatted(option, text));
    }
  }

  private double[] doubles(String option, String[] texts) {
    ToDoubleFunction<String> parse = text -> floating(option, text.strip());
    return Arrays.stream(texts).mapToDouble(parse).toArray();
  }

  private double floating(String option, String text) {
    try {
      return Numbers.fitting(Double.parseDouble(text), text);
    } catch (NumberFormatException e) {
      throw usage("%s: '%s' is no number".formatted(option, text));
    } catch (ArithmeticException e) {
      throw usage("%s: %s does not fit float64".formatted(option, text));
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private static String nameOf(ElementFile file) {
    return FileType.of(file.type()).toString();
  }

  private static List<String> letterNames() {
    return IntStream.rangeClosed('A', 'Z').mapToObj(Character::toString).toList();
  }

  private static long[] lettersOnly(long[] letters) {
    return Arrays.copyOf(letters, letters.length - 1);
  }

  private void print(
      ElementFile file,
      HistogramBins chosen,
      FileHistogram.Counts counts,
      String description,
      double seconds) {
    PrintWriter out = spec.commandLine().getOut();
    long chunks = Math.max(1, Math.ceilDiv(file.length(), (long) chunk));
    if (json) {
      out.println(Json.of(asMap(file, chosen, counts, description, chunks, seconds)));
      return;
    }
    out.println(InputFile.describe(file));
    int width = spec.usageMessage().width();
    if (chosen.areLetters()) {
      long[] found = HistogramBins.letters(counts.bins());
      HistogramBars.lines(letterNames(), lettersOnly(found), width).forEach(out::println);
      out.println("no letters  %,d".formatted(found[found.length - 1]));
    } else {
      int merged = HistogramBars.merged(counts.bins().length);
      HistogramBars.lines(chosen.names(merged), HistogramBars.merge(counts.bins(), merged), width)
          .forEach(out::println);
      if (merged > 1) {
        out.println(
            "%,d bins, a line for %,d each: --json has all"
                .formatted(counts.bins().length, merged));
      }
      outside(chosen, counts, file.type())
          .forEach((name, count) -> out.println("%s  %,d".formatted(name, count)));
    }
    out.println(
        "in %s on %s%s"
            .formatted(
                "%.3f s".formatted(seconds),
                description,
                chunks == 1 ? "" : ", %,d chunks of %,d".formatted(chunks, chunk)));
  }

  private static Map<String, Long> outside(
      HistogramBins chosen, FileHistogram.Counts counts, ElementType type) {
    Map<String, Long> outside = new LinkedHashMap<>();
    if (!chosen.areSingle()) {
      outside.put("below", counts.below());
      outside.put("above", counts.above());
      if (type.isFloating()) {
        outside.put("nan", counts.nan());
      }
    }
    return outside;
  }

  private Map<String, Object> asMap(
      ElementFile file,
      HistogramBins chosen,
      FileHistogram.Counts counts,
      String description,
      long chunks,
      double seconds) {
    Map<String, Object> line = InputFile.asMap(file);
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
    line.put("engine", description);
    line.put("chunk", chunk);
    line.put("chunks", chunks);
    line.put("seconds", seconds);
    return line;
  }

  private static void plot(
      ElementFile file, HistogramBins chosen, FileHistogram.Counts counts, Path picture)
      throws IOException {
    String title = String.valueOf(file.path().getFileName());
    if (chosen.areLetters()) {
      long[] found = HistogramBins.letters(counts.bins());
      HistogramPlot.writeNamed(title, letterNames(), lettersOnly(found), picture);
    } else if (chosen.areSingle() && counts.bins().length <= MOST_NAMED) {
      HistogramPlot.writeNamed(title, chosen.names(1), counts.bins(), picture);
    } else {
      HistogramPlot.writeSteps(title, chosen, counts.bins(), picture);
    }
  }

  /** Reads a method's name. */
  static final class Method implements ITypeConverter<HistogramMethod> {
    @Override
    public HistogramMethod convert(String name) {
      return Arrays.stream(HistogramMethod.values())
          .filter(method -> method.label().equalsIgnoreCase(name.strip()))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'%s' is none of %s"
                          .formatted(
                              name,
                              Arrays.stream(HistogramMethod.values())
                                  .map(HistogramMethod::label)
                                  .collect(Collectors.joining(", ")))));
    }
  }
}
