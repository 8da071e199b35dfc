package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Seed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies by several threads. */
class CopyingTest {

  private static final int PART = 1 << 18;

  private interface Begin {
    Copying copy(MemorySegment from, MemorySegment to);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, PART - 1, 2 * PART, 2 * PART + 1, 5 * PART - 3, 64 * PART + 9})
  void everyByteIsCopied_andNoOther(int bytes) {
    byte[] from = new byte[bytes + 1];
    Seed.random("staging").nextBytes(from);
    byte[] to = new byte[bytes + 2];
    to[0] = to[bytes + 1] = 77;
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment source = MemorySegment.ofArray(from).asSlice(1);
      MemorySegment destination = MemorySegment.ofArray(to).asSlice(1, bytes);
      Copying.copy(source, destination);
      assertEquals(-1, source.mismatch(destination), Seed.replay());
      destination.fill((byte) 0);
      MemorySegment own = confined.allocate(Math.max(1, bytes)).asSlice(0, bytes);
      Copying.copy(source, own);
      Copying.copy(own, destination);
      assertEquals(-1, source.mismatch(destination), Seed.replay());
      for (Begin begin : List.<Begin>of(Copying::begin, Copying::beginPastCache)) {
        destination.fill((byte) 0);
        begin.copy(source, destination).join();
        assertEquals(-1, source.mismatch(destination), Seed.replay());
        destination.fill((byte) 0);
        begin.copy(own, destination).await();
        assertEquals(-1, source.mismatch(destination), Seed.replay());
      }
    }
    assertEquals(77, to[0]);
    assertEquals(77, to[bytes + 1]);
  }

  @Test
  void whatTheMemoryThrows_isThrownAsItIs_whenNobodyWorksOnItAnyMore() {
    Arena arena = Arena.ofShared();
    MemorySegment closed = arena.allocate(64 * PART);
    arena.close();
    MemorySegment to = MemorySegment.ofArray(new byte[64 * PART]);
    assertEquals(
        IllegalStateException.class,
        assertThrows(IllegalStateException.class, () -> Copying.copy(closed, to)).getClass());
    Copying copying = Copying.begin(closed, to);
    copying.await();
    Copying.MemoryFailure failure = assertThrows(Copying.MemoryFailure.class, copying::join);
    assertSame(failure.getCause(), assertThrows(IllegalStateException.class, failure::rethrown));
  }
}
