package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.LengthRule;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Arrays whose length a primitive finds, and others that go on with them, on an engine. */
public abstract class FoundLengthContract {

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int CAPACITY = 100;

  abstract Engine engine();

  abstract Target target();

  /** The keys of runs of equal keys, where they begin, and how many there are of each. */
  public record Runs(String id, String keys, int capacity) implements Primitive {
    String counts() {
      return id + "_counts";
    }

    String begins() {
      return id + "_begins";
    }

    private String groups() {
      return id + "_groups";
    }

    @Override
    public Step in(Setting setting) {
      int most = setting.capacity(capacity);
      return Step.of(this, setting)
          .reads("keys", keys)
          .number(0, lengths -> lengths.length(keys))
          .writesFound("distinct", id, ElementType.INT, most, groups(), keys)
          .writesFound("begins", begins(), ElementType.INT, most, groups(), keys)
          .writesFound("counts", counts(), ElementType.INT, most, groups(), keys)
          .delivers("groups", groups(), ElementType.INT)
          .onDevice(
              launches -> launches.add("runs", FoundLengthKernels.class, "runs", Grid.of(1, 1)))
          .onJvm(this::find);
    }

    private void find(JvmRun run) {
      int[] given = run.input(keys).toArray(INT);
      int[] distinct = IntStream.of(given).distinct().toArray();
      run.deliver(groups(), distinct.length);
      MemorySegment.copy(distinct, 0, run.output(id), INT, 0, distinct.length);
      int[] begins = FoundLengthContract.begins(given);
      MemorySegment.copy(begins, 0, run.output(begins()), INT, 0, begins.length);
      int[] counts = FoundLengthContract.counts(given);
      MemorySegment.copy(counts, 0, run.output(counts()), INT, 0, counts.length);
    }
  }

  record Sums(String id, String input, int capacity) implements Primitive {
    @Override
    public Step in(Setting setting) {
      return Step.of(this, setting)
          .reads("values", input)
          .derives(0, input, LengthRule.LENGTH)
          .writes("sums", id, ElementType.INT, setting.capacity(capacity), input)
          .counts()
          .onDevice(
              launches -> launches.add("scan", FoundLengthKernels.class, "scan", Grid.of(1, 1)))
          .onJvm(
              run -> {
                int[] sums = sums(run.input(input).toArray(INT));
                MemorySegment.copy(sums, 0, run.output(id), INT, 0, sums.length);
              });
    }
  }

  record Sum(String id, String input) implements Primitive {
    @Override
    public Step in(Setting setting) {
      return Step.of(this, setting)
          .reads("values", input)
          .derives(0, input, LengthRule.LENGTH)
          .delivers("sum", id, ElementType.INT)
          .onDevice(launches -> launches.add("sum", FoundLengthKernels.class, "sum", Grid.of(1, 1)))
          .onJvm(run -> run.deliver(id, IntStream.of(run.input(input).toArray(INT)).sum()));
    }
  }

  private static final Runs RUNS = new Runs("k", "x", CAPACITY);
  private static final Sums SUMS = new Sums("s", RUNS.counts(), CAPACITY);
  private static final Sum SUM = new Sum("t", "s");
  private static final Sum DISTINCT = new Sum("d", "k");

  private static int[] begins(int[] keys) {
    return IntStream.range(0, keys.length).filter(i -> i == 0 || keys[i] != keys[i - 1]).toArray();
  }

  private static int[] counts(int[] keys) {
    return IntStream.of(keys)
        .distinct()
        .map(key -> (int) IntStream.of(keys).filter(k -> k == key).count())
        .toArray();
  }

  private static int[] sums(int[] values) {
    int[] sums = values.clone();
    Arrays.parallelPrefix(sums, Integer::sum);
    return sums;
  }

  private static List<int[]> keys() {
    return List.of(
        new int[] {4, 4, 7, 9, 9, 9}, new int[0], new int[] {5}, sorted(CAPACITY, CAPACITY));
  }

