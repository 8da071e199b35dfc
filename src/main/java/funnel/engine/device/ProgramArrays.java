package funnel.engine.device;

import funnel.engine.Copying;
import funnel.engine.PrimitiveTime;
import funnel.engine.Program;
import funnel.engine.Routine;
import funnel.kernel.KernelTask;
import funnel.operation.DeviceArrays;
import funnel.operation.FoundLength;
import funnel.operation.Input;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.RunCounter;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * The TornadoVM arrays of a program, for everything that runs its kernels: inputs, scratch, the
 * shape array and one array of results per type.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="arrays"}
 */
public final class ProgramArrays implements DeviceArrays {

  /* The first results of all primitives, and of all parts of one, share an array if they are of one
   * type, so that one copy to the host fetches them all; likewise the second results. Results of one
   * primitive or part never share an array: TornadoVM does not terminate if two arguments that a
   * kernel writes are the same array. A result takes two elements: its value and the run counter.
   */

  private record Bank(int routine, ElementType type, int place) {}

  private Program program;
  private final BiFunction<ElementType, Integer, TornadoNativeArray> allocation;
  private final List<TornadoNativeArray> allocated = new ArrayList<>();
  private final Map<String, Input> inputs = new LinkedHashMap<>();
  private final Map<String, TornadoNativeArray> arrays = new HashMap<>();
  private final Map<String, TornadoNativeArray> presets = new LinkedHashMap<>();
  private final Map<String, Primitive.Slot> written = new LinkedHashMap<>();
  private final Map<Bank, TornadoNativeArray> results = new LinkedHashMap<>();
  private final Map<String, Integer> resultIndices = new LinkedHashMap<>();
  private final Map<String, Integer> shapeAt = new HashMap<>();
  private final Map<Integer, List<FoundLength>> firstNeeded = new HashMap<>();

  /** The tables of all lengths that are found, which end the shape array. */
  private final List<Integer> tables = new ArrayList<>();

  private final Map<String, int[]> ranges = new HashMap<>();
  private final Map<TornadoNativeArray, @Nullable Object> buffers = new IdentityHashMap<>();

  /** Offsets and lengths as of the last launch, which hold for the arrays that it wrote. */
  private Map<String, int[]> told = ranges;

  private final IntArray shape;

  /** While the host writes the shape array, lengths that kernels find are not known. */
  private boolean isTelling = true;

  /**
   * Allocates the arrays in ordinary memory of the host.
   *
   * @param program what they are for
   * @param bound the caller's arrays that serve as inputs or are written, by name
   */
  public ProgramArrays(Program program, Map<String, TornadoNativeArray> bound) {
    this(program, bound, ProgramArrays::allocate);
  }

  /**
   * Reuses the arrays of a program of the same {@link ProgramKind}, as they are except for its
   * results. The run counters after the results stay, since they are on the device too.
   *
   * @param kept the arrays that that program {@linkplain #allocated allocated}
   */
  ProgramArrays(Program program, List<TornadoNativeArray> kept) {
    this(program, Map.of(), inOrder(kept.iterator()));
    resultIndices.forEach(
        (name, index) -> {
          TornadoNativeArray array = present(name);
          long bytes = array.getElementSize();
          array.getSegment().asSlice(index * bytes, bytes).fill((byte) 0);
        });
  }

  private static BiFunction<ElementType, Integer, TornadoNativeArray> inOrder(
      Iterator<TornadoNativeArray> arrays) {
    return (type, length) -> arrays.next();
  }

  /**
   * Takes the arrays from an allocation.
   *
   * @param program what they are for
   * @param bound the caller's arrays that serve as inputs or are written, by name
   * @param allocation returns the next array, of a type and at least a number of elements
   */
  public ProgramArrays(
      Program program,
      Map<String, TornadoNativeArray> bound,
      BiFunction<ElementType, Integer, TornadoNativeArray> allocation) {
    this(program, bound, allocation, Map.of());
  }

