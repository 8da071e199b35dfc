package funnel.arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import funnel.Elements;
import funnel.EngineContract;
import funnel.Funnel;
import funnel.Ints;
import funnel.Segments;
import funnel.Table;
import funnel.io.Source;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Texts of arrays and of what has arrays: they wait for nothing, and never throw. */
abstract class ArrayTextsContract extends EngineContract {

  @Override
  public int[] lengths() {
    return new int[0];
  }

  private static void text(String expected, Object of) {
    assertEquals(expected, of.toString());
  }

  @Test
  void elementsThatAreThere() {
    text("ints[3]: 3, 1, 4", funnel.of(3, 1, 4));
    text("ints[0]: ", funnel.of(new int[0]));
    text("ints[8]: 0, 1, 2, 3, 4, 5, 6, 7", funnel.of(IntStream.range(0, 8).toArray()));
    text("ints[9]: 0, 1, 2, 3, ..., 5, 6, 7, 8", funnel.of(IntStream.range(0, 9).toArray()));
    text("longs[1]: -9223372036854775808", funnel.of(Long.MIN_VALUE));
    text("floats[3]: NaN, -0.0, Infinity", funnel.of(Float.NaN, -0f, 1f / 0));
    text("doubles[3]: NaN, -0.0, -Infinity", funnel.of(Double.NaN, -0.0, -1.0 / 0));
    text("bytes[3]: 1, 255, 128", funnel.of(new byte[] {1, -1, -128}));
    text("doubles[2] paid: 1.5, 2.0", funnel.of(1.5, 2.0).named("paid"));
    text("ints[2]: 4, 5", funnel.ints(Elements.of(new int[] {3, 4, 5}, 1, 3)));
  }

  @Test
  void whatIsNotComputed() {
    Ints x = funnel.of(3, 1, 4);
    text("ints, not computed", x.sorted());
    text("ints, not computed", funnel.range(0, 9));
    text("a value, not computed", x.value(Reduction.max()));
    text("groups by ints, not computed", x.sorted().groupBy());
    text("segments by ints[3]: 3, 1, 4", Segments.ofKeys(x));
    text("Parts[kept=ints, not computed, rejected=ints, not computed]", x.partition(v -> v > 1));
    Table table = funnel.table(x, funnel.of(1.0, 2.0, 3.0).named("paid"));
    text("table of ints[3]: 3, 1, 4; doubles[3] paid: 1.0, 2.0, 3.0", table);
    text("table of ints, not computed; doubles paid, not computed", table.limit(1));
  }

  @Test
  void keptAndClosed() {
    Ints x = funnel.of(3, 1, 4).keep();
    Ints y = funnel.of(3, 1).keep().named("paid");
    text("ints[3], kept: 3, 1, 4", x);
    text("ints[2] paid, kept: 3, 1", y);
    x.close();
    text("ints, closed", x);
    text("ints, not computed", x.sorted());
    Ints left;
    try (Funnel other = Funnel.open(target())) {
      left = other.of(7).keep();
    }
    boolean isThere = target() == Target.JVM; // a device's memory goes with the Funnel
    text("ints[1], kept: " + (isThere ? "7" : "memory that cannot be read now"), left);
  }

  @Test
  void memoryThatCannotBeRead() throws Exception {
    Ints x;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(16);
      x = funnel.ints(Elements.of(memory, ElementType.INT));
      text("ints[4]: 0, 0, 0, 0", x);
      CompletableFuture.runAsync(() -> text("ints[4]: memory that cannot be read now", x)).get();
    }
    text("ints[4]: memory that cannot be read now", x);
  }

  @Test
  void sources() {
    Source source =
        Source.generated(
            ElementType.INT,
            5,
            (_, _) -> {
              throw new AssertionError("read");
            });
    text("ints[5] of a source", funnel.ints(source));
    text("ints[5] paid of a source", funnel.ints(source).named("paid"));
    text("ints, not computed", funnel.ints(source).sorted());
  }

  @Test
  void whileAnotherThreadReads() throws Exception {
    Ints kept = funnel.of(3, 1, 4).keep();
    CountDownLatch isRunning = new CountDownLatch(1);
    CountDownLatch isShown = new CountDownLatch(1);
    Source slow =
        Source.generated(
            ElementType.INT,
            5,
            (_, _) -> {
              isRunning.countDown();
              try {
                isShown.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    CompletableFuture<?> reading = CompletableFuture.runAsync(() -> funnel.ints(slow).sum());
    isRunning.await();
    try {
      assertTimeoutPreemptively(Duration.ofSeconds(20), () -> text("ints[3], kept: 3, 1, 4", kept));
    } finally {
      isShown.countDown();
    }
    reading.get();
  }
}
