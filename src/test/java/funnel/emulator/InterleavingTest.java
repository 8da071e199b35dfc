package funnel.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.emulator.Access.Kind;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class InterleavingTest {

  private static Supplier<KernelTask> threads(int threads, KernelTask.Kernel2<IntArray> kernel) {
    return () -> KernelTask.of("race", Grid.of(1, threads), kernel, new IntArray(8));
  }

  private static IntArray counts(KernelTask task) {
    return (IntArray) task.arguments().getFirst();
  }

  private static List<Interleaving<Integer>> all(int threads, KernelTask.Kernel2<IntArray> kernel) {
    return Interleaving.all(threads(threads, kernel), task -> counts(task).get(0));
  }

  private static Access access(int thread, Kind kind, int value) {
    return new Access(thread, kind, 0, 0, value);
  }

  @Test
  void twoThreadsHaveFourInterleavings() {
    assertEquals(
        List.of(
            new Interleaving<>(
                List.of(
                    access(0, Kind.READ, 0),
                    access(0, Kind.WRITE, 1),
                    access(1, Kind.READ, 1),
                    access(1, Kind.WRITE, 2)),
                1,
                2),
            new Interleaving<>(
                List.of(
                    access(1, Kind.READ, 0),
                    access(1, Kind.WRITE, 1),
                    access(0, Kind.READ, 1),
                    access(0, Kind.WRITE, 2)),
                1,
                2),
            new Interleaving<>(
                List.of(
                    access(1, Kind.READ, 0),
                    access(0, Kind.READ, 0),
                    access(0, Kind.WRITE, 1),
                    access(1, Kind.WRITE, 1)),
                2,
                1),
            new Interleaving<>(
                List.of(
                    access(0, Kind.READ, 0),
                    access(1, Kind.READ, 0),
                    access(1, Kind.WRITE, 1),
                    access(0, Kind.WRITE, 1)),
                2,
                1)),
        all(2, InterleavedKernels::increment));
  }

  @Test
  void threeThreadsLoseUpToTwoUpdates() {
    List<Interleaving<Integer>> all = all(3, InterleavedKernels::increment);
    assertEquals(90, all.stream().mapToInt(Interleaving::orders).sum(), "6! / (2! 2! 2!)");
    // an order is a run of each thread's read before its write, by hand: every result occurs
    TreeMap<Integer, Integer> orders =
        all.stream()
            .collect(
                Collectors.toMap(
                    Interleaving::result, Interleaving::orders, Integer::sum, TreeMap::new));
    assertEquals(counted(), orders);
  }

  /** Orders by result, counted without the emulator: six places, two for each thread. */
  private static TreeMap<Integer, Integer> counted() {
    TreeMap<Integer, Integer> orders = new TreeMap<>();
    for (int code = 0; code < 729; code++) {
      int[] old = {-1, -1, -1};
      int[] uses = new int[3];
      int counter = 0;
      int rest = code;
      for (int place = 0; place < 6; place++) {
        int thread = rest % 3;
        rest /= 3;
        if (uses[thread]++ == 0) {
          old[thread] = counter;
        } else {
          counter = old[thread] + 1;
        }
      }
      if (uses[0] == 2 && uses[1] == 2 && uses[2] == 2) {
        orders.merge(counter, 1, Integer::sum);
      }
    }
    return orders;
  }

  @Test
  void atomicAdditionsLoseNothing() {
    List<Interleaving<Integer>> all = all(3, InterleavedKernels::add);
    assertEquals(6, all.size());
    assertTrue(all.stream().allMatch(one -> one.result() == 3 && one.orders() == 1));
    assertEquals(
        List.of(access(0, Kind.ADD, 1), access(1, Kind.ADD, 2), access(2, Kind.ADD, 3)),
        all.getFirst().accesses());
  }

  @Test
  void whatDoesNotMeetIsOneInterleaving() {
    List<Interleaving<Integer>> all = all(2, InterleavedKernels::incrementOwn);
    assertEquals(1, all.size());
    assertEquals(6, all.getFirst().orders());
    assertEquals(1, all.getFirst().switches());
  }

  @Test
  void barriersOrderAccesses() {
    List<Interleaving<Integer>> all = all(2, InterleavedKernels::oneAfterTheOther);
    assertEquals(1, all.size());
    assertEquals(1, all.getFirst().orders());
    assertEquals(2, all.getFirst().result());
  }

  @Test
  void argumentsAndTypesAreTold() {
    List<Interleaving<Double>> all =
        Interleaving.all(
            () ->
                KernelTask.of(
                    "copy",
                    Grid.of(1, 1),
                    InterleavedKernels::copy,
                    IntArray.fromElements(0, 0, 5),
                    new DoubleArray(4)),
            task -> ((DoubleArray) task.arguments().get(1)).get(3));
    assertEquals(
        List.of(
            new Interleaving<>(
                List.of(new Access(0, Kind.READ, 0, 2, 5), new Access(0, Kind.WRITE, 1, 3, 5.0)),
                1,
                5.0)),
        all);
  }

  @Test
  void aKernelWithoutAccessesHasOne() {
    assertEquals(List.of(new Interleaving<>(List.of(), 1, 0)), all(4, InterleavedKernels::nothing));
  }

  @Test
  void onVirtualThreadsItIsTheSame() {
    KernelTask task = threads(2, InterleavedKernels::increment).get();
    Turns turns = new Turns(task, List.of(0, 1));
    Emulator.builder().virtualThreads(true).build().run(task, turns);
    assertEquals(1, counts(task).get(0));
    assertEquals(List.of(0, 1, 0, 1), turns.accesses().stream().map(Access::thread).toList());
    assertEquals(List.of(0, 1, 1), turns.choicesOfNextRun().orElseThrow());
  }

  @Test
  void whatIsTooMuchIsRefused() {
    UnsupportedKernelException groups =
        assertThrows(
            UnsupportedKernelException.class,
            () ->
                Interleaving.all(
                    () ->
                        KernelTask.of(
                            "race", Grid.of(2, 1), InterleavedKernels::increment, new IntArray(1)),
                    task -> 0));
    assertTrue(groups.getMessage().contains("groups=2"), groups.getMessage());
    UnsupportedKernelException orders =
        assertThrows(
            UnsupportedKernelException.class,
            () -> Interleaving.all(threads(3, InterleavedKernels::increment), task -> 0, 89));
    assertTrue(orders.getMessage().contains("more than 89 orders"), orders.getMessage());
  }

  @Test
  void mistakesOfTheKernelAreReported() {
    assertThrows(KernelBoundsException.class, () -> all(2, InterleavedKernels::outside));
  }

  /** Without turns, the same copies of kernels do not stop at accesses. */
  @Test
  void theEmulatorItselfRunsThreadsWithoutABreak() {
    for (Order order : Order.values()) {
      KernelTask task = threads(8, InterleavedKernels::increment).get();
      Emulator.builder().order(order).build().run(task);
      assertEquals(8, counts(task).get(0));
    }
  }
}
