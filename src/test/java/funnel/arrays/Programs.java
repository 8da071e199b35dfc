package funnel.arrays;

import static funnel.Table.ascending;
import static funnel.Table.descending;
import static funnel.operator.Operator.SUM;
import static funnel.reduce.Reduction.mean;
import static funnel.reduce.Reduction.variance;

import funnel.Array.Found;
import funnel.Array.Pairs;
import funnel.Array.Runs;
import funnel.Bytes;
import funnel.Doubles;
import funnel.Floats;
import funnel.Funnel;
import funnel.Groups;
import funnel.Ints;
import funnel.Longs;
import funnel.Reading;
import funnel.Segments;
import funnel.Table;
import funnel.Value;
import funnel.group.Dictionary;
import funnel.histogram.Histogram;
import funnel.operator.ElementFunction;
import java.util.List;

/** Whole jobs on arrays. */
final class Programs {

  private Programs() {}

  record Revenues(List<String> customers, double[] amounts) {}

  record Orders(int[] customer, double[] amount, int[] id, List<String> country) {}

  record Totals(List<String> countries, double[] amounts) {}

  record Tails(int[] endpoint, int[] p50, int[] p99, int[] p999) {}

  record Sparse(int[] at, double[] values) {}

  record Records(long[] timestamp, int[] id, float[] value) {}

  record Price(double price, double error) {}

  record Sessions(int[] user, int[] events, long[] length) {}

  record Coded(int[] values, int[] lengths) {}

  record Ones(int count, int longest, double mean) {}

  record Slowest(int[] endpoint, int[] hour, int[] p95) {}

  record Stock(int[] item, int[] least, int[] last) {}

  record Near(int[] at, double[] squares) {}

  record Variants(int[] variant, int[] users, double[] mean, double[] variance) {}

  static final long GAP = 30 * 60 * 1000;

