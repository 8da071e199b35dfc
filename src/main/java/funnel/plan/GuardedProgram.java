package funnel.plan;

import funnel.engine.KeptArray;
import funnel.engine.KernelsOfProgram;
import funnel.engine.LoadedProgram;
import funnel.engine.PrimitiveTime;
import funnel.engine.Program;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A program that cannot be used once its Funnel is closed, and is closed with it. */
public final class GuardedProgram implements LoadedProgram {

  private final LoadedProgram loaded;
  private final Guard guard;
  private final Held held;
  private final Cleaner.Cleanable cleanable;

  public GuardedProgram(String what, LoadedProgram loaded, Guard guard, Set<Held> open) {
    this.loaded = loaded;
    this.guard = guard;
    this.held = new Held(what, loaded::close, open);
    this.cleanable = held.by(this);
  }

  private <T> T call(Supplier<T> call) {
    return guard.call(() -> held.locked(call));
  }

  private void run(Runnable action) {
    call(
        () -> {
          action.run();
          return true;
        });
  }

  @Override
  public void set(String input, MemorySegment elements) {
    run(() -> loaded.set(input, elements));
  }

  @Override
  public void set(String input, KeptArray array) {
    run(() -> loaded.set(input, array));
  }

  @Override
  public void setLength(String input, int length) {
    run(() -> loaded.setLength(input, length));
  }

  @Override
  public void keep(String input, MemorySegment elements) {
    run(() -> loaded.keep(input, elements));
  }

  @Override
  public void setRange(String input, int offset, int length) {
    run(() -> loaded.setRange(input, offset, length));
  }

  @Override
  public void requireReach(String input, TornadoNativeArray array) {
    run(() -> loaded.requireReach(input, array));
  }

  @Override
  public void take(Program other) {
    run(() -> loaded.take(other));
  }

  @Override
  public void run(int routine) {
    run(() -> guard.engine(() -> loaded.run(routine)));
  }

  @Override
  public void run(Map<String, MemorySegment> given) {
    run(() -> guard.engine(() -> loaded.run(given)));
  }

  @Override
  public void release() {
    run(loaded::release);
  }

  @Override
  public void setDestination(String array, MemorySegment destination) {
    run(() -> loaded.setDestination(array, destination));
  }

  @Override
  public void setDestination(String array, IntFunction<MemorySegment> make) {
    run(() -> loaded.setDestination(array, make));
  }

  @Override
  public void fetch(String array, MemorySegment destination) {
    run(() -> loaded.fetch(array, destination));
  }

  @Override
  public int length(String name) {
    return call(() -> loaded.length(name));
  }

  @Override
  public Number result(String name) {
    return call(() -> loaded.result(name));
  }

  @Override
  public long deviceBytes() {
    return call(loaded::deviceBytes);
  }

  @Override
  public KernelsOfProgram kernels() {
    return call(loaded::kernels);
  }

  @Override
  public void measureKernels(boolean on) {
    run(() -> loaded.measureKernels(on));
  }

  @Override
  public long kernelNanos() {
    return call(loaded::kernelNanos);
  }

  @Override
  public List<PrimitiveTime> times() {
    return call(loaded::times);
  }

  /** Closes the program once, whether its user or its Funnel asks first. */
  @Override
  public void close() {
    guard.requireOutside();
    held.close();
    cleanable.clean();
  }
}
