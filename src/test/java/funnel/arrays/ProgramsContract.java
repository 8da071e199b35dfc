package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.EngineContract;
import funnel.Seed;
import funnel.arrays.Programs.Coded;
import funnel.arrays.Programs.Near;
import funnel.arrays.Programs.Ones;
import funnel.arrays.Programs.Orders;
import funnel.arrays.Programs.Price;
import funnel.arrays.Programs.Records;
import funnel.arrays.Programs.Revenues;
import funnel.arrays.Programs.Sessions;
import funnel.arrays.Programs.Slowest;
import funnel.arrays.Programs.Sparse;
import funnel.arrays.Programs.Stock;
import funnel.arrays.Programs.Tails;
import funnel.arrays.Programs.Totals;
import funnel.arrays.Programs.Variants;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Whole jobs on arrays give on every engine what plain Java gives. Sums of doubles are of multiples
 * of 1/4, so that they are exact in any order.
 */
abstract class ProgramsContract extends EngineContract {

  /** The numbers of rows, at least 1. */
  private int[] sizes() {
    return IntStream.of(lengths()).filter(n -> n > 0).toArray();
  }

  private static double[] quarters(int n, SplittableRandom random) {
    return random.ints(n, 0, 400_000).mapToDouble(v -> v / 4.0).toArray();
  }

  private static void same(Record expected, Record actual) {
    assertEquals(text(expected), text(actual), Seed.replay());
  }