  /** With {@code of}, by some of the bound arrays, the {@link #buffers}. */
  ProgramArrays(
      Program program,
      Map<String, TornadoNativeArray> bound,
      BiFunction<ElementType, Integer, TornadoNativeArray> allocation,
      Map<TornadoNativeArray, @Nullable Object> of) {
    this.program = program;
    this.allocation = allocation;
    buffers.putAll(of);
    for (Input input : program.inputs()) {
      inputs.put(input.name(), input);
      TornadoNativeArray given = bound.get(input.name());
      arrays.put(input.name(), given != null ? given : newArray(input));
      ranges.put(input.name(), new int[] {0, 0});
    }
    program.tables().forEach(input -> buffers.putIfAbsent(present(input), null));
    for (Layout layout : program.layouts()) {
      for (Primitive.Slot slot : layout.scratch()) {
        if (!arrays.containsKey(slot.name())) {
          arrays.put(slot.name(), newArray(slot.type(), slot.length()));
        }
      }
      for (Layout.Filled filled : layout.filled()) {
        TornadoNativeArray array = newArray(filled.slot().type(), filled.slot().length());
        fill(array, filled.value());
        arrays.put(filled.slot().name(), array);
        presets.put(filled.slot().name(), array);
      }
      for (Primitive.Slot slot : layout.arrays()) {
        TornadoNativeArray given = bound.get(slot.name());
        arrays.put(slot.name(), given != null ? given : newArray(slot.type(), slot.length()));
        written.put(slot.name(), slot);
      }
    }
    Map<Bank, List<String>> names = new LinkedHashMap<>();
    for (int routine = 0; routine < program.routines().size(); routine++) {
      for (Step step : program.routines().get(routine).steps()) {
        Layout layout = step.layout();
        Map<String, Integer> places = new HashMap<>(); // of this step, others begin at 0 again
        for (List<Primitive.Slot> ofPart : layout.deliveredByParts()) {
          Set<Bank> taken = new HashSet<>();
          for (Primitive.Slot slot : besidesFirst(ofPart, layout)) {
            Integer beside = places.get(layout.besides(slot.name()));
            Bank bank = new Bank(routine, slot.type(), beside == null ? 0 : beside);
            while (beside == null && taken.contains(bank)) {
              bank = new Bank(routine, slot.type(), bank.place() + 1);
            }
            taken.add(bank);
            places.put(slot.name(), bank.place());
            names.computeIfAbsent(bank, _ -> new ArrayList<>()).add(slot.name());
          }
        }
      }
    }
    names.forEach(
        (bank, ofBank) -> {
          TornadoNativeArray array = newArray(bank.type(), 2 * ofBank.size());
          results.put(bank, array);
          for (String name : ofBank) {
            resultIndices.put(name, 2 * ofBank.indexOf(name));
            arrays.put(name, array);
          }
        });
    int shapeInts = 0;
    for (Step step : program.steps()) {
      shapeAt.put(step.id(), shapeInts);
      shapeInts += step.wholeShape(this).length;
    }
    for (Routine routine : program.routines()) {
      Map<String, List<FoundLength.Need>> needs = new LinkedHashMap<>();
      for (Step step : routine.steps()) {
        for (FoundLength.Need need : FoundLength.Need.of(step, this, shapeAt(step))) {
          needs.computeIfAbsent(need.found(), _ -> new ArrayList<>()).add(need);
        }
      }
      for (Map.Entry<String, List<FoundLength.Need>> each : needs.entrySet()) {
        FoundLength length =
            new FoundLength(each.getKey(), each.getValue(), shapeInts + tables.size());
        int first = length.needs().getFirst().shapeAt();
        firstNeeded.computeIfAbsent(first, _ -> new ArrayList<>()).add(length);
        tables.addAll(length.table());
      }
    }
    shape = (IntArray) newArray(ElementType.INT, shapeInts + tables.size());
  }

  /** With those first that must be in the array of an earlier result. */
  private static List<Primitive.Slot> besidesFirst(List<Primitive.Slot> results, Layout layout) {
    return results.stream()
        .sorted(Comparator.comparing(slot -> layout.besides(slot.name()) == null))
        .toList();
  }

  /** Arrays for another program that share all inputs, outputs and lengths with these. */
  ProgramArrays forProgram(
      Program other, BiFunction<ElementType, Integer, TornadoNativeArray> others) {
    Map<String, TornadoNativeArray> shared = new HashMap<>();
    inputs.keySet().forEach(name -> shared.put(name, present(name)));
    written.keySet().forEach(name -> shared.put(name, present(name)));
    ProgramArrays result = new ProgramArrays(other, shared, others, buffers);
    result.ranges.putAll(ranges);
    return result;
  }

  /** Continues with a program that differs only in what functions captured. */
  void take(Program other) {
    program = other;
  }

  /** Sets all results and their run counters to zero, on the host. */
  public void clearResults() {
    results.values().forEach(array -> array.getSegment().fill((byte) 0));
  }

