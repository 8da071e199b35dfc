package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

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

  @Test
  void bytesWhoseIndexAndHeaderPass32Bits_areRefusedWhereTheyWrapAround() {
    long reached = (1L << 31) - TornadoNativeArray.ARRAY_HEADER;
    ByteArray bytes = new ByteArray(1);
    Device ptx = new Device("any", "ptx");
    ptx.requireReach("x", bytes, reached);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> ptx.requireReach("x", bytes, reached + 1));
    assertTrue(e.getMessage().contains("input x"), e.getMessage());
    assertTrue(e.getMessage().contains("length=" + (reached + 1)), e.getMessage());
    assertTrue(e.getMessage().contains("largest=" + reached), e.getMessage());
    new Device("any", "cuda").requireReach("x", bytes, Input.LARGEST_CAPACITY);
    ptx.requireReach("x", new LongArray(1), Input.LARGEST_CAPACITY);
    ptx.requireReach("x", new IntArray(1), Input.LARGEST_CAPACITY);
  }
}
