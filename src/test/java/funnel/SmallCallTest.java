package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operation.Target;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Calls over few elements on the JVM: in the caller's thread, with little memory. */
class SmallCallTest {

  private static final int CALLS = 100;
  private static final long MOST_BYTES = 64 << 10;

  private static long bytesOfACall(Runnable call) {
    call.run(); // builds the plan
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / CALLS;
  }

  @Test
  void takesLittleMemory() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      int[] ints = {1, 2, 3};
      float[] floats = {1, 2, 3};
      double[] doubles = new double[1000];
      for (Runnable call :
          new Runnable[] {
            () -> assertEquals(6, funnel.sum(ints)),
            () -> assertEquals(6, funnel.sum(floats)),
            () -> assertEquals(0, funnel.sum(doubles)),
            () -> assertEquals(2, funnel.mean(ints))
          }) {
        long bytes = bytesOfACall(call);
        assertTrue(bytes < MOST_BYTES, "bytes=" + bytes);
      }
    }
  }

  @Test
  void staysInTheCallersThread() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    Operator watched =
        Operator.ofInt(
            "watched",
            0,
            (a, b) -> {
              threads.add(Thread.currentThread());
              return a + b;
            });
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertEquals(3, funnel.reduce(Elements.of(new int[] {1, 2}), Reduction.of(watched)));
    }
    assertEquals(Set.of(Thread.currentThread()), threads);
  }
}
