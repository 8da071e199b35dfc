package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.group.SegmentedReduce;
import funnel.lessons.ScanVariant;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.scan.LengthOffsets;
import funnel.scan.Scan;
import funnel.scan.ScanForm;
import funnel.scan.SegmentInputs;
import funnel.scan.SegmentOffsetsException;
import funnel.scan.SegmentedScan;
import funnel.scan.SegmentedTree;
import funnel.scan.Segments;
import funnel.scan.Window;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The examples of the package {@code funnel.scan}. */
final class ScanSnippets {

  private ScanSnippets() {}

  /** Where records begin, with the end of the last one. */
  static List<Long> starts(Funnel funnel) {
    // @start region="scan"
    int[] lengths = {3, 1, 4, 1, 5}; // of records in a file whose header takes 100 bytes
    long[] starts = new long[lengths.length];
    Scan offsets = Scan.exclusive(Operator.SUM).to(ElementType.LONG).from(100);
    Number end = funnel.scan(Elements.of(lengths), offsets, Elements.of(starts)); // 114
    // starts: 100, 103, 104, 108, 109
    // @end
    return List.of(starts[0], starts[1], starts[2], starts[3], starts[4], end.longValue());
  }

  // @start region="mapped"
  /** Sums of squares: of 3, 1, 4 they are 9, 10, 26. */
  static int[] sumsOfSquares(Funnel funnel, int[] values) {
    Transform square = Transform.ofInt("square", v -> v * v);
    Scan sums = Scan.inclusive(Operator.SUM).mapped(square);
    return funnel.run(sums, Elements.of(values)).ints("result");
  }

  // @end

  // @start region="form"
  /** The same running totals by each form; without {@code by}, a device has the faster one. */
  static Map<ScanForm, int[]> byForm(Funnel funnel, int[] values) {
    Map<ScanForm, int[]> results = new EnumMap<>(ScanForm.class);
    for (ScanForm form : ScanForm.values()) {
      int[] totals = new int[values.length];
      Scan scan = Scan.inclusive(Operator.SUM).by(form);
      var _ = funnel.scan(Elements.of(values), scan, Elements.of(totals));
      results.put(form, totals);
    }
    return results;
  }

  // @end

  // @start region="variant"
  /** Running totals by all variants over long elements, under the variants' labels. */
  static Map<String, long[]> byVariant(Funnel funnel, long[] values) {
    Map<String, long[]> results = new LinkedHashMap<>();
    for (ScanVariant variant : ScanVariant.values()) {
      if (variant.isOver(ElementType.LONG)) { // all but warp-shuffle
        try (Plan plan =
            funnel
                .plan("variant")
                .input("x", ElementType.LONG, values.length)
                .add("totals", variant.scan(variant.defaultBlockSize(), Operator.SUM), "x")
                .build()) {
          results.put(variant.label(), plan.run(Map.of("x", Elements.of(values))).longs("totals"));
        }
      }
    }
    return results;
  }

  // @end

  /** What a step of a variant came to. */
  record Totals(int[] running, Number total) {}

  static Totals expand(Engine engine) {
    // @start region="variants"
    Input x = new Input("x", ElementType.INT, 1000);
    Expansion expansion =
        ScanVariant.BLELLOCH.scan(256, Operator.SUM).expand("running", List.of(x));
    Program program = Program.of(List.of(x), expansion.primitives());
    int[] running = new int[3];
    Number total;
    try (LoadedProgram loaded = engine.load(program, Map.of())) {
      loaded.set("x", MemorySegment.ofArray(new int[] {3, 1, 4}));
      loaded.run();
      loaded.fetch("running", MemorySegment.ofArray(running)); // 3, 4, 8
      total = loaded.result("running_total"); // 8
    }
    // @end
    return new Totals(running, total);
  }

  // @start region="lengths"
  /** The sums of segments of some lengths, which add up to that of the values. */
  static int[] sums(Funnel funnel, int[] values, int[] lengths) {
    Elements all = Elements.of(values);
    int[] offsets = funnel.run(new LengthOffsets(), Elements.of(lengths), all).ints("result");
    SegmentedReduce sums = SegmentedReduce.by(Operator.SUM).segments(Segments.byOffsets());
    return funnel.run(sums, all, Elements.of(offsets)).ints("result");
  }

  // @end

