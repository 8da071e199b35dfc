package funnel.chain;

import funnel.Numbers;
import funnel.Plan;
import funnel.Results;
import funnel.Values;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Operations after each other, on arrays that earlier ones made, and what plain loops make of it.
 */
final class Chain {

  /**
   * An array of a chain.
   *
   * @param name in the plan
   * @param type of its elements
   * @param rows those of one number are equally long, by the same result
   * @param into if these are positions, the number of what they are positions in, else -1
   */
  record Array(String name, ElementType type, int rows, int into) {}

  /** What plain loops have made, by names: arrays of Number[], single values, or null for none. */
  static final class Made {
    final Map<String, Number[]> arrays = new HashMap<>();
    final Map<String, Number> values = new HashMap<>();

    /** What requires doubles to be as near to the exact ones as the documents say, by names. */
    final Map<String, Bound> bounds = new HashMap<>();

    Number[] of(Array array) {
      return arrays.get(array.name());
    }

    /** The elements of an array at some places, as another one. */
    void put(Array to, Number[] from, int[] places) {
      arrays.put(to.name(), Numbers.of(places.length, i -> from[places[i]]));
    }
  }

  /** Fails for results that are too far from the exact ones. */
  interface Bound {
    void require(Results got, String what);
  }

  /** One operation: how it is added to a plan, and how plain loops do it. */
  record Step(
      String text,
      Function<Plan.Builder, Plan.Builder> add,
      java.util.function.Consumer<Made> loop) {}

  final SplittableRandom random;
  final int capacity;
  final List<Array> arrays = new ArrayList<>();
  final List<Step> steps = new ArrayList<>();
  final List<Array> inputs;
  private int rows;

  Chain(SplittableRandom random, int capacity, int operations) {
    this.random = random;
    this.capacity = capacity;
    for (ElementType type : ElementType.values()) {
      arrays.add(new Array("in" + type.name().charAt(0), type, 0, -1));
    }
    inputs = List.copyOf(arrays);
    rows = 1;
    while (steps.size() < operations) {
      Links.next(this, "a" + steps.size());
    }
  }

  int newRows() {
    return rows++;
  }

  Array make(String name, ElementType type, int ofRows, int into) {
    Array array = new Array(name, type, ofRows, into);
    arrays.add(array);
    return array;
  }

  Array any() {
    return arrays.get(random.nextInt(arrays.size()));
  }

  /** Arrays that are as long as one, among them itself. */
  List<Array> beside(Array array) {
    return arrays.stream().filter(each -> each.rows() == array.rows()).toList();
  }

  Plan plan(funnel.Funnel funnel) {
    Plan.Builder plan = funnel.plan("chain");
    inputs.forEach(input -> plan.input(input.name(), input.type(), capacity));
    steps.forEach(step -> step.add().apply(plan));
    return plan.build();
  }

  /** Inputs of a length: few different elements, some of them special. */
  Map<String, Values> data(int length) {
    Map<String, Values> data = new HashMap<>();
    for (Array input : inputs) {
      int from = random.nextInt(4);
      Values x = Values.ofLength(input.type(), from + length + 2).range(from, from + length);
      int run = 1 + random.nextInt(5);
      for (int i = 0; i < length; i++) {
        if (i > 0 && random.nextInt(run) > 0) {
          x.put(i, x.at(i - 1));
        } else if (input.type().isFloating()) {
          int special = random.nextInt(20);
          x.put(
              i,
              switch (special) {
                case 0 -> -0.0;
                case 1 -> Double.NaN;
                case 2 -> Double.NEGATIVE_INFINITY;
                case 3 -> random.nextDouble(-1, 1) * Math.scalb(1.0, random.nextInt(-20, 40));
                default -> random.nextInt(-8, 9) * 0.25;
              });
        } else {
          x.set(i, random.nextInt(16) == 0 ? random.nextLong() : (long) random.nextInt(-9, 10));
        }
      }
      data.put(input.name(), x);
    }
    return data;
  }

  /** What plain loops make of inputs. */
  Made made(Map<String, Values> data) {
    Made made = new Made();
    data.forEach((name, x) -> made.arrays.put(name, Numbers.of(x.length(), x::at)));
    steps.forEach(step -> step.loop().accept(made));
    return made;
  }

  /** Compares all arrays and values with those of plain loops. */
  void requireSame(Made expected, Results results, String what) {
    for (Array array : arrays) {
      if (!inputs.contains(array)) {
        Number[] wanted = expected.of(array);
        Values got = read(results, array);
        Numbers.requireSame(
            wanted, Numbers.of(got.length(), got::at), array.name() + " of " + what);
      }
    }
    expected.bounds.forEach((name, bound) -> bound.require(results, name + " of " + what));
    expected.values.forEach(
        (name, wanted) -> {
          Number got;
          try {
            got = results.get(name);
          } catch (NoSuchElementException e) {
            got = null;
          }
          if (!java.util.Objects.equals(wanted, got)) {
            throw new AssertionError(
                "%s of %s: %s, expected %s".formatted(name, what, got, wanted));
          }
        });
  }

  private static Values read(Results results, Array array) {
    String name = array.name();
    Object all =
        switch (array.type()) {
          case BYTE -> results.bytes(name);
          case INT -> results.ints(name);
          case LONG -> results.longs(name);
          case FLOAT -> results.floats(name);
          case DOUBLE -> results.doubles(name);
        };
    return new Values(array.type(), all, 0, results.length(name));
  }

  static int[] places(int length, java.util.function.IntPredicate is) {
    return IntStream.range(0, length).filter(is).toArray();
  }

  @Override
  public String toString() {
    return steps.stream().map(Step::text).toList().toString();
  }
}
