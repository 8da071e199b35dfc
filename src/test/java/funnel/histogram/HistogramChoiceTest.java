package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.engine.tornado.AtomicsProbe;
import funnel.operation.Device;
import org.junit.jupiter.api.Test;

/** The method on a device is what measurements say. */
class HistogramChoiceTest {

  private static HistogramMethod of(String backend, int counters) {
    return HistogramChoice.of(new Device("NVIDIA H200", backend), counters, 1 << 20);
  }

  @Test
  void fewCountersAreCountedByEachThread_onEveryBackend() {
    for (String backend : new String[] {"ptx", "cuda", "emulator", "another"}) {
      assertEquals(HistogramMethod.THREAD_COUNTERS, of(backend, 1));
      assertEquals(HistogramMethod.THREAD_COUNTERS, of(backend, 256));
    }
  }

  @Test
  void moreCountersTakePasses_asLongAsThoseAreFasterThanASort() {
    assertEquals(HistogramMethod.PASSES, of("ptx", 257));
    assertEquals(HistogramMethod.PASSES, of("ptx", 2048));
    assertEquals(HistogramMethod.SORTED, of("ptx", 2560));
    assertEquals(HistogramMethod.PASSES, of("cuda", 3584));
    assertEquals(HistogramMethod.SORTED, of("cuda", 3840));
    assertEquals(HistogramMethod.SORTED, of("cuda", 65_536));
    assertEquals(HistogramMethod.SORTED, of("ptx", 1 << 24));
  }

  /** The emulator's atomic additions in local memory are right. */
  @Test
  void manySamplesArePrivatised_whereAtomicAdditionsInLocalMemoryAreRight() {
    Device emulator = new Device("emulator", "emulator");
    assertEquals(HistogramMethod.PRIVATISED, HistogramChoice.of(emulator, 8192, 1 << 24));
    assertEquals(HistogramMethod.SORTED, HistogramChoice.of(emulator, 8193, 1 << 24));
  }

  /** A device is what a probe that somebody asked for has found. */
  @Test
  void manySamplesOnADevice_areCountedByWhatIsKnown() {
    Device device = new Device("NVIDIA H200", "cuda");
    assertEquals(
        AtomicsProbe.isKnownToBeRight(device) ? HistogramMethod.PRIVATISED : HistogramMethod.PASSES,
        HistogramChoice.of(device, 257, 1 << 24));
  }
}
