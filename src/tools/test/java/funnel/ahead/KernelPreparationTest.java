package funnel.ahead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.FakeDevices;
import funnel.Funnel;
import funnel.Ints;
import funnel.compiled.Folders;
import funnel.compiled.KernelUse;
import funnel.engine.Compilation;
import funnel.engine.JvmEngine;
import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Input;
import funnel.operation.Step;
import funnel.operation.Target;
import funnel.operator.CapturedValues;
import funnel.operator.ElementType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** What is compiled before anything runs. */
class KernelPreparationTest {

  private static final int LENGTH = KernelPreparation.LENGTH;

  /** A device that may compile, and must not run anything. */
  private static final class CompilesOnly extends FakeDevices.StandIn {
    private final List<Program> compiled = new ArrayList<>();
    private @Nullable FunnelDeviceException failure;

    CompilesOnly() {
      super(new JvmEngine());
    }

    @Override
    public Compilation compile(Program program) {
      compiled.add(program);
      return failure == null ? Compilation.NONE : Compilation.failed(failure);
    }

    @Override
    public LoadedProgram load(
        Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
      throw new AssertionError("this allocates");
    }

    @Override
    public KeptArray keep(ElementType type, int length) {
      throw new AssertionError("this allocates");
    }

    @Override
    public void close() {
      throw new AssertionError("it is used by others");
    }

    Set<Integer> capacities() {
      Set<Integer> all = new HashSet<>();
      compiled.forEach(each -> each.inputs().stream().map(Input::capacity).forEach(all::add));
      return all;
    }
  }

  private final CompilesOnly device = new CompilesOnly();

  @Test
  void theJvmAnswers_andTheDeviceCompilesForOtherLengths() {
    CompilingEngine engine = new CompilingEngine(device, LENGTH, List.of(10, 10_000_000));
    int[] values = new int[LENGTH];
    Arrays.setAll(values, i -> i % 10);
    int sum = Arrays.stream(values).sum();
    try (Funnel funnel = engine.open()) {
      assertEquals(sum, funnel.sum(values));
      assertEquals(2, device.compiled.size());
      Ints x = funnel.of(values);
      assertEquals(sum, x.sorted().sum());
      assertEquals(4, engine.compilations().size());
    }
    assertEquals(
        Set.of(CapturedValues.capacity(10), CapturedValues.capacity(10_000_000)),
        device.capacities());
    try (Funnel other = Funnel.open(Target.JVM)) {
      assertEquals(sum, other.sum(values));
    }
    assertEquals(4, device.compiled.size());
  }

  @Test
  void inputsOfAnotherLength_keepTheirs() {
    CompilingEngine engine = new CompilingEngine(device, LENGTH, List.of(1_000_000));
    try (Funnel funnel = engine.open()) {
      int[] at = {3, 1};
      assertEquals(2, funnel.of(new int[LENGTH]).at(funnel.of(at)).toArray().length);
    }
    assertEquals(
        Set.of(CapturedValues.capacity(1_000_000), CapturedValues.capacity(2)),
        device.capacities());
  }

  @Test
  void allCallsAreMade_overAllTypes() {
    Set<String> failures = KernelPreparation.compile(device, List.of(100));
    assertEquals(Set.of(), failures);
    Set<ElementType> types = new HashSet<>();
    device.compiled.forEach(each -> each.inputs().forEach(input -> types.add(input.type())));
    assertEquals(Set.of(ElementType.values()), types);
    List<String> steps =
        device.compiled.stream()
            .flatMap(each -> each.steps().stream())
            .map(Step::toString)
            .toList();
    for (String part :
        List.of(
            "ReductionStep",
            "PairReductionStep",
            "ScanStep",
            "SegmentedScanStep",
            "RadixSortStep",
            "SelectStep",
            "HistogramStep",
            "SortedSearchStep",
            "WindowStep")) {
      assertTrue(steps.stream().anyMatch(step -> step.contains(part)), part);
    }
  }

  @Test
  void whatDoesNotCompile_isSaid_andTheRestIsDone() {
    device.failure = new FunnelDeviceException("too large", null);
    Set<String> failures = KernelPreparation.compile(device, List.of(100));
    assertEquals(1, failures.size());
    assertTrue(failures.iterator().next().endsWith(": too large"), failures.toString());
    int calls = device.compiled.size();
    assertTrue(calls > 200, "calls=" + calls);
  }

  @Test
  void theReport_hasWhatWasDone_andWhatCannotBe(@TempDir Path folder) {
    KernelUse kept = new KernelUse(3, 0, 20, Folders.named(folder));
    KernelUse none = new KernelUse(3, 0, 0, Folders.named(null));
    assertTrue(
        KernelPreparation.refusal(Optional.of(none)).endsWith("is not used: named by a test"));
    assertEquals("", KernelPreparation.refusal(Optional.of(kept)));
    assertEquals(
        "kernels: 3 compiled, 20 found, 90 s; folder " + kept.ofFolder(),
        KernelPreparation.report(kept, 90_000_000_000L));
  }

  @Test
  void withoutAStore_nothingCanBePrepared() {
    assertTrue(KernelPreparation.refusal(Optional.empty()).contains("each plan compiles its own"));
  }
}
