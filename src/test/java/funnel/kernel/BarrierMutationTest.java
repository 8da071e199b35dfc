package funnel.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whether tests notice a missing barrier: takes one at a time out of the kernels that are shipped,
 * out of all their twins at once, and runs the emulator's tests of the kernel's family in a process
 * of their own. All have to fail.
 */
class BarrierMutationTest {

  /* A barrier is the n-th call of localBarrier in a method of a source file: twins name their
   * master as their source. The class files without it come first on the class path of the process.
   */

  private static final String WHICH = "funnel.test.mutants";

  private static final String HOW =
      "half an hour: mvn -B verify -Dtest=BarrierMutationTest -Dfunnel.test.mutants=.";

  private static final int MOST_SECONDS = 600;

  private static final Path LIBRARY = Path.of("target/classes");
  private static final Path TOOLS = Path.of("target/tools-classes");

  /** No kernels of operations: the probe of atomics, the emulator itself. */
  private static final Set<String> OTHERS = Set.of("tornado", "emulator");

  /** Barriers that no thread needs. */
  private static final Set<Barrier> UNNEEDED =
      Set.of(
          // over these no compiler makes a product and a sum one operation
          new Barrier("IntInterpolateKernels", "interpolate", 0),
          new Barrier("IntRankSelectKernels", "begin", 0),
          // over this one no compiler moves loads
          new Barrier("ByteCounters", "count", 0),
          // between two rounds of a loop, as BlockScan asks for; but of its forms, prefixes has
          // barriers between two rounds' uses of each of its arrays
          new Barrier("IntRankSelectKernels", "store", 0),
          new Barrier("IntSampleKernels", "filter", 1),
          // between two rounds of a loop, of which each begins with a search that has barriers
          new Barrier("IntSegmentedSortKernels", "merge", 4));

  /** Tests by the sources of kernels, those that fail first at first. */
  private static final Map<String, List<String>> TESTS = tests();

  private static Map<String, List<String>> tests() {
    Map<String, List<String>> tests = new LinkedHashMap<>();
    tests.put("IntBlockScan|BlockScan|IntWarpScan", List.of("block.BlockScanEmulatorTest"));
    tests.put("IntBlockExchange", List.of("block.BlockExchangeEmulatorTest"));
    tests.put("IntBlockReduce", List.of("block.BlockEmulatorTest"));
    tests.put("BitsKernels", List.of("transform.EmulatorBitsTest"));
    tests.put("IntLadderKernels", List.of("lessons.LadderTest"));
    tests.put("IntToInt(Pair)?ReductionKernels", List.of("reduce.EmulatorReduceTest"));
    tests.put("IntVariantKernels|IntChainedKernels", List.of("lessons.ScanVariantTest"));
    tests.put("IntToIntScanKernels", List.of("scan.EmulatorScanTest"));
    tests.put("IntWindowKernels", List.of("scan.EmulatorWindowTest"));
    tests.put("IntToIntSegment.*", List.of("group.EmulatorSegmentedReduceTest"));
    tests.put(
        "IntSegmented(Block)?Scan.*|SegmentBitsKernels",
        List.of("scan.SegmentedScanEmulatorTest", "group.EmulatorSegmentedReduceTest"));
    tests.put(
        "IntSelectKernels|WarpCounts",
        List.of(
            "select.EmulatorSelectTest",
            "select.EmulatorRowsTest",
            "group.EmulatorSegmentedReduceTest"));
    tests.put("ByteCounters", List.of("histogram.ByteCountersTest"));
    tests.put(
        "IntHistogramKernels|IntTileKernels|RunCountsKernels",
        List.of("histogram.EmulatorHistogramTest", "histogram.EmulatorWeightedHistogramTest"));
    tests.put(
        "IntRadixCountKernels|(Long)?RadixScatterKernels",
        List.of("sort.RadixSortStepTest", "sort.EmulatorSortTest"));
    tests.put("IntSegmentedSortKernels|SegmentLinkKernels", List.of("sort.SegmentedSortStepTest"));
    tests.put("IntMergeKernels", List.of("sort.MergeStepTest", "sort.EmulatorMergeTest"));
    tests.put(
        "IntRankSelectKernels|IntSampleKernels|IntInterpolateKernels",
        List.of("rank.RankSelectStepTest", "rank.EmulatorRankTest"));
    tests.put("IntTransposeKernels", List.of("transform.EmulatorTransposeTest"));
    tests.put("IntHeatTileKernels", List.of("heat.HeatKernelsTest"));
    tests.put("FloatHeatStream", List.of("heat.HeatStreamTest"));
    return tests;
  }

