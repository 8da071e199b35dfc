package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.emulator.EmulatorEngine;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.histogram.Histogram;
import funnel.histogram.ScatterReduce;
import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.sort.Merge;
import funnel.sort.Sort;
import funnel.transform.Concat;
import funnel.transform.Elementwise;
import funnel.transform.Fill;
import funnel.transform.Gather;
import funnel.transform.Iota;
import funnel.transform.RandomNumbers;
import funnel.transform.Reverse;
import funnel.transform.Sample;
import funnel.transform.Scatter;
import funnel.transform.Shift;
import funnel.transform.Shuffle;
import funnel.transform.Slice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Operations one after the other over the first elements of their inputs, as kernels are checked on
 * a device: arrays that are equally long over all elements are taken together, though the cut makes
 * them of different lengths.
 */
class CutChainsTest {

  private static final int N = 1000;
  private static final int MOST = 300;
  private static final int[] WINDOWS = {
    1, 2, 3, 150, 299, 300, 301, 500, 700, 701, 702, 998, 999, 1000
  };
  private static final Elementwise MINUS = Elementwise.ofInt("minus", (a, b) -> a - b);

  /** An operation and the names of its inputs: x, y and keys are of N ints, b of N / 2. */
  private record Link(String output, Operation operation, List<String> inputs) {}

  private static Link link(String output, Operation operation, String... inputs) {
    return new Link(output, operation, List.of(inputs));
  }

  private record Case(String name, List<Link> links) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case of(String name, Link... links) {
    return new Case(name, List.of(links));
  }

  /** Arrays {@code a} and {@code c} of equal length, taken by operations of all kinds. */
  private static Case together(String name, Link... links) {
    List<Link> all = new ArrayList<>(List.of(links));
    all.add(link("a_c", MINUS, "a", "c"));
    all.add(link("c_a", MINUS, "c", "a"));
    all.add(link("dot", Reduction.dot(), "a", "c"));
    all.add(link("sorted", Sort.ascending().rows(), "a", "c"));
    all.add(link("flagged", Select.flagged(), "a", "flags"));
    all.add(0, link("flags_of_x", Elementwise.ofInt("odd", v -> v & 1).to(ElementType.BYTE), "x"));
    all.add(
        all.size() - 1,
        link("flags", Elementwise.ofInt("large", v -> v >> 3 & 1).to(ElementType.BYTE), "c"));
    all.add(link("next", Scan.inclusive(Operator.SUM), "c_a"));
    all.add(link("a_next", MINUS, "a", "next"));
    return new Case(name, all);
  }

  /**
   * A quarter of those with windows: each kind with several, and each window with several kinds.
   */
  static List<Case> cases() {
    List<Case> windows = ofWindows();
    int kinds = windows.size() / WINDOWS.length;
    SplittableRandom random = Seed.random("cut chains");
    int turn = random.nextInt(4);
    return Stream.concat(
            IntStream.range(0, windows.size())
                .filter(i -> (i / kinds + i + turn) % 4 == 0 || Seed.draws(random, 20))
                .mapToObj(windows::get),
            ofOtherKinds().stream())
        .toList();
  }

  private static List<Case> ofWindows() {
    List<Case> cases = new ArrayList<>();
    for (int window : WINDOWS) {
      int rest = N - window + 1;
      Scan sums = Scan.inclusive(Operator.SUM);
      Link a = link("s", sums, "x");
      cases.add(
          together(
              "fixed slices, " + window,
              a,
              link("a", Slice.of(window - 1, N), "s"),
              link("c", Slice.of(0, rest), "x")));
      cases.add(
          together(
              "skip and limit, " + window,
              a,
              link("a", Slice.skip(window - 1), "s"),
              link("c", Slice.limit(rest), "x")));
      cases.add(
          together(
              "from and last, " + window,
              a,
              link("a", Slice.from(window - 1), "s"),
              link("c", Slice.last(rest), "x")));
      cases.add(
          together(
              "slices of slices, " + window,
              link("a", Slice.of(window - 1, N), "x"),
              link("t", Slice.from(window / 2), "y"),
              link("c", Slice.limit(rest), "t"),
              link("u", Slice.from(window - 1 - window / 2), "t"),
              link("d", MINUS, "u", "c")));
      for (Operation made :
          List.of(
              Fill.with(ElementType.INT, 7, rest),
              Iota.of(ElementType.INT, rest),
              RandomNumbers.of(ElementType.INT, 7, rest),
              Elementwise.ofInt("ofIndex", i -> 3 * i).indexed(rest),
              Shuffle.positions(rest, 7))) {
        cases.add(
            together(
                made + ", " + window, link("a", Slice.skip(window - 1), "x"), link("c", made)));
      }
      cases.add(
          together(
              "sample, " + window,
              link("a", Slice.skip(window - 1), "x"),
              link("c", Sample.of(rest, 7), "y")));
      cases.add(
          together(
              "sample of a slice, " + window,
              link("a", Slice.skip(window - 1), "x"),
              link("c", Sample.of(rest, 7), "a")));
      cases.add(
          together(
              "shift, " + window,
              link("a", Slice.skip(window - 1), "x"),
              link("l", Slice.limit(rest), "y"),
              link("c", Shift.by(window - 400, 7), "l")));
    }
    return cases;
  }

