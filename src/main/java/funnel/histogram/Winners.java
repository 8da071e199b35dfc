package funnel.histogram;

import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import funnel.transform.IndexCheck;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The last part of an {@link Arbitration}: the first of each run of equal requests wins. The JVM
 * needs neither runs nor the sort.
 *
 * @param id name of the array of winners
 * @param refused the array of an {@link IndexCheck}
 * @param requests the original requests
 * @param keys the sorted requests; -1, for none, after all others
 * @param positions their original positions
 * @param seats the number of seats
 * @param capacity the largest number of requests
 */
record Winners(
    String id,
    String refused,
    String requests,
    String keys,
    String positions,
    int seats,
    int capacity)
    implements Primitive {

  /** The name of the array that says for each request whether it won. */
  String won() {
    return id + "_won";
  }

  @Override
  public Layout layout() {
    return Layout.reads(refused, keys)
        .derives(0, keys)
        .readsFound(positions)
        .writes(id, ElementType.INT, seats)
        .writes(won(), ElementType.INT, capacity, keys)
        .counts(id);
  }

  @Override
  public int[] shape(Lengths lengths) {
    return new int[] {0, seats, lengths.offset(id), lengths.offset(won())}; // 0: length
  }

  @Override
  public void launch(Launches launches) {
    Class<?> kernels = WinnerKernels.class;
    launches
        .array("refused", refused)
        .array("keys", keys)
        .array("positions", positions)
        .array("winners", id)
        .array("won", won())
        .add("clear", kernels, "clear", WinnerKernels.grid(seats))
        .add("first", kernels, "first", WinnerKernels.grid(capacity));
  }

  @Override
  public Primitive in(Setting setting) {
    return new Winners(id, refused, requests, keys, positions, seats, setting.capacity(capacity));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    ValueLayout.OfInt layout = ValueLayout.JAVA_INT_UNALIGNED;
    MemorySegment asked = run.input(requests);
    int length = run.length(requests);
    MemorySegment winners = run.output(id);
    MemorySegment told = run.output(won());
    for (int seat = 0; seat < seats; seat++) {
      winners.set(layout, 4L * seat, -1);
    }
    for (int i = 0; i < length; i++) {
      int seat = asked.get(layout, 4L * i);
      boolean wins = seat >= 0 && winners.get(layout, 4L * seat) < 0;
      told.set(layout, 4L * i, wins ? 1 : 0);
      if (wins) {
        winners.set(layout, 4L * seat, i);
      }
    }
  }
}