  private TornadoNativeArray newArray(Input input) {
    boolean asLongs =
        input.type() == ElementType.BYTE
            && program.layouts().stream()
                .filter(layout -> layout.inputs().contains(input.name()))
                .allMatch(layout -> layout.inputsAsLongs().contains(input.name()));
    return asLongs
        ? newArray(ElementType.LONG, Math.ceilDiv(input.capacity(), Long.BYTES))
        : newArray(input.type(), input.capacity());
  }

  private TornadoNativeArray newArray(ElementType type, int length) {
    TornadoNativeArray array = allocation.apply(type, length);
    allocated.add(array);
    return array;
  }

  /** The ids of all kernels' tasks, in order. */
  String taskIds() {
    return IntStream.range(0, program.routines().size())
        .mapToObj(this::tasks)
        .flatMap(List::stream)
        .map(KernelTask::id)
        .collect(Collectors.joining(", "));
  }

  /** All arrays except the caller's, in the order in which they were allocated. */
  List<TornadoNativeArray> allocated() {
    return List.copyOf(allocated);
  }

  /** A new TornadoVM array of zeros of at least one element, in ordinary memory. */
  public static TornadoNativeArray allocate(ElementType type, int length) {
    int size = Math.max(1, length);
    return switch (type) {
      case BYTE -> new ByteArray(size);
      case INT -> new IntArray(size);
      case LONG -> new LongArray(size);
      case FLOAT -> new FloatArray(size);
      case DOUBLE -> new DoubleArray(size);
    };
  }

  /**
   * The type of an array's elements.
   *
   * @throws IllegalArgumentException if there are no primitives over such arrays
   */
  public static ElementType typeOf(TornadoNativeArray array) {
    return switch (array) {
      case ByteArray _ -> ElementType.BYTE;
      case IntArray _ -> ElementType.INT;
      case LongArray _ -> ElementType.LONG;
      case FloatArray _ -> ElementType.FLOAT;
      case DoubleArray _ -> ElementType.DOUBLE;
      default ->
          throw new IllegalArgumentException(
              "no primitives over %s: use ByteArray, IntArray, LongArray, FloatArray or DoubleArray"
                  .formatted(array.getClass().getSimpleName()));
    };
  }

  private static void fill(TornadoNativeArray array, Number value) {
    switch (array) {
      case IntArray a -> a.init(value.intValue());
      case LongArray a -> a.init(value.longValue());
      case FloatArray a -> a.init(value.floatValue());
      case DoubleArray a -> a.init(value.doubleValue());
      default -> throw new IllegalStateException("an array of " + array.getClass());
    }
  }

  /** Bytes that arrays of a program take on a device, bound ones included. */
  public static long bytes(Program program) {
    long bytes = 0;
    Primitive.Lengths lengths = program.lengths(input -> 0);
    for (Input input : program.inputs()) {
      bytes += (long) input.capacity() * input.type().bytes();
    }
    Map<String, Primitive.Slot> slots = new HashMap<>(); // slots of the same name are one array
    for (Step step : program.steps()) {
      Layout layout = step.layout();
      layout.arrays().forEach(slot -> slots.putIfAbsent(slot.name(), slot));
      layout.scratch().forEach(slot -> slots.putIfAbsent(slot.name(), slot));
      for (Layout.Filled filled : layout.filled()) {
        bytes += (long) filled.slot().length() * filled.slot().type().bytes();
      }
      bytes += 4L * step.wholeShape(lengths).length + 16L * layout.delivered().size();
    }
    program.inputs().forEach(input -> slots.remove(input.name()));
    for (Primitive.Slot slot : slots.values()) {
      bytes += (long) slot.length() * slot.type().bytes();
    }
    return bytes;
  }

  /** All launches of a program of one routine, in order. */
  public List<KernelTask> tasks() {
    return tasks(0);
  }

  /** All launches of a routine, in order. */
  public List<KernelTask> tasks(int routine) {
    return steps(routine).stream().flatMap(p -> tasks(p).stream()).toList();
  }

  /** The launches of a primitive of the program, in order. */
  public List<KernelTask> tasks(Step step) {
    Launches launches = Launches.of(step, this, shapeAt(step));
    step.launch(launches);
    return launches.tasks();
  }

