package funnel.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.Ints;
import funnel.engine.tornado.DeviceLink;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Where one-shot calls run, by what they took before. */
class PlacementTest {

  private static final int MEGA = 1 << 20;
  private static final long MILLIS = 1_000_000;

  /** A gigabyte a second either way: a millisecond a megabyte. */
  private final Placement placement = new Placement(Target.TORNADO, DeviceLink.of(1, 1));

  private static List<Input> inputs(ElementType type) {
    return List.of(new Input("x", type, MEGA));
  }

  private Target choose(Operation operation, long bytes) {
    return placement.choose(operation, "y", inputs(ElementType.INT), bytes, 0);
  }

  private void took(Target on, long bytes, long nanos) {
    placement.took(Reduction.sum(), "y", inputs(ElementType.INT), on, bytes, nanos);
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

  @Test
  void callsGoToTheDevice_whenTheyHaveLostWhatCompilingTakes() {
    onJvm(5, 11 * MILLIS);
    onJvm(50, 11 * MILLIS); // 9.8 ms lost with each, 500 in all
    int calls = 0;
    while (choose(MEGA) == Target.JVM && calls < 10) {
      took(Target.JVM, MEGA, 11 * MILLIS);
      calls++;
    }
    assertTrue(calls < 3, "calls=" + calls);
    took(Target.TORNADO, MEGA, 300 * MILLIS); // compiled with it
    for (int i = 0; i < 5; i++) {
      assertEquals(Target.TORNADO, choose(MEGA));
      took(Target.TORNADO, MEGA, 2 * MILLIS);
    }
    assertEquals(Target.TORNADO, choose(MEGA));
    assertEquals(Target.TORNADO, choose(16 * MEGA), "as much less");
  }

  @Test
  void whatTheDeviceTakesCounts_onceItIsKnown() {
    callsGoToTheDevice_whenTheyHaveLostWhatCompilingTakes();
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
    callsGoToTheDevice_whenTheyHaveLostWhatCompilingTakes();
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
        Reduction.sum(),
        "y",
        inputs(ElementType.INT),
        12,
        0,
        _ -> {
          action.run();
          return true;
        });
  }

  @Test
  void whatIsSlowBesideOtherCalls_isNoReasonToGoElsewhere() {
    callsGoToTheDevice_whenTheyHaveLostWhatCompilingTakes();
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
    onJvm(1000, MILLIS / 2);
    for (int i = 0; i < 1000; i++) {
      assertEquals(Target.JVM, choose(1000));
      took(Target.JVM, 1000, 1000 * MILLIS);
    }
    assertEquals("0 on the device, 2000 on the JVM", placement.details());
  }

  /** Their bits must not depend on what was measured. */
  @Test
  void functionsThatMayBeContracted_runOnTheDeviceOnly() {
    Reduction own = Reduction.of(Operator.ofFloat("mine", 0, (a, b) -> a + b));
    List<Input> floats = inputs(ElementType.FLOAT);
    assertEquals(Target.TORNADO, placement.choose(own, "y", floats, 12, 0));
    assertEquals(Target.JVM, placement.choose(Reduction.sum(), "y", floats, 12, 0));
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
