package funnel.histogram;

import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The parts of {@link Tickets} other than the scan. */
final class TicketParts {

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private TicketParts() {}

  /**
   * The first part: 1 for each element that asks, 0 for each that does not.
   *
   * @param id its name and that of the array
   * @param input the elements
   * @param type of the input
   * @param capacity the largest number of elements
   */
  record Asked(String id, String input, ElementType type, int capacity) implements Primitive {

    @Override
    public Layout layout() {
      return Layout.reads(input).derives(1, input).writes(id, ElementType.INT, capacity, input);
    }

    @Override
    public int[] shape(Lengths lengths) {
      return new int[] {lengths.offset(input), 0}; // 0: length
    }

    @Override
    public void launch(Launches launches) {
      launches
          .array("asks", input)
          .array("flags", id)
          .add(
              "flags",
              TicketKernels.class,
              type == ElementType.BYTE ? "askedBytes" : "askedInts",
              TicketKernels.grid(capacity));
    }

    @Override
    public void runOnJvm(JvmRun run) {
      MemorySegment asks = run.input(input);
      int length = run.length(input);
      MemorySegment flags = run.output(id);
      for (int i = 0; i < length; i++) {
        int ask =
            type == ElementType.BYTE ? asks.get(ValueLayout.JAVA_BYTE, i) : asks.get(INT, 4L * i);
        flags.set(INT, 4L * i, ask == 0 ? 0 : 1);
      }
    }

    @Override
    public Primitive in(Setting setting) {
      return new Asked(id, input, type, setting.capacity(capacity));
    }
  }

  /**
   * The last part: for each element that asks the number of those before it, -1 for each that does
   * not.
   *
   * @param id its name and that of the array
   * @param asked for each element 1 if it asks, else 0
   * @param before for each element how many before it ask
   * @param capacity the largest number of elements
   */
  record Given(String id, String asked, String before, int capacity) implements Primitive {

    /** Name of the result: the number of tickets. */
    String total() {
      return id + "_total";
    }

    @Override
    public Layout layout() {
      return Layout.reads(asked)
          .derives(1, asked)
          .readsFound(before)
          .writes(id, ElementType.INT, capacity, asked)
          .delivers(total(), ElementType.INT);
    }

    @Override
    public int[] shape(Lengths lengths) {
      return new int[] {lengths.offset(id), 0}; // 0: length
    }

    @Override
    public void launch(Launches launches) {
      launches
          .array("flags", asked)
          .array("before", before)
          .array("tickets", id)
          .result("total", total())
          .add("given", TicketKernels.class, "given", TicketKernels.grid(capacity));
    }

    @Override
    public void runOnJvm(JvmRun run) {
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

    @Override
    public Primitive in(Setting setting) {
      return new Given(id, asked, before, setting.capacity(capacity));
    }
  }
}
