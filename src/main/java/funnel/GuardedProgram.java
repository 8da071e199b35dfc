package funnel;

import funnel.engine.LoadedProgram;
import funnel.engine.PrimitiveTime;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A program that cannot be used once its Funnel is closed, and is closed with it. */
final class GuardedProgram implements LoadedProgram {

  private final LoadedProgram loaded;
  private final Guard guard;
  private final Set<GuardedProgram> open;

  GuardedProgram(LoadedProgram loaded, Guard guard, Set<GuardedProgram> open) {
    this.loaded = loaded;
    this.guard = guard;
    this.open = open;
    open.add(this);
  }

  @Override
  public void set(String input, MemorySegment elements) {
    guard.run(() -> loaded.set(input, elements));
  }

  @Override
  public void setRange(String input, int offset, int length) {
    guard.run(() -> loaded.setRange(input, offset, length));
  }

  @Override
  public void requireReach(String input, TornadoNativeArray array) {
    guard.run(() -> loaded.requireReach(input, array));
  }

  @Override
  public void run(int routine) {
    guard.run(() -> guard.engine(() -> loaded.run(routine)));
  }

  @Override
  public void run(Map<String, MemorySegment> given) {
    guard.run(() -> guard.engine(() -> loaded.run(given)));
  }

  @Override
  public void release() {
    guard.run(loaded::release);
  }

  @Override
  public void setDestination(String array, MemorySegment destination) {
    guard.run(() -> loaded.setDestination(array, destination));
  }

  @Override
  public void setDestination(String array, IntFunction<MemorySegment> make) {
    guard.run(() -> loaded.setDestination(array, make));
  }

  @Override
  public void fetch(String array, MemorySegment destination) {
    guard.run(() -> loaded.fetch(array, destination));
  }

  @Override
  public int length(String name) {
    return guard.call(() -> loaded.length(name));
  }

  @Override
  public Number result(String name) {
    return guard.call(() -> loaded.result(name));
  }

  @Override
  public long deviceBytes() {
    return guard.call(loaded::deviceBytes);
  }

  @Override
  public void measureKernels(boolean on) {
    guard.run(() -> loaded.measureKernels(on));
  }

  @Override
  public long kernelNanos() {
    return guard.call(loaded::kernelNanos);
  }

  @Override
  public List<PrimitiveTime> times() {
    return guard.call(loaded::times);
  }

  /** Closes the program once, whether its user or its Funnel asks first. */
  @Override
  public void close() {
    guard.requireOutside();
    if (open.remove(this)) {
      loaded.close();
    }
  }
}
