package funnel.engine.device;

import funnel.engine.Program;
import funnel.kernel.KernelTask;
import funnel.operation.Input;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.io.Serializable;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * All that engines learn from a program, as text with one fact per line: arrays, results, launches,
 * the ints of the shape array at several lengths, and what is refused. Nothing runs.
 *
 * <p>Names of kernel classes and of their parameters are in braces: what is left without them does
 * not change if a class is renamed. Lines are sorted where their order has no meaning.
 */
public final class ProgramFacts {

  /** Lengths of all inputs at which ints are told, besides the capacity and one less. */
  private static final List<Integer> LENGTHS = List.of(0, 1, 31, 257);

  private static final int FOUND = 3;
  private static final int REPORTED = 7;

  /** Elements of the arrays, whatever their length: enough for the ints of any program. */
  private static final int ROOM = 1 << 12;

  /** What {@link Kernel} puts into a task is found once per kernel. */
  private static final Map<Class<?>, KernelCode> CODES = new HashMap<>();

  private static final Map<ElementType, List<TornadoNativeArray>> POOL =
      new EnumMap<>(ElementType.class);

  private record KernelCode(String name, List<String> parameters) {}

  private final Program program;
  private final ProgramArrays arrays;
  private final Map<ElementType, Integer> taken = new EnumMap<>(ElementType.class);
  private final Map<Object, String> names = new IdentityHashMap<>();
  private final StringBuilder text = new StringBuilder();
  private int shapeInts;

  private ProgramFacts(Program program, Map<String, TornadoNativeArray> bound) {
    this.program = program;
    this.arrays = new ProgramArrays(program, bound, this::pooled);
  }

  /**
   * The facts about the primitives of a program.
   *
   * @param without the id of one that is left out
   * @param bound the caller's arrays, by name
   */
  public static String of(Program program, String without, Map<String, TornadoNativeArray> bound) {
    ProgramFacts facts = new ProgramFacts(program, bound);
    facts.write(without);
    return facts.text.toString();
  }

  /** The arrays of a program, all of them small: nothing runs that has them. */
  public static ProgramArrays arrays(Program program, Map<String, TornadoNativeArray> bound) {
    return new ProgramFacts(program, bound).arrays;
  }

  /** A small array of a type, in place of one of the caller's. */
  public static TornadoNativeArray small(ElementType type) {
    return ProgramArrays.allocate(type, 1);
  }