  private void check(List<Primitive> primitives, boolean seesCounts) {
    Program program = Program.of(List.of(new Input("x", ElementType.INT, CAPACITY)), primitives);
    try (LoadedProgram loaded = engine().load(program, Map.of())) {
      for (int[] keys : keys()) {
        loaded.set("x", MemorySegment.ofArray(keys));
        loaded.run();
        int[] distinct = IntStream.of(keys).distinct().toArray();
        int[] sums = sums(counts(keys));
        assertEquals(IntStream.of(sums).sum(), loaded.result("t"));
        assertEquals(IntStream.of(distinct).sum(), loaded.result("d"));
        assertArrayEquals(distinct, fetched(loaded, "k"));
        if (seesCounts) {
          assertArrayEquals(begins(keys), fetched(loaded, RUNS.begins()));
          assertArrayEquals(counts(keys), fetched(loaded, RUNS.counts()));
          assertArrayEquals(sums, fetched(loaded, "s"));
        }
      }
    }
  }

  private static int[] sorted(int length, int range) {
    return IntStream.range(0, length).map(i -> i * 7919 % range).sorted().toArray();
  }

  private static int[] fetched(LoadedProgram loaded, String name) {
    int[] array = new int[loaded.length(name)];
    loaded.fetch(name, MemorySegment.ofArray(array));
    return array;
  }

  @Test
  void otherPrimitivesGoOnWithThem() {
    check(List.of(RUNS, SUMS, SUM, DISTINCT), true);
  }

  /** There they are hidden. */
  @Test
  void partsGoOnWithThem() {
    Composite sums = Composite.of("c", List.of(RUNS, SUMS, SUM, DISTINCT), Set.of("k"));
    assertEquals(
        List.of("k"), sums.asIs().layout().arrays().stream().map(Primitive.Slot::name).toList());
    check(List.of(sums), false);
  }

  @Test
  void aDestinationGetsWhatWasFound() {
    Program program = Program.of(List.of(new Input("x", ElementType.INT, CAPACITY)), List.of(RUNS));
    int[] distinct = new int[CAPACITY];
    Arrays.fill(distinct, -1);
    try (LoadedProgram loaded = engine().load(program, Map.of())) {
      loaded.setDestination("k", MemorySegment.ofArray(distinct));
      loaded.set("x", MemorySegment.ofArray(new int[] {1, 1, 2}));
      loaded.run();
      assertArrayEquals(new int[] {1, 2, -1, -1}, Arrays.copyOf(distinct, 4));
    }
  }

  private static Operation only(BiFunction<String, Input, Primitive> primitive) {
    return (output, inputs) ->
        new Expansion(
            List.of(primitive.apply(output, Expansion.only(inputs, "a test"))), List.of());
  }

  private static final Operation FINDS = only((id, x) -> new Runs(id, x.name(), x.capacity()));
  private static final Operation SCANS = only((id, x) -> new Sums(id, x.name(), x.capacity()));

  @Test
  void plansGiveAsManyAsWereFound_alsoAfterLongerOnes() {
    try (Funnel funnel = Funnel.open(target());
        Plan plan =
            funnel
                .plan("found")
                .input("x", ElementType.INT, CAPACITY)
                .add("k", FINDS, "x")
                .add("s", SCANS, "k_counts")
                .build()) {
      for (int[] keys : keys()) {
        int[] into = new int[CAPACITY];
        Arrays.fill(into, -1);
        Results results =
            plan.run(Map.of("x", Elements.of(keys)), Map.of("k_begins", Elements.of(into)));
        int[] begins = begins(keys);
        assertArrayEquals(IntStream.of(keys).distinct().toArray(), results.ints("k"));
        assertArrayEquals(begins, results.ints("k_begins"));
        assertArrayEquals(begins, Arrays.copyOf(into, begins.length));
        assertEquals(-1, into.length == begins.length ? -1 : into[begins.length]);
        assertArrayEquals(sums(counts(keys)), results.ints("s"));
        assertArrayEquals(counts(keys), funnel.run(FINDS, Elements.of(keys)).ints("result_counts"));
      }
    }
  }

  /** One that does not derive its ints from the length would take the capacity for it. */
  @Test
  void operationsThatDoNotGoOnWithThem_refuse() {
    try (Funnel funnel = Funnel.open(target())) {
      Plan.Builder builder =
          funnel.plan("p").input("x", ElementType.INT, CAPACITY).add("k", FINDS, "x");
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> builder.add("y", FINDS, "k_counts").build());
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains("k_counts") && message.contains("k_groups"), message);
    }
  }
}
