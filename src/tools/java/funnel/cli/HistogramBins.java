package funnel.cli;

import funnel.histogram.Histogram;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The bins of a histogram on the command line: how they are counted, and their names. */
final class HistogramBins {

  private static final int LETTERS = 26;
  private static final int MOST_DIGITS = 17;

  /** From here on numbers are written with an exponent. */
  private static final double LARGE = 1e15;

  private final String kind;
  private final Histogram histogram;
  private final IntFunction<Number> edge;
  private final Map<String, Object> ends;

  private HistogramBins(
      String kind, Histogram histogram, IntFunction<Number> edge, Map<String, Object> ends) {
    this.kind = kind;
    this.histogram = histogram;
    this.edge = edge;
    this.ends = ends;
  }

  /** Bytes, one bin each. */
  static HistogramBins ofBytes() {
    return new HistogramBins("bytes", Histogram.ofBytes(), bin -> bin, Map.of());
  }

  /** The letters A to Z of a text, which are taken from the counts of its bytes. */
  static HistogramBins ofLetters() {
    return new HistogramBins("letters", Histogram.ofBytes(), bin -> bin, Map.of());
  }

  /** Numbers that are their own bins. */
  static HistogramBins ofKeys(int bins) {
    return new HistogramBins("keys", Histogram.ofKeys(bins), bin -> bin, Map.of());
  }

  /** Bins of the same width over integers. */
  static HistogramBins even(int bins, long low, long high) {
    BigInteger range = BigInteger.valueOf(high).subtract(BigInteger.valueOf(low));
    BigInteger count = BigInteger.valueOf(bins);
    return new HistogramBins(
        "even",
        Histogram.even(bins, low, high),
        bin ->
            BigInteger.valueOf(bin)
                .multiply(range)
                .add(count)
                .subtract(BigInteger.ONE)
                .divide(count)
                .add(BigInteger.valueOf(low))
                .longValueExact(),
        ends(low, high));
  }

  /** Bins of the same width over floating-point numbers. */
  static HistogramBins even(int bins, double low, double high) {
    return new HistogramBins(
        "even",
        Histogram.even(bins, low, high),
        doubles(Histogram.even(bins, low, high).edges()),
        ends(low, high));
  }

  private static IntFunction<Number> doubles(double... edges) {
    return bin -> edges[bin];
  }

  /** The same bins, the last of which includes its upper end. */
  HistogramBins closed() {
    return new HistogramBins(kind, histogram.closed(), edge, ends);
  }

  /** Bins from edge to edge over integers. */
  static HistogramBins ranges(long... edges) {
    return ranges(Histogram.ranges(edges), Arrays.stream(edges).boxed().toList());
  }

  /** Bins from edge to edge over floating-point numbers. */
  static HistogramBins ranges(double... edges) {
    return ranges(Histogram.ranges(edges), Arrays.stream(edges).boxed().toList());
  }

  private static HistogramBins ranges(Histogram histogram, List<? extends Number> edges) {
    return new HistogramBins("ranges", histogram, edges::get, Map.of("edges", edges));
  }

  private static Map<String, Object> ends(Number low, Number high) {
    Map<String, Object> ends = new LinkedHashMap<>();
    ends.put("low", low);
    ends.put("high", high);
    return ends;
  }

  /** bytes, letters, keys, even or ranges. */
  String kind() {
    return kind;
  }

  Histogram histogram() {
    return histogram;
  }

  boolean areLetters() {
    return kind.equals("letters");
  }

  /** Whether each bin is for a single number, not a range. */
  boolean areSingle() {
    return histogram.isByKeys();
  }

  /** The bins' ends as fields of a line of JSON. */
  Map<String, Object> ends() {
    Map<String, Object> all = new LinkedHashMap<>(ends);
    if (kind.equals("even")) {
      all.put("closed", histogram.isClosed());
      all.put("edges", IntStream.rangeClosed(0, histogram.bins()).mapToObj(this::edge).toList());
    }
    return all;
  }

  /** Where a bin begins, and where the one before it ends. */
  Number edge(int bin) {
    return edge.apply(bin);
  }

  /** How often each letter occurs among counted bytes, in either case; then all other bytes. */
  static long[] letters(long[] bytes) {
    long[] letters = new long[LETTERS + 1];
    for (int value = 0; value < bytes.length; value++) {
      boolean isLetter = value < 128 && Character.isLetter(value);
      letters[isLetter ? Character.toUpperCase(value) - 'A' : LETTERS] += bytes[value];
    }
    return letters;
  }

  /**
   * The names of bins that are shown {@code merged} at a time.
   *
   * @param merged how many bins have one name; the last may be fewer
   */
  List<String> names(int merged) {
    int bins = histogram.bins();
    int lines = Math.ceilDiv(bins, merged);
    String[] names = new String[lines];
    MathContext digits = digits(lines);
    for (int line = 0; line < lines; line++) {
      int first = line * merged;
      int behind = Math.min(bins, first + merged);
      if (!areSingle()) {
        String end = histogram.isClosed() && behind == bins ? "]" : ")";
        names[line] =
            "[%s, %s%s".formatted(text(edge(first), digits), text(edge(behind), digits), end);
      } else {
        names[line] = behind - first == 1 ? "" + first : "%s..%s".formatted(first, behind - 1);
      }
    }
    return List.of(names);
  }

  /** Enough digits that the ends of neighbouring lines differ, for even bins. */
  private MathContext digits(int lines) {
    double low = edge(0).doubleValue();
    double high = edge(histogram.bins()).doubleValue();
    double step = (high - low) / lines;
    double largest = Math.max(Math.abs(low), Math.abs(high));
    boolean isKnown = kind.equals("even") && step > 0 && Double.isFinite(largest);
    int digits = isKnown ? 3 + (int) Math.max(0, Math.ceil(Math.log10(largest / step))) : 6;
    return new MathContext(Math.min(MOST_DIGITS, digits));
  }

  private static String text(Number edge, MathContext digits) {
    if (!(edge instanceof Double value) || !Double.isFinite(value)) {
      return edge.toString();
    }
    BigDecimal rounded = new BigDecimal(value).round(digits).stripTrailingZeros();
    return Math.abs(value) >= LARGE || rounded.scale() > MOST_DIGITS
        ? rounded.toString().replaceFirst("E\\+?", "e")
        : rounded.toPlainString();
  }
}
