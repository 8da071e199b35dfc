package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.emulator.Emulator;
import funnel.emulator.Order;
import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.engine.device.ProgramArrays;
import funnel.io.Source;
import funnel.kernel.KernelTask.Grid;
import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.FoundLength;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.ParallelRows;
import funnel.operation.Parts;
import funnel.operation.Primitive;
import funnel.operation.Requirement;
import funnel.operation.RunCounter;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples for authors of primitives. */
final class PrimitiveSnippets {

  private PrimitiveSnippets() {}

  // @start region="primitive"
  // @start region="kernel"
  /* Where the kernel finds its ints. */
  static final int FROM = 0;
  static final int TO = 1;
  static final int LENGTH = 2;

  /** One thread an element. The first thread delivers the length, and then counts the run. */
  static void scale(
      KernelContext context,
      IntArray shape,
      IntArray in,
      IntArray out,
      IntArray written,
      int shapeAt,
      int writtenAt,
      int factor) {
    int i = context.globalIdx;
    int length = shape.get(shapeAt + LENGTH);
    if (i < length) {
      out.set(shape.get(shapeAt + TO) + i, factor * in.get(shape.get(shapeAt + FROM) + i));
    }
    if (i == 0) {
      written.set(writtenAt, length);
      written.set(writtenAt + 1, RunCounter.next(written.get(writtenAt + 1)));
    }
  }

  // @end region="kernel"

  /** {@code output[i] = factor * in[i]}, and how many elements were written. */
  record Scaled(String output, Input in, int factor) implements Primitive {
    @Override
    public String id() {
      return output;
    }

    @Override
    public Step in(Setting setting) {
      int most = setting.capacity(in.capacity()); // one form for all devices
      Grid grid = Grid.of(Math.max(1, Math.ceilDiv(most, 256)), 256);
      return Step.of(this, setting)
          .reads("in", in.name(), FROM, LENGTH) // the kernel's parameter, and its ints
          .writes("out", output, ElementType.INT, most, in.name(), TO) // as long as the input
          .delivers("written", output + "_written", ElementType.INT) // and writtenAt
          .onDevice(
              launches -> // shape and shapeAt are bound already, as is what stands above
              launches.value("factor", factor).add("scale", PrimitiveSnippets.class, "scale", grid))
          .onJvm(this::scaleOnJvm);
    }

    // @start region="jvm"
    private void scaleOnJvm(JvmRun run) {
      MemorySegment from = run.input(in.name());
      MemorySegment to = run.output(output);
      int length = run.length(in.name());
      for (int i = 0; i < length; i++) {
        int value = from.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
        to.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, factor * value);
      }
      run.deliver(output + "_written", length);
    }

