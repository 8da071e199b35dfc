package funnel.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import funnel.MainClasses;
import funnel.operation.ParallelRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.KernelContext;

/** Who may import whom: one direction, no way back. */
class LayersTest {

  /**
   * The root package has files below and above the packages of its parts: the layers of those that
   * are not in the uppermost one, {@code funnel}.
   */
  private static final Map<String, String> ROOT =
      Map.ofEntries(
          Map.entry("Elements.java", "funnel.Elements"),
          Map.entry("Results.java", "funnel.Elements"),
          Map.entry("Handle.java", "funnel.Elements"),
          Map.entry("Preview.java", "funnel.Elements"),
          Map.entry("Records.java", "funnel.Elements"),
          Map.entry("StreamListener.java", "funnel.Elements"),
          Map.entry("Plan.java", "funnel.Plan"),
          Map.entry("GraphResults.java", "funnel.Plan"),
          Map.entry("Profile.java", "funnel.Plan"),
          Map.entry("ElementStream.java", "funnel.ElementStream"));

  /** Files of the root that depend on each other. */
  private static final Set<String> ARRAYS =
      Set.of(
          "Array.java",
          "Bytes.java",
          "Distances.java",
          "Doubles.java",
          "Floats.java",
          "Funnel.java",
          "Groups.java",
          "Ints.java",
          "Longs.java",
          "Operand.java",
          "Reading.java",
          "Rolling.java",
          "Segments.java",
          "Table.java",
          "Value.java");

