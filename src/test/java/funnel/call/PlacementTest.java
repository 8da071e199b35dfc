package funnel.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.Ints;
import funnel.MayDiffer;
import funnel.engine.Compilation;
import funnel.engine.tornado.DeviceLink;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operation.UnknownLengthException;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Where one-shot calls run, by what they took before. */
class PlacementTest {

  private static final int MEGA = 1 << 20;
  private static final long MILLIS = 1_000_000;

  /** A gigabyte a second either way: a millisecond a megabyte. */
  private final Placement placement = new Placement(Target.TORNADO, DeviceLink.of(1, 1));

  private final AtomicInteger compilations = new AtomicInteger();

  /** What the engine says that it must compile. */
  private Compilation compilation = Compilation.NONE;

  private static List<Input> inputs(ElementType type, int capacity) {
    return List.of(new Input("x", type, capacity));
  }

  private static List<Input> inputs(ElementType type) {
    return inputs(type, MEGA);
  }

  private static Call call(Operation operation) {
    return new Call("call", "y", operation, List.of("x"));
  }

  private Compilation compile() {
    compilations.incrementAndGet();
    return compilation;
  }

  private Target choose(Operation operation, List<Input> inputs, long bytes) {
    return placement.choose(call(operation), inputs, bytes, 0, this::compile);
  }

  private Target choose(Operation operation, long bytes) {
    return choose(operation, inputs(ElementType.INT), bytes);
  }

  private void took(Target on, long bytes, long nanos) {
    placement.took(call(Reduction.sum()), inputs(ElementType.INT), on, bytes, nanos);
  }

  private Target choose(long bytes) {
    return choose(Reduction.sum(), bytes);
  }

  /** So many calls of a megabyte on the JVM. */
  private void onJvm(int calls, long nanos) {
    for (int i = 0; i < calls; i++) {
      assertEquals(Target.JVM, choose(MEGA), "call " + i);
      took(Target.JVM, MEGA, nanos);
    }
  }

  private static Compilation of(int kernels) {
    return new Compilation(kernels, new CompletableFuture<>());
  }

  private static void end(Compilation of) {
    assertTrue(of.done().complete(null));
  }

  @Test
  void callsGoToTheDevice_whenItHasCompiled() {
    compilation = of(26);
    onJvm(50, 11 * MILLIS);
    assertEquals(1, compilations.get());
    assertEquals("0 on the device, 50 on the JVM, kernels being compiled: 26", placement.details());
    end(compilation);
    for (int i = 0; i < 8; i++) {
      assertEquals(Target.TORNADO, choose(MEGA));
      took(Target.TORNADO, MEGA, 2 * MILLIS);
    }
    assertEquals(Target.TORNADO, choose(16 * MEGA), "as much less");
    assertEquals(1, compilations.get());
    assertEquals("9 on the device, 50 on the JVM", placement.details());
  }

  @Test
  void aFirstLargeCall_goesToTheDevice_ifItsKernelsAreStored() {
    assertEquals(Target.JVM, choose(MEGA - 1));
    assertEquals(0, compilations.get(), "not expected to be faster");
    assertEquals(Target.TORNADO, choose(MEGA));
    assertEquals(Target.TORNADO, choose(100 * MEGA));
  }

  /** It is checked, and may have compiled. */
  @Test
  void aFirstRunOnTheDevice_doesNotCount() {
    compilation = of(26);
    onJvm(10, 11 * MILLIS);
    end(compilation);
    assertEquals(Target.TORNADO, choose(MEGA));
    took(Target.TORNADO, MEGA, 10_000 * MILLIS);
    assertEquals(Target.TORNADO, choose(MEGA));
  }

  @Test
  void whatIsSmall_isNeverCompiled() {
    took(Target.JVM, MEGA, 1000 * MILLIS);
    for (int i = 0; i < 100; i++) {
      assertEquals(Target.JVM, choose((1 << 16) - 1));
    }
    assertEquals(0, compilations.get());
    assertEquals(Target.TORNADO, choose(1 << 16));
  }

