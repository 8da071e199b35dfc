package funnel.call;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.FakeDevices;
import funnel.Funnel;
import funnel.Ints;
import funnel.Log;
import funnel.MayDiffer;
import funnel.Plan;
import funnel.emulator.EmulatorEngine;
import funnel.engine.Compilation;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.KeptArrays;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.tornado.DeviceLink;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** The JVM answers while a device compiles. */
@Isolated
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TiersTest {

  private static final int[] VALUES = IntStream.range(0, 1 << 20).map(i -> i * 31).toArray();
  private static final int SUM = Arrays.stream(VALUES).sum();
  private static final int KERNELS = 26;

  /** A device that compiles as long as is wanted. */
  private static final class Compiling extends FakeDevices.StandIn {
    private final List<Compilation> compilations = new CopyOnWriteArrayList<>();
    private final List<Program> loads = new CopyOnWriteArrayList<>();
    private @Nullable RuntimeException refusal;

    Compiling(Engine engine) {
      super(engine);
    }

    @Override
    public Compilation compile(Program program) {
      if (refusal != null) {
        throw refusal;
      }
      compilations.add(new Compilation(KERNELS, new CompletableFuture<>()));
      return compilations.getLast();
    }

    @Override
    public LoadedProgram load(
        Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
      loads.add(program);
      return super.load(program, bound, kept);
    }

    @Override
    public void close() {
      compilations.forEach(each -> assertTrue(each.isDone(), "cancelled before"));
    }

    void end() {
      compilations.forEach(each -> each.done().complete(null));
    }
  }

  private Compiling device = new Compiling(new JvmEngine());

  private final Placement placement = new Placement(Target.TORNADO, DeviceLink.of(100, 100));

  private Funnel open() {
    return FakeDevices.open(device, placement);
  }

  private static String calls(Funnel funnel) {
    return String.valueOf(funnel.details().get("one-shot calls"));
  }

  @Test
  void theJvmAnswers_untilTheDeviceHasCompiled() {
    try (Funnel funnel = open()) {
      assertEquals(SUM, funnel.sum(VALUES));
      assertEquals(SUM, funnel.sum(VALUES));
      assertEquals(1, device.compilations.size());
      assertEquals(0, device.loads.size());
      assertEquals("0 on the device, 2 on the JVM, kernels being compiled: 26", calls(funnel));
      device.end();
      assertEquals(SUM, funnel.sum(VALUES));
      assertEquals(1, device.loads.size());
      assertEquals("1 on the device, 2 on the JVM", calls(funnel));
    }
  }

  @Test
  void readings_areCalls() {
    try (Funnel funnel = open()) {
      Ints even = funnel.of(VALUES).filter(x -> x % 2 == 0).map(x -> x / 2);
      int[] expected = Arrays.stream(VALUES).filter(x -> x % 2 == 0).map(x -> x / 2).toArray();
      assertArrayEquals(expected, even.toArray());
      assertEquals(0, device.loads.size());
      device.end();
      assertArrayEquals(expected, even.toArray());
    }
    assertEquals(1, device.compilations.size());
    assertEquals(1, device.loads.size());
  }

  @Test
  void smallCalls_compileNothing() {
    try (Funnel funnel = open()) {
      for (int i = 0; i < 20; i++) {
        assertEquals(6, funnel.sum(new int[] {1, 2, 3}));
      }
      assertEquals("0 on the device, 20 on the JVM", calls(funnel));
    }
    assertEquals(0, device.compilations.size());
  }

  @Test
  void ofManyThreads_oneAsks_andAllAreRight() {
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    try (Funnel funnel = open()) {
      for (int thread = 0; thread < 8; thread++) {
        threads.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int i = 0; i < 40; i++) {
                    assertEquals(SUM, funnel.sum(VALUES));
                    if (i == 20) {
                      device.end();
                    }
                  }
                },
                task -> Thread.ofPlatform().daemon().start(task)));
      }
      threads.forEach(CompletableFuture::join);
      assertEquals(1, device.compilations.size());
      int made =
          Pattern.compile("(\\d+) on")
              .matcher(calls(funnel))
              .results()
              .mapToInt(each -> Integer.parseInt(each.group(1)))
              .sum();
      assertEquals(8 * 40, made, calls(funnel)); // where, depends on how fast the JVM is
    }
  }

  /** Nothing is compiled in the background, so the engine compiles in the call. */
  private void runsOnTheDevice(Runnable call) {
    call.run();
    assertEquals(1, device.loads.size());
    assertEquals(0, device.compilations.size());
  }

  @Test
  void aForcedEngine_compilesInTheCall() {
    try (Funnel funnel = FakeDevices.open(device, null)) {
      runsOnTheDevice(() -> assertEquals(SUM, funnel.sum(VALUES)));
    }
  }

  @Test
  void aFunctionWhoseBitsMayDiffer_isCompiledInTheCall() {
    float[] ones = new float[1 << 20];
    Arrays.fill(ones, 1);
    float factor = ones[0];
    try (Funnel funnel = open()) {
      Reduction powers =
          Reduction.of(Operator.SUM, Transform.ofFloat("powers", x -> MayDiffer.power(x) * factor));
      runsOnTheDevice(
          () -> assertEquals(1f * ones.length, funnel.reduce(Elements.of(ones), powers)));
    }
  }

  @Test
  void aFunctionOverFloats_isAnsweredByTheJvmUntilThen() {
    float[] ones = new float[1 << 20];
    Arrays.fill(ones, 1);
    Reduction lines = Reduction.of(Operator.SUM, Transform.ofFloat("lines", x -> 2 * x + 1));
    try (Funnel funnel = open()) {
      assertEquals(3f * ones.length, funnel.reduce(Elements.of(ones), lines));
      assertEquals(0, device.loads.size());
      device.end();
      assertEquals(3f * ones.length, funnel.reduce(Elements.of(ones), lines));
      assertEquals(1, device.loads.size());
    }
    assertEquals(1, device.compilations.size());
  }

  @Test
  void whatIsOnTheDevice_isReadThere() {
    device = new Compiling(new EmulatorEngine());
    try (Funnel funnel = open();
        Ints kept = funnel.of(1, 2, 3).keep()) {
      runsOnTheDevice(() -> assertEquals(6, kept.sum()));
    }
  }

  @Test
  void whatIsComputedToBeKept_isComputedThere() {
    device = new Compiling(new EmulatorEngine());
    try (Funnel funnel = open()) {
      runsOnTheDevice(() -> funnel.of(1, 2, 3).map(x -> x + 1).keep().close());
    }
  }

  @Test
  void plans_runOnTheDevice() {
    try (Funnel funnel = open();
        Plan plan =
            funnel
                .plan("sums")
                .input("x", ElementType.INT, VALUES.length)
                .add("sum", Reduction.sum(), "x")
                .build()) {
      runsOnTheDevice(
          () -> assertEquals(SUM, plan.run(Map.of("x", Elements.of(VALUES))).getInt("sum")));
    }
  }

  @Test
  void aWrongCall_throwsWhatItThrowsOnTheJvm() {
    try (Funnel funnel = open();
        Funnel jvm = Funnel.open(Target.JVM)) {
      float[] more = new float[1 << 21];
      float[] less = new float[1 << 20];
      String message =
          assertThrows(IllegalArgumentException.class, () -> jvm.dot(more, less)).getMessage();
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> funnel.dot(more, less));
      assertEquals(message, e.getMessage());
    }
  }

  @Test
  void closing_doesNotWaitForTheCompiler() {
    Funnel funnel = open();
    assertEquals(SUM, funnel.sum(VALUES));
    String log = Log.of(funnel::close);
    assertTrue(device.compilations.getFirst().done().isCancelled());
    assertEquals("", log);
  }

  @Test
  void theLogSaysOnce_whatIsCompiled() {
    try (Funnel funnel = open()) {
      String log =
          Log.of(
              () -> {
                funnel.sum(VALUES);
                funnel.sum(Arrays.copyOf(VALUES, 1 << 19)); // other kernels
                funnel.sum(VALUES);
                device.end();
                funnel.sum(VALUES);
              });
      assertEquals(1, log.lines().count(), log);
      assertTrue(
          log.contains("INFO funnel.Funnel - reduce (")
              && log.contains("): compiling 26 kernels for the device; until then on the JVM"),
          log);
    }
  }

  @Test
  void theLogSaysOnce_whatDoesNotCompile() {
    try (Funnel funnel = open()) {
      String log =
          Log.of(
              () -> {
                assertEquals(SUM, funnel.sum(VALUES));
                device
                    .compilations
                    .getFirst()
                    .done()
                    .completeExceptionally(new FunnelDeviceException("no such luck", null));
                for (int i = 0; i < 10; i++) {
                  assertEquals(SUM, funnel.sum(VALUES));
                }
              });
      assertEquals(2, log.lines().count(), log);
      assertTrue(log.contains("WARN"), log);
      assertTrue(log.contains("not compiled for the device, stays on the JVM: no such luck"), log);
      assertEquals("0 on the device, 11 on the JVM, kinds that do not compile: 1", calls(funnel));
      assertEquals(1, device.compilations.size());
    }
  }

  @Test
  void whatTheEngineRefusesToCompile_staysOnTheJvm() {
    device.refusal = new FunnelDeviceException("refused", null);
    int[] sums = VALUES.clone();
    Arrays.parallelPrefix(sums, Integer::sum);
    try (Funnel funnel = open()) {
      String log =
          Log.of(
              () -> {
                for (int i = 0; i < 3; i++) {
                  int[] into = new int[VALUES.length];
                  funnel.scan(Elements.of(VALUES), Scan.inclusive(Operator.SUM), Elements.of(into));
                  assertArrayEquals(sums, into);
                }
              });
      assertEquals(1, log.lines().count(), log);
      assertTrue(log.contains("stays on the JVM: refused"), log);
    }
  }

  @Test
  void aCallThatTheJvmNeedsLongerForThanTheCompiler_runsOnTheDevice() {
    try (Funnel funnel = open()) {
      Call sum = new Call("sum", "y", Reduction.sum(), List.of("x"));
      List<Input> ints = List.of(new Input("x", ElementType.INT, VALUES.length));
      placement.took(sum, ints, Target.JVM, 4L * VALUES.length, TimeUnit.MINUTES.toNanos(1));
      assertEquals(SUM, funnel.sum(VALUES));
      assertEquals(1, device.loads.size());
      assertFalse(device.compilations.getFirst().isDone());
    }
  }
}
