package funnel.reduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Seed;
import funnel.Values;
import funnel.emulator.Emulator;
import funnel.emulator.EmulatorEngine;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.tornado.TornadoEngine;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Output;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * One result, whatever the engine, the block size, the order of threads and the number of cores.
 */
class SameBitsTest {

  private static final int CAPACITY = 9000;

  private static Map<String, Reduction> reductions(ElementType type) {
    Map<String, Reduction> reductions = new LinkedHashMap<>();
    reductions.put("sum", Reduction.sum());
    reductions.put("product", Reduction.product());
    reductions.put("asDouble", Reduction.sumAsDouble());
    reductions.put("variance", Reduction.variance());
    reductions.put("squares", Reduction.sumOfSquares());
    reductions.put(
        "ordered",
        Reduction.of(
            type == ElementType.FLOAT ? UserOperators.PLUS_FLOAT : UserOperators.PLUS_DOUBLE));
    return reductions;
  }

  /** All reductions' results, in a program of kernels with blocks of some size. */
  private static Map<String, Number> results(
      Engine engine, int threads, int capacity, Values values) {
    Input input = new Input("x", values.type(), capacity);
    List<Expansion> steps =
        reductions(values.type()).entrySet().stream()
            .map(e -> e.getValue().expand(e.getKey(), List.of(input), threads))
            .toList();
    Program program =
        Program.of(List.of(input), steps.stream().flatMap(s -> s.primitives().stream()).toList());
    Map<String, Number> results = new LinkedHashMap<>();
    try (LoadedProgram loaded = engine.load(program, Map.<String, TornadoNativeArray>of())) {
      loaded.set("x", values.elements().segment());
      loaded.run();
      for (Expansion expansion : steps) {
        for (Output output : expansion.outputs()) {
          results.put(output.name(), output.finish().value(loaded::result, values.length()));
        }
      }
    }
    return results;
  }

  private static Values random(ElementType type, SplittableRandom random, int most) {
    Kind kind = random.nextInt(5) == 0 ? Kind.NEAR_ONE : Kind.RANDOM;
    return kind.make(type, random.nextInt(1, most), random);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void jvmAndEmulator_blocksOf256And512And1024(ElementType type) {
    SplittableRandom random = Seed.random("same bits" + type);
    try (Engine jvm = new JvmEngine();
        Engine emulator = new EmulatorEngine()) {
      for (int trial = 0; trial < Seed.draws(3); trial++) {
        Values values = random(type, random, CAPACITY);
        Map<String, Number> expected = results(jvm, 256, CAPACITY, values);
        for (int threads : new int[] {256, 512, 1024}) {
          int capacity = random.nextBoolean() ? values.length() : CAPACITY;
          assertEquals(
              expected,
              results(emulator, threads, capacity, values),
              () -> values + " in blocks of " + threads + Seed.replay());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void emulator_anyOrderOfThreadsAndBlocks_noRaces(ElementType type) {
    SplittableRandom random = Seed.random("orders" + type);
    Values values = random(type, random, 5000);
    Map<String, Number> expected;
    try (Engine jvm = new JvmEngine()) {
      expected = results(jvm, 256, CAPACITY, values);
    }
    for (Order order : Order.values()) {
      Emulator emulator =
          Emulator.builder()
              .order(order)
              .groupOrder(order)
              .seed(Seed.VALUE)
              .detectRaces(true)
              .build();
      assertEquals(
          expected,
          results(new EmulatorEngine(emulator), 256, CAPACITY, values),
          () -> values + " " + order + Seed.replay());
    }
  }

  @Tag("gpu")
  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void jvmAndDevice(ElementType type) {
    SplittableRandom random = Seed.random("device" + type);
    try (Engine jvm = new JvmEngine();
        Engine device = TornadoEngine.open()) {
      for (int most : new int[] {5000, 70_000, 5_000_000, 20_000_000}) {
        Values values = random(type, random, most);
        Map<String, Number> expected = results(jvm, 256, most, values);
        assertEquals(expected, results(device, 256, most, values), () -> values + Seed.replay());
      }
    }
  }

  @Tag("gpu")
  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void jvmAndDevice_blocksOf512And1024(ElementType type) {
    SplittableRandom random = Seed.random("blocks" + type);
    try (Engine jvm = new JvmEngine();
        Engine device = TornadoEngine.open()) {
      Values values = random(type, random, 3_000_000);
      Map<String, Number> expected = results(jvm, 256, 3_000_000, values);
      for (int threads : new int[] {512, 1024}) {
        assertEquals(
            expected,
            results(device, threads, 3_000_000, values),
            () -> values + " in blocks of " + threads + Seed.replay());
      }
    }
  }

  // Cores

  private static final int LONG_INPUT = 1_000_003;

  private static String bits(long seed) {
    StringBuilder bits = new StringBuilder();
    try (Engine jvm = new JvmEngine()) {
      for (ElementType type : new ElementType[] {ElementType.FLOAT, ElementType.DOUBLE}) {
        Values values = Kind.RANDOM.make(type, LONG_INPUT, new SplittableRandom(seed));
        bits.append(results(jvm, 256, LONG_INPUT, values)).append(' ');
      }
    }
    return bits.toString().strip();
  }

  /** Prints the bits of results over data of a seed. */
  public static void main(String... args) {
    System.out.println(bits(Long.parseLong(args[0])));
  }

  @Test
  void jvm_anyNumberOfCores() throws IOException, InterruptedException {
    assumeTrue(
        !Elements.of(new int[0]).getClass().getModule().isNamed()
            && !TornadoNativeArray.class.getModule().isNamed(),
        "TornadoVM is on the module path: another JVM would have to be told");
    String here = bits(Seed.VALUE);
    for (int parallelism : new int[] {1, 7}) {
      List<String> command = new ArrayList<>();
      command.add(
          System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
      command.add("-Djava.util.concurrent.ForkJoinPool.common.parallelism=" + parallelism);
      command.add("-cp");
      command.add(System.getProperty("java.class.path"));
      command.add(SameBitsTest.class.getName());
      command.add(Long.toString(Seed.VALUE));
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String there =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertEquals(0, process.waitFor());
      assertEquals(here, there, "parallelism " + parallelism + Seed.replay());
    }
  }

  @Test
  void jvm_insideOtherPools() throws Exception {
    float[] values =
        (float[]) Kind.RANDOM.make(ElementType.FLOAT, 1_000_003, Seed.random("pools")).array();
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      float expected = funnel.sum(values);
      for (int parallelism : new int[] {1, 3, 16}) {
        try (ForkJoinPool pool = new ForkJoinPool(parallelism)) {
          assertEquals(
              expected,
              pool.submit(() -> funnel.sum(values)).get(),
              "parallelism " + parallelism + Seed.replay());
        }
      }
    }
  }
}
