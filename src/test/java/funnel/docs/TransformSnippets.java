package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.group.SegmentedReduce;
import funnel.histogram.ScatterReduce;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.UnknownLengthException;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Storage;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.Segments;
import funnel.select.Select;
import funnel.transform.AdjacentDifference;
import funnel.transform.Bits;
import funnel.transform.Concat;
import funnel.transform.DuplicatePositionException;
import funnel.transform.Elementwise;
import funnel.transform.Fill;
import funnel.transform.Gather;
import funnel.transform.GatherStep;
import funnel.transform.IndexCheckStep;
import funnel.transform.Iota;
import funnel.transform.Narrow;
import funnel.transform.RandomNumbers;
import funnel.transform.Reverse;
import funnel.transform.Sample;
import funnel.transform.Scatter;
import funnel.transform.Shift;
import funnel.transform.Shuffle;
import funnel.transform.Slice;
import funnel.transform.Transpose;
import funnel.transform.Widen;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The examples of the package {@code funnel.transform}. */
final class TransformSnippets {

  private TransformSnippets() {}

  // @start region="difference"
  /** The longest gap between neighbours, of ascending times that begin at 0. */
  static int longestGap(Funnel funnel, int[] times) {
    try (Plan plan =
        funnel
            .plan("gaps")
            .input("times", ElementType.INT, times.length)
            .add("gaps", AdjacentDifference.left(), "times")
            .add("longest", Reduction.max(), "gaps") // on the device, where the gaps are
            .build()) {
      return plan.run(Map.of("times", Elements.of(times))).getInt("longest"); // 0, 2, 9, 10: 7
    }
  }

  // @end

  // @start region="elementwise"
  static final Elementwise MIXED =
      Elementwise.ofFloat("mixed", (a, b, share) -> b < a ? a : a + share * (b - a));

  static final Elementwise SECONDS =
      Elementwise.ofLong("seconds", nanos -> nanos / 1_000_000_000).to(ElementType.INT);

  /** Seconds, and how many of them lie after the second of their own index. */
  static int late(Funnel funnel, long[] nanos) {
    Elementwise isLate = Elementwise.ofInt("is late", (i, s) -> s > i ? 1 : 0).indexed();
    try (Plan plan =
        funnel
            .plan("late")
            .input("nanos", ElementType.LONG, nanos.length)
            .add("seconds", SECONDS, "nanos")
            .add("late", isLate, "seconds")
            .add("count", Reduction.sum(), "late")
            .build()) {
      return plan.run(Map.of("nanos", Elements.of(nanos))).getInt("count");
    }
  }

  // @end

  // @start region="mixed"
  /** A user's type of function. */
  interface Late extends ElementFunction {
    boolean test(int user, long time);
  }

  /** 1 for events of a user after that user's limit, else 0. */
  static byte[] late(Funnel funnel, int[] users, long[] times, long[] limits) {
    Elementwise late = Elementwise.of("late", (Late) (user, time) -> time > limits[user]);
    return funnel.run(late, Elements.of(users), Elements.of(times)).bytes("result");
  }

  // @end

  // @start region="values"
  /** A function of an element and of two single values. */
  interface Normalise extends ElementFunction {
    double of(double x, double mean, double variance);
  }

  /** -1 and 1 for 3 and 5: less the mean, over the standard deviation. */
  static double[] normalised(Funnel funnel, double[] x) {
    Normalise normalise = (v, mean, variance) -> (v - mean) / Math.sqrt(variance);
    try (Plan plan =
        funnel
            .plan("normalise")
            .input("x", ElementType.DOUBLE, x.length)
            .add("mean", Reduction.mean(), "x")
            .add("variance", Reduction.variance(), "x")
            .add("z", Elementwise.of("normalise", normalise), "x", "mean", "variance")
            .build()) {
      return plan.run(Map.of("x", Elements.of(x))).doubles("z");
    }
  }

  // @end

  /** Prices of what is in a basket. */
  static float[] prices(Funnel funnel, float[] prices, int[] basket) {
    // @start region="gather"
    return funnel.run(Gather.at(), Elements.of(prices), Elements.of(basket)).floats("result");
    // @end
  }

  // @start region="take"
  /** The elements at positions that nobody has to look at: an operation of two inputs. */
  static Expansion atOwnPositions(String output, List<Input> inputs) {
    Input x = inputs.getFirst();
    Input positions = inputs.getLast();
    int most = positions.capacity();
    return new Expansion(
        List.of(new GatherStep(output, x.name(), positions.name(), null, null, x.type(), most)),
        List.of());
  }

