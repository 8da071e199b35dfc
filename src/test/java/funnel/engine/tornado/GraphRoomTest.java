package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.kernel.KernelTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** How launches are dealt out; that graphs have the room is shown by long plans on a device. */
class GraphRoomTest {

  private static void kernel(KernelContext context, IntArray from, IntArray to, int at) {}

  private static List<KernelTask> tasks(int number) {
    IntArray from = new IntArray(1);
    IntArray to = new IntArray(1);
    return IntStream.range(0, number)
        .mapToObj(
            i ->
                KernelTask.of(
                    "t" + i, KernelTask.Grid.of(1, 1), GraphRoomTest::kernel, from, to, i % 3))
        .toList();
  }

  private static Set<Integer> arrays(int number) {
    return IntStream.range(0, number).boxed().collect(Collectors.toSet());
  }

  @Test
  void launchesStayInOrder_eachOnce_withinBothLimits() {
    for (int number : new int[] {0, 1, 33, 100, 125, 126, 1000}) {
      for (int arrays : new int[] {0, 10, 900, 5000}) {
        List<KernelTask> tasks = tasks(number);
        List<List<KernelTask>> graphs = GraphRoom.split(tasks, arrays(arrays));
        List<KernelTask> all = new ArrayList<>();
        for (List<KernelTask> graph : graphs) {
          all.addAll(graph);
          assertTrue(number == 0 || !graph.isEmpty());
          assertTrue(graph.size() <= 1 || 4 * arrays + 7 * graph.size() <= 1000, "" + graph.size());
          assertTrue(35 * graph.size() <= 8192, "" + graph.size());
          assertTrue(graph.size() <= 100, "" + graph.size());
        }
        assertEquals(tasks, all);
      }
    }
    assertEquals(1, GraphRoom.split(tasks(33), arrays(50)).size());
  }
}
