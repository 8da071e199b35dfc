package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.engine.KeptArray;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorLawException;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.transform.Elementwise;
import funnel.transform.Gather;
import funnel.transform.IndexOutsideException;
import funnel.transform.Reverse;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Arrays that stay in an engine's memory, compared with Java arrays that do what they should. */
@Timeout(600)
public abstract class KeptArrayContract extends EngineContract {

  /** How many arrays are kept and closed where each takes as long as a plan. */
  abstract int cycles();

  private static int[] ints(SplittableRandom random, int length) {
    return random.ints(length, -1000, 1000).toArray();
  }

  private KeptArray keep(int... values) {
    return funnel.upload(Elements.of(values));
  }

  private int[] read(KeptArray array, int from, int to) {
    int[] values = new int[to - from];
    funnel.download(array, from, to, Elements.of(values));
    return values;
  }

  private int[] read(KeptArray array) {
    return read(array, 0, array.written());
  }

  private static int[] sums(int[] values) {
    int[] sums = values.clone();
    for (int i = 1; i < sums.length; i++) {
      sums[i] += sums[i - 1];
    }
    return sums;
  }

  /** A plan from a part of an array to the beginning of another one. */
  private Plan plan(Operation operation, KeptArray of, int from, int to, KeptArray into) {
    return funnel
        .plan("kept")
        .input("x", of, from, to)
        .add("y", operation, "x")
        .output("y", into)
        .build();
  }

  private static Operation sums() {
    return Scan.inclusive(Operator.SUM);
  }

  private static void assertSays(Class<? extends Exception> type, Executable call, String... says) {
    Exception e = assertThrows(type, call);
    for (String each : says) {
      assertTrue(e.getMessage().contains(each), e::getMessage);
    }
  }

  @Test
  void allTypes_atAnyOffset() {
    SplittableRandom random = Seed.random("kept offsets");
    for (ElementType type : ElementType.values()) {
      for (int length : lengths()) {
        byte[] bytes = new byte[length * type.bytes()];
        random.nextBytes(bytes);
        Elements all = Elements.of(MemorySegment.ofArray(bytes), type);
        try (KeptArray x = funnel.upload(all);
            KeptArray y = funnel.keep(type, length)) {
          assertEquals(type, x.type());
          assertEquals(length, x.length());
          for (int from : new int[] {0, 1, 3, length / 2, length}) {
            int to = Math.max(from, length - from % 3);
            if (from > length) {
              continue;
            }
            try (Plan plan = plan(Reverse.elements(), x, from, to, y)) {
              plan.run();
            }
            assertEquals(to - from, y.written());
            Elements got = Elements.allocate(type, to - from);
            funnel.download(y, 0, to - from, got);
            for (int i = 0; i < to - from; i++) {
              assertEquals(
                  -1,
                  all.range(to - 1 - i, to - i).segment().mismatch(got.range(i, i + 1).segment()),
                  type + " " + from + " " + i + Seed.replay());
            }
          }
        }
      }
    }
  }

  @Test
  void bytes_summedFromAnyOffset() {
    byte[] bytes = new byte[most()];
    Seed.random("kept bytes").nextBytes(bytes);
    try (KeptArray x = funnel.upload(Elements.of(bytes))) {
      for (int from = 0; from < Math.min(10, bytes.length); from++) {
        long sum = 0;
        for (int i = from; i < bytes.length; i++) {
          sum += bytes[i] & 0xff;
        }
        try (Plan plan =
            funnel
                .plan("bytes")
                .input("x", x, from, bytes.length)
                .add("sum", Reduction.sumAsLong(), "x")
                .build()) {
          assertEquals(sum, plan.run().getLong("sum"), "from " + from + Seed.replay());
        }
      }
    }
  }