  // @start region="offsets"
  /** Running totals within segments, or what is wrong with the offsets that they begin at. */
  static String totals(Funnel funnel, int[] values, int[] offsets) {
    SegmentedScan scan = SegmentedScan.inclusive(Operator.SUM).segments(Segments.byOffsets());
    try (Plan plan =
        funnel
            .plan("totals")
            .input("values", ElementType.INT, values.length)
            .input("offsets", ElementType.INT, offsets.length)
            .add("totals", scan, "values", "offsets")
            .build()) {
      Results results =
          plan.run(Map.of("values", Elements.of(values), "offsets", Elements.of(offsets)));
      return Arrays.toString(results.ints("totals"));
    } catch (SegmentOffsetsException e) {
      return "cannot read the table: " + e.getMessage();
    }
  }

  // @end

  static List<int[]> segmented(Funnel funnel) {
    // @start region="segmented"
    Elements sales = Elements.of(new int[] {3, 1, 4, 1, 5});

    Elements shops = Elements.of(new int[] {7, 7, 2, 2, 2});
    int[] running = new int[5];
    SegmentedScan byShop = SegmentedScan.inclusive(Operator.SUM).segments(Segments.byKeys());
    Number lastShop = funnel.scan(sales, shops, byShop, Elements.of(running)); // 10
    // running: 3, 4, 4, 5, 10

    Elements days = Elements.of(new int[] {0, 2}); // where days begin
    int[] before = new int[5];
    SegmentedScan byDay = SegmentedScan.exclusive(Operator.SUM).segments(Segments.byOffsets());
    Number lastDay = funnel.scan(sales, days, byDay, Elements.of(before)); // 10
    // before: 0, 3, 0, 4, 5
    // @end
    return List.of(running, before, new int[] {lastShop.intValue(), lastDay.intValue()});
  }

  static List<int[]> window(Funnel funnel) {
    // @start region="window"
    Elements sales = Elements.of(new int[] {3, 1, 4, 1, 5});
    Window three = Window.rows(3, Operator.SUM);
    int[] sums = funnel.run(three, sales).ints("result"); // 3, 4, 8, 6, 10

    Elements days = Elements.of(new int[] {0, 1, 0, 1, 2}); // of two months
    int[] ofMonths = funnel.run(three.inSegments(), sales, days).ints("result"); // 3, 4, 4, 5, 10
    // @end
    return List.of(sums, ofMonths);
  }

  // @start region="ways"
  /** The sum before each amount of its customer, and the largest of each customer. */
  static List<float[]> perCustomer(Funnel funnel, int[] customers, float[] amounts) {
    Segments byCustomer = Segments.byKeys();
    SegmentedScan before = SegmentedScan.exclusive(Operator.SUM).segments(byCustomer);
    SegmentedReduce largest = SegmentedReduce.by(Operator.MAX).segments(byCustomer);
    try (Plan plan =
        funnel
            .plan("customers")
            .input("amounts", ElementType.FLOAT, amounts.length)
            .input("customers", ElementType.INT, customers.length)
            .add("before", before, "amounts", "customers")
            .add("largest", largest, "amounts", "customers")
            .build()) {
      Results results =
          plan.run(Map.of("amounts", Elements.of(amounts), "customers", Elements.of(customers)));
      return List.of(results.floats("before"), results.floats("largest"));
    }
  }

  // @end

  // @start region="segmentedMapped"
  /** Sums of squares since the last of some places: of 3, 1, 4, 1, 5 since 0 and 2. */
  static int[] sumsOfSquares(Funnel funnel, int[] values, int[] since) {
    Transform square = Transform.ofInt("square", v -> v * v);
    SegmentedScan sums =
        SegmentedScan.inclusive(Operator.SUM).segments(Segments.byOffsets()).mapped(square);
    return funnel.run(sums, Elements.of(values), Elements.of(since)).ints("result");
    // 9, 10, 16, 17, 42
  }

  // @end

  // @start region="tree"
  /** How many elements a thread combines in its row of the tree, beginning with a position's. */
  static int leftInRow(int position, ElementType type) {
    int row = SegmentedTree.items(type); // 32 floats, 16 doubles
    return row - (position + SegmentedTree.lead(type)) % row;
  }

  // @end

  // @start region="segments"
  /** Sums of the segments of 3, 1, 4, 1, 5 that begin at 0 and 2, as a step of a program. */
  static Primitive sumsOfSegments() {
    Input values = new Input("values", ElementType.INT, 5);
    Input starts = new Input("starts", ElementType.INT, 2);
    return SegmentedScan.inclusive(Operator.SUM)
        .segments(Segments.byOffsets())
        .reduction("sums", values, starts, SegmentInputs.ofStarts(starts), ElementType.INT);
  }
  // @end
}
