package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.GraphResults;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.compiled.CompiledKernel;
import funnel.compiled.KernelFolder;
import funnel.compiled.TaskAdder;
import funnel.engine.Compilation;
import funnel.engine.KeptArrays;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.engine.RoutineContract.Adding;
import funnel.kernel.AtLaunch;
import funnel.kernel.KernelTask;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Input;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.Transform;
import funnel.scan.Scan;
import funnel.transform.Elementwise;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * The store of compiled kernels. A kernel that adds a random number, which is compiled in, is one
 * that no folder has.
 */
@Tag("gpu")
@Timeout(600)
class KernelStoreDeviceTest {

  private static final int LENGTH = 300;

  private SplittableRandom random;
  private TornadoEngine engine;
  private KernelStore store;

  @BeforeEach
  void open(TestInfo test) {
    random = Seed.random("store " + test.getDisplayName());
    engine = TornadoEngine.open();
    store = Objects.requireNonNull(KernelStore.instance(), "no store");
    requireAdds(adding("x", 1, LENGTH)); // what all programs need is known from here on
  }

  @AfterEach
  void close() {
    engine.close();
  }

  // Programs

  /** A program that adds a number. */
  record Added(String input, int amount, int capacity) {
    Program program() {
      return new Program(
          List.of(new Input(input, ElementType.INT, capacity)),
          List.of(Routine.of(List.of(new Adding("of_" + input, input, amount, capacity)))));
    }
  }

  private static Added adding(String input, int amount, int capacity) {
    return new Added(input, amount, capacity);
  }

  private Added anotherProgram() {
    return adding("x", random.nextInt(), LENGTH);
  }

  private Compilation compile(Added added) {
    return engine.compile(added.program());
  }

  /** In an engine that has kept no programs. */
  private static void requireAdds(Added added) {
    try (TornadoEngine engine = TornadoEngine.open()) {
      requireAdds(engine, added);
    }
  }

  static void requireAdds(TornadoEngine engine, Added added) {
    int[] values = IntStream.range(0, added.capacity() - 1).toArray();
    try (LoadedProgram loaded = engine.load(added.program(), Map.of(), KeptArrays.NONE)) {
      loaded.set(added.input(), MemorySegment.ofArray(values));
      loaded.run(0);
      int[] after = new int[values.length];
      loaded.fetch(added.input(), MemorySegment.ofArray(after));
      assertArrayEquals(Arrays.stream(values).map(v -> v + added.amount()).toArray(), after);
    }
  }

  /** The key of the one kernel that a program has and no other, which is compiled by this. */
  private String compiledKey(Added added) {
    Set<String> before = store.keys();
    compile(added).done().join();
    Set<String> after = new TreeSet<>(store.keys());
    after.removeAll(before);
    assertEquals(1, after.size(), () -> "keys=" + after + Seed.replay());
    return after.iterator().next();
  }

  // What is found

  @Test
  void anotherPlan_ofOtherNamesAndLengths_compilesNothing() {
    int amount = random.nextInt();
    int before = store.compiled();
    requireAdds(adding("x", amount, LENGTH));
    assertEquals(before + 1, store.compiled());
    for (int i = 2; i < 6; i++) {
      requireAdds(adding("another" + i, amount, i * LENGTH));
    }
    assertEquals(before + 1, store.compiled());
  }

  private static Transform.IntMap one(int k) {
    return v -> 3 * v + k;
  }

  private static Transform.IntMap ofEqualCode(int captured) {
    return number -> 3 * number + captured;
  }

  private static Transform.IntMap ofOtherCode(int k) {
    return v -> 5 * v - k;
  }

  private static void requireMaps(Transform.IntMap function, String name, int length) {
    int[] x = IntStream.range(0, length).toArray();
    try (Funnel funnel = Funnel.open(Target.TORNADO);
        Plan plan =
            funnel
                .plan(name)
                .input("x" + name, ElementType.INT, length)
                .add("y" + name, Elementwise.ofInt("f" + name, function), "x" + name)
                .build()) {
      Results results = plan.run(Map.of("x" + name, Elements.of(x)));
      assertArrayEquals(Arrays.stream(x).map(function).toArray(), results.ints("y" + name));
    }
  }

