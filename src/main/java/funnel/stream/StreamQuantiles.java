package funnel.stream;

import funnel.Elements;
import funnel.Results;
import funnel.histogram.Histogram;
import funnel.io.Source;
import funnel.operation.Parts;
import funnel.operator.ElementType;
import funnel.rank.Quantiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Exact quantiles of a source of more than one piece. */
public final class StreamQuantiles {

  /* A radix selection over passes: counts in 65536 bins of equal width over all numbers of the type
   * tell in which bin each rank is, and its rank within the bin; the next pass splits each such bin
   * into 65536 bins, until a bin has one number. So bytes take one pass, ints two, longs four.
   * Several ranks share a pass, and a histogram: on a device each has many kernels to compile.
   *
   * Floating-point numbers are counted by their bits. As signed integers these have the order of
   * the numbers if positive, and the reverse order if negative: there bins are taken from the last
   * to the first. NaN are above all numbers. NaN without a sign bit are there already; the bins of
   * NaN with a sign bit are moved there. They share a bin with negative infinity, the least of all
   * numbers, which the first pass therefore counts separately.
   */

  private static final String INPUT = "source";
  private static final String COUNTS = "counts";
  private static final String INFINITE = "infinite";
  private static final int DIGIT = 16;
  private static final int BINS = 1 << DIGIT;

  /**
   * So many bins on the JVM have histograms of their own: finding a bin takes longer than these.
   */
  private static final int FEW = 4;

  /** The number of bins that one pass splits. */
  static final int AT_ONCE = 64;

  /** Numbers from {@code low} on, 2^width of them. */
  private record Bin(long low, int width) {
    /** The number of parts that it is split into. */
    int parts() {
      return 1 << width - partWidth();
    }

    int partWidth() {
      return Math.max(0, width - DIGIT);
    }

    /** The numbers in a part. */
    long part() {
      return 1L << partWidth();
    }
  }

  /** An element to find: the one at a rank in a bin, from 0. */
  private record Place(Bin bin, long rank) {}

  /**
   * What a run has counted.
   *
   * @param counts those of the parts of each bin, with one between two bins for what is there
   * @param above the count of the last part if its end is not a long
   */
  private record Counted(int[] counts, long above) {
    void addTo(List<long[]> sums) {
      int next = 0;
      for (long[] of : sums) {
        for (int part = 0; part < of.length; part++) {
          of[part] += next < counts.length ? counts[next++] : above;
        }
        next++;
      }
    }
  }

  private final PieceRuns runs;
  private final Source bits;
  private final ElementType type;

  private StreamQuantiles(PieceRuns runs, Source source) {
    this.runs = runs;
    this.bits = new BitsOf(source);
    this.type = source.type();
  }

  /** The maximum number of passes over a source. */
  public static int passes(Source source, Quantiles quantiles) {
    int ranks = quantiles.quantiles().size() * (quantiles.isInterpolated() ? 2 : 1);
    int levels = Math.ceilDiv(source.type().bytes() * Byte.SIZE, DIGIT);
    return 1 + (levels - 1) * Math.ceilDiv(ranks, AT_ONCE);
  }

  public static Results run(PieceRuns runs, Source source, Quantiles quantiles) throws IOException {
    if (runs.isOnePiece(source)) {
      return ofOnePiece(runs, source, quantiles);
    }
    long length = source.length();
    List<Number> found = new StreamQuantiles(runs, source).at(quantiles.ranks(length));
    runs.end();
    return Results.of(
        Map.of(
            StreamParts.RESULT,
            quantiles.isInterpolated()
                ? Elements.of(
                    quantiles.between(
                        length, found.stream().mapToDouble(Number::doubleValue).toArray()))
                : elements(source.type(), found)));
  }

  private static Results ofOnePiece(PieceRuns runs, Source source, Quantiles quantiles)
      throws IOException {
    ElementType type = quantiles.isInterpolated() ? ElementType.DOUBLE : source.type();
    Elements all = Elements.allocate(type, quantiles.quantiles().size());
    int[] count = new int[1];
    runs.forEach(
        new LinkedHashMap<>(Map.of(INPUT, source)),
        plan -> plan.add("quantiles", quantiles, INPUT),
        (plan, piece) -> plan.run(Map.of(), Map.of("quantiles", all)),
        (piece, results) -> count[0] = results.length("quantiles"));
    runs.end();
    return Results.of(Map.of(StreamParts.RESULT, all.range(0, count[0])));
  }

  private static Elements elements(ElementType type, List<Number> numbers) {
    if (type != ElementType.BYTE) {
      return Elements.ofArray(Parts.array(numbers));
    }
    byte[] bytes = new byte[numbers.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = numbers.get(i).byteValue();
    }
    return Elements.of(bytes);
  }

  private List<Number> at(long... ranks) throws IOException {
    int width = type.bytes() * Byte.SIZE;
    long least = type == ElementType.BYTE ? 0 : -1L << (width - 1);
    Bin all = new Bin(least, width);
    List<Place> places = LongStream.of(ranks).mapToObj(rank -> new Place(all, rank)).toList();
    for (boolean isFirst = true; isOpen(places); isFirst = false) {
      List<Bin> some =
          places.stream()
              .map(Place::bin)
              .filter(bin -> bin.width() > 0)
              .distinct()
              .sorted(Comparator.comparingLong(Bin::low))
              .limit(AT_ONCE)
              .toList();
      places = narrowed(places, some, counts(some, isFirst));
    }
    return places.stream().map(place -> number(place.bin().low())).toList();
  }

  private static boolean isOpen(List<Place> places) {
    return places.stream().anyMatch(place -> place.bin().width() > 0);
  }