  /** A record with the elements of its arrays: equal bits have equal texts. */
  private static String text(Record record) {
    return Arrays.stream(record.getClass().getRecordComponents())
        .map(
            part -> {
              try {
                Object value = part.getAccessor().invoke(record);
                return Arrays.deepToString(new Object[] {value});
              } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
              }
            })
        .toList()
        .toString();
  }

  @Test
  void standardizes() {
    SplittableRandom random = Seed.random("standardizes");
    for (int n : sizes()) {
      float[] x = new float[n + 1];
      double sum = 0;
      for (int i = 0; i < x.length; i++) {
        x[i] = (float) random.nextGaussian(10, 3);
        sum += x[i];
      }
      double mean = sum / x.length;
      double squares = 0;
      for (float v : x) {
        squares += (v - mean) * (v - mean);
      }
      double deviation = Math.sqrt(squares / x.length);
      float[] expected = new float[x.length];
      for (int i = 0; i < x.length; i++) {
        expected[i] = (float) ((x[i] - mean) / deviation);
      }
      assertArrayEquals(expected, Programs.standardized(funnel, x), 1e-5f, Seed.replay());
    }
  }

  @Test
  void averagesWindows() {
    SplittableRandom random = Seed.random("averagesWindows");
    for (int n : sizes()) {
      double[] x = quarters(n, random);
      int window = 1 + random.nextInt(n);
      double[] expected = new double[n - window + 1];
      double sum = 0;
      for (int i = 0; i < n; i++) {
        sum += x[i];
        if (i >= window) {
          sum -= x[i - window];
        }
        if (i >= window - 1) {
          expected[i - window + 1] = sum / window;
        }
      }
      assertArrayEquals(expected, Programs.movingAverage(funnel, window, x), Seed.replay());
    }
  }

  @Test
  void countsWordLengths() {
    SplittableRandom random = Seed.random("countsWordLengths");
    for (int n : lengths()) {
      byte[] text = new byte[n];
      for (int i = 0; i < n; i++) {
        text[i] = (byte) (random.nextInt(5) == 0 || i % 60 == 0 ? ' ' : 200 + random.nextInt(50));
      }
      int[] expected = new int[64];
      int length = 0;
      for (byte c : text) {
        if ((c & 0xff) > ' ') {
          length++;
        } else if (length > 0) {
          expected[length]++;
          length = 0;
        }
      }
      if (length > 0) {
        expected[length]++;
      }
      assertArrayEquals(expected, Programs.wordLengths(funnel, text), Seed.replay());
    }
  }

  @Test
  void findsBestCustomers() {
    SplittableRandom random = Seed.random("findsBestCustomers");
    for (int n : lengths()) {
      List<String> customers = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        customers.add("customer " + random.nextInt(1 + n / 8));
      }
      double[] amounts = quarters(n, random);
      Map<String, Double> sums = new HashMap<>();
      for (int i = 0; i < n; i++) {
        sums.merge(customers.get(i), amounts[i], Double::sum);
      }
      List<String> first = customers.stream().distinct().toList();
      Comparator<String> largest = Comparator.<String>comparingDouble(sums::get).reversed();
      List<String> top = first.stream().sorted(largest).limit(10).toList();
      Revenues expected = new Revenues(top, top.stream().mapToDouble(sums::get).toArray());
      same(expected, Programs.best(funnel, customers, amounts));
    }
  }

  @Test
  void totalsByCountry() {
    SplittableRandom random = Seed.random("totalsByCountry");
    for (int n : lengths()) {
      int customers = n / 4;
      int[] id = IntStream.range(0, customers).map(i -> 1_000_000_007 * (i + 1)).toArray();
      List<String> country = new ArrayList<>();
      for (int i = 0; i < customers; i++) {
        country.add("country " + random.nextInt(50));
      }
      int[] customer = new int[n];
      for (int i = 0; i < n; i++) {
        boolean isKnown = customers > 0 && random.nextInt(20) > 0;
        customer[i] = isKnown ? id[random.nextInt(customers)] : 42;
      }
      double[] amount = quarters(n, random);
      Map<Integer, String> of = new HashMap<>();
      for (int i = 0; i < customers; i++) {
        of.put(id[i], country.get(i));
      }
      Map<String, Double> sums = new HashMap<>();
      for (int i = 0; i < n; i++) {
        String where = of.get(customer[i]);
        if (where != null) {
          sums.merge(where, amount[i], Double::sum);
        }
      }
      List<String> paid = country.stream().distinct().filter(sums::containsKey).toList();
      Totals expected = new Totals(paid, paid.stream().mapToDouble(sums::get).toArray());
      same(expected, Programs.totals(funnel, new Orders(customer, amount, id, country)));
    }
  }

  /** The values of each key, in ascending order. */
  private static TreeMap<Integer, int[]> sortedBy(int[] keys, int[] values) {
    TreeMap<Integer, int[]> by = new TreeMap<>();
    for (int key : keys) {
      by.computeIfAbsent(
          key,
          _ ->
              IntStream.range(0, keys.length)
                  .filter(i -> keys[i] == key)
                  .map(i -> values[i])
                  .sorted()
                  .toArray());
    }
    return by;
  }

  private static int quantile(int[] sorted, double quantile) {
    return sorted[(int) Math.ceil(quantile * sorted.length) - 1];
  }

  @Test
  void findsTails() {
    SplittableRandom random = Seed.random("findsTails");
    for (int n : lengths()) {
      int[] endpoints = random.ints(n, -3, 20).toArray();
      int[] latencies = random.ints(n, 0, 100_000).toArray();
      TreeMap<Integer, int[]> by = sortedBy(endpoints, latencies);
      Tails expected =
          new Tails(
              by.keySet().stream().mapToInt(v -> v).toArray(),
              by.values().stream().mapToInt(v -> quantile(v, 0.5)).toArray(),
              by.values().stream().mapToInt(v -> quantile(v, 0.99)).toArray(),
              by.values().stream().mapToInt(v -> quantile(v, 0.999)).toArray());
      same(expected, Programs.tails(funnel, endpoints, latencies));
    }
  }

  @Test
  void countsUniques() {
    SplittableRandom random = Seed.random("countsUniques");
    for (int n : lengths()) {
      long[] x = random.longs(n, 0, 1 + n).map(v -> v * 0x9E3779B97F4A7C15L).toArray();
      long expected = LongStream.of(x).distinct().count();
      assertEquals(expected, Programs.uniques(funnel, x), Seed.replay());
    }
  }

  @Test
  void compactsAndExpands() {
    SplittableRandom random = Seed.random("compactsAndExpands");
    for (int n : lengths()) {
      double[] x = new double[n];
      Arrays.setAll(x, _ -> random.nextInt(20) == 0 ? random.nextDouble() : 0);
      int[] at = IntStream.range(0, n).filter(i -> x[i] != 0).toArray();
      Sparse expected = new Sparse(at, IntStream.of(at).mapToDouble(i -> x[i]).toArray());
      Sparse sparse = Programs.compact(funnel, x);
      same(expected, sparse);
      assertArrayEquals(x, Programs.expand(funnel, sparse, n), Seed.replay());
    }
  }

  @Test
  void sortsRecords() {
    SplittableRandom random = Seed.random("sortsRecords");
    for (int n : lengths()) {
      long[] timestamp = random.longs(n, -1L << 40, 1L << 40).toArray();
      int[] id = random.ints(n, -5, 5 + n / 10).toArray();
      float[] value = new float[n];
      for (int i = 0; i < n; i++) {
        value[i] = random.nextFloat();
        timestamp[i] = random.nextInt(3) == 0 ? timestamp[n / 2] : timestamp[i];
      }
      int[] order =
          IntStream.range(0, n)
              .boxed()
              .sorted(
                  Comparator.<Integer>comparingInt(i -> id[i])
                      .thenComparing(
                          Comparator.<Integer>comparingLong(i -> timestamp[i]).reversed()))
              .mapToInt(i -> i)
              .toArray();
      float[] values = new float[n];
      for (int i = 0; i < n; i++) {
        values[i] = value[order[i]];
      }
      Records expected =
          new Records(
              IntStream.of(order).mapToLong(i -> timestamp[i]).toArray(),
              IntStream.of(order).map(i -> id[i]).toArray(),
              values);
      same(expected, Programs.sorted(funnel, new Records(timestamp, id, value)));
    }
  }

  @Test
  void pricesAnOption() {
    for (int n : sizes()) {
      double sum = 0;
      for (int i = 0; i < n; i++) {
        sum += Programs.payoff(i, 105);
      }
      double mean = sum / n;
      double squares = 0;
      for (int i = 0; i < n; i++) {
        squares += Math.pow(Programs.payoff(i, 105) - mean, 2);
      }
      double error = Math.sqrt(squares / n / n);
      Price price = Programs.price(funnel, n, 105);
      double tolerance = 1e-6; // logarithms and cosines of a device have the accuracy of floats
      assertEquals(mean, price.price(), tolerance * mean);
      assertEquals(error, price.error(), tolerance * error);
    }
  }

  @Test
  void findsSessions() {
    SplittableRandom random = Seed.random("findsSessions");
    for (int n : lengths()) {
      int[] user = random.ints(n, 0, 1 + n / 30).toArray();
      long[] time = random.longs(n, 1_700_000_000_000L, 1_700_086_400_000L).toArray();
      int[] order =
          IntStream.range(0, n)
              .boxed()
              .sorted(
                  Comparator.<Integer>comparingInt(i -> user[i]).thenComparingLong(i -> time[i]))
              .mapToInt(i -> i)
              .toArray();
      int[] users = new int[n];
      int[] events = new int[n];
      long[] length = new long[n];
      int sessions = 0;
      long start = 0;
      for (int k = 0; k < n; k++) {
        int i = order[k];
        int before = order[Math.max(k - 1, 0)];
        if (k == 0 || user[i] != user[before] || time[i] - time[before] > Programs.GAP) {
          users[sessions++] = user[i];
          start = time[i];
        }
        events[sessions - 1]++;
        length[sessions - 1] = time[i] - start;
      }
      Sessions expected =
          new Sessions(
              Arrays.copyOf(users, sessions),
              Arrays.copyOf(events, sessions),
              Arrays.copyOf(length, sessions));
      same(expected, Programs.sessions(funnel, user, time));
    }
  }

  @Test
  void encodesAndDecodesRuns() {
    SplittableRandom random = Seed.random("encodesAndDecodesRuns");
    for (int n : lengths()) {
      int[] x = new int[n];
      for (int i = 1; i < n; i++) {
        x[i] = random.nextInt(8) == 0 ? random.nextInt(10) : x[i - 1];
      }
      int[] values = new int[n];
      int[] lengths = new int[n];
      int runs = 0;
      for (int i = 0; i < n; i++) {
        if (i == 0 || x[i] != x[i - 1]) {
          values[runs++] = x[i];
        }
        lengths[runs - 1]++;
      }
      Coded expected = new Coded(Arrays.copyOf(values, runs), Arrays.copyOf(lengths, runs));
      Coded code = Programs.encode(funnel, x);
      same(expected, code);
      assertArrayEquals(x, Programs.decode(funnel, code), Seed.replay());
    }
  }

  @Test
  void findsRunsOfOnes() {
    SplittableRandom random = Seed.random("findsRunsOfOnes");
    for (int n : sizes()) {
      int[] words = new int[(n + 31) / 32];
      boolean isOn = true;
      for (int i = 0; i < 32 * words.length; i++) {
        words[i >> 5] |= isOn ? 1 << (i & 31) : 0;
        isOn ^= random.nextInt(10) == 0;
      }
      int count = 0;
      int longest = 0;
      int total = 0;
      int length = 0;
      for (int i = 0; i < 32 * words.length; i++) {
        boolean isOne = (words[i >> 5] & 1 << (i & 31)) != 0;
        length = isOne ? length + 1 : 0;
        count += length == 1 ? 1 : 0;
        total += isOne ? 1 : 0;
        longest = Math.max(longest, length);
      }
      same(new Ones(count, longest, (double) total / count), Programs.ones(funnel, words));
    }
  }

  @Test
  void followsData() {
    SplittableRandom random = Seed.random("followsData");
    for (int n : sizes()) {
      int[] x = random.ints(n, 0, 1_000_000).toArray();
      int[] y = x.clone();
      int times = Math.min(n, 3);
      long expected = 0;
      for (int k = 0; k < times; k++) {
        y[k] = k;
        expected +=
            IntStream.of(y).filter(v -> v % 3 == 0).map(v -> v / 7).distinct().asLongStream().sum();
      }
      assertEquals(expected, Programs.chain(funnel, times, x), Seed.replay());
    }
  }

  @Test
  void findsSlowest() {
    SplittableRandom random = Seed.random("findsSlowest");
    for (int n : lengths()) {
      int[] endpoint = random.ints(n, 0, 5).toArray();
      long[] millis = random.longs(n, 0, 4 * 3_600_000).toArray();
      int[] latency = random.ints(n, 0, 10_000).toArray();
      int[] both =
          IntStream.range(0, n).map(i -> 4 * endpoint[i] + (int) (millis[i] / 3_600_000)).toArray();
      TreeMap<Integer, int[]> by = sortedBy(both, latency);
      Slowest expected =
          new Slowest(
              by.keySet().stream().mapToInt(key -> key / 4).toArray(),
              by.keySet().stream().mapToInt(key -> key % 4).toArray(),
              by.values().stream().mapToInt(values -> quantile(values, 0.95)).toArray());
      same(expected, Programs.slowest(funnel, endpoint, millis, latency));
    }
  }

  @Test
  void keepsStock() {
    SplittableRandom random = Seed.random("keepsStock");
    for (int n : lengths()) {
      int[] item = random.ints(n, 0, 1 + n / 10).toArray();
      long[] time = random.longs(n, 0, 1 + n / 2).toArray();
      int[] quantity = random.ints(n, -10, 11).toArray();
      TreeMap<Integer, int[]> stock = new TreeMap<>();
      IntStream.range(0, n)
          .boxed()
          .sorted(Comparator.comparingLong(i -> time[i]))
          .forEach(
              i -> {
                int[] known = stock.get(item[i]);
                int now = (known == null ? 0 : known[1]) + quantity[i];
                int least = known == null ? now : Math.min(known[0], now);
                stock.put(item[i], new int[] {least, now});
              });
      Stock expected =
          new Stock(
              stock.keySet().stream().mapToInt(key -> key).toArray(),
              stock.values().stream().mapToInt(known -> known[0]).toArray(),
              stock.values().stream().mapToInt(known -> known[1]).toArray());
      same(expected, Programs.stock(funnel, item, time, quantity));
    }
  }

  @Test
  void equalizesImages() {
    SplittableRandom random = Seed.random("equalizesImages");
    for (int n : lengths()) {
      byte[] image = new byte[n];
      for (int i = 0; i < n; i++) {
        image[i] = (byte) (random.nextInt(200) * random.nextInt(200) / 200);
      }
      long[] upTo = new long[256];
      for (int level = 0; level < 256; level++) {
        for (byte grey : image) {
          upTo[level] += (grey & 0xff) <= level ? 1 : 0;
        }
      }
      byte[] expected = new byte[n];
      for (int i = 0; i < n; i++) {
        long others = Math.max(1, n - upTo[0]);
        expected[i] = (byte) ((upTo[image[i] & 0xff] - upTo[0]) * 255 / others);
      }
      assertArrayEquals(expected, Programs.equalized(funnel, image), Seed.replay());
    }
  }

  @Test
  void findsNearest() {
    SplittableRandom random = Seed.random("findsNearest");
    for (int n : lengths()) {
      double[] x = random.ints(n, 0, 1000).mapToDouble(v -> v).toArray();
      double[] y = random.ints(n, 0, 1000).mapToDouble(v -> v).toArray();
      double[] squares =
          IntStream.range(0, n)
              .mapToDouble(i -> Math.pow(x[i] - 500, 2) + Math.pow(y[i] - 250, 2))
              .toArray();
      int[] near =
          IntStream.range(0, n)
              .boxed()
              .sorted(Comparator.comparingDouble(i -> squares[i]))
              .limit(7)
              .mapToInt(i -> i)
              .toArray();
      Near expected = new Near(near, IntStream.of(near).mapToDouble(i -> squares[i]).toArray());
      same(expected, Programs.nearest(funnel, x, y, 500, 250, 7));
    }
  }

  @Test
  void countsConversion() {
    SplittableRandom random = Seed.random("countsConversion");
    for (int n : lengths()) {
      int[] user = random.ints(n, 0, 1 + n / 3).toArray();
      int[] step = random.ints(n, 0, 4).map(s -> s * s / 3).toArray();
      boolean[][] has = new boolean[1 + n / 3][4];
      for (int i = 0; i < n; i++) {
        has[user[i]][step[i]] = true;
      }
      int[] expected = new int[4];
      for (boolean[] steps : has) {
        for (int k = 0; k < 4 && steps[k]; k++) {
          expected[k]++;
        }
      }
      assertArrayEquals(expected, Programs.conversion(funnel, user, step, 3), Seed.replay());
    }
  }

  @Test
  void comparesVariants() {
    SplittableRandom random = Seed.random("comparesVariants");
    for (int n : lengths()) {
      int[] variant = random.ints(n, 0, 3).toArray();
      double[] amount = quarters(n, random);
      Variants variants = Programs.variants(funnel, variant, amount);
      int[] keys = IntStream.of(variant).distinct().sorted().toArray();
      assertArrayEquals(keys, variants.variant(), Seed.replay());
      for (int g = 0; g < keys.length; g++) {
        int key = keys[g];
        double[] own =
            IntStream.range(0, n)
                .filter(i -> variant[i] == key)
                .mapToDouble(i -> amount[i])
                .toArray();
        double mean = Arrays.stream(own).sum() / own.length;
        double squares = Arrays.stream(own).map(v -> (v - mean) * (v - mean)).sum();
        assertEquals(own.length, variants.users()[g], Seed.replay());
        assertEquals(mean, variants.mean()[g], 1e-12 * mean, Seed.replay());
        assertEquals(
            squares / (own.length - 1), variants.variance()[g], 1e-12 * squares, Seed.replay());
      }
    }
  }
}
