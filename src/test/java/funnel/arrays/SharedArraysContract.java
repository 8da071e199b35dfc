package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Ints;
import funnel.Plan;
import funnel.Table;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.select.Select;
import funnel.sort.Merge;
import funnel.transform.Concat;
import funnel.transform.Elementwise;
import funnel.transform.Slice;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Arrays that follow from one array twice, which follows from another one twice, and so on: there
 * are as many ways back as a power of two says, and each array is visited once.
 */
abstract class SharedArraysContract extends EngineContract {

  private static final int LEVELS = 40;

  @Override
  public int[] lengths() {
    return new int[] {3};
  }

  private void require(int[] expected, UnaryOperator<Ints> level) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(120),
        () -> {
          Ints x = funnel.of(3, -1, 4).filter(v -> v > 0);
          for (int i = 0; i < LEVELS; i++) {
            x = level.apply(x);
          }
          assertArrayEquals(expected, x.toArray());
        });
  }

  @Test
  void concatenations() {
    require(new int[] {3, 4, 3, 4}, x -> x.concat(x).limit(4));
  }

  @Test
  void pairs() {
    require(new int[] {3, 4}, x -> x.zip(x, Math::max));
  }

  @Test
  void selections() {
    require(new int[] {3, 4}, x -> x.filter(x.flags(v -> v > 0)));
  }

  @Test
  void unions() {
    require(new int[] {3, 4}, x -> x.union(x).limit(2));
  }

  @Test
  void intersectionsAndDifferences() {
    Ints none = funnel.of(7, 8).filter(v -> v > 8);
    require(new int[] {3, 4}, x -> x.intersection(x).difference(none));
  }

  @Test
  void gathers() {
    require(new int[] {3, 4}, x -> x.at(x.map(v -> v - 3)));
  }

  @Test
  void repetitions() {
    require(new int[] {3, 3}, x -> x.repeated(x.map(v -> v)).limit(2));
  }

  @Test
  void columnsOfTables() {
    require(
        new int[] {3, 4},
        x -> {
          Table table = funnel.table(x, x).sortedBy(x);
          return table.of(x);
        });
  }

  @Test
  void groups() {
    require(new int[] {3, 4}, x -> x.groupBy().max(x));
  }

  @Test
  void operationsOfAPlan() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(120),
        () -> {
          Plan.Builder builder =
              funnel
                  .plan("p")
                  .input("x", ElementType.INT, 3)
                  .add("y0", Select.where(Transform.testInt("positive", v -> v > 0)), "x");
          for (int i = 0; i < LEVELS; i++) {
            String y = "y" + i;
            builder.add("c" + i, Concat.all(), y, y).add("y" + (i + 1), Slice.limit(4), "c" + i);
          }
          builder.add("sum", Reduction.sum(), "y" + LEVELS);
          try (Plan plan = builder.build()) {
            assertEquals(
                14, plan.run(Map.of("x", Elements.of(new int[] {3, -1, 4}))).getInt("sum"));
          }
        });
  }

  // One array several times

  private void oneArray(String output, int[] expected, Operation operation, String... of) {
    try (Plan plan =
        funnel.plan("p").input("k", ElementType.INT, 9).add("y", operation, of).build()) {
      assertArrayEquals(
          expected, plan.run(Map.of("k", Elements.of(new int[] {7, 7, 9}))).ints(output));
    }
  }

  @Test
  void oneArray_asSeveralKeys() {
    GroupBy by = GroupBy.of(Aggregate.argMax(1));
    for (GroupBy each : new GroupBy[] {by.keys(3).runs(), by.keys(3)}) {
      oneArray("y_1", new int[] {0, 2}, each, "k", "k", "k", "k");
      oneArray("y_key_3", new int[] {7, 9}, each, "k", "k", "k", "k");
    }
    for (GroupBy each : new GroupBy[] {by.keys(2).runs(), by.keys(2)}) {
      oneArray("y_1", new int[] {0, 2}, each, "k", "k", "k");
    }
    assertArrayEquals(
        new int[] {0, 2},
        funnel
            .run(
                by.keys(3).runs(),
                Elements.of(new int[] {7, 7, 9}),
                Elements.of(new int[] {7, 7, 9}),
                Elements.of(new int[] {7, 7, 9}),
                Elements.of(new int[] {7, 7, 9}))
            .ints("result_1"));
  }

  @Test
  void oneArray_asSeveralInputs() {
    oneArray("y", new int[] {14, 14, 18}, Elementwise.ofInt("plus", (a, b) -> a + b), "k", "k");
    oneArray("y", new int[] {7, 7, 9, 7, 7, 9}, Concat.all(), "k", "k");
    oneArray("y", new int[] {7, 7, 7, 7, 9, 9}, Merge.ascending(), "k", "k");
  }
}
