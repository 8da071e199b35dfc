package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.Funnel;
import funnel.Seed;
import funnel.operation.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of docs/cookbook.md give what plain loops give. */
class CookbookSnippetsTest {

  private static final int ROWS = 2000;

  private final SplittableRandom random = Seed.random("cookbook");
  private final int[] keys = random.ints(ROWS, 0, 40).toArray();
  private final int[] others = random.ints(ROWS, 0, 3).toArray();
  private final int[] amounts = random.ints(ROWS, 0, 1000).toArray();
  private final long[] times = random.longs(ROWS, 0, 200_000).toArray();

  @Test
  void thePageHasTheExamples() throws IOException {
    PageExamples.check("cookbook", CookbookSnippets.class);
  }

  private double[] amountsAsDoubles() {
    return IntStream.of(amounts).asDoubleStream().toArray();
  }

  private float[] amountsAsFloats() {
    float[] floats = new float[ROWS];
    for (int i = 0; i < ROWS; i++) {
      floats[i] = amounts[i];
    }
    return floats;
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  private static long[] longs(List<Long> list) {
    return list.stream().mapToLong(Long::longValue).toArray();
  }

  private static void check(Object[] found, Object... expected) {
    assertArrayEquals(expected, found, Seed.replay());
  }

  /** The amounts of each key, in ascending order. */
  private Map<Integer, List<Integer>> amountsOfKeys() {
    Map<Integer, List<Integer>> ofKeys = new TreeMap<>();
    for (int i = 0; i < ROWS; i++) {
      ofKeys.computeIfAbsent(keys[i], _ -> new ArrayList<>()).add(amounts[i]);
    }
    ofKeys.values().forEach(each -> each.sort(null));
    return ofKeys;
  }

  private double[] movingAverage() {
    double[] averages = new double[ROWS - 6];
    for (int i = 0; i < averages.length; i++) {
      averages[i] = IntStream.range(i, i + 7).mapToLong(at -> amounts[at]).sum() / 7.0;
    }
    return averages;
  }

  private Object[] visits() {
    Map<Integer, List<Long>> ofUsers = new TreeMap<>();
    for (int i = 0; i < ROWS; i++) {
      ofUsers.computeIfAbsent(keys[i], _ -> new ArrayList<>()).add(times[i]);
    }
    List<Integer> users = new ArrayList<>();
    List<Long> lengths = new ArrayList<>();
    ofUsers.forEach(
        (user, clicks) -> {
          clicks.sort(null);
          long first = clicks.getFirst();
          for (int i = 1; i <= clicks.size(); i++) {
            if (i == clicks.size() || clicks.get(i) - clicks.get(i - 1) > 1800) {
              users.add(user);
              lengths.add(clicks.get(i - 1) - first);
              first = i < clicks.size() ? clicks.get(i) : 0;
            }
          }
        });
    return new Object[] {ints(users), longs(lengths)};
  }

  private Object[] top() {
    List<Integer> shops = new ArrayList<>();
    List<Integer> largest = new ArrayList<>();
    amountsOfKeys()
        .forEach(
            (shop, sorted) -> {
              for (int amount : sorted.reversed().subList(0, Math.min(3, sorted.size()))) {
                shops.add(shop);
                largest.add(amount);
              }
            });
    return new Object[] {ints(shops), ints(largest)};
  }

  private Object[] quantiles() {
    Map<Integer, List<Integer>> ofKeys = amountsOfKeys();
    float[] medians = new float[ofKeys.size()];
    float[] high = new float[ofKeys.size()];
    int at = 0;
    for (List<Integer> sorted : ofKeys.values()) {
      medians[at] = sorted.get((sorted.size() - 1) / 2);
      high[at++] = sorted.get((9 * sorted.size() + 9) / 10 - 1);
    }
    return new Object[] {ints(List.copyOf(ofKeys.keySet())), medians, high};
  }

  private byte[] oneHot() {
    byte[] oneHot = new byte[3 * ROWS];
    for (int i = 0; i < ROWS; i++) {
      oneHot[3 * i + others[i]] = 1;
    }
    return oneHot;
  }

  private double[] pivot(int[] rows) {
    double[] table = new double[15];
    for (int i = 0; i < ROWS; i++) {
      table[3 * rows[i] + others[i]] += amounts[i];
    }
    return table;
  }

  private double[] distinct() {
    Map<List<Integer>, Double> first = new LinkedHashMap<>();
    for (int i = 0; i < ROWS; i++) {
      first.putIfAbsent(List.of(keys[i], others[i]), (double) amounts[i]);
    }
    return first.values().stream().mapToDouble(Double::doubleValue).toArray();
  }

  private int[] ranks() {
    TreeSet<Integer> distinct = new TreeSet<>();
    IntStream.of(amounts).forEach(distinct::add);
    return IntStream.of(amounts).map(amount -> distinct.headSet(amount).size() + 1).toArray();
  }

  private void normalised(Funnel funnel) {
    double mean = IntStream.of(amounts).average().orElseThrow();
    double variance = 0;
    for (int amount : amounts) {
      variance += (amount - mean) * (amount - mean) / ROWS;
    }
    float[] expected = new float[ROWS];
    for (int i = 0; i < ROWS; i++) {
      expected[i] = (float) ((amounts[i] - mean) / Math.sqrt(variance));
    }
    assertArrayEquals(expected, CookbookSnippets.normalise(funnel, amountsAsFloats()), 1e-6f);
  }

  private static String city(int key) {
    return "%s%s".formatted(key % 3 == 0 ? "B" : "Z", 977 * key % 1000);
  }

  private Object[] texts(List<String> names) {
    TreeMap<String, Long> sums = new TreeMap<>();
    List<Integer> some = new ArrayList<>();
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      String city = city(keys[i]);
      sums.merge(city, (long) amounts[i], Long::sum);
      if (city.startsWith("B")) {
        some.add(amounts[i]);
      }
      if (names.contains(city)) {
        rows.add(i);
      }
    }
    List<Integer> inOrder =
        IntStream.range(0, ROWS)
            .boxed()
            .sorted(Comparator.comparing(i -> city(keys[i])))
            .map(i -> amounts[i])
            .toList();
    return new Object[] {ints(inOrder), longs(List.copyOf(sums.values())), ints(some), ints(rows)};
  }

