package funnel.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.Funnel;
import funnel.GraphResults;
import funnel.Plan;
import funnel.Results;
import funnel.Seed;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.ptx.PtxDriver;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

@Tag("gpu")
class TornadoScanTest extends ScanContract {

  @Override
  Funnel open() {
    return Funnel.open(Target.TORNADO);
  }

  @Override
  int capacity() {
    return PtxDriver.length(300_000);
  }

  @Override
  int randomRuns() {
    return PtxDriver.cases(1000);
  }

  /** Several chunks and groups, whole and not. */
  @ParameterizedTest
  @EnumSource(ScanForm.class)
  @Tag("large")
  void severalGroups(ScanForm form) {
    int chunk = ScanTree.CHUNK * ScanTree.tile(ElementType.INT);
    int most = 34 * chunk + 17;
    int[] values = Seed.random("groups").ints(most).toArray();
    try (Funnel funnel = open();
        Plan plan =
            funnel
                .plan("groups")
                .input("x", ElementType.INT, most)
                .add("y", Scan.inclusive(Operator.SUM).by(form), "x")
                .build()) {
      for (int length :
          new int[] {
            most,
            chunk - 4,
            chunk - 3,
            chunk,
            2 * chunk,
            16 * chunk - 4,
            16 * chunk - 3,
            17 * chunk + 5,
            32 * chunk - 3,
            33 * chunk + 1,
            most - 1
          }) {
        int[] y = plan.run(Map.of("x", Elements.of(values, 0, length))).ints("y");
        int sum = 0;
        for (int i = 0; i < length; i++) {
          sum += values[i];
          assertEquals(sum, y[i], "length " + length + ", element " + i + Seed.replay());
        }
      }
    }
  }

  /** The single pass does not hang, err or give up, whatever the length. */
  @Test
  @Tag("large")
  void tenThousandRunsOfTheSinglePass() {
    int most = 3_000_000;
    SplittableRandom random = Seed.random("thousands");
    int[] values = random.ints(most).toArray();
    int[] sums = new int[most + 1];
    for (int i = 0; i < most; i++) {
      sums[i + 1] = sums[i] + values[i];
    }
    IntArray x = IntArray.fromArray(values);
    Scan scan = Scan.inclusive(Operator.SUM).by(ScanForm.SINGLE_PASS);
    try (Funnel funnel = open();
        Plan plan = funnel.plan("thousands").input("x", x).add("y", scan, "x").build()) {
      for (int run = 0; run < 10_000; run++) {
        int length = run % 10 == 0 ? 1 + random.nextInt(most) : 1 + random.nextInt(100_000);
        Results results = plan.changed("x", 0, length).run();
        String message = "run " + run + ", length " + length + Seed.replay();
        assertEquals(sums[length], results.getInt("y_total"), message);
        if (run % 250 == 0) {
          int[] y = results.ints("y");
          for (int i = 0; i < length; i++) {
            assertEquals(sums[i + 1], y[i], message + ", element " + i);
          }
        }
      }
    }
  }

  @Test
  void inPlaceOnTheDevice_andSubRanges() {
    int length = 100_000;
    int[] values = Seed.random("device").ints(length).toArray();
    for (ScanForm form : ScanForm.values()) {
      IntArray x = IntArray.fromArray(values);
      try (Funnel funnel = open();
          Plan plan =
              funnel
                  .plan("device")
                  .input("x", x)
                  .add("y", Scan.inclusive(Operator.SUM).by(form), "x")
                  .output("y", x)
                  .build()) {
        plan.run();
        int sum = 0;
        for (int i = 0; i < length; i++) {
          sum += values[i];
          assertEquals(sum, x.get(i), form + ", element " + i + Seed.replay());
        }
        int again = 0;
        int[] once = x.toHeapArray();
        plan.changed("x", 1000, 90_000).run();
        for (int i = 0; i < length; i++) {
          again = i >= 1000 && i < 90_000 ? again + once[i] : once[i];
          again = i == 1000 ? once[i] : again;
          assertEquals(again, x.get(i), form + ", element " + i + Seed.replay());
        }
      }
    }
  }

  @Test
  void inATaskGraphOfTheUsers() throws Exception {
    int length = 50_000;
    int[] values = Seed.random("graph").ints(length).toArray();
    IntArray x = IntArray.fromArray(values);
    IntArray y = new IntArray(length);
    try (Funnel funnel = open();
        Plan plan =
            funnel
                .plan("inGraph")
                .input("x", ElementType.INT, length)
                .add("y", Scan.exclusive(Operator.SUM), "x")
                .build()) {
      TaskGraph graph = new TaskGraph("scanInGraph");
      GridScheduler scheduler = new GridScheduler();
      graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, x);
      GraphResults results = plan.addTo(graph, scheduler, Map.of("x", x, "y", y));
      graph.transferToHost(DataTransferMode.EVERY_EXECUTION, y);
      try (TornadoExecutionPlan own = new TornadoExecutionPlan(graph.snapshot())) {
        own.withGridScheduler(scheduler).execute();
      }
      int sum = 0;
      for (int i = 0; i < length; i++) {
        assertEquals(sum, y.get(i), "element " + i);
        sum += values[i];
      }
      assertEquals(sum, results.get("y_total"));
    }
  }
}
