package funnel.ptx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.emulator.Order;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The interpreter by itself, on texts as TornadoVM emits them: neither SDK nor driver is needed.
 */
class PtxInterpreterTest {

  private static final int THREADS = 64;

  private static final String KERNEL =
      """
      .version 7.6
      .target sm_86
      .address_size 64

      .visible .entry k(.param .u64 .ptr .global .align 8 data, .param .align 8 .u64 by) {
      	.reg .u64 rud<9>;
      	.reg .s64 rsd<9>;
      	.reg .s32 rsi<20>;
      	.reg .u32 rui<9>;
      	.reg .f32 rfi<9>;
      	.reg .f64 rfd<9>;
      	.reg .pred rpb<9>;

      BLOCK_0:
      	ld.param.u64	rud0, [data];
      	mov.u32	rui0, %tid.x;
      	cvt.s32.u32	rsi0, rui0;
      	mov.u32	rui1, %ctaid.x;
      	mov.u32	rui2, %ntid.x;
      	mad.lo.s32	rsi1, rui1, rui2, rui0;
      	cvt.s64.s32	rsd0, rsi1;
      	shl.b64	rsd1, rsd0, 2;
      	add.u64	rud1, rud0, rsd1;
      BODY
      	ret;
      }
      """;

  /** Each thread's element comes to be that of the thread which is as far from the block's end. */
  private static final String REVERSE =
      """
      	.shared .s32 rsiArr0[64];
      	ld.global.s32	rsi2, [rud1];
      	st.shared.s32	rsiArr0[rsi0], rsi2;
      	barrier.sync	0;
      	sub.s32	rsi3, 63, rsi0;
      	ld.shared.s32	rsi4, rsiArr0[rsi3];
      	st.global.s32	[rud1], rsi4;
      """;

