package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.EngineContract;
import funnel.Seed;
import funnel.arrays.Programs.Coded;
import funnel.arrays.Programs.Ones;
import funnel.arrays.Programs.Orders;
import funnel.arrays.Programs.Price;
import funnel.arrays.Programs.Records;
import funnel.arrays.Programs.Revenues;
import funnel.arrays.Programs.Sessions;
import funnel.arrays.Programs.Sparse;
import funnel.arrays.Programs.Tails;
import funnel.arrays.Programs.Totals;
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
      Comparator<String> order =
          Comparator.<String>comparingDouble(sums::get)
              .reversed()
              .thenComparing(Comparator.comparingInt(first::indexOf));
      List<String> top = first.stream().sorted(order).limit(10).toList();
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
      assertEquals(mean, price.price(), 1e-9 * mean);
      assertEquals(error, price.error(), 1e-9 * error);
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
}
