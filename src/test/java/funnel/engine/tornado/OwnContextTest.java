package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stand-ins for what TornadoVM's backends keep for a device. */
class OwnContextTest {

  /** As on the cuda backend. */
  public record OfPlatform(Object getPlatformContext) {}

  /** As on the ptx backend, which tells of no platform. */
  public record OfDevice(int index) {}

  @Test
  void oneContextForTwoDevicesIsFound() {
    Object context = new Object();
    assertTrue(OwnContext.isShared(new OfPlatform(context), new OfPlatform(context)));
    assertFalse(OwnContext.isShared(new OfPlatform(context), new OfPlatform(new Object())));
    assertFalse(OwnContext.isShared(new OfDevice(0), new OfDevice(1)));
  }

  /** As the cuda backend has them: a platform makes a context for the first device it is given. */
  public static final class Platform {
    private final long oclPlatformPtr = 5;
    private final List<Long> made = new ArrayList<>();

    long clCreateContext(long platform, long[] devices) {
      assertEquals(oclPlatformPtr, platform);
      made.add(devices[0]);
      return 100 + devices[0];
    }
  }

  /** A context. */
  public record Context(Platform getPlatform, long pointer, List<String> devices) {
    /** As its constructor is there. */
    public Context {}
  }

  /** A device, as the driver's. */
  public record Target(long getDevicePointer) {}

  /** The state of a device. */
  public static final class State {
    private final Context context;
    private final Target target;

    State(Context context, long device) {
      this.context = context;
      this.target = new Target(device);
    }

    /** Its context. */
    public Context getPlatformContext() {
      return context;
    }

    /** Its device. */
    public Target getDevice() {
      return target;
    }
  }

  @Test
  void devicesOfOneContextGetTheirOwn_once() {
    Platform platform = new Platform();
    Context shared = new Context(platform, 100, List.of("first", "second"));
    State first = new State(shared, 0);
    State second = new State(shared, 1);
    assertEquals("", OwnContext.refusal(first, second, 1));
    assertEquals(List.of(), platform.made, "asking makes none");
    OwnContext.give(first, first, 0);
    OwnContext.give(first, second, 1);
    OwnContext.give(first, second, 1);
    assertEquals(List.of(1L), platform.made);
    assertEquals(new Context(platform, 101, shared.devices()), second.getPlatformContext());
    assertSame(shared, first.getPlatformContext());
  }

  @Test
  void aDefaultDeviceHasToHaveItsOwn() {
    Object context = new Object();
    OfPlatform first = new OfPlatform(context);
    OwnContext.requireOwn(first, first, 0);
    OwnContext.requireOwn(new OfDevice(0), new OfDevice(1), 1);
    OfPlatform second = new OfPlatform(context);
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> OwnContext.requireOwn(first, second, 1));
    assertTrue(String.valueOf(e.getMessage()).contains("CUDA_VISIBLE_DEVICES=1"), e.getMessage());
  }

  @Test
  void whatCannotGetOneIsRefused_withWhatToDo() {
    Object context = new Object();
    OfPlatform first = new OfPlatform(context);
    OfPlatform second = new OfPlatform(context);
    String refusal = OwnContext.refusal(first, second, 1);
    assertTrue(refusal.contains("CUDA_VISIBLE_DEVICES=1"), refusal);
    assertTrue(refusal.contains("another way to make one: "), refusal);
    assertTrue(refusal.contains("NoSuchFieldException: context"), refusal);
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> OwnContext.give(first, second, 1));
    assertEquals(refusal, e.getMessage());
    assertEquals("", OwnContext.refusal(new OfDevice(0), new OfDevice(1), 1));
  }

  /** With a pointer of another type, as a version may have it. */
  public record OtherTarget(Object getDevicePointer) {}

  /** The state of a device of that version. */
  public static final class OtherState {
    private final Context context = new Context(new Platform(), 100, List.of());

    /** Its context. */
    public Object getPlatformContext() {
      return "shared";
    }

    /** Its device. */
    public OtherTarget getDevice() {
      return new OtherTarget(context);
    }
  }

  @Test
  void aVersionWithOtherTypesIsRefusedToo() {
    String refusal = OwnContext.refusal(new OtherState(), new OtherState(), 1);
    assertTrue(refusal.contains("ClassCastException"), refusal);
  }
}