  @Test
  void theJvmIsTried_whenTheDeviceHasTakenAsLongAsAFirstRunMay() {
    double device = 0;
    double jvm = 0;
    int firstRuns = 0;
    while (firstRuns < 4) {
      boolean isThere = choose(MEGA) == Target.TORNADO;
      assertEquals(device <= jvm + 150 + 30 * 20, isThere, device + " ms there, " + jvm + " here");
      took(isThere ? Target.TORNADO : Target.JVM, MEGA, (isThere ? 20 : 100) * MILLIS);
      device += isThere ? 20 : 0;
      jvm += isThere ? 0 : 100;
      firstRuns += isThere ? 0 : 1;
    }
    for (int i = 0; i < 100; i++) {
      assertEquals(Target.TORNADO, choose(MEGA));
      took(Target.TORNADO, MEGA, 20 * MILLIS);
    }
  }

  /** A loop that takes a second takes about as long when the JVM has compiled it. */
  @Test
  void aCallThatTheJvmNeedsLongerForThanTheCompiler_waitsForIt() {
    compilation = of(26);
    onJvm(1, 3_000 * MILLIS); // 3.9 s for the kernels
    assertEquals(Target.JVM, choose(MEGA));
    assertEquals(Target.TORNADO, choose(2 * MEGA));
    assertEquals(1, compilations.get());
    assertEquals(Target.JVM, choose(MEGA));
  }

  @Test
  void whatDoesNotCompile_staysOnTheJvm() {
    compilation = of(26);
    onJvm(1, 60_000 * MILLIS);
    compilation.done().completeExceptionally(new FunnelDeviceException("no such luck", null));
    onJvm(100, 60_000 * MILLIS);
    List<Input> others = inputs(ElementType.INT, 2 * MEGA);
    assertEquals(Target.JVM, choose(Reduction.sum(), others, 100 * MEGA));
    assertEquals(1, compilations.get());
    assertEquals(
        "0 on the device, 102 on the JVM, kinds that do not compile: 1", placement.details());
    compilation = Compilation.NONE;
    assertEquals(Target.TORNADO, choose(Reduction.product(), MEGA), "another kind");
  }

  @Test
  void otherCapacities_haveOtherKernels() {
    assertEquals(Target.TORNADO, choose(MEGA));
    compilation = of(3);
    List<Input> others = inputs(ElementType.INT, 2 * MEGA);
    assertEquals(Target.JVM, choose(Reduction.sum(), others, 2 * MEGA));
    assertEquals(Target.TORNADO, choose(MEGA));
    end(compilation);
    assertEquals(Target.TORNADO, choose(Reduction.sum(), others, 2 * MEGA));
    assertEquals(2, compilations.get());
  }

  @Test
  void whileTheEngineIsAsked_otherCallsDoNotWait() {
    took(Target.JVM, MEGA, 60_000 * MILLIS);
    AtomicReference<Target> other = new AtomicReference<>();
    Target first =
        placement.choose(
            call(Reduction.sum()),
            inputs(ElementType.INT),
            MEGA,
            0,
            () -> {
              other.set(
                  CompletableFuture.supplyAsync(() -> choose(MEGA))
                      .orTimeout(10, TimeUnit.SECONDS)
                      .join());
              return Compilation.NONE;
            });
    assertEquals(Target.TORNADO, first);
    assertEquals(Target.JVM, other.get());
    assertEquals(0, compilations.get());
  }

  @Test
  void aCallThatIsWrong_throws_andIsAskedForAgain() {
    assertThrows(
        UnknownLengthException.class,
        () ->
            placement.choose(
                call(Reduction.sum()),
                inputs(ElementType.INT),
                MEGA,
                0,
                () -> {
                  throw new UnknownLengthException("unknown", List.of());
                }));
    assertEquals(Target.TORNADO, choose(MEGA));
  }

  @Test
  void closing_cancels() {
    compilation = of(26);
    onJvm(1, MILLIS);
    placement.close();
    assertTrue(compilation.done().isCancelled());
    assertEquals("0 on the device, 1 on the JVM", placement.details());
  }

  @Test
  void whatTheDeviceTakesCounts_onceItIsKnown() {
    callsGoToTheDevice_whenItHasCompiled();
    for (int i = 0; i < 200; i++) {
      boolean isThere = choose(MEGA) == Target.TORNADO;
      took(isThere ? Target.TORNADO : Target.JVM, MEGA, (isThere ? 15 : 11) * MILLIS);
    }
    int there = 0;
    for (int i = 0; i < 64; i++) {
      there += choose(MEGA) == Target.TORNADO ? 1 : 0;
    }
    assertEquals(64 / 16, there, "a trial now and then");
  }

