package funnel.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.operation.Operation;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.sort.Merge;
import funnel.transform.Concat;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On the JVM memory is taken for what is found, not for what there might be. */
class RoomOnJvmTest {

  private static final int ROOM = 1 << 26;
  private static final long MOST_BYTES = 1 << 26;

  private record Case(Operation operation, int[] expected) {}

  private static List<Case> cases() {
    return List.of(
        new Case(Runs.decode(ROOM), new int[] {1, 3, 3}),
        new Case(Merge.ascending(), new int[] {1, 1, 2, 3}),
        new Case(Concat.all(), new int[] {1, 3, 1, 2}));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aFewOfMany_takeLittle(Case each) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int inputs = each.operation() instanceof Runs ? 16 : ROOM / 2;
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("p")
                .input("x", ElementType.INT, inputs)
                .input("y", ElementType.INT, inputs)
                .add("found", each.operation(), "x", "y")
                .build()) {
      long before = threads.getCurrentThreadAllocatedBytes();
      int[] found =
          plan.run(Map.of("x", Elements.of(new int[] {1, 3}), "y", Elements.of(new int[] {1, 2})))
              .ints("found");
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      assertArrayEquals(each.expected(), found);
      assertTrue(bytes < MOST_BYTES, () -> "%s took bytes=%s".formatted(each.operation(), bytes));
    }
  }
}
