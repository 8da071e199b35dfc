package funnel.sort;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Seed;
import funnel.Values;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders of rows by several keys, each with a direction and a place for NaN of its own. */
abstract class KeyOrdersContract extends EngineContract {

  /** A key, and the plain order of rows by it. */
  private record Key(Sort sort, Values x, boolean isDown, int nan) {
    private int compare(int i, int j) {
      if (!x.type().isFloating()) {
        return Long.compare(x.longAt(i), x.longAt(j));
      }
      return Double.compare(x.doubleAt(i), x.doubleAt(j));
    }

    private boolean isNan(int i) {
      return x.type().isFloating() && Double.isNaN(x.doubleAt(i));
    }

    Comparator<Integer> order() {
      Comparator<Integer> order = isDown ? (i, j) -> compare(j, i) : this::compare;
      Comparator<Integer> ofNan = (i, j) -> nan * Boolean.compare(isNan(i), isNan(j));
      return ofNan.thenComparing(order);
    }
  }

  private static Key key(ElementType type, int length, SplittableRandom random) {
    int kind = random.nextInt(4);
    Values x = Values.ofLength(type, length);
    for (int i = 0; i < length; i++) {
      Number v =
          switch (kind) {
            case 0 -> (Number) 7;
            case 1 -> random.nextInt(3) - 1;
            case 2 -> type.isFloating() ? (Number) random.nextDouble(-9, 9) : random.nextInt(200);
            default ->
                type.isFloating()
                    ? (Number)
                        new double[] {
                              Double.NaN,
                              -0.0,
                              0.0,
                              Double.NEGATIVE_INFINITY,
                              Double.POSITIVE_INFINITY
                            }
                            [random.nextInt(5)]
                    : type == ElementType.LONG ? (Number) random.nextLong() : random.nextInt();
          };
      x.put(i, type == ElementType.BYTE ? v.intValue() & 0xff : v);
    }
    boolean isDown = random.nextBoolean();
    int nan = random.nextInt(3) - 1; // first, any, last
    Sort sort = isDown ? Sort.descending() : Sort.ascending();
    return new Key(nan == 0 ? sort : nan < 0 ? sort.nanFirst() : sort.nanLast(), x, isDown, nan);
  }

  private static int[] order(List<Key> keys, int length) {
    Comparator<Integer> all =
        keys.stream().map(Key::order).reduce(Comparator::thenComparing).orElseThrow();
    return IntStream.range(0, length).boxed().sorted(all).mapToInt(i -> i).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void orders(int count) {
    SplittableRandom random = Seed.random("orders by " + count);
    for (int length : lengths()) {
      List<Key> keys = new ArrayList<>();
      for (int k = 0; k < count; k++) {
        ElementType type = ElementType.values()[random.nextInt(5)];
        keys.add(key(type, length, random));
      }
      Elements[] inputs = keys.stream().map(key -> key.x().elements()).toArray(Elements[]::new);
      Order order = Order.of(keys.stream().map(Key::sort).toArray(Sort[]::new));
      assertArrayEquals(
          order(keys, length),
          funnel.run(order, inputs).ints("result"),
          () -> "%s of %s%s".formatted(order, length, Seed.replay()));
    }
  }

  /** The elements themselves, and rows of one sort. */
  @Test
  void placesOfNan() {
    Elements x = Elements.of(new double[] {3, Double.NaN, 1, -0.0, 0});
    double nan = Double.NaN;
    assertArrayEquals(
        new double[] {nan, -0.0, 0, 1, 3},
        funnel.run(Sort.ascending().nanFirst(), x).doubles("result"));
    assertArrayEquals(
        new double[] {3, 1, 0, -0.0, nan},
        funnel.run(Sort.descending().nanLast(), x).doubles("result"));
    assertEquals(Sort.ascending(), Sort.ascending().nanLast());
    assertEquals(Sort.descending(), Sort.descending().nanFirst());
    Elements column = Elements.of(new int[] {10, 20, 30, 40, 50});
    Sort rows = Sort.ascending().nanFirst().rows();
    assertArrayEquals(new int[] {20, 40, 50, 30, 10}, funnel.run(rows, x, column).ints("result_1"));
    Elements none = Elements.of(new float[0]);
    assertArrayEquals(new float[0], funnel.run(Sort.descending().nanLast(), none).floats("result"));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            funnel.run(SegmentedSort.of(Sort.ascending().nanFirst()), x, Elements.of(new byte[5])));
  }

  @Test
  void keysOfDifferentLengths() {
    Elements x = Elements.of(new int[] {1, 2, 3});
    Elements y = Elements.of(new double[] {1, 2});
    assertThrows(
        IllegalArgumentException.class, () -> funnel.run(Order.ascending(), x, y).ints("result"));
    assertThrows(
        IllegalArgumentException.class, () -> funnel.run(Order.ascending(), y, x).ints("result"));
  }

  @Test
  void bitsAndSigns() {
    int[] x = {0x31, -0x12, 0x30, 5, -1};
    byte[] y = {1, -1, 1, 0, 7};
    assertArrayEquals(
        new int[] {3, 2, 0, 1, 4},
        funnel
            .run(
                Order.of(Sort.ascending().unsigned(), Sort.ascending().signed()),
                Elements.of(x),
                Elements.of(y))
            .ints("result"));
    assertArrayEquals(
        new int[] {0, 4, 2, 3, 1},
        funnel
            .run(
                Order.of(Sort.descending().bits(0, 1), Sort.ascending().signed()),
                Elements.of(new int[] {1, 2, 4, 2, 3}),
                Elements.of(new byte[] {-5, 9, 0, 1, 3}))
            .ints("result"));
  }
}
