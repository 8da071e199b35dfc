package funnel.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Elements;
import funnel.Funnel;
import funnel.Log;
import funnel.Plan;
import funnel.Sdk;
import funnel.histogram.Histogram;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Operation;
import funnel.operation.ParallelRows;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.OperatorThrewException;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.FindFirst;
import funnel.select.Select;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated
class EngineChoiceTest {

  private String before;

  @BeforeEach
  void remember() {
    before = System.getProperty(Funnel.ENGINE_PROPERTY);
    System.clearProperty(Funnel.ENGINE_PROPERTY);
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(Funnel.ENGINE_PROPERTY);
    } else {
      System.setProperty(Funnel.ENGINE_PROPERTY, before);
    }
  }

  private static void assertContains(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "no '" + part + "' in: " + text);
    }
  }

  // Which engine

  @ParameterizedTest
  @ValueSource(strings = {"jvm", "JVM", " Jvm "})
  void propertyNamesAnEngine(String name) {
    System.setProperty(Funnel.ENGINE_PROPERTY, name);
    try (Funnel funnel = Funnel.open()) {
      assertEquals(Target.JVM, funnel.target());
    }
  }

  @Test
  void propertyNamesTheEmulator() {
    System.setProperty(Funnel.ENGINE_PROPERTY, "emulator");
    try (Funnel funnel = Funnel.open()) {
      assertEquals(Target.EMULATOR, funnel.target());
      assertContains(funnel.description(), "emulator");
    }
  }

  @Test
  void propertyNamesNoEngine() {
    System.setProperty(Funnel.ENGINE_PROPERTY, "nonsense");
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, Funnel::open);
    assertContains(e.getMessage(), "funnel.engine=nonsense", "jvm", "tornado", "emulator");
  }

  @Test
  void withoutAnSdk_forcingTheDevice_isAnErrorWithAdvice() {
    assumeFalse(Sdk.isHere(), "TornadoVM is here");
    EngineUnavailableException e =
        assertThrows(EngineUnavailableException.class, () -> Funnel.open(Target.TORNADO));
    assertContains(e.getMessage(), "TORNADO", "TORNADOVM_HOME", "funnel doctor");
    assertTrue(String.valueOf(e.getMessage()).startsWith("no device through TornadoVM: "));
    assertFalse(String.valueOf(e.getMessage()).contains("is not available"), e::getMessage);
    System.setProperty(Funnel.ENGINE_PROPERTY, "tornado");
    assertThrows(EngineUnavailableException.class, Funnel::open);
  }

  @Test
  void withoutAnSdk_noneOfSeveral_isAnErrorWithTheReasonOfEach() {
    assumeFalse(Sdk.isHere(), "TornadoVM is here");
    EngineUnavailableException e =
        assertThrows(
            EngineUnavailableException.class, () -> Funnel.open(Target.TORNADO, Target.TORNADO));
    String one = "TORNADO is not available: ";
    assertTrue(String.valueOf(e.getMessage()).startsWith(one), e::getMessage);
    assertContains(e.getMessage(), "; " + one, "funnel doctor");
  }

  @Test
  void withoutAnSdk_openFallsBack_andSaysWhichAndWhy_inOneLine() {
    assumeFalse(Sdk.isHere(), "TornadoVM is here");
    String log =
        Log.of(
            () -> {
              try (Funnel funnel = Funnel.open()) {
                assertEquals(Target.JVM, funnel.target());
              }
            });
    assertEquals(1, log.lines().count(), log);
    assertContains(
        log,
        "INFO funnel.Funnel - running on the JVM ("
            + ParallelRows.cores()
            + " cores): no TornadoVM SDK (TORNADOVM_HOME). Details: funnel doctor");
  }

  @Test
  void noTarget() {
    assertThrows(IllegalArgumentException.class, () -> Funnel.open(new Target[0]));
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void details_sayEngineAndJava(Target target) {
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(
          target.name().toLowerCase(java.util.Locale.ROOT), funnel.details().get("engine"));
      assertContains(funnel.details().get("java"), Runtime.version().toString());
    }
  }

  @Tag("gpu")
  @Test
  void open_picksTheDevice() {
    try (Funnel funnel = Funnel.open()) {
      assertEquals(Target.TORNADO, funnel.target());
      assertContains(funnel.description(), "TornadoVM", "backend");
      for (String key : new String[] {"device", "backend", "tornadovm", "driver", "memory"}) {
        assertFalse(funnel.details().getOrDefault(key, "").isBlank(), key);
      }
    }
  }

  // Functions of the user's

  /** What a user's operator may throw. */
  static final class UserException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UserException(String message) {
      super(message);
    }
  }

  private static int refusing(int a, int b) {
    if (b == 13) {
      throw new UserException("thirteen");
    }
    return a + b;
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 500_000})
  void operatorThatThrows_onTheJvm_itsException_andTheEngineGoesOn(int n) {
    int[] values = new int[n];
    Operator refusing = Operator.ofInt("refusing", 0, EngineChoiceTest::refusing);
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertEquals(0, funnel.reduce(values, refusing));
      values[n / 2] = 13;
      UserException e = assertThrows(UserException.class, () -> funnel.reduce(values, refusing));
      assertEquals("thirteen", e.getMessage());
      assertEquals("thrown by operator refusing", e.getSuppressed()[0].getMessage());
      OperatorThrewException thrower = OperatorThrewException.of(e).orElseThrow();
      assertEquals("refusing", thrower.operator());
      assertEquals(Optional.empty(), thrower.transform());
      assertThrows(UserException.class, () -> funnel.reduce(values, refusing.commutative()));
      values[n / 2] = 14;
      assertEquals(14, funnel.reduce(values, refusing));
      assertEquals(14, funnel.sum(values));
    }
  }

  @Test
  void transformThatThrows_onTheJvm_isNamedWithItsOperator() {
    Transform fits = Transform.ofLong("fits", Math::toIntExact);
    Reduction sum = Reduction.of(Operator.SUM, fits);
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertEquals(3L, funnel.reduce(Elements.of(new long[] {1, 2}), sum));
      ArithmeticException e =
          assertThrows(
              ArithmeticException.class,
              () -> funnel.reduce(Elements.of(new long[] {1, Long.MAX_VALUE}), sum));
      OperatorThrewException thrower = OperatorThrewException.of(e).orElseThrow();
      assertEquals("thrown by sum of fits", thrower.getMessage());
      assertEquals("sum", thrower.operator());
      assertEquals(Optional.of("fits"), thrower.transform());
    }
    assertEquals(Optional.empty(), OperatorThrewException.of(new ArithmeticException()));
  }

  @Test
  void capturedValues_onTheJvm_work() {
    int modulus = values().length;
    int[] values = IntStream.range(0, 100_000).toArray();
    Operator sum = Operator.ofInt("modular", 0, (a, b) -> (a + b) % modulus);
    Transform scaled = Transform.ofInt("scaled", x -> x * modulus);
    Transform test = Transform.testInt("below", x -> x < modulus);
    Transform indexed = Transform.indexedInt("indexed", (i, x) -> i * x + modulus);
    Transform even = Transform.testIndexedInt("even", (i, x) -> i % 2 == 0 && x > modulus);
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      int[] rests = Arrays.stream(values).map(x -> x % modulus).toArray();
      int expected = Arrays.stream(values).reduce(0, (a, b) -> (a + b) % modulus);
      assertEquals(expected, funnel.reduce(rests, sum));
      assertEquals(expected, funnel.reduce(rests, sum.commutative()));
      assertEquals(
          Arrays.stream(values).map(x -> x * modulus).sum(),
          funnel.reduce(Elements.of(values), Reduction.of(Operator.SUM, scaled)));
      assertEquals((long) modulus, funnel.reduce(Elements.of(values), Reduction.countIf(test)));
      assertEquals(
          Arrays.stream(values).map(x -> x * x + modulus).sum(),
          funnel.reduce(Elements.of(values), Reduction.of(Operator.SUM, indexed)));
      assertEquals(
          values.length / 2 - 4L, funnel.reduce(Elements.of(values), Reduction.countIf(even)));
      Elements all = Elements.of(values);
      assertEquals(8, funnel.run(FindFirst.where(even), all).getInt("result"));
      assertEquals(values.length / 2 - 4, funnel.run(Select.where(even), all).length("result"));
    }
  }

  private static int[] values() {
    return new int[7];
  }

  @Test
  void capturedObjects_onTheEmulator_areRefusedByName() {
    refusedByName(Target.EMULATOR);
  }

  @Tag("gpu")
  @Test
  void capturedObjects_onTheDevice_areRefusedByName() {
    refusedByName(Target.TORNADO);
  }

  /** On the JVM too, if the program is to run elsewhere. */
  @Test
  void capturedObjects_onTheJvm_areRefusedIfItIsToldSo() {
    System.setProperty("funnel.portable", "true");
    try {
      refusedByName(Target.JVM);
    } finally {
      System.clearProperty("funnel.portable");
    }
  }

  @Test
  void capturedObjects_onTheJvm_areNamedOnce() {
    List<int[]> table = List.of(values());
    Operator named = Operator.ofInt("named once", 0, (a, b) -> (a + b) % (table.size() + 1000));
    Transform plain = Transform.ofInt("plain", x -> 2 * x);
    String log =
        Log.of(
            () -> {
              try (Funnel funnel = Funnel.open(Target.JVM)) {
                for (int length : new int[] {3, 3000}) { // two plans
                  assertEquals(0, funnel.reduce(new int[length], named));
                }
                Elements x = Elements.of(new int[3]);
                assertEquals(0, funnel.reduce(x, Reduction.of(Operator.SUM, plain)));
              }
            });
    assertContains(
        log,
        "WARN",
        "function 'named once' runs on the JVM only: it captures an object of type List:",
        "(-Dfunnel.portable=true refuses it)");
    assertEquals(log.indexOf("runs on the JVM only"), log.lastIndexOf("runs on the JVM only"), log);
  }

  private static void refusedByName(Target target) {
    List<int[]> table = List.of(values());
    Operator modular = Operator.ofInt("modular", 0, (a, b) -> (a + b) % table.size());
    Transform scaled = Transform.ofInt("scaled", x -> x * table.size());
    Transform below = Transform.testInt("below", x -> x < table.size());
    try (Funnel funnel = Funnel.open(target)) {
      OperatorException e =
          assertThrows(OperatorException.class, () -> funnel.reduce(new int[5], modular));
      assertContains(e.getMessage(), "modular", "captures an object");
      e =
          assertThrows(
              OperatorException.class,
              () -> funnel.reduce(Elements.of(new int[5]), Reduction.of(Operator.SUM, scaled)));
      assertContains(e.getMessage(), "scaled", "captures an object");
      e =
          assertThrows(
              OperatorException.class,
              () -> funnel.reduce(Elements.of(new int[5]), Reduction.countIf(below)));
      assertContains(e.getMessage(), "below", "captures an object");
      assertEquals(3, funnel.sum(new int[] {1, 2}), "the engine goes on");
    }
  }

  @Test
  void builder_refusesCapturedObjects_asItsDocumentationSays() {
    List<int[]> table = List.of(values());
    Transform scaled = Transform.ofInt("scaled", x -> x * table.size());
    List<Operation> operations =
        List.of(
            Reduction.of(Operator.ofInt("modular", 0, (a, b) -> (a + b) % table.size())),
            Scan.inclusive(Operator.SUM).mapped(scaled),
            Select.where(Transform.testInt("all", x -> true)).mapped(scaled),
            Histogram.even(4, 0, 8).mapped(scaled));
    try (Funnel funnel = Funnel.open(Target.EMULATOR);
        Funnel jvm = Funnel.open(Target.JVM)) {
      Plan.Builder builder = funnel.plan("captured").input("x", ElementType.INT, 5);
      for (Operation each : operations) {
        assertThrows(OperatorException.class, () -> builder.add("r", each, "x"));
        jvm.run(each, Elements.of(new int[5]));
      }
    }
  }

  @Tag("gpu")
  @Test
  void operatorThatADeviceCannotRun_isRefusedByName() {
    Operator refusing = Operator.ofInt("refusing", 0, EngineChoiceTest::refusing);
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      OperatorException e =
          assertThrows(OperatorException.class, () -> funnel.reduce(new int[5], refusing));
      assertContains(e.getMessage(), "refusing");
      assertEquals(3, funnel.sum(new int[] {1, 2}), "the engine goes on");
    }
  }

  @Test
  void oneShotCalls_doNotKeepTheirInputAlive() throws InterruptedException {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      int[] values = new int[1 << 20];
      WeakReference<int[]> reference = new WeakReference<>(values);
      funnel.sum(values);
      values = null;
      for (int i = 0; i < 50 && reference.get() != null; i++) {
        System.gc();
        Thread.onSpinWait();
      }
      boolean gone = reference.get() == null;
      assertTrue(gone, "a cached plan of %s holds the array of the last call".formatted(funnel));
    }
  }
}
