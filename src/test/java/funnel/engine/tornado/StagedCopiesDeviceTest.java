package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.Seed;
import funnel.engine.Copying;
import funnel.engine.Program;
import funnel.engine.UntouchedMemory;
import funnel.engine.device.ProgramArrays;
import funnel.operation.Input;
import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Copies of large arrays to the device and back, without kernels in between. */
@Tag("gpu")
class StagedCopiesDeviceTest {

  private static final int MEGA = 1 << 20;
  private static final int BYTES = 36 * MEGA;
  private static final byte GUARD = 77;
  private static TornadoEngine engine;

  @BeforeAll
  static void open() {
    engine = TornadoEngine.open();
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  private static TornadoLauncher launcher() {
    Program program =
        new Program(
            List.of(
                new Input("x", ElementType.LONG, BYTES / Long.BYTES),
                new Input("y", ElementType.BYTE, BYTES)),
            List.of());
    ProgramArrays arrays = new ProgramArrays(program, Map.of(), HostArrays::allocate);
    return new TornadoLauncher(program, arrays, true, PlanDevice.DEFAULT);
  }

  /** Memory in which every eight bytes say where they are, and of which turn. */
  private static MemorySegment filled(long bytes, int turn) {
    MemorySegment memory = UntouchedMemory.allocate((bytes + 7) & -8);
    for (long i = 0; i < memory.byteSize() / Long.BYTES; i++) {
      memory.setAtIndex(ValueLayout.JAVA_LONG, i, (i << 16) + turn);
    }
    return memory.asSlice(0, bytes);
  }

  private static void assertComes(MemorySegment expected, TornadoLauncher from, String name) {
    MemorySegment into = UntouchedMemory.allocate(expected.byteSize() + 1);
    into.set(ValueLayout.JAVA_BYTE, expected.byteSize(), GUARD);
    assertEquals(true, from.receive(name, into.asSlice(0, expected.byteSize())));
    assertEquals(
        -1,
        MemorySegment.mismatch(into, 0, expected.byteSize(), expected, 0, expected.byteSize()),
        () -> name + Seed.replay());
    assertEquals(GUARD, into.get(ValueLayout.JAVA_BYTE, expected.byteSize()));
  }

  @Test
  void lengthsAroundThoseOfPieces() {
    SplittableRandom random = Seed.random("lengths of copies");
    Stream<Integer> drawn = random.ints(4, 0, BYTES).boxed();
    Stream<Integer> ends =
        Stream.of(0, 1, 4095, 2 * MEGA, 4 * MEGA, 4 * MEGA + 1, 6 * MEGA - 1, BYTES - 5, BYTES);
    try (TornadoLauncher launcher = launcher()) {
      int turn = 0;
      for (int bytes : Stream.concat(ends, drawn).toList()) {
        MemorySegment y = filled(bytes, ++turn);
        assertEquals("", launcher.send("y", y));
        y = filled(bytes, turn);
        assertComes(y, launcher, "y");
      }
    }
  }

  /** What is in the caller's memory after the call does not count. */
  @Test
  void twoAtOnce_fromAnArrayAndFromAnArena_whichChangeAfterTheCall() {
    try (TornadoLauncher launcher = launcher()) {
      for (int turn = 0; turn < 3; turn++) {
        long[] x = filled(BYTES, turn).toArray(ValueLayout.JAVA_LONG);
        Set<String> arrived = new HashSet<>();
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment y = arena.allocate(BYTES - turn).copyFrom(filled(BYTES - turn, turn + 9));
          Map<String, MemorySegment> both = new LinkedHashMap<>();
          both.put("x", MemorySegment.ofArray(x));
          both.put("y", y);
          assertEquals("", launcher.send(both, arrived::add));
          y.fill((byte) 1);
        }
        Arrays.fill(x, 1);
        assertEquals(Set.of("x", "y"), arrived);
        assertComes(filled(BYTES - turn, turn + 9), launcher, "y");
        assertComes(filled(BYTES, turn), launcher, "x");
      }
    }
  }

  /** The inputs before it have arrived, and the lane can be used. */
  @Test
  void memoryThatFails() {
    try (TornadoLauncher launcher = launcher()) {
      Arena arena = Arena.ofShared();
      MemorySegment gone = arena.allocate(BYTES);
      arena.close();
      Set<String> arrived = new HashSet<>();
      Map<String, MemorySegment> both = new LinkedHashMap<>();
      both.put("x", filled(BYTES, 5));
      both.put("y", gone);
      assertThrows(Copying.MemoryFailure.class, () -> launcher.send(both, arrived::add));
      assertEquals(Set.of("x"), arrived);
      assertComes(filled(BYTES, 5), launcher, "x");
      assertThrows(Copying.MemoryFailure.class, () -> launcher.receive("x", gone));
      assertComes(filled(BYTES, 5), launcher, "x");
    }
  }

  @Test
  void moreThreadsThanLanes() {
    CompletableFuture.allOf(
            IntStream.range(0, 6)
                .mapToObj(
                    thread ->
                        CompletableFuture.runAsync(
                            () -> {
                              try (TornadoLauncher launcher = launcher()) {
                                for (int round = 0; round < 3; round++) {
                                  MemorySegment x = filled(BYTES, thread * 10 + round);
                                  assertEquals("", launcher.send("x", x));
                                  assertComes(x, launcher, "x");
                                }
                              }
                            },
                            task -> Thread.ofPlatform().start(task)))
                .toArray(CompletableFuture[]::new))
        .join();
  }
}