  private Number number(long of) {
    return switch (type) {
      case BYTE, INT -> (Number) (int) of;
      case LONG -> (Number) of;
      case FLOAT -> (Number) Float.intBitsToFloat((int) of);
      case DOUBLE -> (Number) Double.longBitsToDouble(of);
    };
  }

  /**
   * The bits of negative infinity: greater negative integers are bits of NaN. 0 for integer types.
   */
  private long negativeInfinity() {
    return switch (type) {
      case FLOAT -> Float.floatToRawIntBits(Float.NEGATIVE_INFINITY);
      case DOUBLE -> Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY);
      default -> 0;
    };
  }

  /**
   * The counts of the parts of some bins; in the first pass that of negative infinity after them.
   */
  private List<long[]> counts(List<Bin> bins, boolean isFirst) throws IOException {
    boolean hasInfinity = isFirst && type.isFloating();
    long infinity = negativeInfinity();
    boolean areApart = runs.isOnJvm() && bins.size() <= FEW;
    List<List<Bin>> groups = areApart ? bins.stream().map(List::of).toList() : List.of(bins);
    List<List<long[]>> counts =
        groups.stream()
            .map(group -> group.stream().map(bin -> new long[bin.parts()]).toList())
            .toList();
    long[] infinite = new long[1];
    runs.forEach(
        new LinkedHashMap<>(Map.of(INPUT, bits)),
        plan -> {
          for (int group = 0; group < groups.size(); group++) {
            plan.add(COUNTS + group, histogram(groups.get(group)), INPUT);
          }
          return hasInfinity
              ? plan.add(INFINITE, Histogram.even(1, infinity, infinity + 1), INPUT)
              : plan;
        },
        (plan, piece) -> {
          Results results = plan.run();
          List<Counted> counted = new ArrayList<>(); // before the plan's next run overwrites it
          for (int group = 0; group < groups.size(); group++) {
            String name = COUNTS + group;
            counted.add(new Counted(results.ints(name), results.getLong(name + "_above")));
          }
          if (hasInfinity) {
            counted.add(new Counted(results.ints(INFINITE), 0));
          }
          return counted;
        },
        (piece, counted) -> {
          for (int group = 0; group < groups.size(); group++) {
            counted.get(group).addTo(counts.get(group));
          }
          infinite[0] += hasInfinity ? counted.getLast().counts()[0] : 0;
        });
    return Stream.concat(
            counts.stream().flatMap(List::stream), hasInfinity ? Stream.of(infinite) : Stream.of())
        .toList();
  }

  /** Counts the parts of bins, which are in ascending order, and what is between them. */
  private static Histogram histogram(List<Bin> bins) {
    Bin last = bins.getLast();
    int parts = last.parts();
    boolean isUpToTheEnd = last.low() + (parts - 1) * last.part() > Long.MAX_VALUE - last.part();
    int counted = isUpToTheEnd ? parts - 1 : parts;
    if (bins.size() == 1) {
      return Histogram.even(counted, last.low(), last.low() + counted * last.part());
    }
    return Histogram.ranges(
        bins.stream()
            .flatMapToLong(
                bin -> {
                  int edges = bin == last ? counted : parts;
                  return LongStream.rangeClosed(0, edges).map(i -> bin.low() + i * bin.part());
                })
            .toArray());
  }

  private List<Place> narrowed(List<Place> places, List<Bin> bins, List<long[]> counts) {
    long infinite = counts.size() > bins.size() ? counts.getLast()[0] : 0;
    List<Place> next = new ArrayList<>();
    for (Place place : places) {
      int k = bins.indexOf(place.bin());
      next.add(k < 0 ? place : narrowed(place, counts.get(k), infinite));
    }
    return next;
  }

  private Place narrowed(Place place, long[] counts, long infinite) {
    Bin bin = place.bin();
    int width = bin.partWidth();
    long rank = place.rank();
    boolean isWhole = type.isFloating() && bin.width() == type.bytes() * Byte.SIZE;
    if (isWhole && rank < infinite) {
      return new Place(new Bin(negativeInfinity(), 0), rank);
    }
    int shared = isWhole ? (int) ((negativeInfinity() - bin.low()) >>> width) : -1;
    rank -= infinite;
    for (int n = 0; n < counts.length; n++) {
      int part = part(n, counts.length, bin, shared);
      long count = part == shared ? counts[part] - infinite : counts[part];
      if (rank < count) {
        boolean isNaN = isWhole && part >= shared && part < BINS / 2;
        return new Place(
            isNaN ? new Bin(aNaN(), 0) : new Bin(bin.low() + ((long) part << width), width), rank);
      }
      rank -= count;
    }
    throw new IllegalStateException(
        "%s: rank %s is outside of what was counted; it changed while it was read"
            .formatted(bits, place.rank()));
  }

  /**
   * The n-th part of a bin in the order of its numbers.
   *
   * @param shared in the bin of all bits the first part that has NaN with a sign bit
   */
  private int part(int n, int parts, Bin bin, int shared) {
    if (!type.isFloating() || shared < 0 && bin.low() >= 0) {
      return n;
    }
    if (shared < 0) {
      return parts - 1 - n;
    }
    if (n < shared) {
      return shared - 1 - n;
    }
    int positive = n - shared;
    return positive < parts / 2 ? parts / 2 + positive : shared + positive - parts / 2;
  }

  private long aNaN() {
    return type == ElementType.FLOAT
        ? Float.floatToRawIntBits(Float.NaN)
        : Double.doubleToRawLongBits(Double.NaN);
  }
}
