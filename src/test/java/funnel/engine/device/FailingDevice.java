package funnel.engine.device;

import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.KernelsOfProgram;
import funnel.engine.Program;
import funnel.operation.Device;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A device that does wrong what it is told to, whatever launches its kernels otherwise. */
final class FailingDevice {

  /** What a program asks of its launcher. */
  enum Call {
    BEGIN,
    UPLOAD,
    LAUNCH,
    DOWNLOAD,
    SEND,
    RECEIVE
  }

  /** What becomes of a call. */
  interface Fault {
    void happensTo(Runnable call, ProgramArrays arrays);
  }

  /** It does not take place. */
  static final Fault DROP = (call, arrays) -> {};

  /** It takes place, but its results are not copied to the host. */
  static final Fault DROP_COPY_BACK =
      (call, arrays) -> {
        Map<TornadoNativeArray, byte[]> before = new IdentityHashMap<>();
        for (TornadoNativeArray array : arrays.allResultArrays().values()) {
          before.put(array, array.getSegment().toArray(ValueLayout.JAVA_BYTE));
        }
        call.run();
        before.forEach((array, b) -> array.getSegment().copyFrom(MemorySegment.ofArray(b)));
      };

  /** Nothing takes place from then on. */
  final Fault loseContext = (call, arrays) -> contextLives = false;

  static Fault throwing(RuntimeException e) {
    return (call, arrays) -> {
      throw e;
    };
  }

  /** It waits: says that it does, and goes on when told so. */
  static Fault delay(CountDownLatch waits, CountDownLatch goOn) {
    return (call, arrays) -> {
      waits.countDown();
      try {
        if (!goOn.await(60, TimeUnit.SECONDS)) {
          throw new AssertionError("nobody told it to go on");
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      call.run();
    };
  }

  /** It takes place, and something is wrong on the host then. */
  static Fault spoiling(Consumer<ProgramArrays> change) {
    return (call, arrays) -> {
      call.run();
      change.accept(arrays);
    };
  }

  private final BiFunction<Program, ProgramArrays, Launcher> launchers;
  private final Map<Call, Map<Integer, Fault>> faults = new EnumMap<>(Call.class);
  private final Map<Call, Integer> calls = new EnumMap<>(Call.class);
  final DeviceMemory memory;
  final DeviceContext context =
      new DeviceContext(
          () -> new Device("one that fails", "any"), () -> "a device that fails", this::probe);
  @Nullable KeptPrograms kept;
  boolean contextLives = true;

  /** Whether what was launched once cannot be measured any more. */
  boolean records;

  /** What each launcher says that it launches. */
  KernelsOfProgram kernels = KernelsOfProgram.NONE;

  int begun;
  int closed;
  int probed;

  /** A device on which these launch kernels, unless told otherwise. */
  FailingDevice(BiFunction<Program, ProgramArrays, Launcher> launchers) {
    this(launchers, 1 << 20);
  }

  FailingDevice(BiFunction<Program, ProgramArrays, Launcher> launchers, long bytes) {
    this.launchers = launchers;
    this.memory = new DeviceMemory(bytes);
  }

  private boolean probe() {
    probed++;
    return contextLives;
  }

  /** What is to become of the {@code n}-th call from now, 1 being the next. */
  void at(Call call, int n, Fault fault) {
    faults.computeIfAbsent(call, _ -> new HashMap<>()).put(calls(call) + n, fault);
  }

  int calls(Call call) {
    return calls.getOrDefault(call, 0);
  }

  DeviceProgram load(Program program) {
    return load(program, Map.of(), null);
  }

  DeviceProgram load(
      Program program, Map<String, TornadoNativeArray> bound, @Nullable KernelCheck check) {
    return new DeviceProgram(
        program, bound, KeptArrays.NONE, this, context, memory, Failing::new, check, kept);
  }

  DeviceProgram load(Program program, KeptArrays keptArrays) {
    Program here = program.on(Setting.on(Device.EMULATOR), Map.of(), keptArrays);
    return new DeviceProgram(
        here, Map.of(), keptArrays, this, context, memory, Failing::new, null, kept);
  }

  KeptArray keep(ElementType type, int length) {
    return DeviceArray.keep(type, length, this, context, memory, Failing::new);
  }

  private final class Failing implements Launcher {
    private final Launcher launcher;
    private ProgramArrays arrays;
    private boolean measured;
    private boolean recorded;

    Failing(Program program, ProgramArrays arrays) {
      launcher = launchers.apply(program, arrays);
      this.arrays = arrays;
      call(Call.BEGIN, () -> begun++);
    }

    private void call(Call call, Runnable work) {
      int number = calls.merge(call, 1, Integer::sum);
      Fault fault = faults.getOrDefault(call, Map.of()).get(number);
      if (fault != null) {
        fault.happensTo(work, arrays);
      } else if (contextLives) {
        work.run();
      }
    }

    /** As launchers have to, it sees that something has not arrived. */
    @Override
    public String upload() {
      String[] missing = {"input x"};
      call(Call.UPLOAD, () -> missing[0] = launcher.upload());
      return missing[0];
    }

    @Override
    public void launch(int routine) {
      recorded |= records && !measured;
      call(Call.LAUNCH, () -> launcher.launch(routine));
    }

    @Override
    public void download(TornadoNativeArray array, int offset, int length) {
      call(Call.DOWNLOAD, () -> launcher.download(array, offset, length));
    }

    @Override
    public Object buffer(TornadoNativeArray array) {
      return launcher.buffer(array);
    }

    @Override
    public void lendTo(Program program, ProgramArrays sameArrays) {
      arrays = sameArrays;
      launcher.lendTo(program, sameArrays);
    }

    @Override
    public boolean measureKernels(boolean on) {
      boolean can = !on || !recorded;
      measured = can && on;
      return can;
    }

    @Override
    public boolean isStaged(String array) {
      return launcher.isStaged(array);
    }

    @Override
    public String send(String input, MemorySegment elements) {
      String[] missing = {"input " + input};
      call(Call.SEND, () -> missing[0] = launcher.send(input, elements));
      return missing[0];
    }

    @Override
    public boolean receive(String array, MemorySegment destination) {
      boolean[] hasCome = {false};
      call(Call.RECEIVE, () -> hasCome[0] = launcher.receive(array, destination));
      return hasCome[0];
    }

    @Override
    public KernelsOfProgram kernels() {
      return kernels;
    }

    @Override
    public long kernelNanos() {
      return measured ? begun : -1;
    }

    @Override
    public void close() {
      closed++;
      launcher.close();
    }
  }
}
