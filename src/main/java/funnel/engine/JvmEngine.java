package funnel.engine;

import funnel.jit.ArrayPool;
import funnel.jit.CallChain;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.Layout;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Primitive.Combined;
import funnel.operation.Step;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Runs programs on the JVM, on all cores.
 *
 * <p>With {@code Scaled}, the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="reference"}
 */
public final class JvmEngine implements Engine {

  private static final String THE_JVM = "the JVM";

  /** An engine; it holds nothing. */
  public JvmEngine() {}

  @Override
  public Target target() {
    return Target.JVM;
  }

  @Override
  public String description() {
    return "JVM %s on %s cores".formatted(Runtime.version(), ParallelRows.cores());
  }

  @Override
  public Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("engine", "jvm");
    details.put("java", System.getProperty("java.vm.name", "?") + " " + Runtime.version());
    details.put("cores", Integer.toString(ParallelRows.cores()));
    details.put("heap", Long.toString(Runtime.getRuntime().maxMemory()));
    return details;
  }

  @Override
  public LoadedProgram load(
      Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
    return new Loaded(program, bound, kept);
  }

  /**
   * Allocates an array in the heap, for all engines of the JVM; an OutOfMemoryError says that it is
   * too small, with both figures.
   */
  @Override
  public KeptArray keep(ElementType type, int length) {
    Input.requireLength("length of a kept array", length);
    try {
      return new KeptArray(
          type, length, Target.JVM, THE_JVM, new HeapMemory(JvmRun.newArray(type, length)));
    } catch (OutOfMemoryError e) {
      String what = KeptArray.description(type, length);
      throw ArrayPool.heapTooSmall(what, (long) length * type.bytes(), e);
    }
  }

  /** An array of all engines of the JVM whose elements are these, in the heap. */
  public static KeptArray kept(ElementType type, MemorySegment elements) {
    int length = Math.toIntExact(elements.byteSize() / type.bytes());
    KeptArray array = new KeptArray(type, length, Target.JVM, THE_JVM, new HeapMemory(elements));
    array.done(length);
    return array;
  }

  private record HeapMemory(MemorySegment segment) implements KeptArray.Memory {
    @Override
    public void send(MemorySegment elements) {
      Copying.copy(elements, segment.asSlice(0, elements.byteSize()));
    }

    @Override
    public void receive(long from, MemorySegment destination) {
      Copying.copy(segment.asSlice(from, destination.byteSize()), destination);
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Override
  public void close() {}

  private static final class Loaded implements LoadedProgram, JvmRun {
    private Program program;
    private final Map<String, MemorySegment> bound = new HashMap<>();
    private final KeptArrays keptArrays;
    private final Map<String, Input> inputs = new HashMap<>();
    private final Map<String, ElementType> types = new HashMap<>();
    private final Set<Combined> tried = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, MemorySegment> elements = new HashMap<>();
    private final Map<String, MemorySegment> destinations = new HashMap<>();
    private final Map<String, IntFunction<MemorySegment>> madeWhenWritten = new HashMap<>();
    private final Map<String, MemorySegment> kept = new HashMap<>();
    private final Map<String, MemorySegment> copies = new HashMap<>();
    private final List<MemorySegment> ofThisRun = new ArrayList<>();
    private final Set<String> readTwice = new HashSet<>();
    private final Set<String> changedInputs;
    private final Set<String> hidden = new HashSet<>();
    private final Set<String> tables;

    /** Arrays that are as long as their capacity until a result gives their length. */
    private final Map<String, List<String>> foundBy = new HashMap<>();

    private final Map<String, MemorySegment> copiedAtTheEnd = new HashMap<>();
    private final Map<String, Number> results = new HashMap<>();
    private final Primitive.Lengths lengths;
    private final Map<String, Object> made = new HashMap<>();
    private final Set<String> lost = new HashSet<>();
    private final List<PrimitiveTime> times = new ArrayList<>();
    private boolean measured;
    private boolean failed;

    /** Whether a run may find that a destination is too short: then it writes to none before. */
    private boolean mayBeTooShort;

    Loaded(Program program, Map<String, TornadoNativeArray> bound, KeptArrays keptArrays) {
      this.program = program;
      this.keptArrays = keptArrays;
      bound.forEach((name, array) -> this.bound.put(name, array.getSegment()));
      this.changedInputs = program.changedInputs();
      this.tables = program.tables();
      this.lengths = program.lengths(this::length, results::get);
      for (Input input : program.inputs()) {
        inputs.put(input.name(), input);
        types.put(input.name(), input.type());
      }
      for (Primitive.Slot slot : program.arrays()) {
        types.put(slot.name(), slot.type());
      }
      noteWhatIsTried();
      keptArrays
          .parts()
          .forEach(
              (name, part) -> {
                HeapMemory memory = memory(part.array());
                this.bound.put(name, memory.segment());
                place(name, part.from(), part.length());
              });
      for (Layout layout : program.layouts()) {
        layout.hidden().forEach((name, array) -> types.put(name, array.slot().type()));
        hidden.addAll(layout.hidden().keySet());
        layout.written().forEach(this::noteWhatFindsIt);
        layout.hidden().forEach(this::noteWhatFindsIt);
      }
      Set<String> read = new HashSet<>();
      for (Layout layout : program.layouts()) {
        for (String input : layout.inputs()) {
          if (!read.add(input)) {
            readTwice.add(input);
          }
        }
      }
    }

    /** Plans try operators over inputs before they run. */
    private void noteWhatIsTried() {
      tried.clear();
      program.steps().stream()
          .flatMap(step -> step.combined().stream())
          .filter(each -> inputs.containsKey(each.input()))
          .forEach(tried::add);
    }

    private void noteWhatFindsIt(String name, Layout.Array array) {
      if (array.found() != null) {
        foundBy.computeIfAbsent(array.found(), _ -> new ArrayList<>()).add(name);
      }
    }

    private long bytesOf(String name) {
      return Objects.requireNonNull(types.get(name), name).bytes();
    }

    @Override
    public void set(String input, MemorySegment segment) {
      keptArrays.requireOther(input);
      lost.remove(input);
      if (changedInputs.contains(input)) {
        MemorySegment own = own(input, segment.byteSize());
        MemorySegment.copy(segment, 0, own, 0, segment.byteSize());
        elements.put(input, own);
      } else {
        elements.put(input, segment);
      }
    }

    /** Functions read kept arrays where they are. */
    @Override
    public void set(String input, KeptArray array) {
      MemorySegment all = memory(array).segment();
      elements.put(input, all.asSlice(0, array.written() * bytesOf(input)));
    }

    @Override
    public void setLength(String input, int length) {
      lost.remove(input);
      elements.put(input, own(input, length * bytesOf(input)));
    }

    private static HeapMemory memory(KeptArray array) {
      return (HeapMemory) array.memory(Target.JVM, THE_JVM);
    }

    @Override
    public void keep(String input, MemorySegment segment) {
      set(input, changedInputs.contains(input) ? segment : copy(input, segment));
    }

    /** A copy in an array of the elements' type, which loops read without another copy. */
    private MemorySegment copy(String input, MemorySegment segment) {
      MemorySegment place = copies.get(input);
      if (place == null || place.byteSize() < segment.byteSize()) {
        int length = Math.toIntExact(segment.byteSize() / bytesOf(input));
        place = JvmRun.newArray(Objects.requireNonNull(types.get(input), input), length);
        copies.put(input, place);
      }
      MemorySegment copy = place.asSlice(0, segment.byteSize());
      Copying.copy(segment, copy);
      return copy;
    }

    /**
     * Memory for an array, with undefined contents: a Java array of bytes, ints or longs, over
     * which loops need no copies; floats and doubles are moved as ints and longs.
     */
    private MemorySegment memory(String name, long bytes) {
      try {
        long size = bytes > bytesOf(name) * Input.LARGEST_CAPACITY ? Long.BYTES : bytesOf(name);
        int length = Math.toIntExact(Math.ceilDiv(bytes, size));
        return switch ((int) size) {
          case Byte.BYTES -> MemorySegment.ofArray(ArrayPool.bytes(length));
          case Integer.BYTES -> MemorySegment.ofArray(ArrayPool.ints(length));
          default -> MemorySegment.ofArray(ArrayPool.longs(length));
        };
      } catch (OutOfMemoryError e) {
        throw ArrayPool.heapTooSmall(name, bytes, e);
      }
    }

    /** Memory owned by the program for an input or array. */
    private MemorySegment own(String name, long bytes) {
      MemorySegment place = kept.get(name);
      if (place == null || place.byteSize() < bytes) {
        if (place != null) {
          ArrayPool.giveBack(place);
        }
        place = memory(name, bytes);
        kept.put(name, place);
      }
      return place.asSlice(0, bytes);
    }

    @Override
    public void setRange(String input, int offset, int length) {
      keptArrays.requireOther(input);
      place(input, offset, length);
    }

    private void place(String input, int offset, int length) {
      lost.remove(input);
      MemorySegment array = Objects.requireNonNull(bound.get(input), input);
      long bytes = bytesOf(input);
      MemorySegment part = array.asSlice(offset * bytes, length * bytes);
      if (inputs.containsKey(input)) {
        elements.put(input, part);
      } else {
        destinations.put(input, part);
      }
    }

    @Override
    public void setDestination(String array, MemorySegment destination) {
      keptArrays.requireOther(array);
      destinations.put(array, destination);
    }

    @Override
    public void setDestination(String array, IntFunction<MemorySegment> make) {
      keptArrays.requireOther(array);
      madeWhenWritten.put(array, make);
    }

    @Override
    public MemorySegment output(String name) {
      long bytes = lengths.length(name) * bytesOf(name);
      IntFunction<MemorySegment> make = madeWhenWritten.remove(name);
      if (make != null) {
        destinations.put(name, make.apply(lengths.length(name)));
      }
      MemorySegment place = destinations.get(name);
      if (place != null
          && !bound.containsKey(name)
          && (mayBeTooShort || isStillRead(place) || place.byteSize() < bytes)) {
        copiedAtTheEnd.put(name, place);
        place = null;
      }
      MemorySegment output =
          hidden.contains(name)
              ? ofThisRun(name, bytes)
              : place == null ? own(name, bytes) : place.asSlice(0, bytes);
      elements.put(name, output);
      return output;
    }

    private MemorySegment ofThisRun(String name, long bytes) {
      MemorySegment memory = memory(name, bytes);
      ofThisRun.add(memory);
      return memory.asSlice(0, bytes);
    }

    /** Whether a bound input is in a destination, which is filled when all have read it. */
    private boolean isStillRead(MemorySegment place) {
      return readTwice.stream()
          .anyMatch(
              input ->
                  bound.containsKey(input) && place.asOverlappingSlice(input(input)).isPresent());
    }

    /**
     * Copies inputs that were set and are in destinations; of those for this run alone, only the
     * ones that are read twice.
     */
    private void keepInputs(Set<String> ofThisRunAlone) {
      for (String input : inputs.keySet()) {
        MemorySegment given = input(input);
        if (!bound.containsKey(input)
            && (!ofThisRunAlone.contains(input) || readTwice.contains(input))
            && destinations.values().stream()
                .anyMatch(place -> place.asOverlappingSlice(given).isPresent())) {
          elements.put(input, own(input, given.byteSize()).copyFrom(given));
        }
      }
    }

    @Override
    public void fetch(String array, MemorySegment destination) {
      requireWhole(array);
      MemorySegment.copy(input(array), 0, destination, 0, destination.byteSize());
    }

    @Override
    public void release() {
      elements.keySet().removeIf(name -> !bound.containsKey(name) && !changedInputs.contains(name));
      destinations.keySet().retainAll(bound.keySet());
      madeWhenWritten.clear();
    }

    @Override
    public void take(Program other) {
      program = other;
      noteWhatIsTried();
      made.clear();
    }

    @Override
    public void run(int routine) {
      keptArrays.locked(
          () -> {
            keepInputs(Set.of());
            return runPrimitives(routine);
          });
    }

    @Override
    public void run(Map<String, MemorySegment> given) {
      keptArrays.locked(
          () -> {
            given.forEach(this::set);
            keepInputs(given.keySet());
            return runPrimitives(0);
          });
    }

    private boolean runPrimitives(int routine) {
      if (!lost.isEmpty()) {
        throw new IllegalStateException(
            "inputs %s were changed by a run that failed and are lost: set them again"
                .formatted(lost));
      }
      results.clear();
      times.clear();
      copiedAtTheEnd.clear();
      mayBeTooShort = destinations.keySet().stream().anyMatch(this::mayBeTooShort);
      failed = true;
      keptArrays.requireWritten();
      keptArrays.begin();
      try {
        List<Step> steps = program.routines().get(routine).steps();
        steps.forEach(each -> lost.addAll(each.layout().changedInputs()));
        lost.removeIf(keptArrays::has); // these say themselves that they are
        for (Step each : steps) {
          CallChain.requireWanted();
          long start = System.nanoTime();
          each.runOnJvm(this);
          times.add(new PrimitiveTime(each.id(), System.nanoTime() - start, 0));
        }
        failed = false;
        lost.clear();
      } finally {
        elements.keySet().removeAll(hidden);
        elements.keySet().removeAll(tables);
        ofThisRun.forEach(ArrayPool::giveBack);
        ofThisRun.clear();
        if (failed) {
          results.clear();
        }
      }
      program.requireRoom(lengths, copiedAtTheEnd);
      copiedAtTheEnd.forEach(
          (name, place) -> fetch(name, place.asSlice(0, lengths.length(name) * bytesOf(name))));
      keptArrays.done(lengths);
      return true;
    }

    private boolean mayBeTooShort(String array) {
      return program.found(array) != null
          && Objects.requireNonNull(destinations.get(array), array).byteSize()
              < lengths.length(array) * bytesOf(array);
    }

    private void requireWhole(String read) {
      if (lost.contains(read)) {
        throw new IllegalStateException(
            "input %s was lost when a run failed: set it again".formatted(read));
      }
      if (failed && !inputs.containsKey(read)) {
        throw new IllegalStateException(
            "the last run failed: run again before %s is read".formatted(read));
      }
    }

    @Override
    public MemorySegment input(String name) {
      return elements.getOrDefault(name, MemorySegment.NULL);
    }

    @Override
    public int length(String name) {
      return (int) (input(name).byteSize() / bytesOf(name));
    }

    @Override
    public void deliver(String name, Number value) {
      results.put(name, value);
      for (String array : foundBy.getOrDefault(name, List.of())) {
        long bytes = lengths.length(array) * bytesOf(array);
        elements.computeIfPresent( // of this run, or of an earlier one, which may be shorter
            array, (_, all) -> all.asSlice(0, Math.min(bytes, all.byteSize())));
      }
    }

    @Override
    public void combines(List<Combined> all) {
      for (Combined each : all) {
        String of = each.input();
        ElementType type = types.get(of);
        if (each.operator().isUser() && type != null && length(of) > 0 && !tried.contains(each)) {
          OperatorTrial.run(each, OperatorTrial.some(type, input(of), length(of)));
          tried.add(each);
        }
      }
    }

    @Override
    public <T> T kept(String id, Class<T> type, Supplier<T> make) {
      return type.cast(made.computeIfAbsent(id, absent -> make.get()));
    }

    @Override
    public Number result(String name) {
      Number result = results.get(name);
      if (result == null) {
        requireWhole(name);
      }
      return Objects.requireNonNull(result, name);
    }

    @Override
    public long deviceBytes() {
      return 0;
    }

    @Override
    public void measureKernels(boolean on) {
      measured = on;
      times.clear();
    }

    @Override
    public List<PrimitiveTime> times() {
      return measured && !failed ? List.copyOf(times) : List.of();
    }

    @Override
    public long kernelNanos() {
      List<PrimitiveTime> of = times();
      return of.isEmpty() ? -1 : of.stream().mapToLong(PrimitiveTime::nanos).sum();
    }

    @Override
    public void close() {
      elements.clear();
      destinations.clear();
      kept.values().forEach(ArrayPool::giveBack);
      kept.clear();
      copies.clear();
      results.clear();
    }
  }
}
