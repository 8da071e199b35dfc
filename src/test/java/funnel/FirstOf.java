package funnel;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;

/**
 * The first elements of arrays, as many as an input of one int says: their length is found. On a
 * device what follows them in their arrays is -1 or NaN.
 *
 * @param id its name and that of the first array; the others are {@code id_1} and so on
 * @param count of one int
 * @param arrays of one capacity
 */
record FirstOf(String id, String count, List<Input> arrays) implements Primitive {

  /** Of a count and arrays; the value {@code output_length} is how many there are. */
  static final Operation OPERATION =
      (output, inputs) -> {
        FirstOf of =
            new FirstOf(output, inputs.getFirst().name(), inputs.subList(1, inputs.size()));
        return new Expansion(
            List.of(of),
            List.of(Output.of(of.length(), ElementType.INT, inputs.getFirst().name(), "")));
      };

  private static final int THREADS = 64;

  private String length() {
    return id + "_length";
  }

  private String array(int i) {
    return i == 0 ? id : id + "_" + i;
  }

  @Override
  public Step in(Setting setting) {
    int most = setting.capacity(arrays.getFirst().capacity());
    Step step =
        Step.of(this, setting)
            .reads("count", count, 0)
            .delivers("length", length(), ElementType.INT)
            .number(1, lengths -> lengths.length(arrays.getFirst().name()))
            .onDevice(launches -> launch(launches, most))
            .onJvm(this::copy);
    for (int i = 0; i < arrays.size(); i++) {
      Input array = arrays.get(i);
      step.reads("values" + i, array.name(), 2 + i)
          .writesFound("first" + i, array(i), array.type(), most, length(), array.name());
    }
    return step;
  }

  private void launch(Launches launches, int most) {
    launches.value("capacity", most);
    for (int i = 0; i < arrays.size(); i++) {
      launches
          .array("values", arrays.get(i).name())
          .array("first", array(i))
          .value("number", i)
          .add(
              "first" + i,
              FirstOfKernels.class,
              arrays.get(i).type().name().toLowerCase(Locale.ROOT) + "s",
              Grid.of(Math.ceilDiv(most, THREADS), THREADS));
    }
    launches.add("tell", FirstOfKernels.class, "tell", Grid.of(1, 1));
  }

  private void copy(JvmRun run) {
    int given = run.input(count).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    int wanted = Math.clamp(given, 0, run.length(arrays.getFirst().name()));
    run.deliver(length(), wanted);
    for (int i = 0; i < arrays.size(); i++) {
      long bytes = (long) wanted * arrays.get(i).type().bytes();
      MemorySegment.copy(run.input(arrays.get(i).name()), 0, run.output(array(i)), 0, bytes);
    }
  }
}
