package funnel;

import funnel.kernel.KernelTask.Grid;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Primitive;
import funnel.operation.Setting;
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

  private int capacity() {
    return arrays.getFirst().capacity();
  }

  @Override
  public Layout layout() {
    Layout layout = Layout.reads(count).delivers(length(), ElementType.INT);
    for (int i = 0; i < arrays.size(); i++) {
      Input array = arrays.get(i);
      layout
          .alsoReads(array.name())
          .writesFound(array(i), array.type(), array.capacity(), length(), array.name());
    }
    return layout;
  }

  @Override
  public int[] shape(Lengths lengths) {
    int[] shape = new int[2 + arrays.size()];
    shape[0] = lengths.offset(count);
    shape[1] = lengths.length(arrays.getFirst().name());
    for (int i = 0; i < arrays.size(); i++) {
      shape[2 + i] = lengths.offset(arrays.get(i).name());
    }
    return shape;
  }

  @Override
  public void launch(Launches launches) {
    launches.array("count", count).result("length", length()).value("capacity", capacity());
    for (int i = 0; i < arrays.size(); i++) {
      launches
          .array("values", arrays.get(i).name())
          .array("first", array(i))
          .value("number", i)
          .add(
              "first" + i,
              FirstOfKernels.class,
              arrays.get(i).type().name().toLowerCase(Locale.ROOT) + "s",
              Grid.of(Math.ceilDiv(capacity(), THREADS), THREADS));
    }
    launches.add("tell", FirstOfKernels.class, "tell", Grid.of(1, 1));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    int given = run.input(count).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    int wanted = Math.clamp(given, 0, run.length(arrays.getFirst().name()));
    run.deliver(length(), wanted);
    for (int i = 0; i < arrays.size(); i++) {
      long bytes = (long) wanted * arrays.get(i).type().bytes();
      MemorySegment.copy(run.input(arrays.get(i).name()), 0, run.output(array(i)), 0, bytes);
    }
  }

  @Override
  public Primitive in(Setting setting) {
    return new FirstOf(
        id,
        count,
        arrays.stream()
            .map(a -> new Input(a.name(), a.type(), setting.capacity(a.capacity())))
            .toList());
  }
}
