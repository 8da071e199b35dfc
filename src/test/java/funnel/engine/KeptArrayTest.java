package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.jit.CallChain;
import funnel.operation.Input;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KeptArrayTest {

  private final KeptArray array =
      JvmEngine.kept(ElementType.INT, MemorySegment.ofArray(new int[] {3, 1, 4}));
  private final Program program =
      new Program(List.of(new Input("x", ElementType.INT, 3)), List.of());

  private static CompletableFuture<int[]> start(KeptArray array, CallChain chain) {
    return CompletableFuture.supplyAsync(
        () -> {
          int[] values = new int[3];
          chain.run(() -> array.read(0, MemorySegment.ofArray(values)));
          return values;
        },
        task -> Thread.ofPlatform().daemon().start(task));
  }

  private int[] readWhileAnotherWaitsToWrite(boolean isInsideRun) {
    KeptArrays kept = KeptArrays.of(program, Map.of("x", new KeptArrays.Part(array, 0, 3)));
    Thread writer =
        Thread.ofPlatform()
            .daemon()
            .unstarted(() -> array.write(MemorySegment.ofArray(new int[] {2, 6, 5})));
    CallChain chain = isInsideRun ? CallChain.current().with("a run") : CallChain.current();
    CompletableFuture<int[]> reader =
        kept.locked(
            () -> {
              writer.start();
              while (writer.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
              }
              CompletableFuture<int[]> reads = start(array, chain);
              if (isInsideRun) {
                reads.orTimeout(20, TimeUnit.SECONDS).join();
              }
              return reads;
            });
    return reader.join();
  }

  /** As the check of kernels, for which a run that has the lock waits. */
  @Test
  void aThreadOfARun_doesNotQueueAfterAWriter() {
    assertArrayEquals(new int[] {3, 1, 4}, readWhileAnotherWaitsToWrite(true));
  }

  @Test
  void otherThreads_queue() {
    assertArrayEquals(new int[] {2, 6, 5}, readWhileAnotherWaitsToWrite(false));
  }
}
