package funnel.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Stand-ins for what TornadoVM's backends keep for a device. */
class SharedContextTest {

  /** As on the cuda backend. */
  public record OfPlatform(Object getPlatformContext) {}

  /** As on the ptx backend, which tells of no platform. */
  public record OfDevice(int index) {}

  @Test
  void oneContextForTwoDevicesIsFound() {
    Object context = new Object();
    assertTrue(SharedContext.isShared(new OfPlatform(context), new OfPlatform(context)));
    assertFalse(SharedContext.isShared(new OfPlatform(context), new OfPlatform(new Object())));
    assertFalse(SharedContext.isShared(new OfDevice(0), new OfDevice(1)));
  }
}
