package funnel.ahead;

import funnel.Bytes;
import funnel.Funnel;
import funnel.Groups;
import funnel.Ints;
import funnel.Segments;
import funnel.Table;
import funnel.histogram.Histogram;
import funnel.jit.Element;
import funnel.jit.Twins;
import funnel.operator.Operator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Calls over arrays of one type that most programs make some of. */
@Twins({"Long", "Float", "Double"})
final class IntCommonCalls {

  private final Funnel funnel;
  private final @Element int[] values;
  private final @Element int[] others;
  private final List<Runnable> calls = new ArrayList<>();

  private IntCommonCalls(Funnel funnel, int length) {
    this.funnel = funnel;
    values = new @Element int[length];
    others = new @Element int[length];
    for (int i = 0; i < length; i++) {
      values[i] = (@Element int) (i % 7);
      others[i] = (@Element int) i;
    }
  }

  /** Those over arrays of a length. */
  static List<Runnable> of(Funnel funnel, int length, List<Histogram> bins) {
    IntCommonCalls all = new IntCommonCalls(funnel, length);
    all.oneShot(bins);
    all.numbers();
    all.arrays(bins);
    all.windows();
    all.groups();
    all.tables();
    return Collections.unmodifiableList(all.calls);
  }

  private void oneShot(List<Histogram> bins) {
    calls.add(() -> funnel.sum(values));
    calls.add(() -> funnel.min(values));
    calls.add(() -> funnel.max(values));
    calls.add(() -> funnel.mean(values));
    calls.add(() -> funnel.argMin(values));
    calls.add(() -> funnel.argMax(values));
    calls.add(() -> funnel.inclusiveScan(values, Operator.SUM));
    calls.add(() -> funnel.exclusiveScan(values, Operator.SUM));
    calls.add(() -> funnel.sort(values));
    calls.add(() -> funnel.order(values));
    calls.add(() -> funnel.unique(values));
    bins.forEach(each -> calls.add(() -> funnel.histogram(values, each)));
  }

  private void numbers() {
    Ints x = funnel.of(values);
    Ints y = funnel.of(others);
    calls.add(x::sum);
    calls.add(x::min);
    calls.add(x::max);
    calls.add(x::mean);
    calls.add(x::variance);
    calls.add(x::argMin);
    calls.add(x::argMax);
    calls.add(() -> x.dot(y));
    calls.add(() -> x.correlation(y));
    calls.add(x::isSorted);
  }

  private void arrays(List<Histogram> bins) {
    Ints x = funnel.of(values);
    Ints y = funnel.of(others);
    funnel.Ints positions = funnel.of(CommonCalls.positions(values.length));
    Bytes flags = funnel.of(CommonCalls.flags(values.length));
    calls.add(() -> x.filter(flags).toArray());
    calls.add(() -> x.scan(Operator.SUM).toArray());
    calls.add(() -> x.scan(Operator.MAX).toArray());
    calls.add(() -> x.exclusiveScan(Operator.SUM).toArray());
    calls.add(() -> x.sorted().toArray());
    calls.add(() -> x.order().toArray());
    calls.add(() -> x.ranks().toArray());
    calls.add(() -> x.distinct().toArray());
    calls.add(() -> x.distinct().count());
    calls.add(() -> funnel.read(x.sorted().runs().values(), x.sorted().runs().lengths()));
    calls.add(() -> funnel.read(x.largest(10).values(), x.largest(10).positions()));
    calls.add(() -> funnel.read(x.smallest(10).values(), x.smallest(10).positions()));
    calls.add(() -> x.quantiles(0.5, 0.9, 0.99).toArray());
    calls.add(() -> x.at(positions).toArray());
    calls.add(() -> x.reversed().toArray());
    calls.add(() -> x.slice(1, 3).toArray());
    calls.add(() -> x.concat(y).toArray());
    calls.add(() -> x.shift(1, (@Element int) 0).toArray());
    calls.add(() -> x.differences().toArray());
    calls.add(() -> y.sorted().search(x).toArray());
    calls.add(() -> y.sorted().lowerBounds(x).toArray());
    bins.forEach(each -> calls.add(() -> x.histogram(each).toArray()));
  }

  private void windows() {
    Ints x = funnel.of(values);
    Segments segments = Segments.ofOffsets(funnel.of(CommonCalls.offsets(values.length)));
    calls.add(() -> x.rolling(7).sum().toArray());
    calls.add(() -> x.rolling(7).mean().toArray());
    calls.add(() -> x.rolling(7).max().toArray());
    calls.add(() -> x.sums(segments).toArray());
    calls.add(() -> x.scan(Operator.SUM, segments).toArray());
    calls.add(() -> x.sorted(segments).toArray());
  }

  /** By ints and by longs. */
  private void groups() {
    groups(funnel.of(CommonCalls.keys(values.length)).groupBy());
    groups(funnel.of(CommonCalls.longKeys(values.length)).groupBy());
  }

  private void groups(Groups<?> groups) {
    Ints x = funnel.of(values);
    calls.add(() -> groups.count().toArray());
    calls.add(() -> funnel.read(groups.keys(), groups.sum(x)));
    calls.add(() -> funnel.read(groups.keys(), groups.min(x)));
    calls.add(() -> funnel.read(groups.keys(), groups.max(x)));
    calls.add(() -> funnel.read(groups.keys(), groups.mean(x)));
    calls.add(() -> funnel.read(groups.keys(), groups.median(x)));
    calls.add(
        () ->
            funnel.read(
                groups.keys(), groups.count(), groups.sum(x), groups.min(x), groups.max(x)));
    calls.add(() -> funnel.read(groups.keys(), groups.largest(3, x).values()));
  }

  private void tables() {
    int length = values.length;
    funnel.Ints key = funnel.of(CommonCalls.keys(length));
    funnel.Ints otherKey = funnel.of(CommonCalls.distinctKeys(length));
    Ints x = funnel.of(values);
    Ints y = funnel.of(others);
    Table left = funnel.table(key, x);
    Table right = funnel.table(otherKey, y);
    Table inner = left.join(right, Table.on(key, otherKey));
    Table outer = left.leftJoin(right, Table.on(key, otherKey));
    Table sorted = left.sortedBy(x);
    Table sortedByKey = left.sortedBy(key, x);
    calls.add(() -> funnel.read(inner.of(x), inner.of(y)));
    calls.add(() -> funnel.read(outer.of(x), outer.fill(y, 0).of(y)));
    calls.add(() -> funnel.read(sorted.of(key), sorted.of(x)));
    calls.add(() -> funnel.read(sortedByKey.of(key), sortedByKey.of(x)));
    Table times = funnel.table(x, key);
    Table quotes = funnel.table(y, otherKey);
    Table asOf = times.asOfJoin(quotes, Table.on(x, y));
    calls.add(() -> funnel.read(asOf.of(x), asOf.fill(otherKey, 0).of(otherKey)));
  }
}