  private record Barrier(String source, String method, int number) {}

  /** A barrier's line, and the class files that have it. */
  private record Found(int line, List<Path> classes) {}

  private static boolean isBarrier(InvokeInstruction call) {
    return call.name().equalsString("localBarrier")
        && call.owner().asInternalName().endsWith("/KernelContext");
  }

  /**
   * The source of all twins, or of all that one template becomes; keys of 64 bits pass barriers
   * that the others have not.
   */
  private static String source(ClassModel model) {
    return model
        .findAttribute(Attributes.sourceFile())
        .map(file -> file.sourceFile().stringValue().replace(".java", ""))
        .orElseThrow()
        .replaceFirst("^(Byte|Int)(?=RadixScatterKernels)", "");
  }

  private static List<Path> classFiles() throws IOException {
    try (Stream<Path> library = Files.walk(LIBRARY.resolve("funnel"));
        Stream<Path> lessons = Files.walk(TOOLS.resolve("funnel/lessons"))) {
      return Stream.concat(library, lessons)
          .filter(file -> file.toString().endsWith(".class"))
          .filter(file -> !OTHERS.contains(file.getParent().getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  private static Map<Barrier, Found> barriers() throws IOException {
    Map<Barrier, Found> all = new LinkedHashMap<>();
    for (Path file : classFiles()) {
      ClassModel model = ClassFile.of().parse(file);
      Map<String, Integer> numbers = new HashMap<>();
      for (MethodModel method : model.methods()) {
        String name = method.methodName().stringValue();
        int[] line = {0};
        method.code().stream()
            .flatMap(code -> code.elementStream())
            .forEach(
                element -> {
                  if (element instanceof LineNumber at) {
                    line[0] = at.line();
                  } else if (element instanceof InvokeInstruction call && isBarrier(call)) {
                    int number = numbers.merge(name, 1, Integer::sum) - 1;
                    Barrier barrier = new Barrier(source(model), name, number);
                    all.computeIfAbsent(barrier, _ -> new Found(line[0], new ArrayList<>()))
                        .classes()
                        .add(file);
                  }
                });
      }
    }
    return all;
  }

  /** The class file without a barrier. */
  private static byte[] without(Barrier barrier, Path file) throws IOException {
    ClassHierarchyResolver hierarchy =
        ClassHierarchyResolver.ofResourceParsing(BarrierMutationTest.class.getClassLoader())
            .orElse(ClassHierarchyResolver.defaultResolver());
    ClassFile classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(hierarchy));
    int[] number = {0};
    CodeTransform removing =
        (code, element) -> {
          if (element instanceof InvokeInstruction call
              && isBarrier(call)
              && number[0]++ == barrier.number()) {
            code.pop();
          } else {
            code.with(element);
          }
        };
    ClassTransform transform =
        (type, element) -> {
          if (element instanceof MethodModel method
              && method.methodName().equalsString(barrier.method())) {
            type.transformMethod(method, MethodTransform.transformingCode(removing));
          } else {
            type.with(element);
          }
        };
    byte[] bytes = classFile.transformClass(classFile.parse(file), transform);
    assertEquals(List.of(), classFile.verify(bytes));
    return bytes;
  }

  private static Set<String> testsOf(String source) {
    Set<String> tests = new LinkedHashSet<>();
    TESTS.forEach(
        (pattern, of) -> {
          if (source.matches(pattern)) {
            tests.addAll(of);
          }
        });
    return tests;
  }

  /** What the tests come to with these class files before all others. */
  private static String run(Path first, Set<String> tests, long seconds) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(option -> option.matches("(-X|--|-Dfunnel.tornado).*"))
            .toList());
    // C2 would compile for longer than such a process lives
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx2g"));
    command.addAll(List.of("-cp", first + File.pathSeparator + classPath()));
    command.addAll(
        List.of(
            "org.junit.platform.console.ConsoleLauncher",
            "execute",
            "--fail-fast",
            "--fail-if-no-tests",
            "--exclude-tag=gpu",
            "--details=none",
            "--disable-banner"));
    tests.forEach(test -> command.add("--select-class=funnel." + test));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(first.resolve("output.txt").toFile())
            .start();
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      return "does not end";
    }
    return switch (process.exitValue()) {
      case 0 -> "";
      case 1 -> "fails";
      default ->
          throw new AssertionError("no test ran: " + Files.readString(first.resolve("output.txt")));
    };
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void everyBarrierThatCanBeRemoved_isOfASourceWithTests() throws IOException {
    Set<Barrier> all = barriers().keySet();
    if (System.getProperty(WHICH) == null) {
      System.err.printf("not tried: the tests without each of %s barriers; %s%n", all.size(), HOW);
    }
    Set<String> without = new TreeSet<>();
    for (Barrier barrier : all) {
      if (testsOf(barrier.source()).isEmpty()) {
        without.add(barrier.source());
      }
    }
    assertEquals(Set.of(), without, "sources with barriers for which TESTS has no tests");
  }

  @Test
  @EnabledIfSystemProperty(named = WHICH, matches = ".+", disabledReason = HOW)
  void testsFail_whereABarrierIsMissing(@TempDir Path temporary) throws Exception {
    Pattern which = Pattern.compile(System.getProperty(WHICH));
    Consumer<String> report = System.err::println;
    Map<String, String> survivors = new TreeMap<>();
    Map<Set<String>, Long> seconds = new HashMap<>();
    int count = 0;
    for (Map.Entry<Barrier, Found> entry : barriers().entrySet()) {
      Barrier barrier = entry.getKey();
      String where =
          "%s.%s:%s".formatted(barrier.source(), barrier.method(), entry.getValue().line());
      if (!which.matcher(where).find() || UNNEEDED.contains(barrier)) {
        continue;
      }
      Set<String> tests = testsOf(barrier.source());
      Path first = Files.createDirectory(temporary.resolve("mutant"));
      if (!seconds.containsKey(tests)) {
        long begin = System.nanoTime();
        assertEquals("", run(first, tests, MOST_SECONDS), () -> "with all barriers, of " + tests);
        seconds.put(tests, 30 + 2 * (System.nanoTime() - begin) / 1_000_000_000);
      }
      for (Path file : entry.getValue().classes()) {
        Path from = file.startsWith(LIBRARY) ? LIBRARY : TOOLS;
        Path mutant = first.resolve(from.relativize(file));
        Files.createDirectories(mutant.getParent());
        Files.write(mutant, without(barrier, file));
      }
      long start = System.nanoTime();
      String outcome = run(first, tests, seconds.get(tests));
      report.accept(
          "%s %s, %.1f s"
              .formatted(
                  where,
                  outcome.isEmpty() ? "SURVIVES" : outcome,
                  (System.nanoTime() - start) / 1e9));
      if (outcome.isEmpty()) {
        survivors.put(where, tests.toString());
      }
      count++;
      delete(first);
    }
    assertTrue(count > 0, "no barrier in " + which);
    assertEquals(Map.of(), survivors, "of %s barriers, no test misses these".formatted(count));
  }
}