  @Test
  void anOutput_outlivesItsPlan_andFeedsOthers() {
    int[] x = ints(Seed.random("kept output"), most());
    KeptArray y = funnel.keep(ElementType.INT, most());
    try (Plan plan =
        funnel
            .plan("first")
            .input("x", ElementType.INT, most())
            .add("y", sums(), "x")
            .output("y", y)
            .add("last", Reduction.of(Operator.MAX), "y")
            .build()) {
      Results results = plan.run(Map.of("x", Elements.of(x)));
      assertEquals(IntStream.of(sums(x)).max().orElseThrow(), results.getInt("last"));
      assertThrows(IllegalArgumentException.class, () -> results.ints("y"));
    }
    assertArrayEquals(sums(x), read(y));
    try (KeptArray z = funnel.keep(ElementType.INT, most() + 5);
        Plan second = plan(sums(), y, 2, most(), z)) {
      second.run();
      int[] expected = sums(Arrays.copyOfRange(sums(x), 2, most()));
      assertArrayEquals(expected, read(z));
      assertArrayEquals(Arrays.copyOfRange(expected, 1, 4), read(z, 1, 4));
      y.write(MemorySegment.ofArray(x)); // seen by a plan that exists already
      second.run();
      assertArrayEquals(sums(Arrays.copyOfRange(x, 2, most())), read(z));
      y.close();
      assertSays(IllegalStateException.class, second::run, y.toString(), "closed");
    }
  }

  @Test
  void inPlace_eachRunContinues() {
    try (KeptArray x = keep(1, 2, 3);
        Plan plan = plan(sums(), x, 0, 3, x)) {
      plan.run();
      assertArrayEquals(new int[] {1, 3, 6}, read(x));
      plan.measureKernels(true); // a device loads the program again
      plan.run();
      assertArrayEquals(new int[] {1, 4, 10}, read(x));
      plan.measureKernels(false);
      plan.run();
      assertArrayEquals(new int[] {1, 5, 15}, read(x));
    }
  }

  @Test
  void oneArray_isTwoInputs() {
    int[] x = ints(Seed.random("kept twice"), most());
    try (KeptArray kept = keep(x);
        KeptArray sum = funnel.keep(ElementType.INT, most());
        Plan plan =
            funnel
                .plan("twice")
                .input("first", kept, 0, most() - 1)
                .input("second", kept, 1, most())
                .add("sum", Elementwise.sum(ElementType.INT), "first", "second")
                .output("sum", sum)
                .build()) {
      plan.run();
      assertArrayEquals(
          IntStream.range(0, most() - 1).map(i -> x[i] + x[i + 1]).toArray(), read(sum));
    }
  }

  @Test
  void foundLength_needsTheFullCapacity() {
    int[] x = ints(Seed.random("kept found"), most());
    Select positive = Select.where(Transform.testInt("positive", i -> i > 0));
    try (KeptArray kept = keep(x);
        KeptArray small = funnel.keep(ElementType.INT, most() - 1);
        KeptArray into = funnel.keep(ElementType.INT, most())) {
      assertSays(
          IllegalArgumentException.class,
          () -> plan(positive, kept, 0, most(), small),
          small.toString(),
          "INT[%s]".formatted(most()));
      try (Plan plan = plan(positive, kept, 0, most(), into)) {
        plan.run();
      }
      int[] expected = IntStream.of(x).filter(i -> i > 0).toArray();
      assertEquals(expected.length, into.written());
      assertArrayEquals(expected, read(into));
      assertSays(
          IllegalStateException.class,
          () -> read(into, 0, expected.length + 1),
          into.toString(),
          "no elements from " + expected.length);
    }
  }

  @Test
  void aFailedRun_leavesNoElements_untilTheyAreWritten() {
    int[] x = ints(Seed.random("kept failing"), 100);
    try (KeptArray values = keep(x);
        KeptArray positions = keep(3, 100, 2);
        KeptArray into = keep(7, 8, 9);
        Plan plan =
            funnel
                .plan("gathering")
                .input("values", values, 0, 100)
                .input("positions", positions, 0, 3)
                .add("y", Gather.at(), "values", "positions")
                .output("y", into)
                .build()) {
      assertThrows(IndexOutsideException.class, plan::run);
      assertSays(
          IllegalStateException.class, () -> read(into, 0, 1), into.toString(), "run", "failed");
      try (KeptArray other = funnel.keep(ElementType.INT, 3);
          Plan reads = plan(sums(), into, 0, 3, other)) {
        assertSays(IllegalStateException.class, reads::run, into.toString());
      }
      assertArrayEquals(x, read(values));
      positions.write(MemorySegment.ofArray(new int[] {3, 99, 2}));
      plan.run();
      assertArrayEquals(new int[] {x[3], x[99], x[2]}, read(into));
    }
  }