  // @end

  /** Who sits on which of five seats; whoever has booked -1 does not come. */
  static int[] seats(Funnel funnel, int[] guests, int[] bookings) {
    // @start region="scatter"
    Scatter seats = Scatter.into(5).filledWith(-1); // of guests 7, 8, 9 booked to 3, -1, 0:
    return funnel.run(seats, Elements.of(guests), Elements.of(bookings)).ints("result");
    // 9, -1, -1, 7, -1
    // @end
  }

  /** Seats guests, or says which seat is taken. */
  static String seat(Funnel funnel, int[] guests, int[] bookings) {
    // @start region="duplicate"
    try {
      funnel.run(Scatter.into(5), Elements.of(guests), Elements.of(bookings));
      return "seated";
    } catch (DuplicatePositionException e) {
      return "seat %s is booked twice".formatted(e.position());
    }
    // @end
  }

  /** How often each of some keys occurs: ones, summed up by key. */
  static long[] counts(Funnel funnel, int[] keys) {
    // @start region="made"
    try (Plan plan =
        funnel
            .plan("counts")
            .input("keys", ElementType.INT, keys.length)
            .input("none", ElementType.LONG, 3)
            .add("ones", Fill.with(ElementType.LONG, 1), "keys") // as many
            .add("counts", ScatterReduce.by(Operator.SUM), "keys", "ones", "none")
            .add("ramp", Iota.of(ElementType.DOUBLE, 5).from(1).step(0.25)) // 1, 1.25, ... 2
            .build()) {
      plan.set("none", Elements.of(new long[3]));
      return plan.run(Map.of("keys", Elements.of(keys))).longs("counts");
    }
    // @end
  }

  /** Suffix sums: a scan from the end. */
  static int[] suffixSums(Funnel funnel, int[] x) {
    // @start region="reverse"
    try (Plan plan =
        funnel
            .plan("suffix")
            .input("x", ElementType.INT, x.length)
            .add("turned", Reverse.elements(), "x")
            .add("sums", Scan.inclusive(Operator.SUM), "turned")
            .add("suffix", Reverse.elements(), "sums")
            .build()) {
      return plan.run(Map.of("x", Elements.of(x))).ints("suffix"); // of 3, 1, 4: 8, 5, 4
    }
    // @end
  }

  /** The mean of the last prices, and of those of the week before. */
  static double[] lastWeeks(Funnel funnel, float[] prices) {
    // @start region="slice"
    try (Plan plan =
        funnel
            .plan("weeks")
            .input("prices", ElementType.FLOAT, prices.length)
            .add("fortnight", Slice.last(14), "prices") // all, if there are fewer
            .add("week", Slice.last(7), "fortnight")
            .add("before", Slice.limit(7), "fortnight")
            .add("mean", Reduction.mean(), "week")
            .add("meanBefore", Reduction.mean(), "before")
            .build()) {
      Results results = plan.run(Map.of("prices", Elements.of(prices)));
      return new double[] {results.getDouble("mean"), results.getDouble("meanBefore")};
    }
    // @end
  }

  /** Each time's distance from the one before; that of the first one from 0. */
  static int[] gaps(Funnel funnel, int[] times) {
    // @start region="shift"
    try (Plan plan =
        funnel
            .plan("gaps")
            .input("times", ElementType.INT, times.length)
            .add("before", Shift.by(1, 0), "times")
            .add("gaps", Elementwise.ofInt("minus", (a, b) -> a - b), "times", "before")
            .build()) {
      return plan.run(Map.of("times", Elements.of(times))).ints("gaps"); // 2, 9, 10: 2, 7, 1
    }
    // @end
  }

  /** Two arrays as one. */
  static int[] both(Funnel funnel, int[] some, int[] others) {
    // @start region="concat"
    return funnel.run(Concat.all(), Elements.of(some), Elements.of(others)).ints("result");
    // @end
  }

  /** Flags as bits, which take an eighth of the memory, and back. */
  static byte[] flags(Funnel funnel, byte[] flags) {
    // @start region="bits"
    int[] bits = funnel.run(Bits.ofFlags(), Elements.of(flags)).ints("result"); // of 1, 0, 7: 5
    Results back = funnel.run(Bits.toFlags(flags.length), Elements.of(bits));
    return back.bytes("result"); // 1, 0, 1
    // @end
  }

