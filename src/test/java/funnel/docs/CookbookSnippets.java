package funnel.docs;

import funnel.Array.Top;
import funnel.Bytes;
import funnel.Doubles;
import funnel.Floats;
import funnel.Funnel;
import funnel.Groups;
import funnel.Ints;
import funnel.Longs;
import funnel.Table;
import funnel.Value;
import funnel.group.Dictionary;
import funnel.operator.ElementFunction;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import java.util.Comparator;
import java.util.List;

/** The examples of docs/cookbook.md. */
final class CookbookSnippets {

  private CookbookSnippets() {}

  static double[] movingAverage(Funnel funnel, int[] prices) {
    // @start region="movingAverage"
    int days = 7;
    Doubles averages = funnel.of(prices).rolling(days).mean().skip(days - 1);
    // @end
    return averages.toArray();
  }

  static float[] normalise(Funnel funnel, float[] samples) {
    // @start region="normalise"
    interface Normalise extends ElementFunction {
      float of(float value, double mean, double variance);
    }
    Floats x = funnel.of(samples);
    Value mean = x.value(Reduction.mean());
    Value variance = x.value(Reduction.variance());
    Normalise normalise = (v, m, s) -> (float) ((v - m) / Math.sqrt(s));
    Floats z = funnel.floats(normalise, x, mean, variance);
    // @end
    return z.toArray();
  }

  static Object[] visits(Funnel funnel, int[] users, long[] seconds) {
    // @start region="visits"
    interface Starts extends ElementFunction {
      boolean at(int user, int userBefore, long time, long timeBefore);
    }
    Ints user = funnel.of(users);
    Longs time = funnel.of(seconds);
    Table clicks = funnel.table(user, time).sortedBy(user, time);
    Ints u = clicks.of(user);
    Longs t = clicks.of(time);
    Starts starts = (now, before, at, last) -> now != before || at - last > 1800;
    Bytes isFirst = funnel.flags(starts, u, u.shift(1, -1), t, t.shift(1, 0)); // users from 0
    Groups<Ints> visits = isFirst.asInts().scan(Operator.SUM).groupByRuns();
    Ints userOfVisit = visits.first(u);
    Longs lengths = visits.last(t).zip(visits.first(t), (last, first) -> last - first);
    // @end
    var read = funnel.read(userOfVisit, lengths);
    return new Object[] {read.get(userOfVisit), read.get(lengths)};
  }

  static Object[] top(Funnel funnel, int[] shops, int[] amounts) {
    // @start region="top"
    Ints shop = funnel.of(shops);
    Ints amount = funnel.of(amounts);
    Groups<Ints> byShop = shop.groupBy();
    Top<Ints> top = byShop.largest(3, amount);
    Ints shopOfEach = shop.at(top.positions());
    // @end
    var read = funnel.read(shopOfEach, top.values());
    return new Object[] {read.get(shopOfEach), read.get(top.values())};
  }

  static Object[] quantiles(Funnel funnel, int[] shops, float[] amounts) {
    // @start region="quantiles"
    Ints shop = funnel.of(shops);
    Floats amount = funnel.of(amounts);
    Groups<Ints> byShop = shop.groupBy();
    Floats medians = byShop.median(amount); // in the order of byShop.keys()
    Floats high = byShop.quantile(0.9, amount);
    // @end
    var read = funnel.read(byShop.keys(), medians, high);
    return new Object[] {read.get(byShop.keys()), read.get(medians), read.get(high)};
  }

  static byte[] oneHot(Funnel funnel, int[] labels, int classes) {
    // @start region="oneHot"
    Ints label = funnel.of(labels);
    Ints places = label.mapIndexed((i, l) -> classes * i + l);
    Bytes oneHot = label.flags(l -> true).scatter(places, classes * labels.length);
    // @end
    return oneHot.toArray();
  }

  static double[] pivot(Funnel funnel, int[] rows, int[] columns, double[] amounts) {
    int height = 5;
    int width = 3;
    // @start region="pivot"
    Ints row = funnel.of(rows);
    Ints column = funnel.of(columns);
    Groups<Ints> cells = row.zip(column, (r, c) -> width * r + c).groupBy();
    Doubles sums = cells.sum(funnel.of(amounts));
    Doubles table = sums.scatter(cells.keys(), width * height); // row after row
    // @end
    return table.toArray();
  }

  static double[] distinct(Funnel funnel, int[] users, int[] pages, double[] times) {
    // @start region="distinct"
    Ints user = funnel.of(users);
    Ints page = funnel.of(pages);
    Doubles time = funnel.of(times);
    Table firstVisits = funnel.table(user, page, time).distinct(user, page);
    double[] timesOfFirst = firstVisits.of(time).toArray();
    // @end
    return timesOfFirst;
  }

  static int[] ranks(Funnel funnel, int[] points) {
    // @start region="ranks"
    Ints ranks = funnel.of(points).denseRanks(); // 2, 1, 3, 1 for 30, 10, 40, 10
    // @end
    return ranks.toArray();
  }

  static Object[] texts(Funnel funnel, List<String> texts, int[] paid, List<String> names) {
    // @start region="texts"
    Dictionary.Encoded<String> cities =
        Dictionary.of(List.<String>of()).encode(texts).sorted(Comparator.naturalOrder());
    Ints city = funnel.of(cities.keys());
    Ints amount = funnel.of(paid);
    Table sales = funnel.table(city, amount);
    int[] inOrder = sales.sortedBy(city).of(amount).toArray(); // by the names of cities
    Longs sums = sales.groupBy(city).sum(amount); // of cities.dictionary().items()
    byte[] withB = cities.dictionary().flags(name -> name.startsWith("B"));
    int[] some = sales.filter(city, c -> withB[c] != 0).of(amount).toArray();
    Ints known = funnel.of(cities.dictionary().keys(names)); // -1 for a name without sales
    Ints rows = city.positionsIn(known); // sales in these cities
    // @end
    return new Object[] {inOrder, sums.toArray(), some, rows.toArray()};
  }
}
