package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.group.SegmentedReduce;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.SegmentedTopK;
import funnel.rank.TopK;
import funnel.sort.SegmentedSort;
import funnel.transform.Elementwise;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Small programs with segments, and what {@link Segments} are as a value. */
class SegmentsTest {

  /** The segments 3, 1 and 4, 1, 5, in each way. */
  private static final Map<Segments, Elements> WAYS = new LinkedHashMap<>();

  static {
    WAYS.put(Segments.byHeads(), Elements.of(new byte[] {1, 0, 1, 0, 0}));
    WAYS.put(Segments.byHeadBits(), Elements.of(new int[] {5}));
    WAYS.put(Segments.byOffsets(), Elements.of(new int[] {0, 2}));
    WAYS.put(Segments.byOffsetsWithEnd(), Elements.of(new int[] {0, 2, 5}));
    WAYS.put(Segments.byKeys(), Elements.of(new int[] {7, 7, 2, 2, 2}));
  }

  private final Funnel funnel = Funnel.open(Target.JVM);
  private final Elements x = Elements.of(new int[] {3, 1, 4, 1, 5});

  @AfterEach
  void close() {
    funnel.close();
  }

  /** A matrix in CSR times a vector: each row is a segment of products, some rows are empty. */
  @Test
  void sparseMatrixTimesVector() {
    double[] products = {2, 3, 5, 7};
    int[] rows = {0, 1, 1, 4};
    SegmentedReduce sums = SegmentedReduce.by(Operator.SUM).segments(Segments.byOffsetsWithEnd());
    assertArrayEquals(
        new double[] {2, 0, 15},
        funnel.run(sums, Elements.of(products), Elements.of(rows)).doubles("result"));
  }

  /** The balance of each account after each of its entries, which are sorted by account. */
  @Test
  void balances() {
    int[] accounts = {7, 7, 2, 2, 2};
    SegmentedScan balance =
        SegmentedScan.inclusive(Operator.SUM).segments(Segments.byKeys()).from(100);
    assertArrayEquals(
        new int[] {103, 104, 104, 105, 110},
        funnel.run(balance, x, Elements.of(accounts)).ints("result"));
  }

  /** Lists of a column, each in descending order. */
  @Test
  void listsInOrder() {
    SegmentedSort sort = SegmentedSort.descending().segments(Segments.byOffsets());
    assertArrayEquals(
        new int[] {3, 1, 5, 4, 1},
        funnel.run(sort, x, Elements.of(new int[] {0, 2, 2})).ints("result"));
  }

  /** One plan that tells all operations in the same way, as an argument of the program does. */
  @Test
  void allOperations() {
    WAYS.forEach(
        (segments, given) -> {
          Plan.Builder plan =
              funnel
                  .plan("all")
                  .input("x", ElementType.INT, 5)
                  .input("s", given.type(), given.length())
                  .add(
                      "running", SegmentedScan.exclusive(Operator.SUM).segments(segments), "x", "s")
                  .add("totals", SegmentedReduce.by(Operator.SUM).segments(segments), "x", "s")
                  .add("sorted", SegmentedSort.ascending().segments(segments), "x", "s")
                  .add("best", SegmentedTopK.of(TopK.largest(1)).segments(segments), "x", "s");
          try (Plan all = plan.build()) {
            Results results = all.run(Map.of("x", x, "s", given));
            assertArrayEquals(new int[] {0, 3, 0, 4, 5}, results.ints("running"));
            assertArrayEquals(new int[] {4, 10}, results.ints("totals"));
            assertArrayEquals(new int[] {1, 3, 1, 4, 5}, results.ints("sorted"));
            assertArrayEquals(new int[] {3, 5}, results.ints("best"));
          }
        });
  }

  /** Heads that the plan computes: a session begins after a gap of more than 10 minutes. */
  @Test
  void sessions() {
    Elementwise begins = Elementwise.ofInt("begins", gap -> gap > 10 ? 1 : 0).to(ElementType.BYTE);
    try (Plan plan =
        funnel
            .plan("sessions")
            .input("gaps", ElementType.INT, 5)
            .input("x", ElementType.INT, 5)
            .add("heads", begins, "gaps")
            .add("y", SegmentedReduce.by(Operator.SUM).segments(Segments.byHeads()), "x", "heads")
            .build()) {
      Elements gaps = Elements.of(new int[] {0, 3, 20, 1, 2});
      assertArrayEquals(new int[] {4, 10}, plan.run(Map.of("gaps", gaps, "x", x)).ints("y"));
    }
  }

  @Test
  void values() {
    assertEquals("[heads, head bits, offsets, offsets with end, keys]", WAYS.keySet().toString());
    assertEquals(5, new HashSet<>(WAYS.keySet()).size());
    assertEquals(SegmentedSort.ascending(), SegmentedSort.ascending().segments(Segments.byHeads()));
    assertNotEquals(
        SegmentedSort.ascending(), SegmentedSort.ascending().segments(Segments.byKeys()));
  }

  @Test
  @SuppressWarnings("NullAway") // that is what is tested
  void nullIsRefused() {
    SegmentedScan scan = SegmentedScan.inclusive(Operator.SUM);
    assertThrows(NullPointerException.class, () -> scan.segments(null));
    assertThrows(NullPointerException.class, () -> SegmentedReduce.by(Operator.SUM).segments(null));
    assertThrows(NullPointerException.class, () -> SegmentedSort.ascending().segments(null));
    assertThrows(
        NullPointerException.class, () -> SegmentedTopK.of(TopK.largest(1)).segments(null));
  }
}