  private static List<Case> ofOtherKinds() {
    List<Case> cases = new ArrayList<>();
    cases.add(
        together(
            "concat",
            link("few", Slice.limit(10), "x"),
            link("others", Slice.skip(10), "x"),
            link("a", Concat.all(), "few", "others"),
            link("c", Concat.all(), "b", "b")));
    cases.add(
        together(
            "concat and made",
            link("few", Slice.limit(10), "x"),
            link("a", Concat.all(), "few", "x"),
            link("c", Iota.of(ElementType.INT, N + 10))));
    for (int bins : new int[] {50, 700}) {
      cases.add(
          together(
              "histogram, " + bins,
              link("a", Histogram.ofKeys(bins), "keys"),
              link("c", Slice.limit(bins), "x"),
              link("scan", Scan.inclusive(Operator.SUM), "a"),
              link("largest", TopK.largest(20), "a")));
      cases.add(
          together(
              "scatter, " + bins,
              link("p", Shuffle.positions(bins, 3)),
              link("l", Slice.limit(bins), "x"),
              link("a", Scatter.into(bins), "l", "p"),
              link("c", Slice.last(bins), "x"),
              link("back", Gather.at(), "a", "p")));
      cases.add(
          together(
              "scatter-reduce, " + bins,
              link("t", Slice.limit(bins), "y"),
              link("a", ScatterReduce.by(Operator.SUM), "keys", "x", "t"),
              link("c", Slice.last(bins), "x")));
      cases.add(
          of(
              "top, " + bins,
              link("a", TopK.largest(bins), "x"),
              link("more", Scan.inclusive(Operator.SUM), "a")));
    }
    cases.add(
        together(
            "merged",
            link("r", Sort.ascending(), "x"),
            link("q", Sort.ascending(), "y"),
            link("a", Merge.ascending(), "r", "q"),
            link("c", Reverse.elements(), "a")));
    cases.add(
        together(
            "selected",
            link("f", Select.where(Elementwise.ofInt("few", v -> v & 3)).rows(), "x", "x", "y"),
            link("a", Slice.skip(30), "f_1"),
            link("c", Slice.skip(30), "f_2")));
    return cases;
  }

  /** The program, or one with all as a single primitive, whose arrays are not visible. */
  private static Program program(Case of, boolean isOne) {
    Map<String, Input> arrays = new LinkedHashMap<>();
    arrays.put("x", new Input("x", ElementType.INT, N));
    arrays.put("y", new Input("y", ElementType.INT, N));
    arrays.put("b", new Input("b", ElementType.INT, N / 2));
    arrays.put("keys", new Input("keys", ElementType.INT, N));
    List<Input> inputs = List.copyOf(arrays.values());
    List<Primitive> all = new ArrayList<>();
    Set<String> visible = new HashSet<>();
    for (Link link : of.links) {
      Expansion expansion =
          link.operation.expand(link.output, link.inputs.stream().map(arrays::get).toList());
      for (Primitive primitive : expansion.primitives()) {
        all.add(primitive);
        for (Primitive.Slot slot : primitive.asIs().layout().arrays()) {
          arrays.put(slot.name(), new Input(slot.name(), slot.type(), slot.length()));
          if (link.output.contains("_") || !isOne) {
            visible.add(slot.name());
          }
        }
      }
    }
    return Program.of(inputs, isOne ? List.of(Composite.of("all", all, visible)) : all);
  }

  @ParameterizedTest
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @MethodSource("cases")
  void arraysOfEqualLengthAreTakenTogether(Case of) {
    for (boolean isOne : new boolean[] {false, true}) {
      Program program = program(of, isOne).in(Setting.within(MOST));
      try (Engine emulator = new EmulatorEngine();
          Engine jvm = new JvmEngine();
          LoadedProgram here = emulator.load(program, Map.of());
          LoadedProgram there = jvm.load(program, Map.of())) {
        for (Input input : program.inputs()) {
          Values values =
              Values.random(ElementType.INT, input.capacity(), Seed.random(input.name()));
          if (input.name().equals("keys")) {
            int[] keys = (int[]) values.array();
            for (int i = 0; i < keys.length; i++) {
              keys[i] = (keys[i] & 0xffff) % 50;
            }
          }
          here.set(input.name(), values.segment());
          there.set(input.name(), values.segment());
        }
        there.run(0);
        here.run(0);
        program.layouts().stream()
            .flatMap(layout -> layout.results().stream())
            .forEach(
                slot ->
                    assertEquals(
                        there.result(slot.name()), here.result(slot.name()), slot::toString));
        for (Primitive.Slot slot : program.arrays()) {
          int n = there.length(slot.name());
          assertEquals(n, here.length(slot.name()), slot::toString);
          assertTrue(n <= slot.length(), slot::toString);
          Values wanted = Values.ofLength(slot.type(), n);
          Values found = Values.ofLength(slot.type(), n);
          there.fetch(slot.name(), wanted.segment());
          here.fetch(slot.name(), found.segment());
          assertEquals(-1, wanted.segment().mismatch(found.segment()), slot::toString);
        }
      }
    }
  }
}