  @Test
  void anOperatorThatThrows_leavesNoElements() {
    if (target() == Target.TORNADO) {
      return; // where operators do not throw
    }
    Elementwise inverse = Elementwise.ofInt("inverse", i -> 1000 / i);
    try (KeptArray x = keep(1, 2, 0, 4);
        KeptArray y = keep(5, 6, 7, 8);
        Plan plan = plan(inverse, x, 0, 4, y)) {
      assertThrows(ArithmeticException.class, plan::run);
      assertSays(IllegalStateException.class, () -> read(y, 0, 1), y.toString());
      assertArrayEquals(new int[] {1, 2, 0, 4}, read(x));
      x.write(MemorySegment.ofArray(new int[] {1, 2, 5, 4}));
      plan.run();
      assertArrayEquals(new int[] {1000, 500, 200, 250}, read(y));
    }
  }

  @Test
  @SuppressWarnings("try") // closed before the others, on purpose
  void anOperatorThatClosesItsArray_getsAnException() {
    if (target() != Target.JVM) {
      return; // where operators have only values
    }
    try (KeptArray x = keep(1, 2);
        KeptArray y = funnel.keep(ElementType.INT, 2)) {
      Elementwise closing =
          Elementwise.ofInt(
              "closing",
              i -> {
                y.close();
                return i;
              });
      try (Plan plan = plan(closing, x, 0, 2, y)) {
        assertSays(IllegalStateException.class, plan::run, "called back");
        assertTrue(y.isOpen());
      }
    }
  }

  @Test
  void anOperator_isTriedOnKeptElements() {
    Operator wrong = Operator.ofInt("wrong", 1, (a, b) -> a + b);
    try (KeptArray x = keep(1, 2, 3);
        Plan plan =
            funnel.plan("law").input("x", x, 0, 3).add("y", Reduction.of(wrong), "x").build()) {
      assertThrows(OperatorLawException.class, plan::run);
    }
  }

  @Test
  void whatCannotBe_isRefused_andSaysWhy() {
    assertThrows(IllegalArgumentException.class, () -> funnel.keep(ElementType.INT, -1));
    KeptArray x = keep(1, 2, 3, 4);
    assertThrows(IndexOutOfBoundsException.class, () -> read(x, 2, 5));
    assertSays(
        IllegalArgumentException.class,
        () -> funnel.download(x, 0, 2, Elements.of(new float[2])),
        x.toString());
    assertSays(
        IllegalArgumentException.class,
        () -> x.write(MemorySegment.ofArray(new int[5])),
        "length=5, capacity=4");
    try (KeptArray y = funnel.keep(ElementType.INT, 4);
        KeptArray floats = funnel.keep(ElementType.FLOAT, 4);
        Funnel other = Funnel.open(target() == Target.JVM ? Target.EMULATOR : target());
        KeptArray there = other.upload(Elements.of(new int[] {1}))) {
      assertSays(IllegalStateException.class, () -> read(y, 0, 1), y.toString(), "nothing");
      assertThrows(IndexOutOfBoundsException.class, () -> plan(sums(), x, 1, 5, y));
      assertSays(
          IllegalArgumentException.class, () -> plan(sums(), x, 0, 4, floats), floats.toString());
      assertSays(
          IllegalArgumentException.class,
          () -> plan(sums(), x, 1, 4, x),
          x.toString(),
          "element 0");
      assertSays(
          IllegalArgumentException.class,
          () -> plan(Reverse.elements(), x, 0, 4, x),
          x.toString(),
          "keep an array for the output");
      assertSays(
          IllegalArgumentException.class,
          () ->
              funnel
                  .plan("same")
                  .input("x", x, 0, 4)
                  .add("a", sums(), "x")
                  .add("b", sums(), "x")
                  .output("a", y)
                  .output("b", y)
                  .build(),
          y.toString());
      assertSays(
          IllegalArgumentException.class,
          () -> plan(sums(), there, 0, 1, y),
          there.toString(),
          "copy it explicitly");
      try (Plan plan = plan(sums(), x, 0, 4, y)) {
        Elements some = Elements.of(new int[4]);
        assertSays(IllegalArgumentException.class, () -> plan.set("x", some), x.toString());
        assertSays(IllegalArgumentException.class, () -> plan.into("y", some), y.toString());
        assertSays(IllegalArgumentException.class, () -> plan.changed("x", 0, 1), x.toString());
      }
    }
    x.close();
    x.close();
    assertFalse(x.isOpen());
    assertSays(IllegalStateException.class, () -> read(x, 0, 1), x.toString(), "closed");
    KeptArray y = funnel.keep(ElementType.INT, 4);
    assertSays(IllegalStateException.class, () -> plan(sums(), x, 0, 4, y), x.toString());
    y.close();
  }

