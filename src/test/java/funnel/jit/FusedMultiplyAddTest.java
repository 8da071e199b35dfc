package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.kernel.Scalars;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.TornadoBackend;

public final class FusedMultiplyAddTest {

  /** A backend that cannot be taught. */
  public static TornadoBackend unknownBackend() {
    return (TornadoBackend)
        Proxy.newProxyInstance(
            FusedMultiplyAddTest.class.getClassLoader(),
            new Class<?>[] {TornadoBackend.class},
            (proxy, method, arguments) -> 1);
  }

  @Test
  void anotherBackend_isRefusedWithWhatToDo() {
    String message =
        assertThrows(IllegalStateException.class, () -> FusedMultiplyAdd.teach(unknownBackend()))
            .getMessage();
    assertTrue(message.contains(TornadoCompiler.argfile()), message);
  }

  @Test
  void scalars_roundOnce() {
    float x = 1f + 0x1p-12f;
    assertEquals(0x1p-24f, Scalars.fma(x, x, -1f - 0x1p-11f));
    double y = 1d + 0x1p-30;
    assertEquals(0x1p-60, Scalars.fma(y, y, -1d - 0x1p-29));
    assertEquals(17, Scalars.fma(3, 4, 5));
    assertEquals(1L << 40, Scalars.fma(1L << 20, 1L << 20, 0L));
  }
}
