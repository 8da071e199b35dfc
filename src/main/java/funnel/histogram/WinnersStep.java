package funnel.histogram;

import funnel.operation.JvmRun;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.transform.IndexCheckStep;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The last part of an {@link Arbitration}: the first of each run of equal requests wins. The JVM
 * does without the sort.
 *
 * @param refused the array in which an {@link IndexCheckStep} reports
 * @param keys the sorted requests; -1, for none, after all others
 */
record WinnersStep(
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
  public Step in(Setting setting) {
    int most = setting.capacity(capacity);
    return Step.of(this, setting)
        .reads("refused", refused)
        .reads("keys", keys)
        .derives(WinnersKernels.LENGTH_AT, keys, LengthRule.LENGTH)
        .readsFound("positions", positions)
        .number(WinnersKernels.SEATS_AT, seats)
        .writes("winners", id, ElementType.INT, seats, WinnersKernels.TO_AT)
        .writes("won", won(), ElementType.INT, most, keys, WinnersKernels.WON_TO_AT)
        .counts()
        .onDevice(
            launches ->
                launches
                    .kernels(WinnersKernels.class)
                    .launch("clear", "clear", WinnersKernels.grid(seats))
                    .launch("first", "first", WinnersKernels.grid(most)))
        .onJvm(this::seat);
  }

  private void seat(JvmRun run) {
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