  /** A uniform number between 0 and 1 that follows from a seed. */
  static double uniform(long seed) {
    long z = seed * 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 33)) * 0xff51afd7ed558ccdL;
    z = (z ^ (z >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return (((z ^ (z >>> 33)) >>> 11) + 0.5) * 0x1p-53;
  }

  /** What a call option pays at the end of a random path, by a normal number of Box and Muller. */
  static double payoff(long path, double strike) {
    double radius = Math.sqrt(-2 * Math.log(uniform(2 * path)));
    double z = radius * Math.cos(2 * Math.PI * uniform(2 * path + 1));
    return Math.max(100 * Math.exp(0.01 + 0.2 * z) - strike, 0);
  }

  // <thirteen>

  interface Standard extends ElementFunction {
    float of(float value, double mean, double variance);
  }

  /** 1. Values with mean 0 and variance 1. */
  static float[] standardized(Funnel funnel, float... values) {
    Floats x = funnel.of(values);
    Standard standard = (v, mean, variance) -> (float) ((v - mean) / Math.sqrt(variance));
    return funnel.floats(standard, x, x.value(mean()), x.value(variance())).toArray();
  }

  /** 2. The mean of each window. */
  static double[] movingAverage(Funnel funnel, int window, double... values) {
    return funnel.of(values).rolling(window).mean().skip(window - 1).toArray();
  }

  /** 3. How many words of a text have each length. */
  static int[] wordLengths(Funnel funnel, byte... text) {
    Runs<Bytes> runs = funnel.of(text).flags(c -> c > ' ').runs();
    return runs.lengths().filter(runs.values()).histogram(Histogram.ofKeys(64)).toArray();
  }

  /** 4. The ten customers with the largest revenue. */
  static Revenues best(Funnel funnel, List<String> customers, double... amounts) {
    Dictionary<String> names = Dictionary.of(customers);
    Groups<Ints> by = funnel.of(names.keys(customers)).groupBy();
    Found<Doubles> top = by.sum(funnel.of(amounts)).largest(10);
    Ints who = by.keys().at(top.positions());
    return funnel.read(who, top.values(), (keys, sums) -> new Revenues(names.items(keys), sums));
  }

  /** 5. The total of each country's orders. */
  static Totals totals(Funnel funnel, Orders orders) {
    Dictionary<String> names = Dictionary.of(orders.country);
    Pairs pairs = funnel.of(orders.customer).join(funnel.of(orders.id));
    Ints countries = funnel.of(names.keys(orders.country)).at(pairs.right());
    Groups<Ints> by = countries.groupBy();
    Doubles total = by.sum(funnel.of(orders.amount).at(pairs.left()));
    return funnel.read(by.keys(), total, (keys, sums) -> new Totals(names.items(keys), sums));
  }

  /** 6. Quantiles of each endpoint's latencies. */
  static Tails tails(Funnel funnel, int[] endpoints, int[] latencies) {
    Groups<Ints> by = funnel.of(endpoints).groupBy();
    Ints latency = funnel.of(latencies);
    Ints p99 = by.quantile(0.99, latency);
    Ints p999 = by.quantile(0.999, latency);
    return funnel.read(by.keys(), by.median(latency), p99, p999, Tails::new);
  }

  /** 7. The number of distinct values. */
  static int uniques(Funnel funnel, long... values) {
    return funnel.of(values).sorted().distinct().count();
  }

  /** 8. A sparse vector, */
  static Sparse compact(Funnel funnel, double... vector) {
    Found<Doubles> found = funnel.of(vector).find(v -> v != 0);
    return funnel.read(found.positions(), found.values(), Sparse::new);
  }

  /** and back. */
  static double[] expand(Funnel funnel, Sparse sparse, int length) {
    return funnel.of(sparse.values).scatter(funnel.of(sparse.at), length).toArray();
  }

  /** 9. Records by id, the latest first. */
  static Records sorted(Funnel funnel, Records records) {
    Longs timestamp = funnel.of(records.timestamp);
    Ints id = funnel.of(records.id);
    Floats value = funnel.of(records.value);
    Table rows = funnel.table(timestamp, id, value).sortedBy(ascending(id), descending(timestamp));
    return funnel.read(rows.of(timestamp), rows.of(id), rows.of(value), Records::new);
  }

  /** 10. The price of an option by random paths, and its standard error. */
  static Price price(Funnel funnel, int paths, double strike) {
    Doubles pays = funnel.range(0, paths).mapToDouble(i -> payoff(i, strike));
    Value mean = pays.value(mean());
    Value variance = pays.value(variance());
    Reading read = funnel.read(mean, variance);
    return new Price(read.getDouble(mean), Math.sqrt(read.getDouble(variance) / paths));
  }

  /** 11. Sessions: each begins with another user, or after a gap. */
  static Sessions sessions(Funnel funnel, int[] users, long[] times) {
    Ints user = funnel.of(users);
    Longs time = funnel.of(times);
    Table sorted = funnel.table(user, time).sortedBy(user, time);
    Ints who = sorted.of(user);
    Longs at = sorted.of(time);
    Ints gaps = at.differences().mapToInt(d -> d > GAP ? 1 : 0);
    Ints starts = who.differences().zip(gaps, (other, gap) -> other != 0 || gap != 0 ? 1 : 0);
    Groups<Ints> by = starts.scan(SUM).groupByRuns();
    Longs length = by.last(at).zip(by.first(at), (to, from) -> to - from);
    return funnel.read(by.first(who), by.count(), length, Sessions::new);
  }

  /** 12. A run-length code, */
  static Coded encode(Funnel funnel, int... values) {
    Runs<Ints> runs = funnel.of(values).runs();
    return funnel.read(runs.values(), runs.lengths(), Coded::new);
  }

  /** back, */
  static int[] decode(Funnel funnel, Coded code) {
    return funnel.of(code.values).repeated(funnel.of(code.lengths)).toArray();
  }

  /** and the runs of ones in a bitmap. */
  static Ones ones(Funnel funnel, int... words) {
    Ints bit = funnel.range(0, 32 * words.length);
    Runs<Bytes> runs = bit.flags(i -> (words[i >> 5] >> i & 1) != 0).runs();
    try (Ints ones = runs.lengths().filter(runs.values()).keep()) {
      return new Ones(ones.count(), ones.max(), ones.mean());
    }
  }

  /** 13. A chain on data that change. */
  static long chain(Funnel funnel, int times, int... data) {
    Ints chain = funnel.of(data).filter(v -> v % 3 == 0).map(v -> v / 7).sorted().distinct();
    long all = 0;
    for (int k = 0; k < times; k++) {
      data[k] = k;
      all += chain.sumAsLong();
    }
    return all;
  }

  // </thirteen>

  // <six>

  /** 14. The latency that 95 of 100 requests of an endpoint in an hour do not exceed. */
  static Slowest slowest(Funnel funnel, int[] endpoints, long[] millis, int[] latencies) {
    Ints endpoint = funnel.of(endpoints);
    Ints hour = funnel.of(millis).mapToInt(t -> (int) (t / 3_600_000));
    Ints latency = funnel.of(latencies);
    Groups<Ints> by = funnel.table(endpoint, hour, latency).groupBy(endpoint, hour);
    return funnel.read(by.keys(endpoint), by.keys(hour), by.quantile(0.95, latency), Slowest::new);
  }

  /** 15. The least and the last stock of each item, by its movements in their order. */
  static Stock stock(Funnel funnel, int[] items, long[] times, int[] quantities) {
    Ints item = funnel.of(items);
    Longs time = funnel.of(times);
    Ints quantity = funnel.of(quantities);
    Table moves = funnel.table(item, time, quantity).sortedBy(item, time);
    Ints stock = moves.of(quantity).scan(SUM, Segments.ofKeys(moves.of(item)));
    Groups<Ints> by = moves.of(item).groupByRuns();
    return funnel.read(by.keys(), by.min(stock), by.last(stock), Stock::new);
  }

  /** 16. An image whose levels of grey are equally frequent. */
  static byte[] equalized(Funnel funnel, byte... image) {
    Bytes grey = funnel.of(image);
    int darkest = grey.count(v -> v == 0);
    int others = Math.max(1, image.length - darkest);
    Ints levels = grey.histogram().scan(SUM).map(c -> (int) ((c - darkest) * 255L / others));
    return levels.at(grey.asInts()).asBytes().toArray();
  }

  /** 17. The points that are nearest to a place. */
  static Near nearest(Funnel funnel, double[] xs, double[] ys, double x, double y, int most) {
    Doubles squares =
        funnel.of(xs).zip(funnel.of(ys), (a, b) -> (a - x) * (a - x) + (b - y) * (b - y));
    Found<Doubles> near = squares.smallest(most);
    return funnel.read(near.positions(), near.values(), Near::new);
  }

  /** 18. How many users have come as far as each step, of those who have taken all before it. */
  static int[] conversion(Funnel funnel, int[] users, int[] steps, int last) {
    Ints user = funnel.of(users);
    Ints step = funnel.of(steps);
    Table events = funnel.table(user, step);
    Ints so = events.filter(step, s -> s == 0).of(user).sorted().distinct();
    int[] counts = new int[last + 1];
    counts[0] = so.count();
    for (int k = 1; k <= last; k++) {
      int now = k;
      so = so.intersection(events.filter(step, s -> s == now).of(user).sorted().distinct());
      counts[k] = so.count();
    }
    return counts;
  }

  /** 19. The mean and variance of each variant of a test. */
  static Variants variants(Funnel funnel, int[] variants, double... amounts) {
    Groups<Ints> by = funnel.of(variants).groupBy();
    Doubles amount = funnel.of(amounts);
    return funnel.read(
        by.keys(), by.count(), by.mean(amount), by.sampleVariance(amount), Variants::new);
  }

  // </six>
}