  @Test
  void whatWasSlowOnce_isTriedAgain() {
    callsGoToTheDevice_whenItHasCompiled();
    int onJvm = 0;
    for (int i = 0; i < 100; i++) {
      Target on = choose(MEGA);
      onJvm += on == Target.JVM ? 1 : 0;
      took(on, MEGA, (on == Target.JVM ? 4 : 7) * MILLIS);
    }
    assertTrue(onJvm > 50, "onJvm=" + onJvm);
  }

  private void inside(Runnable action) {
    placement.call(
        call(Reduction.sum()),
        inputs(ElementType.INT),
        12,
        0,
        _ -> compile(),
        _ -> {
          action.run();
          return true;
        });
  }

  @Test
  void whatIsSlowBesideOtherCalls_isNoReasonToGoElsewhere() {
    callsGoToTheDevice_whenItHasCompiled();
    for (int i = 0; i < 100; i++) {
      took(Target.JVM, MEGA, MILLIS); // faster than the device
    }
    assertEquals(Target.JVM, choose(MEGA));
    inside(
        () ->
            inside(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    took(Target.JVM, MEGA, 50 * MILLIS);
                  }
                }));
    assertEquals(Target.JVM, choose(MEGA));
  }

  @Test
  void theJvmKeepsWhatItDoesFaster_andWhatIsSmall() {
    compilation = of(26);
    onJvm(1000, MILLIS / 2);
    end(compilation);
    for (int i = 0; i < 1000; i++) {
      assertEquals(Target.JVM, choose(1000));
      took(Target.JVM, 1000, 1000 * MILLIS);
    }
    assertEquals("0 on the device, 2000 on the JVM", placement.details());
  }

  /** Their bits must not depend on what was measured. */
  @Test
  void functionsThatMayDiffer_runOnTheDeviceOnly() {
    float factor = MEGA;
    Transform power = Transform.ofFloat("power", x -> MayDiffer.power(x) * factor);
    Reduction own = Reduction.of(Operator.SUM, power);
    List<Input> floats = inputs(ElementType.FLOAT);
    compilation = of(26);
    assertEquals(Target.TORNADO, choose(own, floats, 12));
    assertEquals(Target.TORNADO, choose(own, floats, 100 * MEGA));
    assertEquals(0, compilations.get(), "in the call");
    assertEquals(Target.JVM, choose(Reduction.sum(), floats, 12));
  }

  @Test
  void otherFunctionsOverFloats_runWhereTheyAreFaster() {
    Reduction own = Reduction.of(Operator.ofFloat("mine", 0, (a, b) -> a * 0.5f + b));
    List<Input> floats = inputs(ElementType.FLOAT);
    compilation = of(26);
    assertEquals(Target.JVM, choose(own, floats, 12));
    assertEquals(Target.JVM, choose(own, floats, 100 * MEGA));
    assertEquals(1, compilations.get());
    end(compilation);
    assertEquals(Target.TORNADO, choose(own, floats, 100 * MEGA));
  }

  /** These are on the device. */
  @Test
  void functionsThatReadKeptArrays_runOnTheDeviceOnly() {
    try (Funnel funnel = Funnel.open(Target.JVM);
        Ints table = funnel.of(1, 2).keep()) {
      Transform read = Transform.ofInt("read", v -> table.get(v));
      assertEquals(Target.TORNADO, choose(Reduction.of(Operator.SUM, read), 12));
    }
  }

  @Test
  void functionsThatNoDeviceCompiles_areRefusedWhereverTheyWouldRun() {
    Operator text = Operator.ofInt("text", 0, (a, b) -> String.valueOf(a + b).length());
    OperatorException e =
        assertThrows(OperatorException.class, () -> choose(Reduction.of(text), 12));
    assertTrue(String.valueOf(e.getMessage()).contains("text"), e.getMessage());
  }

  @Test
  void whereAnOperationIsAskedForItsParts_otherCallsGoOn() {
    Operation waits =
        (output, inputs) -> {
          CompletableFuture.supplyAsync(() -> choose(12)).orTimeout(10, TimeUnit.SECONDS).join();
          return Reduction.sum().expand(output, inputs);
        };
    assertEquals(Target.JVM, choose(waits, 12));
  }
}
