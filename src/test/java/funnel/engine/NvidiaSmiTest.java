package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

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
}
