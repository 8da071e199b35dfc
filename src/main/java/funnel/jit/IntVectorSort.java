package funnel.jit;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** Makes the JVM compile the JDK's sort. */
@Twins({"Long"})
final class IntVectorSort {

  /* Only compiled code calls the vector code, and the first partition of many keys takes a second
   * until it is: so the JVM first sorts some others, in another thread while keys are copied. Some
   * are equal: where this is new to compiled code, the JVM goes on without it.
   */

  private static final int REHEARSED = 1 << 14;
  private static final int REHEARSALS = 200;
  private static final int FEW_KEYS = 1000;
  private static final int FACTOR = 0x5851f42d; // words that follow by it look random
  private static final @Element int[] NONE = {};

  /** Is begun when this class is initialized. */
  private static final CompletableFuture<Void> REHEARSAL =
      CompletableFuture.runAsync(
          IntVectorSort::rehearse,
          task -> Thread.ofPlatform().daemon().name("funnel-sort").start(task));

  private IntVectorSort() {}

  static CompletableFuture<Void> rehearsal() {
    return REHEARSAL;
  }

  private static void rehearse() {
    @Element int[] some = Arrays.copyOf(NONE, REHEARSED);
    @Element int word = 1;
    for (int round = 0; round < REHEARSALS; round++) {
      for (int i = 0; i < REHEARSED; i++) {
        word = word * FACTOR + 1;
        some[i] = round % 2 == 0 ? word : word % FEW_KEYS;
      }
      Arrays.sort(some);
    }
  }
}