  private void examples(Target target) {
    int[] rows = IntStream.of(keys).map(key -> key % 5).toArray();
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(movingAverage(), CookbookSnippets.movingAverage(funnel, amounts));
      normalised(funnel);
      check(CookbookSnippets.visits(funnel, keys, times), visits());
      check(CookbookSnippets.top(funnel, keys, amounts), top());
      check(CookbookSnippets.quantiles(funnel, keys, amountsAsFloats()), quantiles());
      assertArrayEquals(oneHot(), CookbookSnippets.oneHot(funnel, others, 3));
      assertArrayEquals(
          pivot(rows), CookbookSnippets.pivot(funnel, rows, others, amountsAsDoubles()));
      assertArrayEquals(
          distinct(), CookbookSnippets.distinct(funnel, keys, others, amountsAsDoubles()));
      assertArrayEquals(ranks(), CookbookSnippets.ranks(funnel, amounts));
      List<String> texts = IntStream.of(keys).mapToObj(CookbookSnippetsTest::city).toList();
      List<String> names = List.of(city(3), "nowhere", city(7));
      check(CookbookSnippets.texts(funnel, texts, amounts, names), texts(names));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void examples_giveWhatLoopsGive(Target target) {
    examples(target);
  }

  @Tag("gpu")
  @Test
  void examples_giveWhatLoopsGive_onDevice() {
    examples(Target.TORNADO);
  }
}