  @Test
  void lambdasOfEqualCode_compileNothing_otherNumbersNeither_anotherBodyDoes() {
    requireMaps(one(random.nextInt()), "one", LENGTH);
    int compiled = store.compiled();
    Set<String> keys = store.keys();
    requireMaps(one(random.nextInt()), "two", 2 * LENGTH);
    requireMaps(ofEqualCode(random.nextInt()), "three", LENGTH);
    assertEquals(compiled, store.compiled());
    assertEquals(keys, store.keys());
    requireMaps(ofOtherCode(random.nextInt()), "four", LENGTH);
    assertTrue(store.keys().size() > keys.size());
  }

  private static Transform.IntMap lookingUp(int[] table) {
    return v -> table[v % table.length] + 1;
  }

  /** One of a scan and a look-up, or the first of these alone. */
  private static void requirePlan(String name, int operations, String result, int... expected) {
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      Plan.Builder builder = funnel.plan(name).input("x", ElementType.INT, LENGTH);
      builder.add("sums", Scan.inclusive(Operator.SUM), "x");
      if (operations > 1) {
        builder.add("y", Elementwise.ofInt("f", lookingUp(new int[] {3, 2, 1})), "sums");
      }
      try (Plan plan = builder.build()) {
        Results results = plan.run(Map.of("x", Elements.of(new int[] {0, 1, 1, 1})));
        assertArrayEquals(expected, results.ints(result));
      }
    }
  }

  /** Its length, those of the inputs, and the places that a plan has for it are no constants. */
  @Test
  void aLambdaThatLooksUp_isOneKernel() {
    requireMaps(lookingUp(new int[] {5, 7}), "first", LENGTH);
    requirePlan("scanned", 1, "sums", 0, 1, 2, 3);
    Set<String> keys = store.keys();
    for (int length : new int[] {1, LENGTH - 1, 2 * LENGTH, 7 * LENGTH, 100 * LENGTH}) {
      requireMaps(lookingUp(random.ints(1 + length / 3).toArray()), "of" + length, length);
    }
    requirePlan("later", 2, "y", 4, 3, 2, 4);
    assertEquals(keys, store.keys());
  }

  // Graphs of the user's own

  /** A user's kernels. */
  static final class Own {
    private Own() {}

    static void add(KernelContext context, IntArray x, IntArray y, int number, @AtLaunch int at) {
      y.set(context.globalIdx, x.get(context.globalIdx) + number + at);
    }
  }

  /** A kernel that TornadoVM does not compile: there are no threads of Java's on a device. */
  static final class OfTheHost {
    private OfTheHost() {}

    static void put(KernelContext context, IntArray x, int number) {
      x.set(context.globalIdx, number + Thread.currentThread().getPriority());
    }
  }

  @Test
  void aKernelThatDoesNotCompile_failsEachTime_andOthersDoNot() {
    KernelTask task = KernelTask.of("ofTheHost", GRID, OfTheHost::put, numbers(), random.nextInt());
    for (int i = 0; i < 2; i++) {
      Compilation compilation = store.compile(List.of(task));
      assertThrows(ExecutionException.class, () -> compilation.done().get());
      assertFalse(compilation.areKnown());
      assertEquals(1, compilation.kernels());
      assertThrows(RuntimeException.class, () -> graph("refused", task).execute());
      requireAdds(anotherProgram());
    }
  }

  /** A kernel with a recursion, in which TornadoVM's compiler does not end. */
  static final class Endless {
    private Endless() {}

    private static int factorial(int n) {
      return n < 2 ? 1 : n * factorial(n - 1);
    }

    static void put(KernelContext context, IntArray x, int number) {
      x.set(context.globalIdx, number + factorial(x.get(context.globalIdx)));
    }
  }

  @Test
  @Timeout(60)
  void aRecursiveKernel_isRefused_andOthersAreCompiled() {
    KernelTask task = KernelTask.of("endless", GRID, Endless::put, numbers(), random.nextInt());
    for (Executable use :
        List.<Executable>of(
            () -> store.compile(List.of(task)),
            () -> store.compileNow(List.of(task)),
            () -> graph("endless", task))) {
      OperatorException e = assertThrows(OperatorException.class, use);
      assertTrue(e.getMessage().contains("Endless.factorial"), e::getMessage);
    }
    requireAdds(anotherProgram());
  }

  private static final KernelTask.Grid GRID = KernelTask.Grid.of(LENGTH / 10, 10);

  private static KernelTask own(String id, IntArray x, IntArray y, int number, int at) {
    return KernelTask.of(id, GRID, Own::add, x, y, number, at);
  }

  /** One that adds. */
  private static TornadoExecutionPlan graph(String name, KernelTask... tasks) {
    TaskGraph graph = new TaskGraph(name);
    GridScheduler scheduler = new GridScheduler();
    Object[] arrays =
        Arrays.stream(tasks)
            .flatMap(task -> task.arguments().stream())
            .filter(IntArray.class::isInstance)
            .distinct()
            .toArray();
    graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, arrays);
    for (KernelTask task : tasks) {
      task.addTo(graph, scheduler);
    }
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, arrays);
    TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot());
    plan.withGridScheduler(scheduler);
    return plan;
  }

  private static IntArray numbers() {
    return IntArray.fromArray(IntStream.range(0, LENGTH).toArray());
  }

  private static void requireAdded(int added, IntArray y) {
    assertArrayEquals(IntStream.range(added, added + LENGTH).toArray(), y.toHeapArray());
  }

  @Test
  void aGraphOfTheUsers_isRight_andCompilesNothingTheSecondTime() throws Exception {
    int number = random.nextInt();
    int compiled = store.compiled();
    for (int time = 0; time < 3; time++) {
      IntArray x = numbers();
      IntArray y = numbers();
      IntArray sums = new IntArray(LENGTH);
      try (Funnel funnel = Funnel.open(Target.TORNADO);
          Plan plan =
              funnel
                  .plan("theirs" + time)
                  .input("x", ElementType.INT, LENGTH)
                  .add("sums", Scan.inclusive(Operator.SUM), "x")
                  .build()) {
        TaskGraph graph = new TaskGraph("users" + time);
        GridScheduler scheduler = new GridScheduler();
        graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, x, y);
        GraphResults results = plan.addTo(graph, scheduler, Map.of("x", x, "sums", sums));
        own("own", x, y, number, time).addTo(graph, scheduler);
        graph.transferToHost(DataTransferMode.EVERY_EXECUTION, y, sums);
        try (TornadoExecutionPlan users = new TornadoExecutionPlan(graph.snapshot())) {
          users.withGridScheduler(scheduler);
          for (int i = 0; i < 2; i++) {
            users.execute();
            requireAdded(number + time, y);
            assertEquals(LENGTH * (LENGTH - 1) / 2, results.get("sums_total"));
            assertEquals(10, sums.get(4));
            y.init(0);
          }
        }
      }
      if (time == 0) {
        assertTrue(store.compiled() > compiled);
        compiled = store.compiled();
      }
      assertEquals(compiled, store.compiled());
    }
  }

  @Test
  void plansWithTheSameNames_doNotGetEachOthersCode() throws Exception {
    int a = random.nextInt();
    int b = random.nextInt();
    IntArray x = numbers();
    IntArray ya = numbers();
    IntArray yb = numbers();
    try (TornadoExecutionPlan second = graph("same", own("t", x, yb, b, 2))) {
      try (TornadoExecutionPlan first = graph("same", own("t", x, ya, a, 1))) {
        for (int i = 0; i < 2; i++) {
          first.execute();
          second.execute();
          requireAdded(a + 1, ya);
          requireAdded(b + 2, yb);
          ya.init(0);
          yb.init(0);
        }
      }
      second.execute();
      requireAdded(b + 2, yb);
    }
  }

  @Test
  void oneKernelSeveralTimesInAGraph() throws Exception {
    int a = random.nextInt();
    int b = random.nextInt();
    IntArray x = numbers();
    IntArray[] y = new IntArray[6];
    Arrays.setAll(y, _ -> numbers());
    int compiled = store.compiled();
    try (TornadoExecutionPlan plan =
        graph(
            "several",
            own("first", x, y[0], a, 0),
            own("second", x, y[1], a, 1),
            own("third", x, y[2], b, 0),
            own(KernelTask.repetition("again", 0), x, y[3], a, 7),
            own(KernelTask.repetition("again", 1), x, y[4], a, 7),
            own(KernelTask.repetition("again", 2), x, y[5], a, 7))) {
      plan.execute();
    }
    assertEquals(compiled + 2, store.compiled());
    int[] added = {a, a + 1, b, a + 7, a + 7, a + 7};
    for (int i = 0; i < y.length; i++) {
      requireAdded(added[i], y[i]);
    }
  }

  /** Of a plan, too, that has been freed: its modules are unloaded, and loaded again. */
  @Test
  void freedPlans_andThoseBesideThem_goOn() throws Exception {
    int a = random.nextInt();
    IntArray x = numbers();
    IntArray y = numbers();
    IntArray z = numbers();
    try (TornadoExecutionPlan plan = graph("freed", own("t", x, y, a, 0));
        TornadoExecutionPlan beside = graph("beside", own("t", x, z, a, 0))) {
      for (int i = 0; i < 3; i++) {
        plan.execute();
        beside.execute();
        requireAdded(a, y);
        requireAdded(a, z);
        y.init(0);
        z.init(0);
        plan.freeDeviceMemory();
        beside.execute();
        requireAdded(a, z);
        z.init(0);
      }
    }
  }

  @Test
  void withoutTheStore_tornadoVmCompiles() throws Exception {
    int a = random.nextInt();
    IntArray y = numbers();
    int compiled = store.compiled();
    TaskAdder none = (_, _, _) -> false;
    none.use();
    try (TornadoExecutionPlan plan = graph("without", own("t", numbers(), y, a, 1))) {
      plan.execute();
    } finally {
      store.use();
    }
    requireAdded(a + 1, y);
    assertEquals(compiled, store.compiled());
  }

  // Several at once

  @Test
  void threadsThatLoadTheSameProgram_compileItOnce() throws Exception {
    for (int round = 0; round < 3; round++) {
      Added program = anotherProgram();
      int compiled = store.compiled();
      CountDownLatch begin = new CountDownLatch(1);
      List<CompletableFuture<Void>> loads = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        loads.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    begin.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  requireAdds(program);
                },
                task -> Thread.ofPlatform().start(task)));
      }
      begin.countDown();
      for (CompletableFuture<Void> load : loads) {
        load.get();
      }
      assertEquals(compiled + 1, store.compiled(), Seed.replay());
    }
  }

  @Test
  void aLoadDuringTheCompilationOfTheSameKernels() throws Exception {
    int compiled = store.compiled();
    List<Added> programs = IntStream.range(0, 4).mapToObj(_ -> anotherProgram()).toList();
    List<Compilation> ahead = programs.stream().map(this::compile).toList();
    requireAdds(programs.getLast());
    for (Compilation each : ahead) {
      each.done().get();
      assertTrue(each.areKnown());
    }
    programs.forEach(KernelStoreDeviceTest::requireAdds);
    assertEquals(compiled + 4, store.compiled());
    assertEquals(0, compile(programs.getFirst()).kernels());
  }

  @Test
  void aCompilationThatIsGivenUp_takesNothingFromOthers() throws Exception {
    for (int round = 0; round < 3; round++) {
      List<Added> programs = IntStream.range(0, 6).mapToObj(_ -> anotherProgram()).toList();
      List<Compilation> givenUp = programs.stream().map(this::compile).toList();
      Added wanted = programs.getLast();
      Compilation other = compile(wanted);
      givenUp.forEach(Compilation::cancel);
      other.done().get();
      assertTrue(other.areKnown());
      List<Compilation> again = programs.stream().map(this::compile).toList();
      again.forEach(Compilation::cancel);
      programs.forEach(KernelStoreDeviceTest::requireAdds);
    }
  }

  // What the folder has

  private KernelFolder folder() {
    KernelFolder folder = store.folder();
    assumeTrue(
        folder.use() == KernelFolder.Use.READ_WRITE, () -> "NOT RUN: folder " + folder.use());
    return folder;
  }

  private Path file(String key) {
    return folder().folder().orElseThrow().resolve(key + ".kernel");
  }

  @Test
  void damagedCutAndForeignFiles_areCompiledAgain() throws IOException {
    List<Added> programs = IntStream.range(0, 3).mapToObj(_ -> anotherProgram()).toList();
    List<Path> files = programs.stream().map(this::compiledKey).map(this::file).toList();
    byte[] changed = Files.readAllBytes(files.get(0));
    changed[random.nextInt(changed.length)] ^= 1;
    byte[] foreign = Files.readAllBytes(files.get(1));
    Files.write(files.get(0), changed);
    Files.write(files.get(1), Arrays.copyOf(foreign, foreign.length / 2));
    Files.write(files.get(2), foreign);
    for (int again : new int[] {3, 0}) {
      store.forget();
      int compiled = store.compiled();
      programs.forEach(KernelStoreDeviceTest::requireAdds);
      assertEquals(compiled + again, store.compiled(), Seed.replay());
    }
  }

  /** Whole and under the right key, but not for these arguments: whoever has written it. */
  @Test
  void kernelsWithOtherArguments_areCompiledAgain() {
    Added program = anotherProgram();
    String key = compiledKey(program);
    CompiledKernel right = folder().read(key).orElseThrow();
    List<String> odd = new ArrayList<>(right.accesses());
    odd.set(1, "NO_SUCH_ACCESS");
    for (List<String> accesses : List.of(odd, right.accesses().subList(0, 3))) {
      folder().write(key, new CompiledKernel(right.entry(), accesses, right.code()));
      store.forget();
      requireAdds(program);
      assertEquals(right, folder().read(key).orElseThrow());
    }
  }

  @Test
  void theCodeOfAnotherKernel_isNoticedByTheCheck() {
    Added program = anotherProgram();
    Added wrong = anotherProgram();
    String key = compiledKey(program);
    folder().write(key, folder().read(compiledKey(wrong)).orElseThrow());
    store.forget();
    FunnelDeviceException e = assertThrows(FunnelDeviceException.class, () -> requireAdds(program));
    assertTrue(e.getMessage().contains("of_x"), e::getMessage);
    folder().remove(key);
    store.forget();
    requireAdds(program);
  }

  /** What is dropped comes from the folder again, and a program that has it goes on. */
  @Test
  void codeInTheProcessHasALimit_thatDropsWhatWasUsedLeastRecently() {
    int[] huge = {1, 2, 3, 4, 5};
    int bytes = Math.toIntExact(KernelStore.MOST_BYTES / (huge.length - 1));
    Added small = anotherProgram();
    String first = compiledKey(small);
    List<Added> programs = Arrays.stream(huge).mapToObj(_ -> anotherProgram()).toList();
    List<String> keys = programs.stream().map(this::compiledKey).toList();
    try {
      for (String key : keys) {
        CompiledKernel kernel = folder().read(key).orElseThrow();
        folder().write(key, new CompiledKernel(kernel.entry(), kernel.accesses(), new byte[bytes]));
      }
      store.forget();
      try (LoadedProgram loaded = engine.load(small.program(), Map.of(), KeptArrays.NONE)) {
        programs.forEach(this::compile); // which reads them, and does not load them
        assertTrue(store.keys().contains(keys.getLast()));
        assertFalse(store.keys().contains(keys.getFirst()));
        assertFalse(store.keys().contains(first));
        loaded.run(0);
        int compiled = store.compiled();
        requireAdds(small);
        assertEquals(compiled, store.compiled());
      }
    } finally {
      keys.forEach(folder()::remove);
      store.forget();
    }
  }

  // Devices

  /** Of the same compute capability, it gets the same code. */
  @Test
  void anotherDevice() {
    var devices = TornadoRuntimeProvider.getTornadoRuntime().getBackend(0).getAllDevices();
    assumeTrue(devices.size() > 1, () -> "NOT RUN: devices=" + devices.size());
    boolean isOfTheStore = KernelStore.refusal(devices.get(1)).isEmpty();
    Added program = anotherProgram();
    int compiled = store.compiled();
    try (TornadoEngine other = TornadoEngine.open(1)) {
      requireAdds(other, program);
      assertEquals(compiled + (isOfTheStore ? 1 : 0), store.compiled());
      assertNotEquals(
          isOfTheStore, other.details().getOrDefault("without", "").contains("device 1"));
      IntArray y = numbers();
      KernelTask task = own("t", numbers(), y, 3, 4);
      TornadoExecutionPlan users = graph("there", task).withDevice(devices.get(1));
      if (isOfTheStore) {
        users.execute();
        requireAdded(7, y);
      } else {
        Exception e = assertThrows(Exception.class, users::execute);
        assertTrue(e.getMessage().contains("CUDA_VISIBLE_DEVICES=1"), e::getMessage);
      }
    }
  }
}
