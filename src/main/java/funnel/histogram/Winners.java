package funnel.histogram;

import funnel.engine.DeviceArrays;
import funnel.engine.JvmRun;
import funnel.engine.Launches;
import funnel.engine.Primitive;
import funnel.jit.KernelTask;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * The last part of an {@link Arbitration}: of each run of equal requests the first wins.
 *
 * @param id name of the array of winners
 * @param refused the array of an {@link IndexCheck}
 * @param keys sorted requests; -1, for none, behind all others
 * @param positions where they were
 * @param seats how many
 * @param capacity the most requests
 */
record Winners(String id, String refused, String keys, String positions, int seats, int capacity)
    implements Primitive {

  /** Name of the array that tells everyone whether he won. */
  String won() {
    return id + "_won";
  }

  private String done() {
    return id + ".done";
  }

  @Override
  public String signature() {
    return "winners";
  }

  @Override
  public List<String> inputs() {
    return List.of(refused, keys, positions);
  }

  @Override
  public List<Slot> arrays() {
    return List.of(
        new Slot(id, ElementType.INT, seats), new Slot(won(), ElementType.INT, capacity));
  }

  @Override
  public int lengthOf(String array, Lengths lengths) {
    return array.equals(id) ? seats : lengths.length(keys);
  }

  @Override
  public List<Slot> results() {
    return List.of(new Slot(done(), ElementType.INT, 1));
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {lengths.length(keys), seats, lengths.offset(id), lengths.offset(won())};
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    Class<?> kernels = WinnerKernels.class;
    return new Launches(this, arrays)
        .array("refused", refused)
        .array("keys", keys)
        .array("positions", positions)
        .array("winners", id)
        .array("won", won())
        .result("done", done())
        .add("clear", kernels, "clear", WinnerKernels.grid(seats))
        .add("first", kernels, "first", WinnerKernels.grid(capacity))
        .tasks();
  }

  @Override
  public void runOnJvm(JvmRun run) {
    ValueLayout.OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    MemorySegment sorted = run.input(keys);
    MemorySegment order = run.input(positions);
    int length = run.length(keys);
    MemorySegment winners = run.output(id);
    MemorySegment told = run.output(won());
    for (int seat = 0; seat < seats; seat++) {
      winners.set(layout, 4L * seat, -1);
    }
    for (int i = 0; i < length; i++) {
      int seat = sorted.get(layout, 4L * i);
      int asker = order.get(layout, 4L * i);
      boolean isFirst = i == 0 || sorted.get(layout, 4L * i - 4) != seat;
      boolean wins = seat >= 0 && isFirst;
      told.set(layout, 4L * asker, wins ? 1 : 0);
      if (wins) {
        winners.set(layout, 4L * seat, asker);
      }
    }
    run.deliver(done(), 0);
  }

  @Override
  public Primitive withCapacity(int most) {
    return new Winners(id, refused, keys, positions, seats, Math.min(capacity, most));
  }
}
