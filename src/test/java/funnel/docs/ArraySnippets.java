package funnel.docs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import funnel.Array.Found;
import funnel.Array.Runs;
import funnel.Array.Top;
import funnel.Bytes;
import funnel.Doubles;
import funnel.Elements;
import funnel.Floats;
import funnel.Funnel;
import funnel.Groups;
import funnel.Ints;
import funnel.Longs;
import funnel.Reading;
import funnel.Segments;
import funnel.Table;
import funnel.Value;
import funnel.io.ElementFile;
import funnel.io.ElementOutput;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Storage;
import funnel.reduce.Reduction;
import funnel.transform.Transpose;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The examples of docs/arrays.md, whose results are listed in the order of the code. */
final class ArraySnippets {

  private ArraySnippets() {}

  static List<Object> chain(Funnel funnel) {
    // @start region="chain"
    Ints x = funnel.of(3, 1, 4, 1, 5, 9, 2, 6);
    int least = 3;
    int[] large = x.filter(v -> v >= least).sorted().toArray(); // 3, 4, 5, 6, 9
    int squares = x.map(v -> v * v).sum(); // 173
    double mean = x.mean(); // 3.875
    int[] sums = x.scan(Operator.SUM).toArray(); // 3, 4, 8, 9, 14, 23, 25, 31
    // @end
    return List.of(large, squares, mean, sums);
  }

  static List<Object> sources(Funnel funnel, double[] samples, MemorySegment mapped) {
    // @start region="sources"
    Doubles all = funnel.of(samples);
    Doubles some = funnel.doubles(Elements.of(samples, 2, 5)); // those at 2, 3, 4
    Ints fromFile = funnel.ints(Elements.of(mapped, ElementType.INT)); // a mapped file
    Ints range = funnel.range(2, 5); // 2, 3, 4
    Doubles random = funnel.random(42, 1_000); // from 0 below 1, by the seed 42
    Ints dice = funnel.randomInts(42, 1_000, 1, 7); // from 1 to 6
    Doubles waits = funnel.randomExponential(42, 1_000); // of mean 1
    Doubles errors = funnel.randomNormal(42, 1_000); // of mean 0, variance 1
    Bytes coins = funnel.randomFlags(42, 1_000, 0.5); // 1 for every second one
    // @end
    return List.of(
        all.sum(),
        some.toArray(),
        fromFile.sum(),
        range.toArray(),
        random.count(),
        dice.min(),
        waits.count(),
        errors.count(),
        coins.count());
  }

  static List<Object> types(Funnel funnel) {
    // @start region="types"
    Ints cents = funnel.of(1250, 399, 2000);
    Doubles euros = cents.mapToDouble(v -> v / 100.0); // 12.5, 3.99, 20.0
    Longs nanos = cents.asLongs().map(v -> v * 1_000_000_000L);
    Bytes isRound = cents.flags(v -> v % 100 == 0); // 0, 0, 1
    int[] round = cents.filter(isRound).toArray(); // 2000
    // @end
    return List.of(euros.toArray(), nanos.toArray(), isRound.toArray(), round);
  }

  static List<Object> stored(Funnel funnel, short[] pixels, short[] halves, BitSet valid)
      throws IOException {
    // @start region="stored"
    Ints x = funnel.ints(pixels, Storage.UINT16); // of 0, 1, -1: 0, 1, 65535
    short[] darker = x.map(v -> v / 2).toArray(Storage.UINT16); // 0, 0, 32767
    Floats weights = funnel.floats(halves, Storage.FLOAT16); // of bits 0x3c00: 1.0
    boolean[] isDark = x.flags(v -> v < 100).toBooleans(); // true, true, false
    int sum = x.filter(funnel.flags(valid, 3)).sum(); // of {0, 2}: 65535
    BitSet bright = x.flags(v -> v > 100).toBitSet(); // {2}
    // @end
    return List.of(x.toArray(), darker, weights.toArray(), isDark, sum, bright);
  }

