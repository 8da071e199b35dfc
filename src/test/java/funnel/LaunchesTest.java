package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.ListedOperations.Named;
import funnel.engine.Program;
import funnel.engine.device.ProgramArrays;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Device;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Launches;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.rank.Quantiles;
import funnel.reduce.Reduction;
import funnel.sort.Order;
import funnel.sort.Sort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Every launch of every operation finds its kernel, and an argument for each parameter: over all
 * types that an operation takes, with shipped operators and a user's, in all forms.
 */
class LaunchesTest {

  private final LaunchedKernels kernels = new LaunchedKernels();
  private final Set<String> refused = new TreeSet<>();

  private void launch(Named named, List<Input> inputs) {
    for (Expansion expansion :
        ListedOperations.orNone(() -> named.operation().expand("o", inputs))) {
      refused.remove(named.name());
      Program program = Program.of(inputs, expansion.primitives());
      // of several inputs a fifth, with any two types at any two places, in all forms
      boolean isInAllForms =
          inputs.size() < 2 || inputs.stream().mapToInt(i -> i.type().ordinal()).sum() % 5 == 0;
      for (Program form :
          isInAllForms
              ? List.of(
                  program, program.on(Device.EMULATOR, Map.of()), program.in(Setting.toTheEnd()))
              : List.of(program)) {
        if (!ListedOperations.isOfParts(form)) {
          kernels.add(form, Map.of());
        }
      }
      if (!isInAllForms) {
        continue;
      }
      Map<String, TornadoNativeArray> bound =
          inputs.stream()
              .collect(
                  Collectors.toMap(
                      Input::name,
                      input -> ProgramArrays.allocate(input.type(), input.capacity())));
      kernels.add(program.in(Setting.toTheEnd()).on(Device.EMULATOR, bound), bound);
    }
  }

  @Test
  void everyParameterOfEveryKernel_hasAnArgument() {
    Set<String> names = new TreeSet<>();
    ListedOperations.each(
        (named, inputs) -> {
          if (names.add(named.name())) {
            refused.add(named.name());
          }
          launch(named, inputs);
        });
    for (ElementType type : List.of(ElementType.INT, ElementType.LONG)) {
      List<Input> many = List.of(new Input("x", type, 1 << 24)); // of fewer there is no sample
      kernels.add(Program.of(many, Quantiles.median().expand("o", many).primitives()), Map.of());
    }
    for (ElementType type : List.of(ElementType.BYTE, ElementType.INT, ElementType.LONG)) {
      for (int capacity : new int[] {1000, 1 << 20, 1 << 25}) { // one tile, some, and many
        List<Input> keys = List.of(new Input("x", type, capacity));
        for (Operation sort : List.of(Sort.ascending(), Order.ascending())) {
          kernels.add(Program.of(keys, sort.expand("o", keys).primitives()), Map.of());
        }
      }
    }
    assertEquals(
        Set.of(
            "chained of floats",
            "chained of doubles",
            "warp-shuffle of longs",
            "warp-shuffle of doubles"),
        refused,
        "over no types");
    kernels.requireAll(
        LaunchedKernels.UNUSED + "|.*HeatTileKernels.*|RaceKernels.*",
        "funnel.reduce",
        "funnel.scan",
        "funnel.histogram",
        "funnel.transform",
        "funnel.select",
        "funnel.sort",
        "funnel.rank",
        "funnel.group",
        "funnel.lessons",
        "funnel.operation");
  }

  static void kernel(
      KernelContext context,
      IntArray shape,
      FloatArray values,
      DoubleArray sum,
      int shapeAt,
      int sumAt,
      float factor) {}

  @Test
  void argumentsAreBoundByName_andMissingOnesRefused() {
    Input x = new Input("x", ElementType.FLOAT, ListedOperations.CAPACITY);
    List<Primitive> sums = new ArrayList<>();
    sums.addAll(Reduction.sum().expand("a", List.of(x)).primitives());
    sums.addAll(
        Reduction.countIf(ListedOperations.TESTS.get(2)).expand("b", List.of(x)).primitives());
    sums.addAll(
        Reduction.countIf(ListedOperations.TESTS.get(2)).expand("c.d", List.of(x)).primitives());
    Program program = Program.of(List.of(x), sums);
    ProgramArrays arrays = new ProgramArrays(program, Map.of());
    Step last = program.steps().getLast();
    Launches launches =
        Launches.of(last, arrays, arrays.shapeAt(last)).array("values", "x").result("sum", "c.d");
    Grid grid = Grid.of(3, 64);
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> launches.add("t", LaunchesTest.class, "kernel", grid))
            .getMessage();
    assertTrue(message.contains("task c__d_t: parameter factor"), message);
    KernelTask task =
        launches
            .value("factor", 2f)
            .add("t", LaunchesTest.class, "kernel", grid)
            .tasks()
            .getFirst();
    assertEquals("c__d_t", task.id());
    assertEquals(grid, task.grid());
    assertEquals(
        List.of(
            arrays.shape(),
            arrays.array("x"),
            arrays.array("c.d"),
            arrays.shapeAt(last),
            arrays.index("c.d"),
            2f),
        task.arguments());
  }
}
