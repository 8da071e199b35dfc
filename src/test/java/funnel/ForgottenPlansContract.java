package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.engine.KeptArray;
import funnel.heat.Heat2D;
import funnel.heat.HeatProblem;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** What is never closed is freed when it is collected, and said. */
@Isolated // it looks at the log
@Timeout(120)
public abstract class ForgottenPlansContract extends EngineContract {

  private static final int PLANS = 10;

  private final PrintStream err = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  @BeforeEach
  void listen() {
    log.reset();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(err);
  }

  private long said(String text) {
    return log.toString(StandardCharsets.UTF_8).lines().filter(l -> l.contains(text)).count();
  }

  /** Collects garbage until that many lines have been logged, or the test's time is over. */
  private void awaitSaid(int lines, String text) throws InterruptedException {
    while (said(text) < lines) {
      System.gc();
      Thread.sleep(20);
    }
    assertEquals(lines, said(text));
  }

  private Plan plan(Funnel of, String name) {
    return of.plan(name)
        .input("x", ElementType.INT, most())
        .add("y", Scan.inclusive(Operator.SUM), "x")
        .add("last", Reduction.of(Operator.MAX), "y")
        .build();
  }

  private Results run(Plan plan, int length) {
    return plan.run(Map.of("x", Elements.of(AsyncRunsContract.counting(length))));
  }

  @Test
  void aPlan_isFreed_andNamed() throws InterruptedException {
    for (int length : lengths()) {
      log.reset();
      for (int i = 0; i < PLANS; i++) {
        assertEquals(length, run(plan(funnel, "forgotten"), length).length("y"));
      }
      awaitSaid(PLANS, "plan forgotten was never closed");
      assertTrue(funnel.toString().contains("open plans=0"), funnel::toString);
    }
    try (Plan closed = plan(funnel, "closed")) {
      run(closed, most());
    }
    run(plan(funnel, "later"), most());
    awaitSaid(1, "plan later was never closed");
    assertEquals(0, said("plan closed"));
  }

  @Test
  void runsInProgress_andResults_keepTheirPlan() throws Exception {
    int length = most();
    int last = (length * (length + 1)) / 2;
    List<CompletableFuture<Results>> requested = new ArrayList<>();
    CompletableFuture<?> collects =
        CompletableFuture.runAsync(() -> IntStream.range(0, PLANS).forEach(_ -> System.gc()));
    for (int i = 0; i < PLANS; i++) {
      assertEquals(last, run(plan(funnel, "running"), length).getInt("last"));
      Map<String, Elements> x = Map.of("x", Elements.of(AsyncRunsContract.counting(length)));
      requested.add(plan(funnel, "requested").runAsync(x));
    }
    collects.join();
    int[] sums = AsyncRunsContract.runningSums(AsyncRunsContract.counting(length));
    for (CompletableFuture<Results> each : requested) {
      assertArrayEquals(sums, each.get().ints("y"));
    }
    requested.clear();
    awaitSaid(PLANS, "plan requested was never closed");
    awaitSaid(PLANS, "plan running was never closed");
  }

  private void forgetFunnel() {
    Funnel other = Funnel.open(target());
    assertEquals(3, other.sum(new int[] {1, 2}));
    run(plan(other, "ofOther"), most());
  }

  private Plan planOfForgotten() {
    return plan(Funnel.open(target()), "kept");
  }

  @Test
  void aFunnel_isFreed_withItsPlans_butNotBeforeThem() throws InterruptedException {
    Plan kept = planOfForgotten();
    forgetFunnel();
    awaitSaid(1, "a Funnel was never closed");
    awaitSaid(1, "plan ofOther was never closed");
    assertEquals(0, said("plan sum was never closed"));
    assertEquals(most(), run(kept, most()).length("y"));
    kept.close();
    kept = plan(funnel, "another");
    awaitSaid(2, "a Funnel was never closed");
    assertEquals(0, said("plan kept"));
    kept.close();
  }

  private void forgetHeat() {
    Heat2D heat = HeatProblem.builder(20, 10).build().open(funnel);
    assertEquals(3, heat.step(3).steps());
  }

  @Test
  void aHeatSolver_isFreed() throws InterruptedException {
    forgetHeat();
    awaitSaid(1, "the program over [field, next");
    try (Heat2D heat = HeatProblem.builder(20, 10).build().open(funnel)) {
      assertFalse(heat.step(3).toFloats().length == 0);
    }
  }

  private void forgetArray() {
    KeptArray array = funnel.upload(Elements.of(new int[] {1, 2}));
    assertTrue(array.isOpen());
    funnel.upload(Elements.of(new int[] {1})).close();
  }

  private Plan planOverForgottenArray() {
    KeptArray array = funnel.upload(Elements.of(new int[] {4, 5}));
    return funnel
        .plan("overArray")
        .input("x", array, 0, 2)
        .add("sum", Reduction.of(Operator.SUM), "x")
        .build();
  }

  @Test
  void aKeptArray_isFreed_butNotBeforeThePlansOverIt() throws InterruptedException {
    Plan over = planOverForgottenArray();
    forgetArray();
    awaitSaid(1, "(INT[2]) was never closed");
    assertEquals(9, over.run().getInt("sum"));
    over.close();
    over = plan(funnel, "after");
    awaitSaid(2, "(INT[2]) was never closed");
    assertEquals(0, said("(INT[1])"));
    over.close();
  }
}