  @Test
  void aFunnel_closesItsArrays() {
    KeptArray x;
    try (Funnel other = Funnel.open(target())) {
      x = other.upload(Elements.of(new int[] {1, 2}));
      assertTrue(other.toString().contains("open plans=1"), other::toString);
    }
    assertFalse(x.isOpen());
  }

  /** Arrays and plans that come, are used and go in any order. */
  @Test
  void randomOrder_likePlainJava() {
    SplittableRandom random = Seed.random("kept random");
    List<KeptArray> arrays = new ArrayList<>();
    List<int[]> model = new ArrayList<>();
    record Open(Plan plan, KeptArray from, int first, int last, KeptArray to) {}
    List<Open> plans = new ArrayList<>();
    for (int step = 0; step < 6 * cycles(); step++) {
      String message = "step " + step + Seed.replay();
      int choice = random.nextInt(10);
      if (arrays.size() < 2 || choice == 0 && arrays.size() < 6) {
        int[] values = ints(random, random.nextInt(1, most()));
        arrays.add(keep(values));
        model.add(values);
      } else if (choice == 1 && arrays.size() > 3) {
        int i = random.nextInt(arrays.size());
        arrays.remove(i).close();
        model.remove(i);
      } else if (choice < 4 && plans.size() < 6) {
        int x = random.nextInt(arrays.size());
        int y = random.nextInt(arrays.size());
        int most = Math.min(arrays.get(x).length(), arrays.get(y).length());
        int first = x == y ? 0 : random.nextInt(arrays.get(x).length() - most + 1);
        int last = first + random.nextInt(most) + 1;
        Plan plan = plan(sums(), arrays.get(x), first, last, arrays.get(y));
        plans.add(new Open(plan, arrays.get(x), first, last, arrays.get(y)));
      } else if (choice == 4 && !plans.isEmpty()) {
        plans.remove(random.nextInt(plans.size())).plan.close();
      } else if (choice == 5) {
        int i = random.nextInt(arrays.size());
        int[] values = ints(random, random.nextInt(arrays.get(i).length() + 1));
        arrays.get(i).write(MemorySegment.ofArray(values));
        model.set(i, values);
      } else if (!plans.isEmpty()) {
        Open one = plans.get(random.nextInt(plans.size()));
        int x = arrays.indexOf(one.from);
        int y = arrays.indexOf(one.to);
        if (x < 0 || y < 0) {
          assertSays(IllegalStateException.class, one.plan::run, "closed");
        } else if (model.get(x).length < one.last) {
          assertThrows(IllegalStateException.class, one.plan::run, message);
        } else {
          one.plan.run();
          model.set(y, sums(Arrays.copyOfRange(model.get(x), one.first, one.last)));
        }
      }
      int i = random.nextInt(arrays.size());
      assertArrayEquals(model.get(i), read(arrays.get(i)), message);
    }
    for (int i = 0; i < arrays.size(); i++) {
      assertArrayEquals(model.get(i), read(arrays.get(i)), Seed.replay());
    }
    plans.forEach(one -> one.plan.close());
    arrays.forEach(KeptArray::close);
  }

