package funnel.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.common.TaskPackage;

class KernelTaskTest {

  /** Different ids, of which TornadoVM's ptx backend makes the same kernel's name. */
  @Test
  void repetitionsDifferOnlyInWhatIsNoLetterOrDigit() {
    List<String> ids =
        IntStream.range(0, 1024).mapToObj(i -> KernelTask.repetition("v_pass", i)).toList();
    assertEquals(1024, Set.copyOf(ids).size());
    Set<String> names =
        ids.stream().map(id -> id.replaceAll("[^A-Za-z0-9]", "_")).collect(Collectors.toSet());
    assertEquals(1, names.size(), names.toString());
    assertThrows(IllegalArgumentException.class, () -> KernelTask.repetition("v", 1024));
    assertThrows(IllegalArgumentException.class, () -> KernelTask.repetition("v", -1));
  }

  private static void nothing(KernelContext context) {}

  static void named(KernelContext context) {}

  static void ofAnything(Object context) {}

  @Test
  void theMethodBehindTheCode() throws NoSuchMethodException {
    KernelTask.Grid grid = KernelTask.Grid.of(1, 1);
    assertEquals(
        Optional.of(KernelTaskTest.class.getDeclaredMethod("nothing", KernelContext.class)),
        KernelTask.of("a", grid, KernelTaskTest::nothing).method());
    assertEquals(
        Optional.of(KernelTaskTest.class.getDeclaredMethod("named", KernelContext.class)),
        Kernel.of(KernelTaskTest.class, "named").task("b", grid, Map.of()).method());
    String captured = String.valueOf(grid);
    KernelTask.Kernel1 capturing = context -> captured.length();
    assertEquals(Optional.empty(), KernelTask.of("c", grid, capturing).method());
    assertEquals(Optional.empty(), KernelTask.of("d", grid, KernelTaskTest::ofAnything).method());
    assertEquals(Optional.empty(), new KernelTask("e", grid, "a text", List.of()).method());
  }

  /** TornadoVM may give one the other's accesses to arrays. */
  @Test
  void kernelsAreNotAddedByTwoThreadsAtOnce() {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    KernelTask task = KernelTask.of("t", KernelTask.Grid.of(1, 1), KernelTaskTest::nothing);
    List<CompletableFuture<Void>> threads =
        IntStream.range(0, 4)
            .mapToObj(
                thread ->
                    CompletableFuture.runAsync(
                        () ->
                            task.addTo(
                                new Waiting("g" + thread, inside, most), new GridScheduler()),
                        work -> Thread.ofPlatform().start(work)))
            .toList();
    threads.forEach(CompletableFuture::join);
    assertEquals(1, most.get());
  }

  /** A graph that takes its time to add a task. */
  private static final class Waiting extends TaskGraph {
    private final AtomicInteger inside;
    private final AtomicInteger most;

    Waiting(String name, AtomicInteger inside, AtomicInteger most) {
      super(name);
      this.inside = inside;
      this.most = most;
    }

    @Override
    public TaskGraph addTask(TaskPackage task) {
      most.accumulateAndGet(inside.incrementAndGet(), Math::max);
      LockSupport.parkNanos(20_000_000);
      inside.decrementAndGet();
      return super.addTask(task);
    }
  }
}