  /** Each layer, and the layers of ours that it may use: {@code funnel} with all of the root. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("funnel.operator", Set.of()),
          Map.entry("funnel.kernel", Set.of("funnel.compiled")),
          Map.entry("funnel.math", Set.of("funnel.kernel")),
          Map.entry("funnel.jit", Set.of("funnel.kernel", "funnel.math", "funnel.operator")),
          Map.entry("funnel.suite", Set.of("funnel.jit", "funnel.kernel", "funnel.operator")),
          Map.entry("funnel.block", Set.of("funnel.jit", "funnel.kernel", "funnel.operator")),
          Map.entry(
              "funnel.engine",
              Set.of("funnel.operation", "funnel.jit", "funnel.kernel", "funnel.operator")),
          Map.entry("funnel.compiled", Set.of()),
          Map.entry(
              "funnel.engine.device",
              Set.of(
                  "funnel.engine",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.engine.tornado",
              Set.of(
                  "funnel.compiled",
                  "funnel.engine.device",
                  "funnel.engine",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.emulator",
              Set.of(
                  "funnel.engine.device",
                  "funnel.engine",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.reduce",
              Set.of(
                  "funnel.block",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.scan",
              Set.of(
                  "funnel.block",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.histogram",
              Set.of(
                  "funnel.sort",
                  "funnel.scan",
                  "funnel.transform",
                  "funnel.block",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.transform",
              Set.of(
                  "funnel.block",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.select",
              Set.of(
                  "funnel.scan",
                  "funnel.transform",
                  "funnel.block",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.sort",
              Set.of(
                  "funnel.scan",
                  "funnel.select",
                  "funnel.transform",
                  "funnel.block",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.group",
              Set.of(
                  "funnel.reduce",
                  "funnel.histogram",
                  "funnel.sort",
                  "funnel.select",
                  "funnel.scan",
                  "funnel.transform",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.rank",
              Set.of(
                  "funnel.sort",
                  "funnel.select",
                  "funnel.scan",
                  "funnel.transform",
                  "funnel.block",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry("funnel.operation", Set.of("funnel.jit", "funnel.kernel", "funnel.operator")),
          Map.entry("funnel.columns", Set.of("funnel.group", "funnel.operator")),
          Map.entry("funnel.file", Set.of()),
          Map.entry("funnel.io", Set.of("funnel.file", "funnel.operator")),
          Map.entry(
              "funnel.pieces",
              Set.of("funnel.io", "funnel.engine", "funnel.file", "funnel.operator")),
          Map.entry(
              "funnel.Elements",
              Set.of(
                  "funnel.engine.device", "funnel.engine", "funnel.operation", "funnel.operator")),
          Map.entry(
              "funnel.plan",
              Set.of(
                  "funnel.engine.device",
                  "funnel.engine.tornado",
                  "funnel.Elements",
                  "funnel.engine",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.Plan",
              Set.of(
                  "funnel.engine.device",
                  "funnel.engine.tornado",
                  "funnel.Elements",
                  "funnel.plan",
                  "funnel.reduce",
                  "funnel.scan",
                  "funnel.histogram",
                  "funnel.transform",
                  "funnel.engine",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.stream",
              Set.of(
                  "funnel.Elements",
                  "funnel.Plan",
                  "funnel.pieces",
                  "funnel.io",
                  "funnel.group",
                  "funnel.rank",
                  "funnel.reduce",
                  "funnel.scan",
                  "funnel.histogram",
                  "funnel.transform",
                  "funnel.select",
                  "funnel.sort",
                  "funnel.engine",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.operator")),
          Map.entry(
              "funnel.ElementStream",
              Set.of(
                  "funnel.Elements",
                  "funnel.stream",
                  "funnel.io",
                  "funnel.group",
                  "funnel.rank",
                  "funnel.reduce",
                  "funnel.scan",
                  "funnel.histogram",
                  "funnel.transform",
                  "funnel.select",
                  "funnel.sort",
                  "funnel.operation",
                  "funnel.operator")),
          Map.entry(
              "funnel.call",
              Set.of(
                  "funnel.engine.device",
                  "funnel.engine.tornado",
                  "funnel.Elements",
                  "funnel.Plan",
                  "funnel.ElementStream",
                  "funnel.stream",
                  "funnel.plan",
                  "funnel.io",
                  "funnel.group",
                  "funnel.scan",
                  "funnel.select",
                  "funnel.emulator",
                  "funnel.engine",
                  "funnel.operation",
                  "funnel.operator")),
          Map.entry(
              "funnel.array",
              Set.of(
                  "funnel.Elements",
                  "funnel.ElementStream",
                  "funnel.call",
                  "funnel.plan",
                  "funnel.io",
                  "funnel.group",
                  "funnel.rank",
                  "funnel.reduce",
                  "funnel.scan",
                  "funnel.stream",
                  "funnel.select",
                  "funnel.sort",
                  "funnel.transform",
                  "funnel.engine",
                  "funnel.operation",
                  "funnel.operator")),
          Map.entry(
              "funnel",
              Set.of(
                  "funnel.Elements",
                  "funnel.Plan",
                  "funnel.ElementStream",
                  "funnel.array",
                  "funnel.call",
                  "funnel.stream",
                  "funnel.plan",
                  "funnel.io",
                  "funnel.group",
                  "funnel.rank",
                  "funnel.reduce",
                  "funnel.scan",
                  "funnel.histogram",
                  "funnel.transform",
                  "funnel.select",
                  "funnel.sort",
                  "funnel.engine",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.operator")),
          Map.entry(
              "funnel.heat",
              Set.of(
                  "funnel.file",
                  "funnel",
                  "funnel.reduce",
                  "funnel.transform",
                  "funnel.block",
                  "funnel.engine",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator",
                  "funnel.io")),
          Map.entry(
              "funnel.jobs",
              Set.of(
                  "funnel",
                  "funnel.group",
                  "funnel.rank",
                  "funnel.reduce",
                  "funnel.histogram",
                  "funnel.transform",
                  "funnel.select",
                  "funnel.sort",
                  "funnel.operator")),
          Map.entry(
              "funnel.lessons",
              Set.of(
                  "funnel.heat",
                  "funnel.reduce",
                  "funnel.block",
                  "funnel.emulator",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")),
          Map.entry(
              "funnel.chart",
              Set.of("funnel.Elements", "funnel", "funnel.heat", "funnel.operator")),
          Map.entry(
              "funnel.bench",
              Set.of(
                  "funnel.lessons",
                  "funnel.file",
                  "funnel",
                  "funnel.jobs",
                  "funnel.heat",
                  "funnel.reduce",
                  "funnel.scan",
                  "funnel.histogram",
                  "funnel.transform",
                  "funnel.select",
                  "funnel.sort",
                  "funnel.emulator",
                  "funnel.engine.tornado",
                  "funnel.engine",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator",
                  "funnel.io")),
          Map.entry(
              "funnel.ahead",
              Set.of(
                  "funnel.cli",
                  "funnel",
                  "funnel.call",
                  "funnel.compiled",
                  "funnel.engine.tornado",
                  "funnel.engine",
                  "funnel.file",
                  "funnel.histogram",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.operator")),
          Map.entry(
              "funnel.cli",
              Set.of(
                  "funnel.compiled",
                  "funnel.lessons",
                  "funnel.file",
                  "funnel.pieces",
                  "funnel",
                  "funnel.suite",
                  "funnel.heat",
                  "funnel.bench",
                  "funnel.io",
                  "funnel.columns",
                  "funnel.group",
                  "funnel.rank",
                  "funnel.reduce",
                  "funnel.scan",
                  "funnel.histogram",
                  "funnel.transform",
                  "funnel.select",
                  "funnel.sort",
                  "funnel.emulator",
                  "funnel.block",
                  "funnel.engine.tornado",
                  "funnel.operation",
                  "funnel.jit",
                  "funnel.kernel",
                  "funnel.operator")));

  private static final JavaClasses CLASSES = MainClasses.ALL;

  /** Packages below these belong to them. */
  private static String layer(JavaClass type) {
    String packageName = type.getPackageName();
    if (packageName.equals("funnel")) {
      return ROOT.getOrDefault(file(type), packageName);
    }
    return MAY_USE.keySet().stream()
        .filter(layer -> packageName.equals(layer) || packageName.startsWith(layer + "."))
        .max(java.util.Comparator.comparingInt(String::length))
        .orElse("");
  }