  /** What becomes of some ints. */
  private static int[] run(String body, Order order, int blocks, int... ints) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_INT, ints);
      PtxMemory memory = new PtxMemory();
      memory.allocated(data.address(), data.byteSize());
      MemorySegment arguments = arena.allocateFrom(ValueLayout.JAVA_LONG, data.address(), 0);
      int[] dims = {blocks, 1, 1, THREADS, 1, 1};
      PtxKernel kernel = PtxKernel.parse(KERNEL.replace("BODY", body), "k");
      new PtxLaunch(kernel, memory, arguments, dims, order, 7).run();
      return data.toArray(ValueLayout.JAVA_INT);
    }
  }

  private static int[] upTo(int count) {
    return IntStream.range(0, count).toArray();
  }

  private static String refusal(String body, int... ints) {
    return assertThrows(PtxException.class, () -> run(body, Order.FORWARD, 1, ints)).getMessage();
  }

  @ParameterizedTest
  @EnumSource
  void whatThreadsExchange_isWhereItWasSent(Order order) {
    int[] reversed =
        IntStream.range(0, 2 * THREADS)
            .map(i -> i / THREADS * THREADS + 63 - i % THREADS)
            .toArray();
    assertArrayEquals(reversed, run(REVERSE, order, 2, upTo(2 * THREADS)));
  }

  @Test
  void aMissingBarrier_changesWhatComesOut() {
    String without = REVERSE.replaceAll("\tbarrier.*\n", "");
    Set<String> results = new HashSet<>();
    for (Order order : Order.values()) {
      results.add(Arrays.toString(run(without, order, 1, upTo(THREADS))));
    }
    assertEquals(Order.values().length, results.size());
  }

  @Test
  void anInstructionForAnother_changesWhatComesOut() {
    String sum =
        "\tld.global.s32\trsi2, [rud1];\n"
            + "\tadd.s32\trsi3, rsi2, 5;\n"
            + "\tst.global.s32\t[rud1], rsi3;\n";
    assertEquals(7, run(sum, Order.FORWARD, 1, repeated(2))[0]);
    assertEquals(-3, run(sum.replace("add", "sub"), Order.FORWARD, 1, repeated(2))[0]);
  }

  private static int[] repeated(int value) {
    return IntStream.generate(() -> value).limit(THREADS).toArray();
  }

  @Test
  void aRegisterThatWasNotWritten_hasAnything() {
    int[] result = run("\tst.global.s32\t[rud1], rsi9;\n", Order.FORWARD, 1, new int[THREADS]);
    assertNotEquals(result[0], result[1]);
  }

  @Test
  void anAccessOutside_isRefused() {
    String store = "\tst.global.s32\t[rud1], 1;\n";
    assertTrue(refusal(store, upTo(63)).contains("thread 63: st.global.s32\t[rud1], 1: outside"));
    assertTrue(
        refusal("\tadd.u64\trud2, rud1, 2;\n\tld.global.s32\trsi2, [rud2];\n", upTo(65))
            .contains("not aligned"));
    assertTrue(
        refusal(REVERSE.replace("[64]", "[63]"), upTo(64))
            .contains("outside, index or address 63 of bytes 0 to 252"));
    assertTrue(
        refusal(
                "\t.local .s32 rsiArr1[2];\n\tmov.u32\trui3, rsiArr1;\n\tadd.u32\trui4, rui3, 8;\n"
                    + "\tst.local.s32\t[rui4], 1;\n",
                upTo(64))
            .contains("outside"));
  }

  @Test
  void aBarrierThatNotAllThreadsReach_isRefused() {
    String some =
        "\tsetp.lt.s32\trpb0, rsi0, 32;\n\t@!rpb0 bra\tBLOCK_2;\n\tbarrier.sync\t0;\nBLOCK_2:\n";
    assertTrue(
        refusal(some, upTo(64))
            .matches(".*from thread 0 on at barrier.sync\\s0 .\\d+.; from thread 32 on ended.*"));
  }

  @Test
  void blocksThatWaitForOthers_letThemGoOn() {
    String wait =
        """
        	setp.eq.s32	rpb0, rsi1, 0;
        	@!rpb0 bra	BLOCK_3;
        BLOCK_1:
        	atom.global.add.s32	rsi3, [rud0], 0;
        	setp.lt.s32	rpb1, rsi3, 64;
        	@rpb1 bra	BLOCK_1;
        BLOCK_3:
        	atom.global.add.s32	rsi3, [rud0], 1;
        """;
    assertEquals(128, run(wait, Order.FORWARD, 2, new int[1])[0]);
    String message =
        assertThrows(PtxException.class, () -> run(wait, Order.FORWARD, 1, new int[1]))
            .getMessage();
    assertTrue(message.contains("does not end"), message);
  }

  @ParameterizedTest
  @EnumSource
  void blocksThatWaitForOthers_beginInTheirOrder(Order order) {
    String tickets =
        """
        	setp.ne.s32	rpb0, rsi0, 1;
        	@rpb0 bra	BLOCK_3;
        	atom.global.add.s32	rsi3, [rud0], 1;
        BLOCK_1:
        	atom.global.add.s32	rsi4, [rud0], 0;
        	setp.lt.s32	rpb1, rsi4, 1;
        	@rpb1 bra	BLOCK_1;
        	st.global.s32	[rud1], rsi3;
        BLOCK_3:
        """;
    int[] result = run(tickets, order, 3, new int[3 * THREADS]);
    for (int block = 0; block < 3; block++) {
      assertEquals(block, result[block * THREADS + 1]);
    }
  }

  @ParameterizedTest
  @CsvSource({"down, 3", "up, 2", "bfly, 5", "idx, 7"})
  void warpsShuffle(String how, int by) {
    String shuffle =
        "\tld.global.s32\trsi2, [rud1];\n\tshfl.sync.%s.b32 rsi3, rsi2, %s, 31, 0xFFFFFFFF;\n\tst.global.s32\t[rud1], rsi3;\n"
            .formatted(how, by);
    int[] result = run(shuffle, Order.RANDOM, 1, upTo(THREADS));
    for (int i = 0; i < THREADS; i++) {
      int lane = i % 32;
      int from =
          switch (how) {
            case "down" -> lane + by < 32 ? i + by : i;
            case "up" -> lane >= by ? i - by : i;
            case "bfly" -> i ^ by;
            default -> i - lane + by;
          };
      assertEquals(from, result[i]);
    }
  }

  /** The first operand is the element, to and from floats by their bits. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "add.s32 rsi3, rsi2, 1 | 2147483647 | -2147483648",
        "mul.lo.s32 rsi3, rsi2, 65537 | 65537 | 131073",
        "shr.b32 rsi3, rsi2, 1 | -8 | 2147483644",
        "shr.s32 rsi3, rsi2, 1 | -8 | -4",
        "shl.b32 rsi3, rsi2, 33 | 5 | 0",
        "shr.b32 rsi3, rsi2, 32 | -5 | 0",
        "div.s32 rsi3, rsi2, 3 | -7 | -2",
        "rem.s32 rsi3, rsi2, 3 | -7 | -1",
        "div.u32 rsi3, rsi2, 2 | -2 | 2147483647",
        "min.u32 rsi3, rsi2, 2 | -2 | 2",
        "neg.s32 rsi3, rsi2 | -2147483648 | -2147483648",
        "not.b32 rsi3, rsi2 | 5 | -6",
        "popc.b32 rsi3, rsi2 | -1 | 32",
        "cvt.s32.s8 rsi3, rsi2 | 200 | -56",
        "mul.wide.u32 rud3, rsi2, rsi2; shr.b64 rsd3, rud3, 32; cvt.s32.s64 rsi3, rsd3 | -1 | -2",
        "cvt.u64.s32 rud3, rsi2; shr.b64 rud4, rud3, 40; cvt.s32.u64 rsi3, rud4 | -1 | 16777215",
        "setp.lt.u32 rpb0, rsi2, 5; selp.s32 rsi3, 1, 2, rpb0 | -1 | 2",
        "and.b32 rsi3, rsi2, 4294967295; setp.lt.s32 rpb0, rsi3, 0; selp.s32 rsi3, 1, 2, rpb0 | -1"
            + " | 1",
        // 1.5 + 2^-24 is 1.5; 2^23 + 0.5 is even; a product of -0 and 3 keeps its sign
        "add.rn.f32 rsi3, rsi2, 0F33800000 | 0x3fc00000 | 0x3fc00000",
        "add.rn.f32 rsi3, rsi2, 0F3F000000 | 0x4b000000 | 0x4b000000",
        "mul.rn.f32 rsi3, rsi2, 0F40400000 | 0x80000000 | 0x80000000",
        // not a number: no comparison holds, min takes the other, arithmetic makes one of all
        "setp.lt.f32 rpb0, rsi2, 0F00000000; selp.s32 rsi3, 1, 2, rpb0 | 0x7fc00000 | 2",
        "setp.eq.f32 rpb0, rsi2, rsi2; selp.s32 rsi3, 1, 2, rpb0 | 0x7fc00000 | 2",
        "setp.ltu.f32 rpb0, rsi2, 0F00000000; selp.s32 rsi3, 1, 2, rpb0 | 0x7fc00000 | 1",
        "setp.eq.f32 rpb0, rsi2, 0F00000000; selp.s32 rsi3, 1, 2, rpb0 | 0x80000000 | 1",
        "min.f32 rsi3, rsi2, 0F40400000 | 0x7fc00000 | 0x40400000",
        "max.f32 rsi3, rsi2, 0F80000000 | 0x00000000 | 0x00000000",
        "add.rn.f32 rsi3, rsi2, 0F3F800000 | 0xffc00001 | 0x7fffffff",
        "shl.b64 rsd3, rsi2, 32; add.rn.f64 rfd1, rsd3, 0D3FF0000000000000; shr.b64 rsd4, rfd1, 32;"
            + " cvt.s32.s64 rsi3, rsd4 | 0x7ff80001 | 0x7ff80001",
        "testp.normal.f32 rpb0, rsi2; selp.s32 rsi3, 1, 2, rpb0 | 0x00000001 | 2",
        "cvt.rzi.s32.f32 rsi3, rsi2 | 0xc0300000 | -2",
        "cvt.rzi.s32.f32 rsi3, rsi2 | 0x7f800000 | 2147483647",
        "cvt.rn.f32.s32 rsi3, rsi2 | 16777217 | 0x4b800000",
        "cvt.u64.s32 rud3, rsi2; cvt.rn.f32.u64 rsi3, rud3 | -1 | 0x5f800000",
        "cvt.u64.s32 rud3, rsi2; cvt.rn.f64.u64 rfd1, rud3; cvt.rn.f32.f64 rsi3, rfd1 | 3"
            + " | 0x40400000",
        "cvt.u64.s32 rud3, rsi2; cvt.rn.f64.u64 rfd1, rud3; cvt.rn.f32.f64 rsi3, rfd1"
            + " | -2147483648 | 0x5f800000",
        "cvt.f64.f32 rfd1, rsi2; div.rn.f64 rfd2, rfd1, 0D4008000000000000; cvt.rn.f32.f64 rsi3,"
            + " rfd2 | 0x3f800000 | 0x3eaaaaab",
        // (1 + 2^-12)^2 - 1 - 2^-11 is 2^-24 if it is rounded once
        "fma.rn.f32 rsi3, rsi2, rsi2, 0FBF801000 | 0x3f800800 | 0x33800000",
        "mad.rn.f32 rsi3, rsi2, rsi2, 0FBF801000 | 0x3f800800 | 0x33800000",
        "sqrt.rn.f32 rsi3, rsi2 | 0x40000000 | 0x3fb504f3",
      })
  void instructionsCompute(String instructions, String operand, String expected) {
    String body =
        "\tld.global.s32\trsi2, [rud1];\n\t%s;\n\tst.global.s32\t[rud1], rsi3;\n"
            .formatted(instructions.strip());
    int value = Long.decode(operand.strip()).intValue();
    int result = run(body, Order.FORWARD, 1, repeated(value))[0];
    assertEquals(
        Long.decode(expected.strip()).intValue(), result, () -> Integer.toHexString(result));
  }

  @Test
  void whatIsNotKnown_isRefused() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    PtxKernel.parse(
                        KERNEL.replace("BODY", "\tvote.sync.any.pred\trpb0, rpb1, 1;\n"), "k"))
            .getMessage();
    assertTrue(message.contains("vote.sync.any.pred"), message);
  }
}
