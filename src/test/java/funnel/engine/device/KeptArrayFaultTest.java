package funnel.engine.device;

import static funnel.engine.device.FailingDevice.DROP;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.emulator.Emulator;
import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.Program;
import funnel.engine.device.FailingDevice.Call;
import funnel.operation.FunnelDeviceException;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Input;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kept arrays on a device that fails as it is told. */
@Timeout(120)
class KeptArrayFaultTest {

  private static final int N = 500;
  private static final int[] ONES = ones();
  private static final int[] SUMS = sums(ONES);

  private FailingDevice device = device(0);

  /** A device whose arrays are copied in pieces if they have as many bytes. */
  private static FailingDevice device(long stagedBytes) {
    return new FailingDevice(Emulator.builder().stagedBytes(stagedBytes).build()::launcher);
  }

  private static int[] ones() {
    int[] ones = new int[N];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static int[] sums(int[] values) {
    int[] sums = values.clone();
    for (int i = 1; i < sums.length; i++) {
      sums[i] += sums[i - 1];
    }
    return sums;
  }

  private static Program scan() {
    Input x = new Input("x", ElementType.INT, N);
    return Program.of(
        List.of(x), Scan.inclusive(Operator.SUM).expand("y", List.of(x)).primitives());
  }

  private DeviceProgram load(KeptArray from, KeptArray to) {
    Program scan = scan();
    return device.load(
        scan,
        KeptArrays.of(
            scan,
            Map.of("x", new KeptArrays.Part(from, 0, N), "y", new KeptArrays.Part(to, 0, N))));
  }

  private KeptArray keep(int[] values) {
    KeptArray array = device.keep(ElementType.INT, values.length);
    array.write(MemorySegment.ofArray(values));
    return array;
  }

  private static int[] read(KeptArray array) {
    int[] values = new int[array.length()];
    array.read(0, MemorySegment.ofArray(values));
    return values;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE})
  void aCopyThatIsLostOnce_isMadeAgain_twiceIsSaid(long stagedBytes) {
    device = device(stagedBytes);
    Call sends = stagedBytes == 0 ? Call.SEND : Call.UPLOAD;
    Call receives = stagedBytes == 0 ? Call.RECEIVE : Call.DOWNLOAD;
    KeptArray x = keep(SUMS);
    device.at(sends, 1, DROP);
    x.write(MemorySegment.ofArray(ONES));
    assertArrayEquals(ONES, read(x));
    device.at(sends, 1, DROP);
    device.at(sends, 2, DROP);
    assertThrows(FunnelDeviceException.class, () -> x.write(MemorySegment.ofArray(SUMS)));
    assertTrue(
        assertThrows(IllegalStateException.class, () -> read(x)).getMessage().contains("failed"));
    x.write(MemorySegment.ofArray(SUMS));
    device.at(receives, 1, DROP);
    if (receives == Call.DOWNLOAD) { // which is tried again, with other marks at the ends
      device.at(receives, 2, DROP);
    }
    assertThrows(FunnelDeviceException.class, () -> read(x));
    assertArrayEquals(SUMS, read(x));
    x.close();
    assertEquals(device.memory.limit(), device.memory.left());
  }

  @ParameterizedTest
  @ValueSource(strings = {"UPLOAD", "LAUNCH"})
  void aProgramThatIsLoadedAgain_hasTheSameArrays(String lost) {
    KeptArray x = keep(ONES);
    KeptArray y = device.keep(ElementType.INT, N);
    KeptArray other = keep(ONES);
    try (DeviceProgram program = load(x, y);
        DeviceProgram beside = load(y, other)) {
      device.at(Call.valueOf(lost), 1, DROP);
      int begun = device.begun;
      program.run();
      assertEquals(begun + 1, device.begun);
      assertArrayEquals(SUMS, read(y));
      assertArrayEquals(ONES, read(x));
      assertArrayEquals(ONES, read(other));
      beside.run();
      assertArrayEquals(sums(SUMS), read(other));
      int[] fetched = new int[N];
      program.fetch("y", MemorySegment.ofArray(fetched));
      assertArrayEquals(SUMS, fetched);
    }
    assertArrayEquals(SUMS, read(y));
  }