  /** The source file; twins are written of their master's. */
  private static String file(JavaClass type) {
    return type.getBaseComponentType().getSource().orElseThrow().getFileName().orElseThrow();
  }

  private static DescribedPredicate<JavaClass> inLayers(Set<String> layers) {
    return DescribedPredicate.describe(
        "reside in " + new TreeSet<>(layers), type -> layers.contains(layer(type)));
  }

  static Set<String> layers() {
    return new TreeSet<>(MAY_USE.keySet());
  }

  @ParameterizedTest
  @MethodSource("layers")
  void aPackageUsesOnlyWhatIsBelowIt(String layer) {
    Set<String> forbidden = new TreeSet<>(MAY_USE.keySet());
    forbidden.remove(layer);
    Set<String> allowed = MAY_USE.getOrDefault(layer, Set.of());
    forbidden.removeAll(allowed);
    if (allowed.contains("funnel")) {
      forbidden.removeAll(ROOT.values());
    }
    noClasses()
        .that(inLayers(Set.of(layer)))
        .should()
        .dependOnClassesThat(inLayers(forbidden))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void everyPackageIsInTheTable() {
    Set<String> unknown =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> !MAY_USE.containsKey(name))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), unknown, "new packages: say in the table what they may use");
    assertTrue(CLASSES.size() > 100, () -> "classes seen: " + CLASSES.size());
  }

  @Test
  void theTableItselfHasNoCycles() {
    Map<String, Set<String>> left = new TreeMap<>(MAY_USE);
    while (!left.isEmpty()) {
      List<String> bottom =
          left.keySet().stream()
              .filter(layer -> left.get(layer).stream().noneMatch(left::containsKey))
              .toList();
      assertTrue(!bottom.isEmpty(), () -> "cycle among " + left.keySet());
      bottom.forEach(left::remove);
    }
  }

  /** A Funnel makes arrays, which read themselves through it, and follow from each other. */
  private static String part(JavaClass type) {
    return ARRAYS.contains(file(type)) ? "Funnel and its arrays" : file(type);
  }

  @Test
  void noCyclesBetweenPackages_norFilesOfTheRoot() {
    Set<String> root =
        CLASSES.stream()
            .filter(type -> type.getPackageName().equals("funnel"))
            .map(LayersTest::file)
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(root.containsAll(ROOT.keySet()), () -> "files of the root: " + root);
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                String name = type.getPackageName();
                if (!name.startsWith("funnel")) {
                  return SliceIdentifier.ignore();
                }
                return SliceIdentifier.of(!name.equals("funnel") ? name : part(type));
              }

              @Override
              public String getDescription() {
                return "packages, and files of the root";
              }
            })
        .should()
        .beFreeOfCycles()
        .check(CLASSES);
  }

  /** Has methods that can be launched; the emulator's own calls take a context too and are none. */
  private static boolean isKernels(JavaClass type) {
    if (type.getPackageName().equals("funnel.emulator")) {
      return false;
    }
    return type.getMethods().stream()
        .anyMatch(
            method ->
                method.getModifiers().contains(JavaModifier.STATIC)
                    && method.getRawReturnType().isEquivalentTo(void.class)
                    && !method.getRawParameterTypes().isEmpty()
                    && method
                        .getRawParameterTypes()
                        .getFirst()
                        .isEquivalentTo(KernelContext.class));
  }

  @Test
  void kernelsArePackagePrivate() {
    List<String> seen = new ArrayList<>();
    CLASSES.stream().filter(LayersTest::isKernels).forEach(type -> seen.add(type.getSimpleName()));
    assertTrue(seen.contains("IntToIntReductionKernels"), () -> "kernel classes seen: " + seen);
    classes()
        .that(DescribedPredicate.describe("hold kernels", LayersTest::isKernels))
        .or()
        .haveSimpleNameEndingWith("Kernels")
        .should()
        .notBePublic()
        .check(CLASSES);
  }

  /**
   * Fork/join copies exceptions and ends a call before its tasks: {@link ParallelRows} does
   * neither. What is compared with JDK streams is another matter, such as what one would write for
   * a job without Funnel, and so are copies beside a thread that waits for the device, and NVIDIA's
   * compilers.
   */
  @Test
  void tasksAreDealtInOnePlace() {
    DescribedPredicate<JavaMethodCall> dealing =
        DescribedPredicate.describe(
            "deal tasks",
            call ->
                call.getName().equals("parallel")
                    || call.getName().equals("parallelStream")
                    || call.getTargetOwner().getName().contains("Executor")
                        && call.getName().equals("execute")
                    || call.getTargetOwner().getName().startsWith("java.util.concurrent.ForkJoin")
                        && !call.getName().equals("getCommonPoolParallelism"));
    Set<String> dealers =
        CLASSES.stream()
            .filter(type -> type.getMethodCallsFromSelf().stream().anyMatch(dealing))
            .filter(type -> !type.isAssignableTo("funnel.bench.Job"))
            .filter(type -> !type.getPackageName().equals("funnel.jobs")) // a stream beside
            .map(JavaClass::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        Set.of(
            ParallelRows.class.getName(),
            "funnel.bench.StreamSubject",
            "funnel.engine.Copying",
            "funnel.engine.tornado.KernelStore"),
        dealers,
        "use ParallelRows");
  }

  /**
   * A version asks git for its commit. Of the library, only the question for the device's free
   * memory is a process.
   */
  @Test
  void processesAreStartedByFew() {
    Set<String> starters =
        CLASSES.stream()
            .filter(
                type ->
                    type.getConstructorCallsFromSelf().stream()
                        .anyMatch(c -> c.getTargetOwner().isEquivalentTo(ProcessBuilder.class)))
            .map(JavaClass::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        Set.of(
            "funnel.bench.CudaPeers",
            "funnel.cli.Jupyter$Outcome",
            "funnel.cli.Main$Version",
            "funnel.engine.tornado.NvidiaSmi",
            "funnel.suite.Processes"),
        starters);
  }

  @Test
  void namesAreTermsOfTheField() {
    noClasses()
        .should()
        .haveNameMatching(".*(Manager|Utils?|Helpers?|Impl|V\\d+)(\\$.*)?")
        .check(CLASSES);
  }
}
