package funnel.engine;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

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
  private final List<Primitive> onJvm;
  private final Layout layout;
  private final Map<String, Layout.Array> hidden;

  private Composite(String id, List<Primitive> parts, Set<String> visible, List<Primitive> onJvm) {
    this.id = Objects.requireNonNull(id, "id");
    this.parts = List.copyOf(parts);
    this.visible = Set.copyOf(visible);
    this.onJvm = List.copyOf(onJvm);
    List<Layout> layouts = parts.stream().map(Primitive::layout).toList();
    Set<String> delivered =
        onJvm.stream()
            .flatMap(part -> part.layout().results().stream())
            .map(Slot::name)
            .collect(Collectors.toSet());
    layout = Layout.of(layouts, visible, delivered);
    hidden = Layout.hidden(layouts, visible);
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
    return new Composite(id, parts, visible, parts);
  }

  /**
   * A primitive of parts that needs others on the JVM.
   *
   * @param id its name
   * @param parts the parts, for a device
   * @param visible the arrays that the whole writes
   * @param onJvm the parts for the JVM, which write the same; what they do not deliver is not
   *     delivered
   */
  public static Composite of(
      String id, List<Primitive> parts, Set<String> visible, List<Primitive> onJvm) {
    return new Composite(id, parts, visible, onJvm);
  }

  private Lengths within(Lengths outside) {
    return Layout.within(hidden, outside);
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public Layout layout() {
    return layout;
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
  public void launch(Launches launches) {
    Lengths within = within(launches.lengths());
    int from = 0;
    for (Primitive part : parts) {
      launches.add(part, from);
      from += part.shape(within).length;
    }
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    return new Routine(parts).gaveUp(results, within(lengths));
  }

  @Override
  public Primitive in(Setting setting) {
    List<Primitive> changed = parts.stream().map(part -> part.in(setting)).toList();
    List<Primitive> changedOnJvm =
        onJvm.equals(parts) ? changed : onJvm.stream().map(part -> part.in(setting)).toList();
    return new Composite(id, changed, visible, changedOnJvm);
  }

  @Override
  public List<Combined> combined() {
    return parts.stream().flatMap(part -> part.combined().stream()).toList();
  }

  @Override
  public void runOnJvm(JvmRun run) {
    PartRun within = new PartRun(run);
    onJvm.forEach(part -> part.runOnJvm(within));
  }

  /** A run on the JVM, with memory for the hidden arrays as long as it lasts. */
  private final class PartRun implements JvmRun {
    private final JvmRun outside;
    private final Map<String, MemorySegment> segments = new HashMap<>();

    PartRun(JvmRun outside) {
      this.outside = outside;
    }

    private long bytes(Layout.Array array) {
      return array.slot().type().bytes();
    }

    @Override
    public MemorySegment input(String name) {
      MemorySegment segment = segments.get(name);
      return segment != null ? segment : outside.input(name);
    }

    @Override
    public int length(String name) {
      Layout.Array array = hidden.get(name);
      return array == null ? outside.length(name) : (int) (input(name).byteSize() / bytes(array));
    }

    @Override
    public MemorySegment output(String name) {
      Layout.Array array = hidden.get(name);
      if (array == null) {
        return outside.output(name);
      }
      long bytes = array.length().applyAsInt(Lengths.of(this::length)) * bytes(array);
      MemorySegment segment =
          MemorySegment.ofArray(new long[Math.toIntExact(Math.ceilDiv(bytes, 8L))])
              .asSlice(0, bytes);
      segments.put(name, segment);
      return segment;
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

  @Override
  public String toString() {
    return "%s of %s".formatted(id, parts);
  }
}
