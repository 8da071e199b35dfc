package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.Funnel;
import funnel.Graphs;
import funnel.Seed;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.histogram.ScatterReduce;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Target;
import funnel.operator.Operator;
import funnel.suite.JitResult;
import funnel.suite.JitRules;
import funnel.suite.JitSuite;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The examples of docs/atomics.md do what they say. */
class AtomicsSnippetsTest {

  private static final int N = 10_000;
  private static final Grid GRID = Grid.of(40, 256);

  /** Runs a task in one of the ways that are to be tried. */
  private interface Run {
    void run(KernelTask task, Object... arrays) throws Exception;
  }

  private static int[] random(String what, int from, int to) {
    SplittableRandom random = Seed.random(what);
    return random.ints(N, from, to).toArray();
  }

  /** The page shows the code as it is. */
  @Test
  void thePageHasTheExamples() throws IOException {
    String text = PageExamples.page("atomics");
    Matcher regions =
        Pattern.compile("// @start region=\"(\\w+)\"\\R(.*?)\\R *// @end", Pattern.DOTALL)
            .matcher(PageExamples.source(AtomicsSnippets.class));
    int found = 0;
    while (regions.find()) {
      String shown = regions.group(2).stripTrailing().indent(2).replaceAll("(?m) +$", "");
      assertTrue(text.contains(shown), "docs/atomics.md does not show " + regions.group(1));
      found++;
    }
    assertTrue(found >= 4, "regions: " + found);
  }

  // Kernels

  private static void bank(Run run) throws Exception {
    int[] amounts = random("bank", -1_000_000_000, 1_000_000_000);
    LongArray totals = new LongArray(2);
    totals.init(0);
    IntArray customers = new IntArray(2);
    customers.init(0);
    IntArray in = IntArray.fromArray(amounts);
    run.run(
        KernelTask.of("bank", GRID, AtomicsSnippets::bank, in, totals, customers),
        in,
        totals,
        customers);
    long paidIn = 0;
    long paidOut = 0;
    int balance = 0;
    for (int amount : amounts) {
      paidIn += Math.max(amount, 0);
      paidOut += Math.max(-amount, 0);
      balance += amount > 0 ? 1 : -1;
    }
    assertEquals(paidIn, totals.get(0), Seed.replay());
    assertEquals(paidOut, totals.get(1), Seed.replay());
    assertEquals(N, customers.get(0));
    assertEquals(balance, customers.get(1), Seed.replay());
  }

  private static void requireEachNumberOnce(IntArray numbers) {
    int[] sorted = IntStream.range(0, N).map(numbers::get).sorted().toArray();
    assertArrayEquals(IntStream.range(0, N).toArray(), sorted);
  }

  @ParameterizedTest
  @EnumSource
  void kernelsInTheEmulator(Order order) throws Exception {
    Emulator emulator = Emulator.builder().order(order).seed(Seed.VALUE).parallel(true).build();
    bank((task, arrays) -> emulator.run(task));
    IntArray numbers = new IntArray(N);
    emulator.run(KernelTask.of("draw", GRID, AtomicsSnippets::draw, new AtomicInteger(), numbers));
    requireEachNumberOnce(numbers);
  }

  @Tag("gpu")
  @Test
  void bank_onDevice() throws Exception {
    bank(Graphs::run);
  }

