package funnel.engine;

import funnel.jit.KernelTask;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * A primitive that is made of others, one after the other, with arrays between them that nobody
 * else sees.
 *
 * <p>Of a scan from {@code x} to {@code y.first} and one from {@code y.first} to {@code y}, with
 * {@code y} visible, it makes the scan of the scan of {@code x}.
 *
 * <p>With {@code Scaled}, the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="composite"}
 */
public final class Composite implements Primitive {

  private final String id;
  private final List<Primitive> parts;
  private final Set<String> visible;
  private final @Nullable Consumer<JvmRun> onJvm;

  private Composite(
      String id, List<Primitive> parts, Set<String> visible, @Nullable Consumer<JvmRun> onJvm) {
    this.id = Objects.requireNonNull(id, "id");
    this.parts = List.copyOf(parts);
    this.visible = Set.copyOf(visible);
    this.onJvm = onJvm;
  }

  /**
   * A primitive of parts.
   *
   * @param id its name
   * @param parts the parts, each of which may read what earlier ones write
   * @param visible the arrays that the whole writes; all others of the parts are scratch, named
   *     {@code id + "."} and something
   */
  public static Composite of(String id, List<Primitive> parts, Set<String> visible) {
    return new Composite(id, parts, visible, null);
  }

  /**
   * A primitive of parts that does its work otherwise on the JVM.
   *
   * @param id its name
   * @param parts the parts, for a device
   * @param visible the arrays that the whole writes
   * @param onJvm writes the same arrays and delivers all results of all parts
   */
  public static Composite of(
      String id, List<Primitive> parts, Set<String> visible, Consumer<JvmRun> onJvm) {
    return new Composite(id, parts, visible, Objects.requireNonNull(onJvm, "onJvm"));
  }

  private Composite each(UnaryOperator<Primitive> change) {
    return new Composite(id, parts.stream().map(change).toList(), visible, onJvm);
  }

  private <T> List<T> all(Function<Primitive, List<T>> of) {
    return parts.stream().flatMap(part -> of.apply(part).stream()).toList();
  }

  private Stream<Slot> hidden() {
    return all(Primitive::arrays).stream().filter(slot -> !visible.contains(slot.name()));
  }

