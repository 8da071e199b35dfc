package funnel.histogram;

import funnel.engine.DeviceArrays;
import funnel.engine.JvmRun;
import funnel.engine.ParallelRows;
import funnel.engine.Primitive;
import funnel.jit.KernelTask;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Puts values into an order: of 10, 20, 30 and the positions 2, 0, 1 it makes 30, 10, 20. A part of
 * composites.
 *
 * @param id its name and that of the array
 * @param input the values
 * @param positions a permutation of their positions
 * @param type of the values
 * @param isForDevices whether it does nothing on the JVM, where parts behind it do without
 * @param capacity the most values
 */
record Gather(
    String id, String input, String positions, ElementType type, boolean isForDevices, int capacity)
    implements Primitive {

  @Override
  public String signature() {
    return "gather of " + type;
  }

  @Override
  public List<String> inputs() {
    return List.of(input, positions);
  }

  @Override
  public List<Slot> arrays() {
    return List.of(new Slot(id, type, capacity));
  }

  @Override
  public int lengthOf(String array, Lengths lengths) {
    return lengths.length(positions);
  }

  @Override
  public List<Slot> results() {
    return List.of();
  }

  @Override
  public List<Slot> scratch() {
    return List.of();
  }

  @Override
  public int shapeInts() {
    return ScatterTasks.GATHER_SHAPE_INTS;
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {lengths.offset(input), lengths.length(positions)};
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    return List.of(
        ScatterTasks.of(type)
            .gather(
                KernelTask.id(id, "gather"),
                capacity,
                arrays.shape(),
                arrays.array(input),
                (IntArray) arrays.array(positions),
                arrays.array(id),
                arrays.shapeAt(this)));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    if (isForDevices) {
      return;
    }
    int length = run.length(positions);
    MemorySegment values = run.input(input);
    MemorySegment order = run.input(positions);
    MemorySegment gathered = run.output(id);
    long bytes = type.bytes();
    ParallelRows.run(
        length,
        ParallelRows.mayBeShared(values, gathered) ? length : 0,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            long at = order.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i) * bytes;
            if (bytes == Integer.BYTES) {
              int bits = values.get(ValueLayout.JAVA_INT_UNALIGNED, at);
              gathered.set(ValueLayout.JAVA_INT_UNALIGNED, i * bytes, bits);
            } else {
              long bits = values.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
              gathered.set(ValueLayout.JAVA_LONG_UNALIGNED, i * bytes, bits);
            }
          }
        });
  }

  @Override
  public Primitive withCapacity(int most) {
    return new Gather(id, input, positions, type, isForDevices, Math.min(capacity, most));
  }

  @Override
  public boolean mayBeContracted() {
    return false;
  }
}