  @Tag("gpu")
  @Test
  void draw_onDevice() throws Exception {
    assumeTrue(
        JitSuite.runApart(List.of(JitRules.named("ticket-contended"))).results().stream()
            .allMatch(result -> result.outcome() == JitResult.Outcome.RIGHT),
        "AtomicInteger is not right here");
    AtomicInteger next = new AtomicInteger();
    IntArray numbers = new IntArray(N);
    numbers.init(-1);
    TaskGraph graph = new TaskGraph("funnelTestDraw");
    GridScheduler scheduler = new GridScheduler();
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, next, numbers);
    KernelTask.of("draw", GRID, AtomicsSnippets::draw, next, numbers).addTo(graph, scheduler);
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, numbers);
    try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
      plan.withGridScheduler(scheduler).execute();
    }
    requireEachNumberOnce(numbers);
  }

  // Funnel

  private static void customers(Target target) {
    int[] tellers = random("tellers", 0, 5);
    int[] expected = new int[5];
    for (int teller : tellers) {
      expected[teller]++;
    }
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(expected, AtomicsSnippets.customers(funnel, tellers, 5), Seed.replay());
    }
  }

  private static int[] oneByOne(IntBinaryOperator operation, int[] indices, int[] values, int[] m) {
    int[] expected = m.clone();
    for (int i = 0; i < indices.length; i++) {
      expected[indices[i]] = operation.applyAsInt(expected[indices[i]], values[i]);
    }
    return expected;
  }

  private static void combined(Target target) {
    int[] indices = random("indices", 0, 100);
    int[] values = random("combined", Integer.MIN_VALUE, Integer.MAX_VALUE);
    int[] m = Arrays.copyOf(random("m", Integer.MIN_VALUE, Integer.MAX_VALUE), 101);
    Map<ScatterReduce, IntBinaryOperator> operations =
        Map.of(
            ScatterReduce.by(Operator.SUM), (a, b) -> a + b,
            ScatterReduce.by(Operator.MIN), Math::min,
            ScatterReduce.by(Operator.MAX), Math::max,
            ScatterReduce.by(Operator.AND), (a, b) -> a & b,
            ScatterReduce.by(Operator.OR), (a, b) -> a | b,
            ScatterReduce.by(Operator.XOR), (a, b) -> a ^ b,
            ScatterReduce.last(), (a, b) -> b);
    try (Funnel funnel = Funnel.open(target)) {
      operations.forEach(
          (operation, plain) ->
              assertArrayEquals(
                  oneByOne(plain, indices, values, m),
                  AtomicsSnippets.combined(funnel, operation, indices, values, m),
                  operation + Seed.replay()));
      int[] multiples = IntStream.of(values).map(v -> (v & 0xffff) * 12).toArray();
      int[] start = new int[100];
      assertArrayEquals(
          oneByOne(AtomicsSnippets::gcd, indices, multiples, start),
          AtomicsSnippets.greatestDivisors(funnel, indices, multiples, start),
          Seed.replay());
    }
  }

  private static void patterns(Target target) {
    int[] wanted = random("wanted", 0, 2);
    int[] numbers = new int[N];
    int next = 0;
    for (int i = 0; i < N; i++) {
      numbers[i] = wanted[i] == 0 ? -1 : next++;
    }
    int[] seats = random("seats", -1, 300);
    int[] winners = new int[301];
    Arrays.fill(winners, -1);
    for (int i = N - 1; i >= 0; i--) {
      if (seats[i] >= 0) {
        winners[seats[i]] = i;
      }
    }
    try (Funnel funnel = Funnel.open(target)) {
      assertArrayEquals(numbers, AtomicsSnippets.numbers(funnel, wanted), Seed.replay());
      assertArrayEquals(winners, AtomicsSnippets.winners(funnel, seats, 301), Seed.replay());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void funnelsCalls(Target target) {
    customers(target);
    combined(target);
    patterns(target);
  }

  @Tag("gpu")
  @Test
  void funnelsCalls_onDevice() {
    customers(Target.TORNADO);
    combined(Target.TORNADO);
    patterns(Target.TORNADO);
  }

  // The JVM

  /** Does something for each of 0 to N - 1, by several threads. */
  private static void byThreads(IntConsumer body) throws InterruptedException {
    int threads = 4;
    Thread[] all = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int first = t;
      all[t] =
          Thread.ofPlatform()
              .start(() -> IntStream.range(0, N).filter(i -> i % threads == first).forEach(body));
    }
    for (Thread thread : all) {
      thread.join();
    }
  }

  @Test
  void onTheJvm_nothingIsLost() throws InterruptedException {
    int[] values = random("values", Integer.MIN_VALUE, Integer.MAX_VALUE);
    int[] m = {0, Integer.MAX_VALUE, -1, 0, -1};
    int[] old = new int[N];
    byThreads(
        i -> {
          old[i] = AtomicsSnippets.getAndAdd(m, 0, 1);
          AtomicsSnippets.getAndMin(m, 1, values[i]);
          AtomicsSnippets.getAndAnd(m, 2, values[i] | 0xffff);
          AtomicsSnippets.getAndAdd(m, 3, values[i]);
          int _ = AtomicsSnippets.compareAndExchange(m, 4, -1, i);
        });
    assertEquals(N, m[0]);
    assertArrayEquals(IntStream.range(0, N).toArray(), IntStream.of(old).sorted().toArray());
    assertEquals(IntStream.of(values).min().orElseThrow(), m[1], Seed.replay());
    assertEquals(
        IntStream.of(values).map(v -> v | 0xffff).reduce(-1, (a, b) -> a & b), m[2], Seed.replay());
    assertEquals(IntStream.of(values).sum(), m[3], Seed.replay());
    assertEquals(m[4], AtomicsSnippets.compareAndExchange(m, 4, -1, N), "one has won");
  }

  /** What was exchanged goes round: every value is returned once, but the last, which is there. */
  @Test
  void onTheJvm_exchangeKeepsEverything() throws InterruptedException {
    int[] m = {N};
    int[] old = new int[N];
    byThreads(i -> old[i] = AtomicsSnippets.getAndSet(m, 0, i));
    int[] all = Arrays.copyOf(old, N + 1);
    all[N] = m[0];
    Arrays.sort(all);
    assertArrayEquals(IntStream.rangeClosed(0, N).toArray(), all);
  }

  @Test
  void onTheJvm_floatsAreAddedByCompareAndSwap() throws InterruptedException {
    int[] bits = {Float.floatToRawIntBits(0.5f), Float.floatToRawIntBits(Float.NaN)};
    byThreads(
        i -> {
          float _ = AtomicsSnippets.getAndAddFloat(bits, 0, i % 8);
          float _ = AtomicsSnippets.getAndAddFloat(bits, 1, 1f);
        });
    assertEquals(0.5f + N / 8 * 28, Float.intBitsToFloat(bits[0])); // sums are exact
    assertEquals(Float.NaN, Float.intBitsToFloat(bits[1]));
  }
}
