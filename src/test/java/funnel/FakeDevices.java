package funnel;

import funnel.call.EngineChoice;
import funnel.call.Placement;
import funnel.engine.Engine;
import funnel.engine.JvmEngine;
import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.operation.Device;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Devices that are none: what they are told the JVM engine does, as fast and as well as wanted. */
public final class FakeDevices {

  /**
   * What happens to a call of a loaded program, such as "run" or "set", before it takes place, and
   * to "after run" when it has.
   */
  public interface Fault {
    void before(String call, int device);
  }

  private FakeDevices() {}

  /** Nothing happens, but odd devices take longer now and then. */
  public static Fault slower() {
    AtomicInteger runs = new AtomicInteger();
    return (call, device) -> {
      if (call.equals("run") && device % 2 == 1 && runs.incrementAndGet() % 8 == 0) {
        sleep(1);
      }
    };
  }

  /** A device that fails from its n-th such call on; others leave it its share. */
  static Fault failing(String at, int device, int n) {
    AtomicInteger calls = new AtomicInteger();
    return (call, of) -> {
      if (call.equals("run") && of != device) {
        sleep(1);
      }
      if (call.equals(at) && of == device && calls.incrementAndGet() >= n) {
        throw new FunnelDeviceException("Xid 79 [device %s]".formatted(of), null);
      }
    };
  }

  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** So many of them. */
  public static List<Device> devices(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Device("a fake", "jvm", i, 1L << 30, ""))
        .toList();
  }

  /** A Funnel on so many. */
  public static Funnel open(int count, Fault fault) {
    SequencedMap<Device, Engine> engines = new LinkedHashMap<>();
    devices(count).forEach(device -> engines.put(device, new Fake(device, fault)));
    return Funnel.of(EngineChoice.of(engines));
  }

  /** A Funnel whose one-shot calls may run on the JVM instead of this engine. */
  public static Funnel open(Engine engine, @Nullable Placement placement) {
    return Funnel.of(new EngineChoice(engine, new LinkedHashMap<>(), placement));
  }

  /** Another engine in the place of a device. */
  public static class StandIn implements Engine {
    private final Engine engine;

    public StandIn(Engine engine) {
      this.engine = engine;
    }

    @Override
    public Target target() {
      return Target.TORNADO;
    }

    @Override
    public String description() {
      return "no device";
    }

    @Override
    public Map<String, String> details() {
      return engine.details();
    }

    @Override
    public LoadedProgram load(
        Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
      return engine.load(program, bound, kept);
    }

    @Override
    public KeptArray keep(ElementType type, int length) {
      return engine.keep(type, length);
    }

    @Override
    public void close() {
      engine.close();
    }
  }

  private static final class Fake extends StandIn {
    private final Device device;
    private final Fault fault;

    Fake(Device device, Fault fault) {
      super(new JvmEngine());
      this.device = device;
      this.fault = fault;
    }

    @Override
    public Target target() {
      return Target.JVM;
    }

    @Override
    public String description() {
      return device.toString();
    }

    @Override
    public LoadedProgram load(
        Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
      fault.before("load", device.index());
      LoadedProgram loaded = super.load(program, bound, kept);
      return (LoadedProgram)
          Proxy.newProxyInstance(
              Fake.class.getClassLoader(),
              new Class<?>[] {LoadedProgram.class},
              (proxy, method, arguments) -> {
                fault.before(method.getName(), device.index());
                Object result;
                try {
                  result = method.invoke(loaded, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
                fault.before("after " + method.getName(), device.index());
                return result;
              });
    }

    @Override
    public void close() {
      fault.before("close", device.index());
      super.close();
    }
  }
}
