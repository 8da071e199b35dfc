package funnel.histogram;

import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.LengthRule;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The parts of {@link Tickets} other than the scan. */
final class TicketSteps {

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private TicketSteps() {}

  /** The first part: 1 for each element that asks, 0 for each that does not. */
  record Asked(String id, Input elements) implements Primitive {

    @Override
    public Step in(Setting setting) {
      int most = setting.capacity(elements.capacity());
      return Step.of(this, setting)
          .reads("asks", elements.name(), TicketKernels.FROM_AT, TicketKernels.LENGTH_AT)
          .writes("flags", id, ElementType.INT, most, elements.name())
          .onDevice(
              launches ->
                  launches
                      .kernels(TicketKernels.class)
                      .launch(
                          "flags",
                          elements.type() == ElementType.BYTE ? "askedBytes" : "askedInts",
                          TicketKernels.grid(most)))
          .onJvm(this::ask);
    }

    private void ask(JvmRun run) {
      MemorySegment asks = run.input(elements.name());
      int length = run.length(elements.name());
      MemorySegment flags = run.output(id);
      for (int i = 0; i < length; i++) {
        int ask =
            elements.type() == ElementType.BYTE
                ? asks.get(ValueLayout.JAVA_BYTE, i)
                : asks.get(INT, 4L * i);
        flags.set(INT, 4L * i, ask == 0 ? 0 : 1);
      }
    }
  }

  /**
   * The last part: the ticket of each element that asks, which is the number of those before it; -1
   * for each other element.
   *
   * @param asked for each element 1 if it asks, else 0
   * @param before for each element how many before it ask
   */
  record Given(String id, String asked, String before, int capacity) implements Primitive {

    /** Name of the result: the number of tickets. */
    String total() {
      return id + "_total";
    }

    @Override
    public Step in(Setting setting) {
      int most = setting.capacity(capacity);
      return Step.of(this, setting)
          .reads("flags", asked)
          .derives(TicketKernels.LENGTH_AT, asked, LengthRule.LENGTH)
          .readsFound("before", before)
          .writes("tickets", id, ElementType.INT, most, asked, TicketKernels.TO_AT)
          .delivers("total", total(), ElementType.INT)
          .onDevice(
              launches ->
                  launches
                      .kernels(TicketKernels.class)
                      .launch("given", "given", TicketKernels.grid(most)))
          .onJvm(this::give);
    }

    private void give(JvmRun run) {
      MemorySegment flags = run.input(asked);
      MemorySegment numbers = run.input(before);
      int length = run.length(asked);
      MemorySegment tickets = run.output(id);
      int total = 0;
      for (int i = 0; i < length; i++) {
        int flag = flags.get(INT, 4L * i);
        tickets.set(INT, 4L * i, flag == 0 ? -1 : numbers.get(INT, 4L * i));
        total += flag;
      }
      run.deliver(total(), total);
    }
  }
}