  static List<Object> neighbours(Funnel funnel) {
    // @start region="neighbours"
    Ints x = funnel.of(3, 1, 4, 1, 5);
    Ints changes = x.zip(x.shift(1, 0), (v, before) -> v - before); // 3, -2, 3, -3, 4
    Ints weighted = x.mapIndexed((i, v) -> i * v); // 0, 1, 8, 3, 20
    int[] prices = {10, 20, 30, 40, 50, 60};
    Ints lookedUp = x.map(v -> prices[v]); // 40, 20, 50, 20, 60
    // @end
    return List.of(changes.toArray(), weighted.toArray(), lookedUp.toArray());
  }

  static List<Object> normalise(Funnel funnel) {
    // @start region="normalise"
    interface Normalise extends ElementFunction {
      double of(float value, double mean, double variance);
    }
    Floats x = funnel.of(1f, 3f, 1f, 3f);
    Value mean = x.value(Reduction.mean());
    Value variance = x.value(Reduction.variance());
    Normalise normalise = (v, m, s) -> (v - m) / Math.sqrt(s);
    double[] z = funnel.doubles(normalise, x, mean, variance).toArray(); // -1, 1, -1, 1
    // @end
    return List.of(z);
  }

  static List<Object> together(Funnel funnel) {
    // @start region="together"
    Ints sorted = funnel.of(3, 1, 4, 1, 5).sorted();
    Runs<Ints> runs = sorted.runs();
    Value mean = sorted.value(Reduction.mean());
    Reading read = funnel.read(runs.values(), runs.lengths(), mean); // sorts once
    int[] values = read.get(runs.values()); // 1, 3, 4, 5
    int[] lengths = read.get(runs.lengths()); // 2, 1, 1, 1
    double average = read.getDouble(mean); // 2.8
    // @end
    return List.of(values, lengths, average);
  }

  static List<Object> ranks(Funnel funnel) {
    // @start region="ranks"
    Ints x = funnel.of(3, 1, 4, 1, 5);
    Found<Ints> top = x.largest(2); // values 5, 4 at positions 4, 2
    int[] quantiles = x.quantiles(0.5, 0.99).toArray(); // 3, 5
    Ints names = funnel.of(70, 71, 72, 73, 74);
    int[] best = names.at(top.positions()).toArray(); // 74, 72
    // @end
    return List.of(top.values().toArray(), top.positions().toArray(), quantiles, best);
  }

  static List<Object> segments(Funnel funnel) {
    // @start region="segments"
    Ints x = funnel.of(3, 1, 4, 1, 5);
    Segments segments = Segments.ofLengths(funnel.of(2, 3)); // 3, 1 and 4, 1, 5
    int[] sums = x.sums(segments).toArray(); // 4, 10
    int[] sorted = x.sorted(segments).toArray(); // 1, 3, 1, 4, 5
    int[] running = x.scan(Operator.SUM, segments).toArray(); // 3, 4, 4, 5, 10
    Top<Ints> top = x.largest(1, segments); // values 3, 5 at positions 0, 4
    // @end
    return List.of(sums, sorted, running, top.values().toArray(), top.positions().toArray());
  }

  static List<Object> rolling(Funnel funnel) {
    // @start region="rolling"
    Doubles x = funnel.of(3.0, 1.0, 4.0, 1.0, 5.0);
    Segments segments = Segments.ofLengths(funnel.of(2, 3)); // 3, 1 and 4, 1, 5
    Longs time = funnel.of(10L, 20L, 60L, 70L, 90L);
    Doubles sums = x.rolling(3).sum(); // 3, 4, 8, 6, 10
    Doubles means = x.rolling(2, segments).mean(); // 3, 2, 4, 2.5, 3
    Doubles largest = x.rolling(time, 30).max(); // of the last 30: 3, 3, 4, 4, 5
    Doubles recent = x.rolling(time, 30, segments).sum(); // 3, 4, 4, 5, 6
    Doubles weighted = x.ewmMean(0.5); // half of each, half of the mean before: 3, 2, 3, 2, 3.5
    Doubles before = x.shift(1, 0, segments); // lag: 0, 3, 0, 4, 1
    Doubles changes = x.differences(2); // 3, 1, 1, 0, 1
    // @end
    return Stream.of(sums, means, largest, recent, weighted, before, changes)
        .map(Doubles::toArray)
        .collect(Collectors.toList());
  }

