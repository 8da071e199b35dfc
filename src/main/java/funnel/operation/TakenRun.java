package funnel.operation;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;

/**
 * A run as a primitive takes part in it.
 *
 * @param run the run
 * @param layout of the primitive, which says {@linkplain Layout#taken how much} of inputs it takes
 */
record TakenRun(JvmRun run, Layout layout) implements JvmRun {

  @Override
  public MemorySegment input(String name) {
    MemorySegment all = run.input(name);
    int length = run.length(name);
    int taken = length(name);
    return taken == length ? all : all.asSlice(0, all.byteSize() / length * taken);
  }

  @Override
  public int length(String name) {
    return layout.taken((Primitive.Lengths) run::length).length(name);
  }

  @Override
  public MemorySegment output(String name) {
    return run.output(name);
  }

  @Override
  public Number result(String name) {
    return run.result(name);
  }

  @Override
  public void deliver(String name, Number value) {
    run.deliver(name, value);
  }

  @Override
  public void combines(List<Primitive.Combined> all) {
    run.combines(all);
  }

  @Override
  public <T> T kept(String id, Class<T> type, Supplier<T> make) {
    return run.kept(id, type, make);
  }
}
