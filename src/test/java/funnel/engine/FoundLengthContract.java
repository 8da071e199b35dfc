package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Composite;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Arrays whose length a primitive finds, and others that go on with them, on an engine. */
abstract class FoundLengthContract {

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int CAPACITY = 100;

  abstract Engine engine();

  /** The keys of runs of equal keys, and how many of each. */
  record Runs(String id, String keys, int capacity) implements Primitive {
    String counts() {
      return id + "_counts";
    }

    private String groups() {
      return id + "_groups";
    }

    @Override
    public Layout layout() {
      return Layout.reads(keys)
          .writesFound(id, ElementType.INT, capacity, groups())
          .writesFound(counts(), ElementType.INT, capacity, groups())
          .delivers(groups(), ElementType.INT);
    }

    @Override
    public int[] shape(Lengths lengths) {
      return new int[] {lengths.length(keys)};
    }

    @Override
    public void launch(Launches launches) {
      launches
          .array("keys", keys)
          .array("distinct", id)
          .array("counts", counts())
          .result("groups", groups())
          .add("runs", FoundLengthKernels.class, "runs", Grid.of(1, 1));
    }

    @Override
    public void runOnJvm(JvmRun run) {
      int[] given = run.input(keys).toArray(INT);
      int[] distinct = IntStream.of(given).distinct().toArray();
      run.deliver(groups(), distinct.length);
      MemorySegment.copy(distinct, 0, run.output(id), INT, 0, distinct.length);
      MemorySegment counts = run.output(counts());
      for (int i = 0; i < distinct.length; i++) {
        int key = distinct[i];
        counts.setAtIndex(INT, i, (int) IntStream.of(given).filter(k -> k == key).count());
      }
    }

    @Override
    public Primitive in(Setting setting) {
      return new Runs(id, keys, setting.capacity(capacity));
    }
  }

  private static void addLength(Launches launches, String input) {
    String found = launches.found(input);
    if (found != null) {
      launches
          .result("found", found)
          .add("length", FoundLengthKernels.class, "length", Grid.of(1, 1));
    }
  }

  record Squares(String id, String input, int capacity) implements Primitive {
    @Override
    public Layout layout() {
      return Layout.reads(input).writes(id, ElementType.INT, capacity, input).counts(id);
    }

    @Override
    public int[] shape(Lengths lengths) {
      return new int[] {lengths.length(input)};
    }

    @Override
    public void launch(Launches launches) {
      addLength(launches, input);
      launches
          .array("values", input)
          .array("squares", id)
          .add("squares", FoundLengthKernels.class, "squares", Grid.of(1, 1));
    }

    @Override
    public void runOnJvm(JvmRun run) {
      int[] squares = IntStream.of(run.input(input).toArray(INT)).map(x -> x * x).toArray();
      MemorySegment.copy(squares, 0, run.output(id), INT, 0, squares.length);
    }

    @Override
    public Primitive in(Setting setting) {
      return new Squares(id, input, setting.capacity(capacity));
    }
  }

  record Sum(String id, String input) implements Primitive {
    @Override
    public Layout layout() {
      return Layout.reads(input).delivers(id, ElementType.INT);
    }

    @Override
    public int[] shape(Lengths lengths) {
      return new int[] {lengths.length(input)};
    }

    @Override
    public void launch(Launches launches) {
      addLength(launches, input);
      launches
          .array("values", input)
          .result("sum", id)
          .add("sum", FoundLengthKernels.class, "sum", Grid.of(1, 1));
    }

    @Override
    public void runOnJvm(JvmRun run) {
      run.deliver(id, IntStream.of(run.input(input).toArray(INT)).sum());
    }

    @Override
    public Primitive in(Setting setting) {
      return this;
    }
  }

  private static final Runs RUNS = new Runs("k", "x", CAPACITY);
  private static final Squares SQUARES = new Squares("s", RUNS.counts(), CAPACITY);
  private static final Sum SUM = new Sum("t", "s");
  private static final Sum DISTINCT = new Sum("d", "k");

  private void check(List<Primitive> primitives, boolean seesCounts) {
    Program program = Program.of(List.of(new Input("x", ElementType.INT, CAPACITY)), primitives);
    try (LoadedProgram loaded = engine().load(program, Map.of())) {
      for (int[] keys :
          List.of(new int[] {4, 4, 7, 9, 9, 9}, new int[0], new int[] {5}, sorted(CAPACITY, 100))) {
        loaded.set("x", MemorySegment.ofArray(keys));
        loaded.run();
        int[] distinct = IntStream.of(keys).distinct().toArray();
        int[] counts =
            IntStream.of(distinct)
                .map(key -> (int) IntStream.of(keys).filter(k -> k == key).count())
                .toArray();
        int[] squares = IntStream.of(counts).map(x -> x * x).toArray();
        assertEquals(IntStream.of(squares).sum(), loaded.result("t"));
        assertEquals(IntStream.of(distinct).sum(), loaded.result("d"));
        assertArrayEquals(distinct, fetched(loaded, "k"));
        if (seesCounts) {
          assertArrayEquals(counts, fetched(loaded, RUNS.counts()));
          assertArrayEquals(squares, fetched(loaded, "s"));
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
    check(List.of(RUNS, SQUARES, SUM, DISTINCT), true);
  }

  /** There they are hidden. */
  @Test
  void partsGoOnWithThem() {
    Composite sums = Composite.of("c", List.of(RUNS, SQUARES, SUM, DISTINCT), Set.of("k"));
    assertEquals(List.of("k"), sums.layout().arrays().stream().map(Primitive.Slot::name).toList());
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
}