  @Test
  void aRunThatFailsTwice_leavesNoElements_untilOneSucceeds() {
    KeptArray x = keep(ONES);
    KeptArray y = keep(ONES);
    try (DeviceProgram program = load(x, y)) {
      device.at(Call.LAUNCH, 1, DROP);
      device.at(Call.LAUNCH, 2, DROP);
      assertThrows(FunnelDeviceException.class, program::run);
      assertThrows(IllegalStateException.class, () -> read(y));
      assertArrayEquals(ONES, read(x));
      program.run();
      assertArrayEquals(SUMS, read(y));
    }
  }

  @Test
  void aRunInPlace_isNotRepeated() {
    KeptArray x = keep(ONES);
    KeptArray other = keep(SUMS);
    try (DeviceProgram program = load(x, x)) {
      program.run();
      assertArrayEquals(SUMS, read(x));
      device.at(Call.LAUNCH, 1, FailingDevice.DROP_COPY_BACK); // it has run, but that is not known
      FunnelDeviceException e = assertThrows(FunnelDeviceException.class, program::run);
      assertTrue(e.getMessage().contains("must be written again"), e::getMessage);
      assertThrows(IllegalStateException.class, () -> read(x));
      assertThrows(IllegalStateException.class, program::run);
      assertArrayEquals(SUMS, read(other));
      x.write(MemorySegment.ofArray(ONES));
      program.run();
      assertArrayEquals(SUMS, read(x));
    }
  }

  @Test
  void aLostContext_isSaidByAll() {
    KeptArray x = keep(ONES);
    KeptArray y = device.keep(ElementType.INT, N);
    try (DeviceProgram program = load(x, y)) {
      device.at(Call.LAUNCH, 1, device.loseContext);
      assertThrows(FunnelDeviceException.class, program::run);
      assertThrows(FunnelDeviceException.class, () -> read(x));
      assertThrows(FunnelDeviceException.class, () -> x.write(MemorySegment.ofArray(ONES)));
      assertThrows(FunnelDeviceException.class, () -> device.keep(ElementType.INT, 1));
    }
    x.close();
    y.close();
    assertEquals(device.memory.limit(), device.memory.left());
  }

  @Test
  void whatDoesNotFit_isRefused_onceNothingIsIdle() {
    try (KeptPrograms idle = new KeptPrograms(device.memory, 4, 1 << 20)) {
      device.kept = idle;
      try (DeviceProgram program = device.load(scan())) {
        program.run(Map.of("x", MemorySegment.ofArray(ONES)));
      }
      assertTrue(device.memory.left() < device.memory.limit());
      int most = (int) (device.memory.limit() / Integer.BYTES) - 16;
      KeptArray large = device.keep(ElementType.INT, most);
      assertTrue(idle.toString().contains("kept=0"), idle::toString);
      FunnelMemoryException e =
          assertThrows(FunnelMemoryException.class, () -> device.keep(ElementType.LONG, 100));
      assertTrue(e.neededBytes() >= 800, e::getMessage);
      assertEquals(device.memory.limit() - large.deviceBytes(), e.freeBytes());
      assertTrue(e.getMessage().contains("a kept array LONG[100]"), e::getMessage);
      large.close();
      device.keep(ElementType.LONG, 100).close();
      assertEquals(device.memory.limit(), device.memory.left());
    }
  }

  @Test
  void aProgramOverKeptArrays_isNotLentToOthers() {
    try (KeptPrograms idle = new KeptPrograms(device.memory, 4, 1 << 20)) {
      device.kept = idle;
      KeptArray x = keep(ONES);
      KeptArray y = device.keep(ElementType.INT, N);
      try (DeviceProgram program = load(x, y)) {
        program.run();
      }
      assertTrue(idle.toString().contains("kept=0"), idle::toString);
      x.close();
      y.close();
      try (DeviceProgram program = device.load(scan())) {
        program.run(Map.of("x", MemorySegment.ofArray(SUMS)));
        int[] fetched = new int[N];
        program.fetch("y", MemorySegment.ofArray(fetched));
        assertArrayEquals(sums(SUMS), fetched);
      }
    }
  }

  @Test
  void aThousandArrays_leaveNothing() {
    for (int i = 0; i < 1000; i++) {
      KeptArray x = keep(ONES);
      if (i % 10 == 0) {
        try (DeviceProgram program = load(x, x)) {
          program.run();
        }
      }
      x.close();
    }
    assertEquals(device.begun, device.closed);
    assertEquals(device.memory.limit(), device.memory.left());
  }
}
