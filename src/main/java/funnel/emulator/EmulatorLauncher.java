package funnel.emulator;

import funnel.engine.Program;
import funnel.engine.device.Launcher;
import funnel.engine.device.ProgramArrays;
import funnel.kernel.KernelTask;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Runs a program's kernels in an emulator, over arrays that represent those on a device: kernels
 * see only data that was copied to them, and the host's arrays do not change until results are
 * copied back.
 */
final class EmulatorLauncher implements Launcher {

  private static final Logger LOG = LoggerFactory.getLogger(EmulatorLauncher.class);

  private final Emulator emulator;
  private ProgramArrays arrays;
  private final List<List<KernelTask>> routines = new ArrayList<>();
  private final List<Long> times = new ArrayList<>();
  private final Set<Object> staged = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * The device's arrays by the host's arrays; scratch, which is never copied, is the same array on
   * both sides.
   */
  private final Map<Object, TornadoNativeArray> onDevice = new IdentityHashMap<>();

  EmulatorLauncher(Emulator emulator, long stagedBytes, Program program, ProgramArrays arrays) {
    this.emulator = emulator;
    arrays.visibleArrays().stream()
        .filter(array -> array.getSegment().byteSize() >= stagedBytes)
        .forEach(staged::add);
    this.arrays = arrays;
    putIn(arrays.buffers());
    uploaded().forEach(array -> onDevice.put(array, like(array)));
    for (int routine = 0; routine < program.routines().size(); routine++) {
      Stream.concat(arrays.resultArrays(routine).stream(), arrays.writtenArrays(routine).stream())
          .forEach(array -> onDevice.computeIfAbsent(array, _ -> like(array)));
      routines.add(tasks(routine));
    }
  }

  private void putIn(Map<TornadoNativeArray, ? extends @Nullable Object> buffers) {
    buffers.forEach(
        (array, there) -> onDevice.put(array, there == null ? array : (TornadoNativeArray) there));
  }

  private List<KernelTask> tasks(int routine) {
    return arrays.tasks(routine).stream().map(this::onDevice).toList();
  }

  @Override
  public void lend(Map<TornadoNativeArray, Object> buffers) {
    putIn(buffers);
    for (int routine = 0; routine < routines.size(); routine++) {
      routines.set(routine, tasks(routine));
    }
  }

  private Stream<TornadoNativeArray> uploaded() {
    return Stream.of(arrays.inputArrays(), arrays.presetArrays(), List.of(arrays.shape()))
        .flatMap(List::stream);
  }

  private static TornadoNativeArray like(TornadoNativeArray array) {
    return ProgramArrays.allocate(ProgramArrays.typeOf(array), array.getSize());
  }

  private KernelTask onDevice(KernelTask task) {
    List<Object> arguments =
        task.arguments().stream()
            .map(a -> onDevice.containsKey(a) ? (Object) device(a) : a)
            .toList();
    return new KernelTask(task.id(), task.grid(), task.code(), arguments);
  }

  private TornadoNativeArray device(Object array) {
    return Objects.requireNonNull(onDevice.get(array));
  }

  /** Results begin as zeros on either side. */
  @Override
  public String upload() {
    uploaded()
        .filter(array -> !staged.contains(array))
        .forEach(array -> device(array).getSegment().copyFrom(array.getSegment()));
    return "";
  }

  @Override
  public Object buffer(TornadoNativeArray array) {
    return device(array);
  }

  @Override
  public void lendTo(Program program, ProgramArrays sameArrays) {
    arrays = sameArrays;
  }

  @Override
  public boolean isStaged(String array) {
    return staged.contains(arrays.array(array));
  }

  /** Elements on the device, from where an input or array begins. */
  private MemorySegment part(String name, long bytes) {
    TornadoNativeArray array = device(arrays.array(name));
    return array.getSegment().asSlice((long) arrays.offset(name) * array.getElementSize(), bytes);
  }

  @Override
  public String send(String input, MemorySegment elements) {
    part(input, elements.byteSize()).copyFrom(elements);
    return "";
  }

  @Override
  public boolean receive(String array, MemorySegment destination) {
    destination.copyFrom(part(array, destination.byteSize()));
    return true;
  }

  @Override
  public void launch(int routine) {
    times.clear();
    try {
      for (KernelTask task : routines.get(routine)) {
        long start = System.nanoTime();
        emulator.run(task);
        times.add(System.nanoTime() - start);
      }
    } catch (KernelFailedException failed) {
      LOG.debug("{}", failed.getMessage());
      switch (failed.getCause()) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> throw failed;
      }
    }
    arrays.resultArrays(routine).forEach(array -> download(array, 0, array.getSize()));
  }

  @Override
  public void download(TornadoNativeArray array, int offset, int length) {
    long from = (long) offset * array.getElementSize();
    long bytes = (long) length * array.getElementSize();
    array
        .getSegment()
        .asSlice(from, bytes)
        .copyFrom(device(array).getSegment().asSlice(from, bytes));
  }

  @Override
  public boolean measureKernels(boolean on) {
    times.clear();
    return true;
  }

  @Override
  public List<Long> kernelTimes() {
    return List.copyOf(times);
  }

  @Override
  public boolean isOfKernel(Throwable thrown) {
    return true;
  }

  @Override
  public void close() {}
}