  private Primitive writer(String array) {
    return parts.stream()
        .filter(part -> part.arrays().stream().anyMatch(slot -> slot.name().equals(array)))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("%s writes no array %s".formatted(id, array)));
  }

  /** The lengths that the parts see. */
  private Lengths within(Lengths outside) {
    Set<String> names = new LinkedHashSet<>(hidden().map(Slot::name).toList());
    return new Lengths() {
      @Override
      public int offset(String name) {
        return names.contains(name) ? 0 : outside.offset(name);
      }

      @Override
      public int length(String name) {
        return names.contains(name) ? writer(name).lengthOf(name, this) : outside.length(name);
      }

      @Override
      public int index(String result) {
        return outside.index(result);
      }
    };
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String signature() {
    return String.join(" then ", parts.stream().map(Primitive::signature).toList());
  }

  @Override
  public List<String> inputs() {
    Set<String> inputs = new LinkedHashSet<>(all(Primitive::inputs));
    all(Primitive::arrays).forEach(slot -> inputs.remove(slot.name()));
    return List.copyOf(inputs);
  }

  @Override
  public List<String> changedInputs() {
    return all(Primitive::changedInputs);
  }

  @Override
  public List<String> inputsInPlace(String array) {
    Primitive writer = writer(array);
    List<Primitive> later = parts.subList(parts.indexOf(writer) + 1, parts.size());
    return writer.inputsInPlace(array).stream()
        .filter(input -> later.stream().noneMatch(part -> part.inputs().contains(input)))
        .toList();
  }

  @Override
  public List<String> inputsAsLongs() {
    return parts.stream()
        .flatMap(part -> part.inputsAsLongs().stream())
        .filter(input -> parts.stream().filter(part -> part.inputs().contains(input)).count() == 1)
        .toList();
  }

  @Override
  public List<Slot> arrays() {
    return all(Primitive::arrays).stream().filter(slot -> visible.contains(slot.name())).toList();
  }

  @Override
  public int lengthOf(String array, Lengths lengths) {
    return writer(array).lengthOf(array, within(lengths));
  }

  @Override
  public List<Slot> results() {
    return all(Primitive::results);
  }

  @Override
  public List<Slot> scratch() {
    return Stream.concat(all(Primitive::scratch).stream(), hidden()).toList();
  }

  @Override
  public List<Preset> presets() {
    return all(Primitive::presets);
  }

  @Override
  public String gaveUp(Function<String, Number> results) {
    return parts.stream()
        .map(part -> part.gaveUp(results))
        .filter(place -> !place.isEmpty())
        .findFirst()
        .orElse("");
  }

  @Override
  public void requireAccepted(Function<String, Number> results, Lengths lengths) {
    Lengths within = within(lengths);
    parts.forEach(part -> part.requireAccepted(results, within));
  }

  @Override
  public Primitive on(Device device) {
    return each(part -> part.on(device));
  }

  @Override
  public Primitive over(Set<String> arrays) {
    return each(part -> part.over(arrays));
  }

  @Override
  public Primitive instead() {
    return each(Primitive::instead);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    Lengths within = within(lengths);
    parts.forEach(part -> part.requireLengths(within));
  }

  @Override
  public int[] shape(Lengths lengths) {
    Lengths within = within(lengths);
    return parts.stream().flatMapToInt(part -> Arrays.stream(part.shape(within))).toArray();
  }

  @Override
  public List<KernelTask> tasks(DeviceArrays arrays) {
    List<KernelTask> tasks = new ArrayList<>();
    Lengths within = within(arrays);
    int at = arrays.shapeAt(this);
    for (Primitive part : parts) {
      tasks.addAll(part.tasks(new PartArrays(arrays, at)));
      at += part.shape(within).length;
    }
    return tasks;
  }

  /** The arrays of a part, whose ints begin at {@code at}. */
  private record PartArrays(DeviceArrays arrays, int at) implements DeviceArrays {
    @Override
    public IntArray shape() {
      return arrays.shape();
    }

    @Override
    public int shapeAt(Primitive primitive) {
      return at;
    }

    @Override
    public Object array(String name) {
      return arrays.array(name);
    }

    @Override
    public int index(String result) {
      return arrays.index(result);
    }

    @Override
    public int offset(String name) {
      return arrays.offset(name);
    }

    @Override
    public int length(String name) {
      return arrays.length(name);
    }
  }

  @Override
  public List<Combined> combined() {
    return all(Primitive::combined);
  }

  @Override
  public void runOnJvm(JvmRun run) {
    if (onJvm != null) {
      onJvm.accept(run);
    } else {
      PartRun within = new PartRun(run);
      parts.forEach(part -> part.runOnJvm(within));
    }
  }

  /** A run on the JVM, with memory for the hidden arrays as long as it lasts. */
  private final class PartRun implements JvmRun {
    private final JvmRun outside;
    private final Map<String, Slot> slots = new HashMap<>();
    private final Map<String, MemorySegment> segments = new HashMap<>();

    PartRun(JvmRun outside) {
      this.outside = outside;
      hidden().forEach(slot -> slots.put(slot.name(), slot));
    }

    @Override
    public MemorySegment input(String name) {
      MemorySegment segment = segments.get(name);
      return segment != null ? segment : outside.input(name);
    }

    @Override
    public int length(String name) {
      Slot slot = slots.get(name);
      return slot == null
          ? outside.length(name)
          : (int) (input(name).byteSize() / slot.type().bytes());
    }

    @Override
    public MemorySegment output(String name) {
      Slot slot = slots.get(name);
      if (slot == null) {
        return outside.output(name);
      }
      long bytes = (long) writer(name).lengthOf(name, lengths()) * slot.type().bytes();
      MemorySegment segment =
          MemorySegment.ofArray(new long[Math.toIntExact(Math.ceilDiv(bytes, 8L))])
              .asSlice(0, bytes);
      segments.put(name, segment);
      return segment;
    }

    private Lengths lengths() {
      return new Lengths() {
        @Override
        public int offset(String array) {
          return 0;
        }

        @Override
        public int length(String array) {
          return PartRun.this.length(array);
        }

        @Override
        public int index(String result) {
          return 0;
        }
      };
    }

    @Override
    public Number result(String name) {
      return outside.result(name);
    }

    @Override
    public void deliver(String name, Number value) {
      outside.deliver(name, value);
    }
  }

  /** As many as the parts that read the whole's inputs want. */
  @Override
  public int checkedElements() {
    List<String> inputs = inputs();
    return parts.stream()
        .filter(part -> part.inputs().stream().anyMatch(inputs::contains))
        .mapToInt(Primitive::checkedElements)
        .max()
        .orElse(0);
  }

  @Override
  public Primitive withCapacity(int capacity) {
    return each(part -> part.withCapacity(capacity));
  }

  @Override
  public String toString() {
    return "%s of %s".formatted(id, parts);
  }
}