    // @end region="jvm"
  }

  // @end region="primitive"

  // @start region="load"
  /** Three times each array of at most 1000 ints: loaded once, run for each. */
  static List<int[]> tripled(Engine engine, List<int[]> arrays) {
    Input x = new Input("x", ElementType.INT, 1000);
    Program program = Program.of(List.of(x), List.of(new Scaled("y", x, 3)));
    List<int[]> results = new ArrayList<>();
    try (LoadedProgram loaded = engine.load(program, Map.of())) {
      for (int[] array : arrays) {
        loaded.set("x", MemorySegment.ofArray(array)); // 1, 2, 3; then 10
        loaded.run();
        int[] y = new int[loaded.length("y")];
        loaded.fetch("y", MemorySegment.ofArray(y)); // 3, 6, 9; then 30
        results.add(y);
      }
    }
    return results;
  }

  // @end

  // @start region="routines"
  /** Two things to do with the same input, which is set, and on a device uploaded, once. */
  static List<int[]> twiceAndTenfold(Engine engine, int[] values) {
    Input x = new Input("x", ElementType.INT, values.length);
    Routine twice = Routine.of(List.of(new Scaled("twice", x, 2)));
    Routine tenfold = Routine.of(List.of(new Scaled("tenfold", x, 10)));
    Program program = new Program(List.of(x), List.of(twice, tenfold));
    int[] first = new int[values.length];
    int[] second = new int[values.length];
    try (LoadedProgram loaded = engine.load(program, Map.of())) {
      loaded.set("x", MemorySegment.ofArray(values)); // 1, 2, 3
      loaded.run(0);
      loaded.run(1);
      loaded.fetch("twice", MemorySegment.ofArray(first)); // 2, 4, 6
      loaded.fetch("tenfold", MemorySegment.ofArray(second)); // 10, 20, 30
    }
    return List.of(first, second);
  }

  // @end

  // @start region="input"
  /** Two inputs of equal capacity; a run may have fewer elements. */
  static double dot(Engine engine, int capacity, double[] values, double[] weights) {
    Input x = new Input("x", ElementType.DOUBLE, capacity);
    Input w = new Input("w", ElementType.DOUBLE, x.capacity());
    Expansion dot = Reduction.dot().expand("dot", List.of(x, w));
    try (LoadedProgram loaded =
        engine.load(Program.of(List.of(x, w), dot.primitives()), Map.of())) {
      loaded.set(x.name(), MemorySegment.ofArray(values)); // 1, 2, 3
      loaded.set(w.name(), MemorySegment.ofArray(weights)); // 0.5, 0.25, 1
      loaded.run();
      return loaded.result("dot").doubleValue(); // 4.0
    }
  }

  // @end

  // @start region="step"
  /** The root mean square: the squares are summed up by the engine, the root is the host's. */
  static Expansion rootMeanSquare(String output, Input x) {
    String sum = output + "_squares";
    Output root =
        new Output(
            output,
            ElementType.DOUBLE,
            x.name(),
            "the root mean square of no elements is not defined",
            sum,
            (results, length) -> Math.sqrt(results.apply(sum).doubleValue() / length));
    return new Expansion(
        Reduction.sumOfSquares().expand(sum, List.of(x)).primitives(), List.of(root));
  }

  static Number rootMeanSquare(Engine engine, double[] values) {
    Input x = new Input("x", ElementType.DOUBLE, values.length);
    Expansion expansion = rootMeanSquare("rms", x);
    try (LoadedProgram loaded =
        engine.load(Program.of(List.of(x), expansion.primitives()), Map.of())) {
      loaded.set("x", MemorySegment.ofArray(values)); // 1, 7
      loaded.run();
      Output rms = expansion.outputs().getFirst();
      return rms.finish().value(loaded::result, loaded.length(rms.input())); // 5.0
    }
  }

  // @end

  // @start region="parts"
  /** The root mean square of sources of any length: of a piece, combined, and of the whole. */
  record RootMeanSquare() implements Operation {
    @Override
    public Expansion expand(String output, List<Input> inputs) {
      return rootMeanSquare(output, Expansion.only(inputs, "root mean square"));
    }

    @Override
    public Optional<Parts<?>> inParts(List<ElementType> inputs) {
      return Optional.of(new OfSquares());
    }

    /** The sum of the squares, and how many there are. */
    record Sum(double squares, long count) implements Serializable {}

    private record OfSquares() implements Parts<Sum> {
      @Override
      public Operation ofPiece() {
        return Reduction.sumOfSquares();
      }

      @Override
      public Sum of(Piece piece) {
        return new Sum(piece.get("").doubleValue(), piece.length());
      }

      @Override
      public Sum combine(List<Sum> parts, Calls onJvm) {
        return new Sum(
            parts.stream().mapToDouble(Sum::squares).sum(),
            parts.stream().mapToLong(Sum::count).sum());
      }

      @Override
      public void finish(Sum whole, BiConsumer<String, Object> output) {
        output.accept("", Math.sqrt(whole.squares() / whole.count()));
      }
    }
  }

  static Number rootMeanSquare(Funnel funnel, Source source) throws IOException {
    return funnel.over(source).run(new RootMeanSquare()).get("result"); // of 1, 7: 5.0
  }

  // @end

  // @start region="composite"
  /** Six times the input, by way of an array that nobody else sees. */
  static Primitive sixfold(String output, Input x) {
    Input twice = new Input(output + ".twice", x.type(), x.capacity());
    return Composite.of(
        output,
        List.of(new Scaled(twice.name(), x, 2), new Scaled(output, twice, 3)),
        Set.of(output)); // the parts' results stay visible, too
  }

  // @end

  // @start region="operation"
  /** The sum of six times the input, by an operation of one's own in a plan. */
  static int sumOfSixfold(Funnel funnel, int[] values) {
    Operation sixfold =
        (output, inputs) ->
            new Expansion(List.of(sixfold(output, Expansion.only(inputs, "six times"))), List.of());
    try (Plan plan =
        funnel
            .plan("own")
            .input("x", ElementType.INT, values.length)
            .add("y", sixfold, "x")
            .add("sum", Reduction.sum(), "y")
            .build()) {
      return plan.run(Map.of("x", Elements.of(values))).getInt("sum"); // of 3, 1, 4: 48
    }
  }

  // @end

  // @start region="arrays"
  /** Runs the kernels of a program from x to y in an emulator, one launch after the other. */
  static int[] emulated(Program program, int[] values) {
    ProgramArrays arrays = new ProgramArrays(program, Map.of());
    arrays.set("x", MemorySegment.ofArray(values)); // 1, 2, 3
    arrays.writeShape();
    Emulator emulator = Emulator.builder().order(Order.RANDOM).detectRaces(true).build();
    emulator.run(arrays.tasks());
    String missing = arrays.missingRun(0, 1); // routine 0, run 1
    if (!missing.isEmpty()) {
      throw new AssertionError(missing);
    }
    return arrays.elements("y").toArray(ValueLayout.JAVA_INT); // 3, 6, 9
  }

  // @end

  // @start region="rows"
  /** Sums of the rows of a matrix, by all cores if it is large. */
  static double[] sumsOfRows(double[] matrix, int columns) {
    double[] sums = new double[matrix.length / columns];
    ParallelRows.run(
        sums.length,
        matrix.length,
        (from, to) -> {
          for (int row = from; row < to; row++) {
            for (int column = 0; column < columns; column++) {
              sums[row] += matrix[row * columns + column];
            }
          }
        });
    return sums; // for 1, 2, 3, 4 in two columns: 3.0, 7.0
  }

  // @end

  // @start region="found"
  /** What follows from the length of y, which a result finds: an int of a primitive, by a rule. */
  static List<Integer> table() {
    FoundLength.Need need = new FoundLength.Need("y", "y_count", 4, 7, 1);
    return new FoundLength("y_count", List.of(need), 20).table(); // 4, 7, 1
  }

  // @end

  // @start region="requirement"
  /** The smallest of some numbers, of which none may be negative. */
  record SmallestOfPositive() implements Operation {
    @Override
    public Expansion expand(String output, List<Input> inputs) {
      Expansion least = Reduction.min().expand(output, inputs);
      List<Primitive> parts = new ArrayList<>(least.primitives());
      parts.add(
          new Requirement(
              output + ".required",
              output,
              inputs.getFirst().name(),
              (smallest, length) -> {
                if (smallest.intValue() < 0) {
                  throw new IllegalArgumentException("%s of %s".formatted(smallest, length));
                }
              }));
      return new Expansion(List.of(Composite.of(output, parts, Set.of())), least.outputs());
    }
  }

  // @end
}
