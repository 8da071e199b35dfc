package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.Values;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.Comparison;
import funnel.operator.ElementType;
import funnel.ptx.PtxDriver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** What is merged, in three orders: ascending, descending, by a comparison. */
abstract class MergeTrial extends EngineContract {

  static final Comparison NO_ORDER =
      Comparison.ofInt("no order", (a, b) -> ((a * 31 + b * 17) & 7) - 4);

  @Override
  public int[] lengths() {
    return switch (target()) {
      case JVM -> new int[] {0, 1, 2, 3, 8, 9, 33, 1000, 16_383, 16_384, 16_385, 32_769, 100_000};
      case EMULATOR -> new int[] {0, 1, 5, 33, 2048, 2049, 4096, 4097};
      case TORNADO ->
          PtxDriver.lengths(
              0,
              1,
              2,
              3,
              7,
              8,
              9,
              31,
              33,
              2047,
              2048,
              2049,
              4095,
              4096,
              4097,
              8193,
              (1 << 18) + 77);
    };
  }

  /** A length of several tiles. */
  final int several() {
    return target() == Target.EMULATOR ? 5000 : PtxDriver.length(70_000);
  }

  /** Without a device, of each length with each order one of three and some at random. */
  final boolean isTried(int turn, SplittableRandom random) {
    return PtxDriver.isDevice(target()) || turn % 3 == 0 || Seed.draws(random, 20);
  }

  /** An order in which many elements are equal, or descending floating-point numbers. */
  static Comparison comparison(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Comparison.ofInt("low bits", (a, b) -> Integer.compare(a & 63, b & 63));
      case LONG -> Comparison.ofLong("low bits", (a, b) -> Long.compare(a & 63, b & 63));
      case FLOAT -> Comparison.ofFloat("descending", (a, b) -> Float.compare(b, a));
      case DOUBLE -> Comparison.ofDouble("descending", (a, b) -> Double.compare(b, a));
    };
  }

  static int compareBy(Values x, int i, int j) {
    return switch (x.array()) {
      case float[] a -> Float.compare(a[x.from() + j], a[x.from() + i]);
      case double[] a -> Double.compare(a[x.from() + j], a[x.from() + i]);
      default -> Long.compare(x.longAt(i) & 63, x.longAt(j) & 63);
    };
  }

  static int compare(int by, Values x, int i, int j) {
    return switch (by) {
      case 0 -> SortOracle.compare(x, i, j);
      case 1 -> SortOracle.compare(x, j, i);
      default -> compareBy(x, i, j);
    };
  }

  static Merge merge(int by, ElementType type) {
    return switch (by) {
      case 0 -> Merge.ascending();
      case 1 -> Merge.descending();
      default -> Merge.by(comparison(type));
    };
  }

  /** Random elements, some of them special ones, of few values or of many. */
  static Values random(ElementType type, int length, SplittableRandom random) {
    int values = random.nextInt(3);
    IntFunction<Long> any =
        i -> values == 0 ? random.nextLong() : values == 1 ? random.nextLong(7) : (long) (i / 1000);
    return SortOracle.made(
        type,
        length,
        i ->
            switch (random.nextInt(4)) {
              case 0 ->
                  switch (type) {
                    case FLOAT ->
                        (long)
                            Float.floatToRawIntBits(
                                SortOracle.FLOATS[random.nextInt(SortOracle.FLOATS.length)]);
                    case DOUBLE ->
                        Double.doubleToRawLongBits(
                            SortOracle.DOUBLES[random.nextInt(SortOracle.DOUBLES.length)]);
                    default -> any.apply(i);
                  };
              default -> any.apply(i);
            });
  }

  static Values taken(Values x, int[] order) {
    return SortOracle.made(x.type(), order.length, i -> SortOracle.bits(x, order[i]));
  }

  /** Both, the second one after the first. */
  static Values joined(Values first, Values second) {
    return SortOracle.made(
        first.type(),
        first.length() + second.length(),
        i ->
            i < first.length()
                ? SortOracle.bits(first, i)
                : SortOracle.bits(second, i - first.length()));
  }

  static Values sorted(int by, Values x) {
    return taken(x, SortOracle.order(x.length(), false, (i, j) -> compare(by, x, i, j)));
  }

  /** Another type than that of the keys. */
  static ElementType ofColumn(ElementType type) {
    return ElementType.values()[(type.ordinal() + 2) % ElementType.values().length];
  }

  /** A plan over tables of two columns: one of another type, and the keys themselves. */
  final Plan rows(Operation operation, ElementType type, int most, boolean isOfPairs) {
    ElementType other = ofColumn(type);
    Plan.Builder plan =
        funnel.plan("p").input("a", type, most).input("b", type, most).input("c", other, most);
    return isOfPairs
        ? plan.input("d", other, most).add("y", operation, "a", "b", "c", "d", "a", "b").build()
        : plan.add("y", operation, "a", "b", "c", "a").build();
  }

  static void checkRows(
      Plan plan,
      Values keys,
      Values columns,
      int ofFirst,
      boolean isOfPairs,
      int[] kept,
      SplittableRandom random,
      String of) {
    Map<String, Elements> inputs = new HashMap<>();
    List<String> names = List.of("a", "b", "c", "d");
    for (String name : names.subList(0, isOfPairs ? 4 : 3)) {
      Values all = names.indexOf(name) < 2 ? keys : columns;
      boolean isFirst = names.indexOf(name) % 2 == 0;
      int from = random.nextInt(4);
      int length = isFirst ? ofFirst : keys.length() - ofFirst;
      int begin = isFirst ? 0 : ofFirst;
      Values part = SortOracle.made(all.type(), length, i -> SortOracle.bits(all, begin + i));
      inputs.put(name, SortOracle.at(all.type(), from, part).range(from, from + length).elements());
    }
    Map<String, Elements> outputs = new HashMap<>();
    List<Values> written = new ArrayList<>();
    for (String name : List.of("y", "y_1", "y_2")) {
      int from = written.size();
      Values y = Values.guard(from == 1 ? columns.type() : keys.type(), kept.length + 4);
      written.add(y);
      outputs.put(name, y.range(from, from + kept.length).elements());
    }
    Results results = plan.run(inputs, outputs);
    String what = "%s, of %s and %s".formatted(of, ofFirst, keys.length() - ofFirst);
    for (int k = 0; k < 3; k++) {
      SortOracle.requireSorted(k == 1 ? columns : keys, kept, written.get(k), k, what + ", " + k);
    }
    assertEquals(kept.length, results.length("y_1"), what);
  }

  /** On a device, the check of kernels may see it: then it differs from the JVM's. */
  final void requireInside(int least, int most, Operation by, Values... of) {
    Elements[] inputs = Stream.of(of).map(Values::elements).toArray(Elements[]::new);
    try {
      int found = funnel.run(by, inputs).length("result");
      assertTrue(found >= least && found <= most, () -> by + ": " + found + Seed.replay());
    } catch (FunnelDeviceException e) {
      assertEquals(Target.TORNADO, target(), e::toString);
      String message = e.getMessage();
      assertTrue(message.contains("no order is an order") || message.contains("sorted"), message);
    }
  }
}
