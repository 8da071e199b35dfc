package funnel.histogram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.operation.Device;
import funnel.operation.LocalAtomics;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The method on a device is what measurements say. */
class HistogramChoiceTest {

  private static HistogramMethod of(
      String backend, LocalAtomics atomics, int counters, int capacity) {
    return HistogramStep.fastest(new Device("NVIDIA H200", backend), atomics, counters, capacity);
  }

  private static HistogramMethod of(String backend, int counters) {
    return of(backend, LocalAtomics.CORRECT, counters, 1 << 20);
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

  @Test
  void manySamplesArePrivatised_whereLocalAtomicsAreKnownToBeCorrect() {
    assertEquals(HistogramMethod.PRIVATISED, of("cuda", LocalAtomics.CORRECT, 257, 1 << 24));
    assertEquals(HistogramMethod.PRIVATISED, of("cuda", LocalAtomics.CORRECT, 8192, 1 << 24));
    assertEquals(HistogramMethod.SORTED, of("cuda", LocalAtomics.CORRECT, 8193, 1 << 24));
    assertEquals(HistogramMethod.PASSES, of("cuda", LocalAtomics.UNKNOWN, 257, 1 << 24));
  }

  /** A choice is no request for a test, which could end the use of a device. */
  @Test
  void choiceTestsNothing() {
    LocalAtomics untested =
        new LocalAtomics() {
          @Override
          public Optional<String> mistake() {
            throw new AssertionError("tested");
          }

          @Override
          public boolean areKnownToBeCorrect() {
            return false;
          }
        };
    assertEquals(HistogramMethod.PASSES, of("cuda", untested, 257, 1 << 24));
  }
}
