package funnel.notebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Target;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operators, transforms and kernels that are written in cells, on every engine that is here. */
class NotebookOperatorTest {

  private static final String GCD =
      """
      static int gcd(int a, int b) {
        while (b != 0) {
          int rest = a % b;
          a = b;
          b = rest;
        }
        return Math.abs(a);
      }
      """;

  private static Cells cells;

  static Set<Target> targets() {
    Set<Target> targets = EnumSet.of(Target.JVM, Target.EMULATOR);
    try {
      Funnel.open(Target.TORNADO).close();
      targets.add(Target.TORNADO);
    } catch (EngineUnavailableException e) {
      // not here
    }
    return targets;
  }

  @BeforeAll
  static void open() {
    cells = new Cells();
    cells.run(
        """
        import funnel.*;
        import funnel.operation.Target;
        import funnel.operator.*;
        import funnel.reduce.*;
        import java.util.stream.IntStream;
        int[] values = IntStream.range(0, 10_000).map(i -> 84 * (1 + i % 100)).toArray();
        """);
  }

  @AfterAll
  static void close() {
    cells.close();
  }

  private static String on(Target target, String expression) {
    cells.run("Funnel engine = Funnel.open(Target.%s);".formatted(target));
    try {
      return cells.run(expression);
    } finally {
      cells.run("engine.close();");
    }
  }