  /** The times of the primitives of a routine, from the times of its launches. */
  List<PrimitiveTime> times(int routine, List<Long> launches) {
    List<PrimitiveTime> times = new ArrayList<>();
    int from = 0;
    for (Step step : launches.isEmpty() ? List.<Step>of() : steps(routine)) {
      int to = from + tasks(step).size();
      long nanos = launches.subList(from, to).stream().mapToLong(Long::longValue).sum();
      times.add(new PrimitiveTime(step.id(), nanos, to - from));
      from = to;
    }
    return times;
  }

  private List<Step> steps(int routine) {
    return program.routines().get(routine).steps();
  }

  private Stream<Layout> layouts(int routine) {
    return steps(routine).stream().map(Step::layout);
  }

  /**
   * The arrays that are in memory of the device already, which belongs to others: they are neither
   * uploaded, allocated nor freed. With each is what {@link Launcher#buffer} said of it, or null if
   * that is not known yet.
   */
  public Map<TornadoNativeArray, @Nullable Object> buffers() {
    return buffers;
  }

  /** Sets the memory of an input that is not this program's; returns whether it is another one. */
  boolean lend(String input, Object buffer) {
    return buffers.put(present(input), buffer) != buffer;
  }

  /** The inputs' arrays, except {@link #buffers}. */
  public List<TornadoNativeArray> inputArrays() {
    return own(inputs.keySet()).toList();
  }

  private Stream<TornadoNativeArray> own(Collection<String> names) {
    return names.stream().map(this::present).filter(array -> !buffers.containsKey(array));
  }

  /** Inputs, and what routines write, except {@link #buffers}. */
  public List<TornadoNativeArray> visibleArrays() {
    return Stream.concat(own(inputs.keySet()), own(written.keySet())).toList();
  }

  /** What is uploaded before a run: inputs, arrays filled before, and the shape array, by name. */
  public Map<String, TornadoNativeArray> uploadedArrays() {
    Map<String, TornadoNativeArray> uploaded = new LinkedHashMap<>();
    inputs.keySet().stream()
        .filter(name -> !buffers.containsKey(present(name)))
        .forEach(name -> uploaded.put("input " + name, present(name)));
    presets.forEach((name, array) -> uploaded.put("array " + name, array));
    uploaded.put("the array of lengths", shape);
    return uploaded;
  }

  /**
   * The arrays that a routine writes, each once, except those that are inputs as well, and {@link
   * #buffers}.
   */
  public List<TornadoNativeArray> writtenArrays(int routine) {
    List<TornadoNativeArray> inputArrays = inputArrays();
    return own(layouts(routine)
            .flatMap(layout -> layout.arrays().stream())
            .map(Primitive.Slot::name)
            .toList())
        .filter(array -> inputArrays.stream().noneMatch(input -> input == array))
        .distinct()
        .toList();
  }

  /**
   * An array that a primitive writes.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public TornadoNativeArray written(String name) {
    if (!written.containsKey(name)) {
      throw new IllegalArgumentException(
          "no array %s; there are %s".formatted(name, written.keySet()));
    }
    return present(name);
  }

  /** The arrays that only kernels use, of a routine. */
  public List<TornadoNativeArray> scratchArrays(int routine) {
    return layouts(routine)
        .flatMap(layout -> layout.scratch().stream())
        .map(slot -> present(slot.name()))
        .distinct()
        .toList();
  }

  /** The arrays that are filled before the first run. */
  public List<TornadoNativeArray> presetArrays() {
    return List.copyOf(presets.values());
  }

  /** The arrays that hold results of a routine. */
  public List<TornadoNativeArray> resultArrays(int routine) {
    return results.entrySet().stream()
        .filter(bank -> bank.getKey().routine() == routine)
        .map(Map.Entry::getValue)
        .toList();
  }

  /** The arrays that hold results of all routines, by their names for messages. */
  public Map<String, TornadoNativeArray> allResultArrays() {
    Map<String, TornadoNativeArray> all = new LinkedHashMap<>();
    results.forEach(
        (bank, array) ->
            all.put(
                "the array of results %s of type %s".formatted(bank.place() + 1, bank.type())
                    + (bank.routine() == 0 ? "" : " of routine " + bank.routine()),
                array));
    return all;
  }

  private TornadoNativeArray present(String name) {
    return Objects.requireNonNull(arrays.get(name), name);
  }

  private Map<String, int[]> ranges(String name) {
    return written.containsKey(name) ? told : ranges;
  }

  /** Whether the program has an input of this name. */
  public boolean hasInput(String name) {
    return inputs.containsKey(name);
  }

  /** Copies an input's elements to the front of its array. */
  public void set(String input, MemorySegment elements) {
    set(input, elements, Integer.MAX_VALUE);
  }

