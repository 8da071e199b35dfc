package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import funnel.Log;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated // it looks at the log
class NvidiaSmiTest {

  /** nvidia-smi counts all devices of the machine, a program those that it is shown. */
  @Test
  void theDeviceIsTheOneThatTheProgramSees() {
    assertEquals("1", NvidiaSmi.id(1, Map.of()));
    Map<String, String> some = Map.of("CUDA_VISIBLE_DEVICES", "3, GPU-8932f937-d72c,1");
    assertEquals("3", NvidiaSmi.id(0, some));
    assertEquals("GPU-8932f937-d72c", NvidiaSmi.id(1, some));
    assertEquals("1", NvidiaSmi.id(2, some));
  }

  /** The engine says what a user must know. */
  @Test
  void thatThereIsNoToolIsNotSaid() {
    String said =
        Log.of(
            () -> {
              for (int device = 0; device < 3; device++) {
                var _ = NvidiaSmi.query(device);
              }
            });
    assertFalse(said.contains("nvidia-smi"), said);
  }
}