  @ParameterizedTest
  @MethodSource("targets")
  void lambdas(Target target) {
    cells.run("Operator larger = Operator.ofInt(\"larger\", 0, (a, b) -> a > b ? a : b);");
    assertEquals("8400", on(target, "engine.reduce(values, larger)"));
    assertEquals("8400", on(target, "engine.inclusiveScan(values, larger)[150]"));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void methodsOfCells(Target target) {
    cells.run(GCD);
    cells.run("Operator gcd = Operator.ofInt(\"gcd\", 0, (a, b) -> gcd(a, b)).commutative();");
    assertEquals("84", on(target, "engine.reduce(values, gcd)"));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void methodsOfClassesOfCells(Target target) {
    cells.run(
        """
        class Bits {
          static final int MASK = 0x3fff;

          static int either(int a, int b) {
            return (a | b) & MASK;
          }
        }
        """);
    cells.run("Operator either = Operator.ofInt(\"either\", 0, Bits::either).commutative();");
    int expected = 0;
    for (int i = 0; i < 100; i++) {
      expected |= 84 * (1 + i) & 0x3fff;
    }
    assertEquals(Integer.toString(expected), on(target, "engine.reduce(values, either)"));
  }

  /** A later cell of the same name does not change what was made with the earlier one. */
  @ParameterizedTest
  @MethodSource("targets")
  void methodsThatAreWrittenAgain(Target target) {
    for (int bound : new int[] {10_000, 20_000}) {
      cells.run("static int capped(int a, int b) { return Math.min(a + b, %s); }".formatted(bound));
      cells.run("Operator capped = Operator.ofInt(\"capped\", 0, (a, b) -> capped(a, b));");
      assertEquals(Integer.toString(bound), on(target, "engine.reduce(values, capped)"));
    }
  }

  @ParameterizedTest
  @MethodSource("targets")
  void transforms(Target target) {
    cells.run("static boolean isLarge(int value) { return value > 4200; }");
    assertEquals(
        "5000",
        on(
            target,
            "engine.reduce(Elements.of(values), Reduction.countIf(Transform.testInt(\"large\", v ->"
                + " isLarge(v))))"));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void capturedNumbers(Target target) {
    cells.run(
        """
        Operator capturing(int bound) {
          return Operator.ofInt("capturing", 0, (a, b) -> Math.min(a + b, bound));
        }
        """);
    for (String bound : List.of("10000", "20000")) {
      assertEquals(bound, on(target, "engine.reduce(values, capturing(%s))".formatted(bound)));
    }
  }

  @ParameterizedTest
  @MethodSource("targets")
  void capturedArrays(Target target) {
    cells.run(
        """
        int[] bounds = {10_000};
        Operator bounded(int... more) {
          return Operator.ofInt("capturing", 0, (a, b) -> Math.min(a + b, bounds[0] + more[0]));
        }
        """);
    for (String bound : List.of("10000", "20000")) {
      cells.run("bounds[0] = %s;".formatted(bound));
      assertEquals(bound, on(target, "engine.reduce(values, bounded(0))"));
    }
  }

  @Test
  void capturedObjectsRunOnTheJvmOnly() {
    cells.run(
        """
        Operator capturing(Integer... bounds) {
          return Operator.ofInt("capturing", 0, (a, b) -> Math.min(a + b, bounds[0]));
        }
        """);
    assertEquals("10000", on(Target.JVM, "engine.reduce(values, capturing(10_000))"));
    Cells.CellException refused =
        assertThrows(
            Cells.CellException.class,
            () -> on(Target.EMULATOR, "engine.reduce(values, capturing(10_000))"));
    assertEquals("funnel.operator.OperatorException", refused.thrown());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("it captures an object of type Integer[]: "), message);
  }

  /** Their values are those at the time of the call. */
  @ParameterizedTest
  @MethodSource("targets")
  void variablesOfCells(Target target) {
    cells.run("int bound = 10_000;");
    cells.run("Operator upTo = Operator.ofInt(\"upTo\", 0, (a, b) -> Math.min(a + b, bound));");
    cells.run("int least() { return bound / 100; }");
    cells.run("Transform above = Transform.testInt(\"above\", v -> v > least());");
    assertEquals(
        "\"10000 9900 5000 10000\"",
        on(
            target,
            """
            String found = engine.reduce(values, upTo)
                + " " + engine.run(Reduction.countIf(above), Elements.of(values)).get("result");
            bound = 5_000;
            found + " " + engine.reduce(values, upTo)
                + " " + engine.run(Reduction.countIf(above), Elements.of(values)).get("result")
            """));
  }

  private static final String KERNEL =
      """
      import funnel.emulator.*;
      import funnel.kernel.KernelTask;
      import uk.ac.manchester.tornado.api.*;
      import uk.ac.manchester.tornado.api.enums.DataTransferMode;
      import uk.ac.manchester.tornado.api.types.arrays.IntArray;

      class Kernels {
        static void doubled(KernelContext context, IntArray in, IntArray out) {
          int i = context.globalIdx;
          if (i < in.getSize()) {
            int value = in.get(i);
            while (value < 10) {
              value = 2 * value;
            }
            out.set(i, value);
          }
        }
      }

      IntArray in = IntArray.fromElements(3, 1, 4);
      IntArray out = new IntArray(3);
      """;

  private static final String EMULATED =
      """
      Emulator.builder().build()
          .run(KernelTask.of("doubled", KernelTask.Grid.of(1, 32), Kernels::doubled, in, out));
      """;

  private static final String ON_A_DEVICE =
      """
      TaskGraph graph = new TaskGraph("cell")
          .transferToDevice(DataTransferMode.EVERY_EXECUTION, in)
          .task("kernel", %s, new KernelContext(), in, out)
          .transferToHost(DataTransferMode.EVERY_EXECUTION, out);
      WorkerGrid worker = new WorkerGrid1D(32);
      worker.setLocalWork(32, 1, 1);
      try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
        plan.withGridScheduler(new GridScheduler("cell.kernel", worker)).execute();
      }
      """;

  @Test
  void kernelsOfCellsInTheEmulator() {
    cells.run(KERNEL);
    cells.run(EMULATED);
    assertEquals("16", cells.run("out.get(2)"));
  }

  /** Needs the names of local variables in the cell's class file, hence the option -g. */
  @Test
  @Tag("gpu")
  void kernelsOfCellsOnADevice() {
    cells.run(KERNEL);
    cells.run(ON_A_DEVICE.formatted("Kernels::doubled"));
    assertEquals("16", cells.run("out.get(2)"));
  }

  private static final String BLOCK_KERNEL =
      KERNEL
          + """
          import funnel.block.BlockReduce;

          class Sums {
            static void total(KernelContext context, IntArray in, IntArray out) {
              int i = context.globalIdx;
              int value = 0;
              if (i < in.getSize()) {
                value = in.get(i);
              }
              int sum = BlockReduce.sum(context, context.localIdx, 32, value);
              if (i < out.getSize()) {
                out.set(i, sum);
              }
            }
          }
          """;

  @Test
  void collectivesInKernelsOfCellsInTheEmulator() {
    cells.run(BLOCK_KERNEL);
    for (String order : new String[] {"FORWARD", "REVERSE", "RANDOM"}) {
      cells.run(
          """
          Emulator.builder().order(Order.%s).detectRaces(true).build()
              .run(KernelTask.of("total", KernelTask.Grid.of(1, 32), Sums::total, in, out));
          """
              .formatted(order));
      assertEquals("8", cells.run("out.get(2)"), order);
      cells.run("out.init(0);");
    }
  }

  @Test
  @Tag("gpu")
  void collectivesInKernelsOfCellsOnADevice() {
    cells.run(BLOCK_KERNEL);
    cells.run(ON_A_DEVICE.formatted("Sums::total"));
    assertEquals("8", cells.run("out.get(2)"));
  }

  /** As in {@code jshell --execution local}, which writes calls into methods and loops. */
  @Test
  void theJdksLocalEngine() {
    try (Cells local = Cells.onTheLocalEngine()) {
      local.run(KERNEL);
      local.run(EMULATED);
      assertEquals("16", local.run("out.get(2)"));
      local.run("import funnel.*; import funnel.operation.Target; import funnel.operator.*;");
      local.run(GCD);
      local.run("Operator gcd = Operator.ofInt(\"gcd\", 0, (a, b) -> gcd(a, b));");
      for (Target target : targets()) {
        local.run("Funnel engine = Funnel.open(Target.%s);".formatted(target));
        assertEquals("6", local.run("engine.reduce(new int[] {12, 18, 30}, gcd)"));
        local.run("engine.close();");
      }
    }
  }
}