  /** Copies at most {@code most} of an input's elements, but sets the length of all. */
  void set(String input, MemorySegment elements, int most) {
    long bytes = Objects.requireNonNull(inputs.get(input), input).type().bytes();
    long copied = Math.min(elements.byteSize(), most * bytes);
    Copying.copy(elements.asSlice(0, copied), present(input).getSegment().asSlice(0, copied));
    setRange(input, 0, (int) (elements.byteSize() / bytes));
  }

  /** Sets where an input is in its array. */
  public void setRange(String input, int offset, int length) {
    ranges.put(input, new int[] {offset, length});
  }

  /** The type of an input, or of an array that a primitive writes. */
  ElementType type(String name) {
    Input input = inputs.get(name);
    return input != null ? input.type() : Objects.requireNonNull(written.get(name), name).type();
  }

  /**
   * The elements of an input, or of an array with the length of the last launch, as they are on the
   * host.
   */
  public MemorySegment elements(String name) {
    long bytes = type(name).bytes();
    return present(name).getSegment().asSlice(offset(name) * bytes, length(name) * bytes);
  }

  /**
   * Writes what the kernels must know of the inputs' lengths, and values that functions captured,
   * into the shape array; returns whether any of it is new.
   */
  public boolean writeShape() {
    told = Map.copyOf(ranges);
    isTelling = true;
    boolean differs = false;
    for (Step step : program.steps()) {
      MemorySegment ints = MemorySegment.ofArray(step.wholeShape(this));
      long at = (long) shapeAt(step) * Integer.BYTES;
      MemorySegment there = shape.getSegment().asSlice(at, ints.byteSize());
      differs |= there.mismatch(ints) >= 0;
      there.copyFrom(ints);
    }
    isTelling = false;
    int at = shape.getSize() - tables.size();
    for (int value : tables) {
      shape.set(at++, value);
    }
    return differs;
  }

  /** Whether values that functions captured may change between runs. */
  boolean mayChange() {
    return program.steps().stream().anyMatch(Step::mayChange);
  }

  /** A result, as it now is on the host. */
  public Number result(String name) {
    return element(name, 0);
  }

  /**
   * The first result of a routine whose counter is not that of its run {@code runs}, with both
   * counters, or an empty string, which means that all kernels of that run have done their work and
   * all results were copied back.
   */
  public String missingRun(int routine, long runs) {
    List<String> names =
        layouts(routine)
            .flatMap(layout -> layout.delivered().stream())
            .map(Primitive.Slot::name)
            .toList();
    for (String name : names) {
      int counted = runs(name);
      if (counted != RunCounter.after(runs)) {
        return "result %s was delivered by run %s, expected run %s"
            .formatted(name, counted, RunCounter.after(runs));
      }
    }
    return "";
  }

  /** The run counter after a result, as it now is on the host. */
  public int runs(String result) {
    return element(result, 1).intValue();
  }

  private Number element(String result, int next) {
    return element(present(result), index(result) + next);
  }

  /** An element of an array, as a Byte, Integer, Long, Float or Double. */
  public static Number element(TornadoNativeArray array, int at) {
    return switch (array) {
      case ByteArray a -> a.get(at);
      case IntArray a -> a.get(at);
      case LongArray a -> a.get(at);
      case FloatArray a -> a.get(at);
      case DoubleArray a -> a.get(at);
      default -> throw new IllegalStateException("an array of " + array.getClass());
    };
  }

  @Override
  public IntArray shape() {
    return shape;
  }

  /** Where a primitive's own ints begin in {@link #shape}. */
  public int shapeAt(Step step) {
    return Objects.requireNonNull(shapeAt.get(step.id()), step.id());
  }

  @Override
  public Object array(String name) {
    return present(name);
  }

  @Override
  public int index(String result) {
    return Objects.requireNonNull(resultIndices.get(result), result);
  }

  @Override
  public int offset(String name) {
    int[] range = ranges(name).get(name);
    return range == null ? 0 : range[0];
  }

  @Override
  public int length(String name) {
    Map<String, int[]> of = ranges(name);
    return program
        .lengths(
            input -> Objects.requireNonNull(of.get(input), input)[1],
            length -> isTelling ? null : result(length))
        .length(name);
  }

  @Override
  public @Nullable String found(String input) {
    return program.found(input);
  }

  @Override
  public List<FoundLength> firstNeeded(int at) {
    return firstNeeded.getOrDefault(at, List.of());
  }
}