  static List<Object> tiedRanks(Funnel funnel) {
    // @start region="tiedRanks"
    Ints x = funnel.of(3, 1, 4, 1, 5);
    int[] ranks = x.ranks().toArray(); // 3, 1, 4, 1, 5
    int[] dense = x.denseRanks().toArray(); // 2, 1, 3, 1, 4
    double[] averages = x.averageRanks().toArray(); // 3, 1.5, 4, 1.5, 5
    double[] percent = x.percentRanks().toArray(); // 0.5, 0, 0.75, 0, 1
    Segments segments = Segments.ofLengths(funnel.of(2, 3)); // 3, 1 and 4, 1, 5
    int[] inEach = x.ranks(segments).toArray(); // 2, 1, 2, 1, 3; so are the others
    // @end
    return List.of(ranks, dense, averages, percent, inEach);
  }

  static List<Object> keep(Funnel funnel, int[] times) {
    int different;
    int[] latest;
    // @start region="keep"
    try (Ints sorted = funnel.of(times).sorted().keep()) { // sorts once
      different = sorted.distinct().count();
      latest = sorted.last(3).toArray();
    }
    // @end
    return List.of(different, latest);
  }

  static List<Object> lookUp(Funnel funnel) {
    int[] fees;
    // @start region="lookUp"
    try (Ints percent = funnel.of(5, 2, 1).keep()) { // by class of customer
      Ints classes = funnel.of(0, 2, 1, 0);
      fees = classes.map(c -> percent.get(c) * 10).toArray(); // 50, 10, 20, 50
    }
    // @end
    return List.of(fees);
  }

  static List<Object> bytes(Funnel funnel) {
    // @start region="bytes"
    Bytes text = funnel.of("hello world".getBytes(US_ASCII));
    byte[] upper = text.map(c -> c >= 'a' && c <= 'z' ? c - 32 : c).toArray(); // HELLO WORLD
    int letters = text.count(c -> c != ' '); // 10
    int l = text.histogram().toArray()['l']; // 3
    // @end
    return List.of(new String(upper, US_ASCII), letters, l);
  }

  static List<Object> groups(Funnel funnel) {
    // @start region="groups"
    Ints shops = funnel.of(7, 9, 7, 5);
    Doubles amounts = funnel.of(1.5, 2.0, 3.0, 4.0);
    Groups<Ints> byShop = shops.groupBy();
    Doubles sums = byShop.sum(amounts);
    Reading read = funnel.read(byShop.keys(), sums, byShop.count()); // one operation
    int[] keys = read.get(byShop.keys()); // 5, 7, 9
    double[] sumOfEach = read.get(sums); // 4.0, 4.5, 2.0
    // @end
    return List.of(keys, sumOfEach, read.get(byShop.count()));
  }

  static List<Object> lists(Funnel funnel) {
    // @start region="lists"
    Ints shops = funnel.of(7, 9, 7, 5, 7);
    Ints amounts = funnel.of(3, 2, 8, 4, 3);
    Groups<Ints> byShop = shops.groupBy();
    int[] medians = byShop.median(amounts).toArray(); // of 5, 7, 9: 4, 3, 2
    Top<Ints> best = byShop.largest(2, amounts); // 4 and 8, 3 and 2, of the rows 3, 2, 0, 1
    Top<Ints> all = byShop.lists(amounts); // 4 and 3, 8, 3 and 2, from 0, 1 and 4 on
    Ints running = all.values().scan(Operator.SUM, Segments.ofOffsets(all.offsets()));
    int[] sums = running.toArray(); // 4 and 3, 11, 14 and 2
    // @end
    return List.of(medians, best.values().toArray(), best.positions().toArray(), sums);
  }

  static List<Object> table(Funnel funnel) {
    // @start region="table"
    Ints user = funnel.of(2, 1, 2, 1);
    Doubles paid = funnel.of(5.0, 1.5, 2.0, 9.0);
    Table large = funnel.table(user, paid).filter(paid, v -> v >= 2);
    Table sorted = large.sortedBy(user, paid);
    double[] amounts = sorted.of(paid).toArray(); // 9.0, 2.0, 5.0
    double[] sums = large.groupBy(user).sum(paid).toArray(); // of users 1, 2: 9.0, 7.0
    // @end
    return List.of(amounts, sums);
  }

