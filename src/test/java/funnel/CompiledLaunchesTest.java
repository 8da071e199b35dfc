package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.engine.Program;
import funnel.engine.device.ProgramArrays;
import funnel.heat.HeatPrograms;
import funnel.jit.FusedMultiplyAdd;
import funnel.kernel.KernelTask;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.sort.Order;
import funnel.sort.Sort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoBackend;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * TornadoVM compiles the kernels of all launches of the listed operations and of the heat solver,
 * for which a driver without a device suffices.
 */
@Tag("gpu")
@EnabledIfSystemProperty(named = "funnel.test.compiled", matches = "true")
class CompiledLaunchesTest {

  /** Which of how many parts of the launches a process compiles. */
  private static final int PART = Integer.getInteger("funnel.test.part", 0);

  private static final int PARTS = Integer.getInteger("funnel.test.parts", 1);

  /** So many elements are sorted by other kernels than the listed operations have. */
  private static final int MANY = 1 << 23;

  /** One launch of each kernel, and of each copy of it for an operator. */
  private final Map<String, KernelTask> launches = new LinkedHashMap<>();

  private void add(Program program) {
    ProgramArrays arrays = new ProgramArrays(program, Map.of());
    for (Step step : program.steps()) {
      arrays.tasks(step).forEach(task -> launches.put(LaunchedKernels.method(task.code()), task));
    }
  }

  @Test
  void everyKernelCompiles() {
    TornadoBackend backend = TornadoRuntimeProvider.getTornadoRuntime().getBackend(0);
    FusedMultiplyAdd.teach(backend);
    String name = backend.getBackendType().name().toLowerCase(Locale.ROOT);
    Setting there = Setting.on(new Device("NVIDIA H200", name));
    BiConsumer<Operation, List<Input>> compiled =
        (operation, inputs) -> {
          for (Setting setting : List.of(there, Setting.toTheEnd())) {
            ListedOperations.orNone(
                    () ->
                        Program.of(inputs, operation.expand("o", inputs).primitives())
                            .in(setting)
                            .on(there, Map.of()))
                .forEach(this::add);
          }
        };
    ListedOperations.each((named, inputs) -> compiled.accept(named.operation(), inputs));
    for (ElementType type : ElementType.values()) {
      List<Input> many = List.of(new Input("x", type, MANY));
      compiled.accept(Sort.ascending(), many);
      compiled.accept(Order.ascending(), many);
    }
    HeatPrograms.all().values().forEach(program -> add(program.on(there, Map.of())));
    List<String> names =
        IntStream.range(0, launches.size())
            .filter(i -> i % PARTS == PART)
            .mapToObj(List.copyOf(launches.keySet())::get)
            .toList();
    List<String> failures = new ArrayList<>();
    for (String method : names) {
      int number = names.indexOf(method);
      if (number % 50 == 0) {
        System.gc(); // TornadoVM leaves the class files that it reads open
      }
      try {
        compile(launches.get(method), "compiled" + number);
      } catch (Exception | LinkageError | AssertionError e) {
        failures.add(method + ": " + e);
      }
    }
    System.out.printf(
        "part %s of %s of %s kernels: %s compile on %s, %s do not%n",
        PART, PARTS, launches.size(), names.size() - failures.size(), name, failures.size());
    assertTrue(names.size() > 1);
    assertEquals("", String.join("\n", failures));
  }

  private static void compile(KernelTask task, String name) throws Exception {
    TaskGraph graph = new TaskGraph(name);
    GridScheduler scheduler = new GridScheduler();
    Object[] arrays =
        task.arguments().stream().filter(TornadoNativeArray.class::isInstance).distinct().toArray();
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, arrays);
    task.addTo(graph, scheduler);
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, arrays);
    try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
      plan.withGridScheduler(scheduler).withPreCompilation();
    }
  }
}
