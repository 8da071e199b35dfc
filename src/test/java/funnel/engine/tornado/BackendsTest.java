package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.TornadoRuntime;
import uk.ac.manchester.tornado.api.enums.TornadoVMBackendType;

class BackendsTest {

  private final List<TornadoVMBackendType> backends = new ArrayList<>();

  /** A runtime with these backends, which changes its default one as TornadoVM's does. */
  private TornadoRuntime runtime() {
    return (TornadoRuntime)
        Proxy.newProxyInstance(
            BackendsTest.class.getClassLoader(),
            new Class<?>[] {TornadoRuntime.class},
            (_, method, given) ->
                switch (method.getName()) {
                  case "getNumBackends" -> backends.size();
                  case "getBackendType" -> backends.get((int) given[0]);
                  case "setDefaultBackend" -> {
                    Collections.swap(backends, 0, (int) given[0]);
                    yield null;
                  }
                  default -> throw new AssertionError(method);
                });
  }

  private TornadoVMBackendType defaultOf(TornadoVMBackendType... all) {
    backends.clear();
    backends.addAll(List.of(all));
    Backends.useKnown(runtime());
    return backends.getFirst();
  }

  @Test
  void theFirstKnownOne_isTaken() {
    assertEquals(TornadoVMBackendType.PTX, defaultOf(TornadoVMBackendType.PTX));
    assertEquals(
        TornadoVMBackendType.CUDA, defaultOf(TornadoVMBackendType.CUDA, TornadoVMBackendType.PTX));
    assertEquals(
        TornadoVMBackendType.PTX,
        defaultOf(
            TornadoVMBackendType.OPENCL, TornadoVMBackendType.SPIRV, TornadoVMBackendType.PTX));
  }

  @Test
  void othersAlone_areRefusedByName() {
    String message =
        assertThrows(
                IllegalStateException.class,
                () -> defaultOf(TornadoVMBackendType.OPENCL, TornadoVMBackendType.SPIRV))
            .getMessage();
    assertTrue(message.contains("[opencl, spirv]") && message.contains("ptx or cuda"), message);
  }
}
