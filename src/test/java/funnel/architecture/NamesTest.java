package funnel.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import funnel.MainClasses;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * An algorithm has one word, from the operation to the loops: {@code Gather}, {@code GatherStep},
 * {@code IntGatherKernels}.
 */
class NamesTest {

  private static final Set<String> FAMILIES =
      Set.of("reduce", "scan", "select", "sort", "rank", "histogram", "group", "transform");

  /** Words of kernels and loops that are a part of a step, or that several steps share. */
  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry("Bin", "which bin a sample is in: HistogramStep, BinNumbersStep"),
          Map.entry("Counter", "counters of blocks: HistogramStep"),
          Map.entry("GroupPlace", "tables of groups: GroupNumbersStep"),
          Map.entry("GroupStatistics", "aggregates of groups: GroupNumbersStep"),
          Map.entry("GroupTable", "operators over groups: GroupNumbersStep"),
          Map.entry("IndexFunction", "functions of the index alone: ElementwiseStep"),
          Map.entry("Move", "gathers, scatters and fills on the JVM"),
          Map.entry("Radix", "the first and last launch of RadixSortStep"),
          Map.entry("RadixCount", "the counts of RadixSortStep"),
          Map.entry("RadixScatter", "the scatter of RadixSortStep"),
          Map.entry("RunLengths", "the last lengths of SelectStep"),
          Map.entry("SegmentCheck", "offsets of segments: SegmentBitsStep"),
          Map.entry("SegmentLink", "segments over several tiles: SegmentedSortStep"),
          Map.entry("Ticket", "both of TicketSteps"),
          Map.entry("Tile", "counters in tiles: HistogramStep"));

  private static Stream<JavaClass> classes() {
    return MainClasses.LIBRARY.stream()
        .filter(type -> FAMILIES.contains(type.getPackageName().replace("funnel.", "")))
        .filter(type -> type.getEnclosingClass().isEmpty());
  }

  @Test
  void primitivesAreSteps() {
    Set<String> wrong = new TreeSet<>();
    classes()
        .filter(type -> type.isAssignableTo(Primitive.class) && !type.isInterface())
        .filter(type -> !type.getSimpleName().endsWith("Step"))
        .forEach(type -> wrong.add(type.getName()));
    assertEquals(Set.of(), wrong, "primitives whose names do not end in Step");
    classes()
        .filter(type -> type.getSimpleName().endsWith("Step"))
        .filter(type -> !type.isAssignableTo(Primitive.class))
        .forEach(type -> wrong.add(type.getName()));
    assertEquals(Set.of(), wrong, "steps that are no primitives");
  }

  @Test
  void kernelsAndLoopsHaveTheWordOfAStep() {
    Set<String> words =
        classes()
            .filter(
                type ->
                    type.isAssignableTo(Primitive.class) || type.isAssignableTo(Operation.class))
            .map(type -> type.getSimpleName().replaceFirst("Step$", ""))
            .collect(Collectors.toSet());
    Set<String> others = new TreeSet<>();
    Set<String> seen = new TreeSet<>();
    classes()
        .map(JavaClass::getSimpleName)
        .filter(name -> name.endsWith("Kernels") || name.endsWith("Loops"))
        .map(name -> name.replaceFirst("(Kernels|Loops)$", ""))
        .map(
            name ->
                name.replaceFirst(
                    "^(Byte|Int|Long|Float|Double)To(Byte|Int|Long|Float|Double)", ""))
        .map(name -> name.replaceFirst("^(Byte|Int|Long|Float|Double)(?=.)", ""))
        .peek(seen::add)
        .filter(word -> !words.contains(word))
        .forEach(others::add);
    assertEquals(new TreeSet<>(OTHERS.keySet()), others, "words that no step and no operation has");
    assertTrue(seen.size() > OTHERS.size() + 20, () -> "words seen: " + seen);
  }
}