  /** Threads that read an array see it as one run has left it, whatever plans are closed. */
  @Test
  void threadsThatHaveRunNothing_readAndWrite() {
    KeptArray x = newThread(() -> keep(3, 1, 4, 1, 5));
    assertArrayEquals(new int[] {3, 1, 4, 1, 5}, newThread(() -> read(x)));
    newThread(
        () -> {
          x.write(MemorySegment.ofArray(new int[] {2, 6, 5}));
          return x;
        });
    assertArrayEquals(new int[] {6, 5}, newThread(() -> read(x, 1, 3)));
    KeptArray y = keep(new int[5]);
    try (Plan plan = newThread(() -> plan(sums(), x, 0, 3, y))) {
      newThread(plan::run);
      assertArrayEquals(new int[] {2, 8, 13}, newThread(() -> read(y)));
    }
    newThread(
        () -> {
          x.close();
          y.close();
          return x;
        });
  }

  private static <T> T newThread(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, task -> Thread.ofPlatform().start(task)).join();
  }

  @Test
  void severalThreads() {
    int length = most();
    Elementwise oneMore = Elementwise.ofInt("oneMore", i -> i + 1);
    AtomicBoolean isOver = new AtomicBoolean();
    try (KeptArray x = keep(new int[length])) {
      List<CompletableFuture<Void>> readers =
          IntStream.range(0, 3)
              .mapToObj(
                  thread ->
                      CompletableFuture.runAsync(
                          () -> {
                            int rounds = 0;
                            while (!isOver.get() || rounds == 0) {
                              rounds++;
                              try (KeptArray own = funnel.keep(ElementType.INT, length);
                                  Plan plan = plan(Reverse.elements(), x, thread, length, own)) {
                                for (int run = 0; run < 3; run++) {
                                  plan.run();
                                  int[] all = read(own, 0, length - thread);
                                  assertEquals(1, IntStream.of(all).distinct().count());
                                  assertEquals(
                                      1, IntStream.of(read(x, 0, length)).distinct().count());
                                }
                              }
                            }
                          }))
              .toList();
      try {
        int runs = 0;
        for (int round = 0; round < cycles() / 5; round++) {
          try (Plan plan = plan(oneMore, x, 0, length, x)) {
            for (int run = 0; run < 3; run++) {
              plan.run();
              runs++;
            }
          }
        }
        assertEquals(runs, read(x)[length - 1]);
      } finally {
        isOver.set(true);
      }
      readers.forEach(CompletableFuture::join);
    }
  }

  @Test
  void memory_isGivenBack() {
    String before = funnel.details().get("memory reserved");
    for (int cycle = 0; cycle < cycles(); cycle++) {
      KeptArray x = funnel.keep(ElementType.LONG, 1 + cycle % 7);
      x.close();
    }
    assertEquals(before, funnel.details().get("memory reserved"));
    try (KeptArray x = keep(1, 2, 3)) {
      if (before != null) {
        assertTrue(x.deviceBytes() >= 12);
        assertEquals(
            Long.parseLong(before) + x.deviceBytes(),
            Long.parseLong(funnel.details().get("memory reserved")));
      }
      long withKept;
      try (Plan plan =
          funnel.plan("sum").input("x", x, 0, 3).add("s", Reduction.sumAsLong(), "x").build()) {
        withKept = plan.deviceBytes();
      }
      Plan.Builder builder = funnel.plan("sum").input("x", ElementType.INT, 3);
      builder.add("s", Reduction.sumAsLong(), "x");
      assertEquals(before == null ? 0 : 12, builder.deviceBytes() - withKept);
    }
  }

  @Test
  void aLargeArray_goesThroughPieces() {
    int[] x = ints(Seed.random("kept large"), 20_000);
    try (KeptArray kept = keep(x);
        KeptArray y = funnel.keep(ElementType.INT, x.length);
        Plan plan = plan(sums(), kept, 7, x.length - 1, y)) {
      plan.run();
      int[] expected = sums(Arrays.copyOfRange(x, 7, x.length - 1));
      assertArrayEquals(expected, read(y));
      assertArrayEquals(Arrays.copyOfRange(expected, 4_321, 9_876), read(y, 4_321, 9_876));
      assertEquals(x[19_999], read(kept, 19_999, 20_000)[0]);
      MemorySegment unaligned = MemorySegment.ofArray(new byte[9]).asSlice(1);
      y.read(3, unaligned);
      assertEquals(expected[3], unaligned.get(ValueLayout.JAVA_INT_UNALIGNED, 0));
    }
  }
}
