package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TornadoEngineTest {

  /** The messages are those of TornadoVM 5.2.0's two backends. */
  @Test
  void allocationThatFailsAfterAFault_isNoWantOfMemory() {
    assertTrue(
        TornadoEngine.isFault(
            "[ERROR] Unable to allocate 312 B on the CUDA device (cuMemAlloc status=719)."));
    assertTrue(TornadoEngine.isFault("[ERROR] Unable to allocate 1024 bytes ... status=715"));
    assertFalse(
        TornadoEngine.isFault(
            "[ERROR] Unable to allocate 312 B on the CUDA device (cuMemAlloc status=2)."));
    assertFalse(TornadoEngine.isFault("Unable to allocate 4294967320 bytes of memory."));
  }
}