  private TornadoNativeArray pooled(ElementType type, int length) {
    shapeInts = length; // of the last array that is made
    List<TornadoNativeArray> ofType = POOL.computeIfAbsent(type, _ -> new ArrayList<>());
    int at = taken.merge(type, 1, Integer::sum) - 1;
    while (ofType.size() <= at) {
      ofType.add(ProgramArrays.allocate(type, ROOM));
    }
    return ofType.get(at);
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private void write(String without) {
    for (Input input : program.inputs()) {
      name(input.name());
      line("input " + input.name() + " " + input.type() + "[" + input.capacity() + "]");
    }
    program.layouts().forEach(this::name);
    arrays
        .allResultArrays()
        .forEach((name, array) -> names.putIfAbsent(array, name.replace("the array of ", "")));
    names.put(arrays.shape(), "shape");
    Map<String, List<String>> lengths = new LinkedHashMap<>();
    Map<Step, List<String>> refusals = new HashMap<>();
    int[][] ints = ints(lengths, refusals);
    List<Step> all = program.steps();
    int at = 0;
    for (int routine = 0; routine < program.routines().size(); routine++) {
      if (program.routines().size() > 1) {
        line("routine " + routine);
      }
      for (Step primitive : program.routines().get(routine).steps()) {
        int first = arrays.shapeAt(primitive);
        int end = ++at < all.size() ? arrays.shapeAt(all.get(at)) : shapeInts;
        if (!primitive.id().equals(without)) {
          line("primitive " + primitive.id());
          layout(primitive.layout(), lengths);
          told(primitive);
          refusals.getOrDefault(primitive, List.of()).forEach(this::line);
          for (int i = first; i < end; i++) {
            text.append(" int ").append(i - first).append(':');
            values(ints, i);
          }
          tasks(primitive);
        }
      }
    }
  }

  /** An int of the shape array at all lengths. */
  private void values(int[][] ints, int at) {
    boolean varies = false;
    for (int[] ofLength : ints) {
      varies |= ofLength[at] != ints[0][at];
    }
    for (int i = 0; i < (varies ? ints.length : 1); i++) {
      text.append(' ').append(ints[i][at]);
    }
    text.append('\n');
  }

  private static String values(List<String> values) {
    return new LinkedHashSet<>(values).size() == 1 ? values.getFirst() : String.join(" ", values);
  }

  private void name(Layout layout) {
    layout.scratch().forEach(slot -> name(slot.name()));
    layout.filled().forEach(filled -> name(filled.slot().name()));
    layout.arrays().forEach(slot -> name(slot.name()));
  }

  /** Names an array, which may have several names if it is the caller's. */
  private void name(String name) {
    names.merge(
        arrays.array(name),
        name,
        (old, more) -> List.of(old.split("=")).contains(more) ? old : old + "=" + more);
  }

  /** Fills the lengths of arrays and what is refused, and returns the ints at each length. */
  private int[][] ints(Map<String, List<String>> lengths, Map<Step, List<String>> refusals) {
    if (shapeInts > ROOM) {
      throw new IllegalStateException("more ints than there is room for: " + shapeInts);
    }
    List<int[]> ints = new ArrayList<>();
    int offset = 5;
    Map<String, Integer> offsets = new HashMap<>();
    for (Primitive.Slot slot : program.arrays()) {
      arrays.setRange(slot.name(), offset, 0);
      offset += 11;
    }
    offset = 7;
    for (Input input : program.inputs()) {
      offsets.put(input.name(), offset);
      offset += 13;
    }
    for (int[] column : columns()) {
      for (int i = 0; i < column.length; i++) {
        String input = program.inputs().get(i).name();
        arrays.setRange(input, Objects.requireNonNull(offsets.get(input)), column[i]);
      }
      arrays.writeShape();
      ints.add(
          arrays
              .shape()
              .getSegment()
              .asSlice(0, (long) shapeInts * Integer.BYTES)
              .toArray(ValueLayout.JAVA_INT));
      Primitive.Lengths most = program.lengths(arrays, _ -> null);
      Primitive.Lengths found = program.lengths(arrays, _ -> FOUND);
      for (Step primitive : program.steps()) {
        try {
          primitive.requireLengths(most);
        } catch (IllegalArgumentException e) {
          refusals
              .computeIfAbsent(primitive, _ -> new ArrayList<>())
              .add(" lengths %s: %s".formatted(Arrays.toString(column), said(e)));
        }
        Layout layout = primitive.layout();
        for (Map<String, Layout.Array> written : List.of(layout.written(), layout.hidden())) {
          for (String array : written.keySet()) {
            int length = most.length(array);
            String told =
                program.found(array) == null
                    ? Integer.toString(length)
                    : found.length(array) + "/" + length;
            lengths.computeIfAbsent(array, _ -> new ArrayList<>()).add(told);
          }
        }
      }
    }
    return ints.toArray(int[][]::new);
  }

  /** Lengths of the inputs, in their order. */
  private List<int[]> columns() {
    int[] capacities = program.inputs().stream().mapToInt(Input::capacity).toArray();
    int least = Arrays.stream(capacities).min().orElse(0);
    List<int[]> columns = new ArrayList<>();
    for (int length : LENGTHS) {
      if (length <= least) {
        columns.add(Arrays.stream(capacities).map(_ -> length).toArray());
      }
    }
    for (int less = 1; less >= 0; less--) {
      int by = less;
      int[] column = Arrays.stream(capacities).map(each -> Math.max(0, each - by)).toArray();
      if (columns.stream().noneMatch(each -> Arrays.equals(each, column))) {
        columns.add(column);
      }
    }
    return columns;
  }

  private static String said(Exception e) {
    return "{%s}: %s".formatted(e.getClass().getSimpleName(), e.getMessage());
  }

  private static String named(Collection<String> names) {
    return names.isEmpty() ? "nothing" : String.join(", ", names);
  }

  private static String slot(Primitive.Slot slot) {
    return slot.name() + " " + slot.type() + "[" + slot.length() + "]";
  }

  private void layout(Layout layout, Map<String, List<String>> lengths) {
    line(" reads " + named(layout.inputs()));
    line(" needs the lengths of " + named(new TreeSet<>(layout.inputsOfKnownLength())));
    if (!layout.inputsAsLongs().isEmpty()) {
      line(" reads as longs " + named(layout.inputsAsLongs()));
    }
    if (!layout.changedInputs().isEmpty()) {
      line(" changes " + named(layout.changedInputs()));
    }
    Set<String> pairs = new TreeSet<>();
    layout
        .sameLengths()
        .forEach(pair -> pairs.add(pair.stream().sorted().collect(Collectors.joining(" and "))));
    pairs.forEach(pair -> line(" equally long: " + pair));
    layout.written().values().forEach(array -> written(" writes ", array, lengths));
    layout.hidden().values().forEach(array -> written(" hidden ", array, lengths));
    List<Primitive.Slot> results = layout.results();
    for (Primitive.Slot slot : layout.delivered()) {
      String verb = results.contains(slot) ? " delivers " : " reports ";
      line(verb + slot.name() + " " + slot.type());
    }
    layout.scratch().forEach(slot -> line(" scratch " + slot(slot)));
    layout.filled().forEach(each -> line(" filled " + slot(each.slot()) + " = " + each.value()));
    line(" checked with " + layout.checkedElements());
  }

  private void written(String verb, Layout.Array array, Map<String, List<String>> lengths) {
    String name = array.slot().name();
    String found = program.found(name);
    line(
        verb
            + slot(array.slot())
            + ", length "
            + values(Objects.requireNonNull(lengths.get(name), name))
            + (found == null ? "" : " found by " + found)
            + (array.inPlaceOf().isEmpty()
                ? ""
                : ", in place of " + named(new TreeSet<>(array.inPlaceOf()))));
  }

  /** What is told besides arrays and launches. */
  private void told(Step primitive) {
    String granted = primitive.takesForGranted();
    if (!granted.isEmpty()) {
      line(" takes for granted that " + granted);
    }
    for (Primitive.Combined combined : primitive.combined()) {
      line(
          " combines %s of %s as %s%s"
              .formatted(
                  combined.operator(),
                  combined.input(),
                  combined.type(),
                  combined.transform() == null ? "" : " by " + combined.transform()));
    }
    for (Primitive.Slot slot : primitive.layout().delivered()) {
      String place = gaveUp(primitive, slot.name());
      if (!place.isEmpty()) {
        line(" gave up if %s is %s: %s".formatted(slot.name(), REPORTED, place));
      }
    }
  }

  /** What a reported result means: all others are 0 or, where that is not right, -1. */
  private String gaveUp(Step primitive, String reported) {
    List<String> said = new ArrayList<>();
    for (int other : new int[] {0, -1}) {
      Function<String, Number> results = name -> name.equals(reported) ? REPORTED : other;
      try {
        String place = primitive.gaveUp(results, arrays);
        if (!place.isEmpty()) {
          said.add(place);
        }
      } catch (IllegalArgumentException e) {
        said.add(said(e));
      }
    }
    return String.join(" | ", said);
  }

  private void tasks(Step primitive) {
    List<KernelTask> tasks;
    try {
      tasks = arrays.tasks(primitive);
    } catch (UnsupportedOperationException | IllegalStateException e) {
      line(" no tasks: " + said(e));
      return;
    }
    for (KernelTask task : tasks) {
      KernelCode code = code(task.code());
      line(" task " + task.id() + ": " + code.name() + ", " + blocks(task.grid()));
      for (int i = 0; i < task.arguments().size(); i++) {
        Object argument = task.arguments().get(i);
        text.append("  {").append(code.parameters().get(i)).append("} = ");
        text.append(argument.getClass().getSimpleName()).append(' ');
        line(argument instanceof Number ? argument.toString() : name(argument));
      }
    }
  }

  private static String blocks(KernelTask.Grid grid) {
    return grid.blocksY() == 1 && grid.threadsY() == 1
        ? grid.blocks() + " blocks of " + grid.threads()
        : "%s x %s blocks of %s x %s"
            .formatted(grid.blocks(), grid.blocksY(), grid.threads(), grid.threadsY());
  }

  private String name(Object array) {
    return Objects.requireNonNull(names.get(array), "an array of the program's");
  }

  private static KernelCode code(Serializable code) {
    return CODES.computeIfAbsent(code.getClass(), _ -> find(code));
  }

  private static KernelCode find(Serializable code) {
    try {
      Method writeReplace = code.getClass().getDeclaredMethod("writeReplace");
      writeReplace.setAccessible(true);
      SerializedLambda lambda = (SerializedLambda) writeReplace.invoke(code);
      String owner = lambda.getImplClass().replace('/', '.');
      String original = owner.replaceFirst("\\$copy.*", "");
      String kernel = lambda.getImplMethodName();
      List<String> parameters =
          Stream.of(Class.forName(owner).getDeclaredMethods())
              .filter(method -> method.getName().equals(kernel))
              .flatMap(method -> Stream.of(method.getParameters()).skip(1))
              .map(parameter -> parameter.getName())
              .collect(Collectors.toList());
      String name =
          "{%s}.%s%s"
              .formatted(
                  original.substring(original.lastIndexOf('.') + 1),
                  kernel,
                  owner.equals(original) ? "" : " with a user's functions");
      return new KernelCode(name, parameters);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("no kernel behind " + code.getClass(), e);
    }
  }
}