  /** The sum of numbers of 16 bits, of which the sums stay on the device. */
  static short[] doubled(Funnel funnel, short[] samples) {
    // @start region="widen"
    try (Plan plan =
        funnel
            .plan("doubled")
            .input("samples", ElementType.BYTE, 2 * samples.length)
            .add("x", Widen.from(Storage.INT16), "samples")
            .add("twice", Elementwise.ofInt("twice", v -> 2 * v), "x")
            .add("stored", Narrow.to(Storage.INT16), "twice")
            .build()) {
      Elements stored = Elements.of(MemorySegment.ofArray(samples), ElementType.BYTE);
      Results results = plan.run(Map.of("samples", stored));
      return Storage.INT16.toArray(MemorySegment.ofArray(results.bytes("stored")));
    }
    // @end
  }

  /** The transpose of what is not negative, in two runs. */
  static int[] transposed(Funnel funnel, int[] x) {
    // @start region="unknown"
    Select kept = Select.where(Transform.testInt("not negative", v -> v >= 0));
    Transpose transpose = Transpose.of(2); // of a whole number of rows
    try {
      funnel
          .plan("both")
          .input("x", ElementType.INT, x.length)
          .add("kept", kept, "x")
          .add("turned", transpose, "kept")
          .build();
      throw new AssertionError("the length of what is kept is known after the run alone");
    } catch (UnknownLengthException e) {
      int[] found = funnel.run(kept, Elements.of(x)).ints("result");
      return funnel.run(transpose, Elements.of(found)).ints("result");
    }
    // @end
  }

  /** Sums of columns: they are the segments of the transpose. */
  static int[] columnSums(Funnel funnel, int[] matrix, int columns) {
    // @start region="transpose"
    int rows = matrix.length / columns;
    int[] starts = IntStream.range(0, columns).map(column -> column * rows).toArray();
    try (Plan plan =
        funnel
            .plan("columns")
            .input("x", ElementType.INT, matrix.length)
            .input("starts", ElementType.INT, columns)
            .add("byColumn", Transpose.of(columns), "x")
            .add(
                "sums",
                SegmentedReduce.by(Operator.SUM).segments(Segments.byOffsets()),
                "byColumn",
                "starts")
            .build()) {
      Results results = plan.run(Map.of("x", Elements.of(matrix), "starts", Elements.of(starts)));
      return results.ints("sums"); // of 1, 2, 3, 4, 5, 6 in rows of 3: 5, 7, 9
    }
    // @end
  }

  /** Circle numbers: how many of random points lie in the unit circle. */
  static double pi(Funnel funnel, int points) {
    // @start region="random"
    Elementwise isInside = Elementwise.ofFloat("is inside", (x, y) -> x * x + y * y < 1 ? 1 : 0);
    RandomNumbers coordinates = RandomNumbers.of(ElementType.FLOAT, 42, points);
    try (Plan plan =
        funnel
            .plan("circle")
            .add("x", coordinates)
            .add("y", coordinates.from(points)) // those that follow
            .add("inside", isInside.to(ElementType.INT), "x", "y")
            .add("count", Reduction.sum(), "inside")
            .build()) {
      return 4.0 * plan.run().getInt("count") / points;
    }
    // @end
  }

  /** Samples and their labels, in one random order. */
  static float[] mixed(Funnel funnel, float[] samples, int[] labels) {
    // @start region="shuffle"
    Shuffle order = Shuffle.by(42);
    int[] mixedLabels = funnel.run(order, Elements.of(labels)).ints("result");
    float[] mixed = funnel.run(order, Elements.of(samples)).floats("result"); // labelled by these
    // @end
    return mixedLabels.length == mixed.length ? mixed : samples;
  }

  /** Some of many. */
  static float[] some(Funnel funnel, float[] samples, int count) {
    // @start region="sample"
    return funnel.run(Sample.of(count, 42), Elements.of(samples)).floats("result");
    // @end
  }

  // @start region="check"
  /** Lets weekdays pass: -1, or an exception that says where the first other number is. */
  static final Operation WEEKDAYS =
      (output, inputs) -> {
        Input days = Expansion.only(inputs, "the check of weekdays");
        IndexCheckStep check =
            new IndexCheckStep(output, "check " + output, days.name(), 0, null, 7, days.capacity());
        return new Expansion(List.of(check), List.of());
      };
  // @end
}
