package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.histogram.Arbitration;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.histogram.Tickets;
import funnel.histogram.Uncounted;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The examples of docs/atomics.md. */
final class AtomicsSnippets {

  private AtomicsSnippets() {}

  // @start region="bank"
  /**
   * Tellers of a bank: each thread pays an amount in or, if it is negative, out. {@code totals} are
   * the sums paid in and out, {@code customers} those served and the balance of payers over payees.
   */
  static void bank(KernelContext context, IntArray amounts, LongArray totals, IntArray customers) {
    int i = context.globalIdx;
    if (i < amounts.getSize()) {
      long amount = amounts.get(i);
      context.atomicAdd(customers, 0, 1); // increment
      if (amount > 0) {
        context.atomicAdd(totals, 0, amount); // add
        context.atomicAdd(customers, 1, 1);
      } else {
        context.atomicAdd(totals, 1, -amount); // subtract
        context.atomicAdd(customers, 1, -1); // decrement
      }
    }
  }

  // @end

  // @start region="histogram"
  /** How many customers went to each teller: increments, without atomics. */
  static int[] customers(Funnel funnel, int[] tellers, int all) {
    int[] counts = new int[all];
    Uncounted _ =
        funnel.histogram(Elements.of(tellers), Histogram.ofKeys(all), Elements.of(counts));
    return counts;
  }

  // @end

  // @start region="scatter"
  /**
   * {@code m} after {@code m[indices[i]] = m[indices[i]] op values[i]} for each i, in this order:
   * ScatterReduce.by(Operator.SUM) adds (-v subtracts, 1 and -1 count up and down), by(MIN),
   * by(MAX), by(AND), by(OR), by(XOR) do what they say, last() exchanges.
   */
  static int[] combined(
      Funnel funnel, ScatterReduce operation, int[] indices, int[] values, int[] m) {
    try (Plan plan =
        funnel
            .plan("combined")
            .input("indices", ElementType.INT, indices.length)
            .input("values", ElementType.INT, values.length)
            .input("m", ElementType.INT, m.length)
            .add("result", operation, "indices", "values", "m")
            .build()) {
      return plan.run(
              Map.of(
                  "indices", Elements.of(indices),
                  "values", Elements.of(values),
                  "m", Elements.of(m)))
          .ints("result");
    }
  }

  /** What else a loop of compare-and-swap could do: any associative operator. */
  static int[] greatestDivisors(Funnel funnel, int[] indices, int[] values, int[] m) {
    Operator gcd = Operator.ofInt("gcd", 0, AtomicsSnippets::gcd);
    return combined(funnel, ScatterReduce.by(gcd), indices, values, m);
  }

  static int gcd(int a, int b) {
    while (b != 0) {
      int rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  // @end

  // @start region="patterns"
  /** A number for each customer who wants one (1, else 0), in their order; -1 for the others. */
  static int[] numbers(Funnel funnel, int[] wanted) {
    try (Plan plan =
        funnel
            .plan("numbers")
            .input("wanted", ElementType.INT, wanted.length)
            .add("numbers", Tickets.stable(), "wanted")
            .build()) {
      return plan.run(Map.of("wanted", Elements.of(wanted))).ints("numbers");
    }
  }

  /** Who gets each seat, of buyers who want one each: the first of them, or -1. */
  static int[] winners(Funnel funnel, int[] wanted, int seats) {
    try (Plan plan =
        funnel
            .plan("seats")
            .input("wanted", ElementType.INT, wanted.length)
            .add("winners", Arbitration.of(seats), "wanted")
            .build()) {
      return plan.run(Map.of("wanted", Elements.of(wanted))).ints("winners");
    }
  }

  // @end

  // @start region="ticket"
  /** Each thread draws the next number. Backend cuda only: see funnel doctor. */
  static void draw(KernelContext context, AtomicInteger next, IntArray numbers) {
    int i = context.globalIdx;
    if (i < numbers.getSize()) {
      numbers.set(i, next.getAndIncrement());
    }
  }

  // @end

  // @start region="jvm"
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  static int getAndAdd(int[] m, int x, int value) {
    return (int) INTS.getAndAdd(m, x, value); // subtract: -value; increment: 1; decrement: -1
  }

  static int getAndSet(int[] m, int x, int value) {
    return (int) INTS.getAndSet(m, x, value); // exchange
  }

  static int compareAndExchange(int[] m, int x, int expected, int value) {
    return (int) INTS.compareAndExchange(m, x, expected, value);
  }

  static int getAndAnd(int[] m, int x, int mask) {
    return (int) INTS.getAndBitwiseAnd(m, x, mask); // and Or, Xor
  }

  static int getAndMin(int[] m, int x, int value) {
    int old;
    do { // min, max and all else: try until nobody came between
      old = (int) INTS.getVolatile(m, x);
    } while (!INTS.compareAndSet(m, x, old, Math.min(old, value)));
    return old;
  }

  // @end

  // @start region="float"
  /** Adds to a float that is kept as its bits, and returns the float that was there. */
  static float getAndAddFloat(int[] bits, int x, float value) {
    int old;
    int sum;
    do {
      old = (int) INTS.getVolatile(bits, x);
      sum = Float.floatToRawIntBits(Float.intBitsToFloat(old) + value);
    } while (!INTS.compareAndSet(bits, x, old, sum)); // compares bits, so NaN equals itself
    return Float.intBitsToFloat(old);
  }
  // @end
}
