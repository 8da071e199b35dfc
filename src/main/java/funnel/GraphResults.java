package funnel;

import funnel.engine.KeptArrays;
import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.engine.device.ProgramArrays;
import funnel.engine.tornado.Arrival;
import funnel.engine.tornado.HostArrays;
import funnel.kernel.KernelTask;
import funnel.operation.Input;
import funnel.operation.Output;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.plan.Arguments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * The results of a plan's tasks in the caller's task graph, see {@link Plan#addTo}.
 *
 * {@snippet class="funnel.docs.ResultsSnippets" region="graph"}
 */
public final class GraphResults {

  private final String plan;
  private final Program program;
  private final ProgramArrays arrays;
  private final List<Output> outputs;
  private final Map<String, Integer> lengths = new HashMap<>();
  private final Map<String, Integer> runs = new HashMap<>();

  /* The plan does not know when the graph is executed. So the run counter after a result shows
   * whether it was executed since the lengths were last set, and therefore which lengths the result
   * belongs to. What an execution reports is judged by its lengths, too: before others are set.
   */

  private int judged;
  private boolean wasExecuted;
  private @Nullable RuntimeException verdict;

  private GraphResults(String plan, Program program, ProgramArrays arrays, List<Output> outputs) {
    this.plan = plan;
    this.program = program;
    this.arrays = arrays;
    this.outputs = outputs;
  }

  /** Adds a plan's tasks to a graph, over the caller's arrays, after checking these. */
  static GraphResults add(
      String plan,
      Program program,
      TaskGraph graph,
      GridScheduler scheduler,
      Map<String, ? extends TornadoNativeArray> given,
      List<Output> outputs) {
    if (!program.lookUps().isEmpty()) { // nobody would notice an index outside
      throw new IllegalArgumentException(
          "plan %s cannot be added to a task graph, since its functions look up elements of arrays: give the elements as an input, and read them with Gather"
              .formatted(plan));
    }
    for (Input input : program.inputs()) {
      @Nullable TornadoNativeArray array = given.get(input.name());
      if (array == null) {
        throw new IllegalArgumentException(
            "no array for input %s of plan %s".formatted(input.name(), plan));
      }
      Arguments.requireFits(plan, input, array);
    }
    for (Primitive.Slot slot : program.arrays()) {
      @Nullable TornadoNativeArray array = given.get(slot.name());
      if (array != null) {
        Arguments.requireFits(plan, slot, array);
      }
    }
    var _ = Arguments.of(plan, program, given, KeptArrays.NONE);
    Program inGraph = program.in(Setting.toTheEnd());
    ProgramArrays arrays = new ProgramArrays(inGraph, new HashMap<>(given), HostArrays::allocate);
    given.forEach((name, array) -> arrays.setRange(name, 0, array.getSize()));
    String id = KernelTask.id(program.steps().getFirst().id(), "first");
    arrays.writeShape();
    List<TornadoNativeArray> results = arrays.resultArrays(0);
    IntArray seen = Arrival.reports(results);
    upload(graph, DataTransferMode.EVERY_EXECUTION, List.of(arrays.shape()));
    upload(graph, DataTransferMode.FIRST_EXECUTION, results);
    upload(graph, DataTransferMode.UNDER_DEMAND, arrays.scratchArrays(0));
    upload(graph, DataTransferMode.FIRST_EXECUTION, arrays.presetArrays());
    upload(graph, DataTransferMode.UNDER_DEMAND, arrays.writtenArrays(0));
    upload(graph, DataTransferMode.FIRST_EXECUTION, List.of(seen));
    List<KernelTask> tasks = new ArrayList<>(Arrival.reading(id + "_results", results, seen));
    tasks.addAll(arrays.tasks());
    withOwnIds(tasks, plan, graph, scheduler).forEach(task -> task.addTo(graph, scheduler));
    graph.transferToHost(DataTransferMode.EVERY_EXECUTION, results.toArray());
    return new GraphResults(plan, inGraph, arrays, outputs);
  }

  /**
   * The tasks with ids that no other task of the graph has. TornadoVM finds grids by them, and the
   * names of outputs, from which they are made, are unique in a plan only.
   */
  private static List<KernelTask> withOwnIds(
      List<KernelTask> tasks, String plan, TaskGraph graph, GridScheduler scheduler) {
    String before = "";
    for (int number = 1; !areFree(before, tasks, graph, scheduler); number++) {
      before = "%s__%s__".formatted(plan, number);
    }
    String prefix = before;
    return tasks.stream()
        .map(task -> new KernelTask(prefix + task.id(), task.grid(), task.code(), task.arguments()))
        .toList();
  }

  private static boolean areFree(
      String prefix, List<KernelTask> tasks, TaskGraph graph, GridScheduler scheduler) {
    return tasks.stream()
        .noneMatch(task -> scheduler.contains(graph.getTaskGraphName(), prefix + task.id()));
  }

  private static void upload(TaskGraph graph, int mode, List<?> arrays) {
    if (!arrays.isEmpty()) {
      graph.transferToDevice(mode, arrays.toArray());
    }
  }

  /**
   * Sets how many of an input's elements the next executions work on. Until then outputs are those
   * of the last execution.
   *
   * @throws IllegalArgumentException if the length is negative or greater than that of the array
   */
  public void setLength(String input, int length) {
    if (!arrays.hasInput(input)) {
      throw new IllegalArgumentException("no input %s".formatted(input));
    }
    int size = ((TornadoNativeArray) arrays.array(input)).getSize();
    if (length < 0 || length > size) {
      throw new IllegalArgumentException(
          "length of input %s out of range: length=%s, array=%s".formatted(input, length, size));
    }
    outputs.forEach(this::length);
    judge();
    arrays.setRange(input, 0, length);
    arrays.writeShape();
  }

  /**
   * An output, after the graph was executed: an Integer, Long, Float or Double according to its
   * type.
   *
   * @throws IllegalArgumentException if there is no such output
   * @throws NoSuchElementException if the output is not defined, because its input was empty
   * @throws RuntimeException as {@link #requireSound}
   */
  public Number get(String output) {
    Output wanted = declared(output);
    requireSound();
    int length = length(wanted);
    if (length == 0 && !wanted.emptyReason().isEmpty()) {
      throw new NoSuchElementException(wanted.emptyReason());
    }
    return wanted.finish().value(arrays::result, length);
  }

  /**
   * Throws what a run of the plan would have thrown in place of the last execution: a position that
   * is outside of the array that it is to gather from, a key outside of a histogram, offsets that
   * do not ascend. The arrays that the operations have written are then of no use. The graph itself
   * cannot throw it, so call this after an execution, before you use such an array; {@link #get}
   * does it for you.
   *
   * @throws IllegalStateException if the graph was not executed yet, or not all tasks of the plan
   *     have done their work
   * @throws IllegalArgumentException and other exceptions, as {@link Plan#run()} throws them
   */
  public void requireSound() {
    judge();
    if (!wasExecuted) {
      throw new IllegalStateException(
          "the task graph was not executed since plan %s was added to it: execute it before you ask for results"
              .formatted(plan));
    }
    if (verdict != null) {
      throw verdict;
    }
  }

  /** Judges an execution, once. */
  private void judge() {
    Routine routine = program.routines().getFirst();
    List<String> results =
        routine.steps().stream()
            .flatMap(step -> step.layout().delivered().stream())
            .map(Primitive.Slot::name)
            .toList();
    int now = results.stream().mapToInt(arrays::runs).max().orElse(0);
    if (now == judged) {
      return;
    }
    judged = now;
    wasExecuted = true;
    verdict = null;
    String missing = arrays.missingRun(0, now);
    String wrong = missing.isEmpty() ? routine.disproved(arrays::result, arrays) : missing;
    if (!wrong.isEmpty()) {
      verdict =
          new IllegalStateException(
              "the task graph did not complete the tasks of plan %s: %s".formatted(plan, wrong));
      return;
    }
    try {
      String gaveUp = routine.gaveUp(arrays::result, arrays);
      if (!gaveUp.isEmpty()) {
        verdict = new IllegalStateException("plan %s gave up: %s".formatted(plan, gaveUp));
      }
    } catch (RuntimeException e) {
      verdict = e;
    }
  }

  /** The length of an output's input in the last execution, or in the first one before that. */
  private int length(Output output) {
    Integer now = arrays.runs(output.result());
    if (!now.equals(runs.put(output.name(), now)) || now == 0) {
      lengths.put(output.name(), arrays.length(output.input()));
    }
    return Objects.requireNonNull(lengths.get(output.name()), output.name());
  }

  private Output declared(String output) {
    Objects.requireNonNull(output, "output");
    return outputs.stream()
        .filter(o -> o.name().equals(output))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no output %s that is a single value; of these there are %s, and written(output) has the arrays %s"
                        .formatted(
                            output,
                            outputs.stream().map(Output::name).toList(),
                            program.arrays().stream().map(Primitive.Slot::name).toList())));
  }

  /**
   * The TornadoVM array of an output that is an array, for later tasks of the graph; the caller
   * declares its transfer to the host.
   *
   * @throws IllegalArgumentException if the plan writes no such array
   */
  public TornadoNativeArray written(String output) {
    return arrays.written(Objects.requireNonNull(output, "output"));
  }

  /**
   * The TornadoVM array whose element {@link #lengthIndex} is the length that the execution has
   * found for an output that is an array, for later tasks of the graph; further elements of the
   * output's array are undefined. The host can read it after an execution.
   *
   * @throws IllegalArgumentException if the plan writes no such array, or its length is that of an
   *     input or fixed
   */
  public IntArray lengthArray(String output) {
    return (IntArray) arrays.array(found(output));
  }

  /** The index of an output's length in {@link #lengthArray}. */
  public int lengthIndex(String output) {
    return arrays.index(found(output));
  }

  private String found(String output) {
    written(output);
    String length = arrays.found(output);
    if (length == null) {
      throw new IllegalArgumentException(
          "the length of output %s is not found in an execution: the inputs' lengths say it"
              .formatted(output));
    }
    return length;
  }

  /**
   * The TornadoVM array that contains an output's raw result, for later tasks of the graph that
   * read it on the device: element {@link #index} of it.
   */
  public Object array(String output) {
    return arrays.array(declared(output).result());
  }

  /** The index of an output's raw result in {@link #array}. */
  public int index(String output) {
    return arrays.index(declared(output).result());
  }
}