  static List<Object> preview(Funnel funnel) {
    // @start region="preview"
    Ints shop = funnel.of(7, 19, 7, 8).named("shop");
    Doubles paid = funnel.of(1.5, 22.25, 3.0, 4.0).named("paid");
    System.out.println(funnel.table(shop, paid).preview(2).text());
    //      shop     paid
    //      ints  doubles
    //   0     7      1.5
    // ...   ...      ...
    //   3     8      4.0
    // 4 rows, 2 columns
    // @end
    return List.of(funnel.table(shop, paid).preview(2).text());
  }

  static List<Object> join(Funnel funnel) {
    // @start region="join"
    Ints user = funnel.of(2, 1, 2, 1);
    Doubles paid = funnel.of(5.0, 1.5, 2.0, 9.0);
    Ints id = funnel.of(1, 2);
    Ints country = funnel.of(49, 33);
    Table joined = funnel.table(user, paid).join(user, funnel.table(id, country), id);
    Doubles byCountry = joined.groupBy(country).sum(paid); // of 33, 49: 7.0, 10.5
    // @end
    return List.of(byCountry.toArray());
  }

  static List<Object> joins(Funnel funnel) {
    // @start region="joins"
    Ints user = funnel.of(2, 1, 7);
    Ints day = funnel.of(1, 1, 2);
    Ints id = funnel.of(1, 2, 2);
    Ints from = funnel.of(1, 1, 2);
    Longs limit = funnel.of(100L, 200L, 300L);
    Table rows = funnel.table(user, day);
    Table limits = funnel.table(id, from, limit);
    Table both = rows.leftJoin(limits, Table.on(user, id), Table.on(day, from));
    long[] found = both.fill(limit, -1).of(limit).toArray(); // 200, 100, -1
    byte[] none = both.isMissing(limit).toArray(); // 0, 0, 1
    int[] others = rows.antiJoin(limits, Table.on(user, id)).of(user).toArray(); // 7
    // @end
    return List.of(found, none, others);
  }

  static List<Object> asOf(Funnel funnel) {
    // @start region="asOf"
    Ints share = funnel.of(7, 9, 7);
    Longs traded = funnel.of(30L, 20L, 10L);
    Ints quoted = funnel.of(7, 9, 7);
    Longs at = funnel.of(10L, 21L, 25L);
    Doubles price = funnel.of(1.5, 4.0, 2.5);
    Table trades = funnel.table(share, traded);
    Table quotes = funnel.table(quoted, at, price);
    Table priced = trades.asOfJoin(quotes, Table.on(traded, at), Table.on(share, quoted));
    double[] prices = priced.of(price).toArray(); // 2.5, NaN, 1.5
    // @end
    return List.of(prices);
  }

  static List<Object> records(Funnel funnel) {
    // @start region="records"
    record Sale(int shop, double paid) {}
    List<Sale> sales = List.of(new Sale(7, 1.5), new Sale(9, 2.0), new Sale(7, 3.0));
    Table table = funnel.table(Sale.class, sales);
    double sum = table.doubles("paid").sum(); // 6.5
    Table large = table.filter(table.doubles("paid"), v -> v >= 2);
    List<Sale> found = large.toList(Sale.class); // those of 2.0 and 3.0
    // @end
    return List.of(sum, found.toString());
  }

  static List<Object> source(Funnel funnel, Path numbers, Path sorted) throws IOException {
    double mean;
    int large;
    // @start region="source"
    try (ElementFile file = ElementFile.open(numbers); // an .npy file of ints, of any length
        ElementOutput output = ElementOutput.create(sorted, ElementType.INT, file.length())) {
      Ints x = funnel.ints(file);
      mean = x.mean();
      large = x.count(v -> v > 100);
      x.sorted().write(output); // into another file
      output.commit(false); // from now on it has its name
    }
    // @end
    return List.of(mean, large);
  }

  static List<Object> operation(Funnel funnel) {
    // @start region="operation"
    Ints x = funnel.of(1, 2, 3, 4, 5, 6);
    Ints transposed = funnel.ints(Transpose.of(3), x); // 1, 4, 2, 5, 3, 6
    // @end
    return List.of(transposed.toArray());
  }
}
