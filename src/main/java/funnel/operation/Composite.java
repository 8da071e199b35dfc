package funnel.operation;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A primitive that consists of others, run one after the other, with intermediate arrays that are
 * not visible outside.
 *
 * <p>A scan from {@code x} to {@code y.first} and one from {@code y.first} to {@code y}, with
 * {@code y} visible, make the scan of the scan of {@code x}.
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
  private final boolean isExact;
  private final Layout layout;

  private Composite(
      String id,
      List<Primitive> parts,
      Set<String> visible,
      List<Primitive> onJvm,
      boolean isExact) {
    this.id = Objects.requireNonNull(id, "id");
    this.parts = parts.stream().map(Stated::drawn).toList();
    this.visible = Set.copyOf(visible);
    this.onJvm = onJvm.equals(parts) ? this.parts : onJvm.stream().map(Stated::drawn).toList();
    this.isExact = isExact;
    layout =
        Layout.of(
            this.parts.stream().map(Primitive::layout).toList(),
            visible,
            this.onJvm.stream().map(Primitive::layout).toList());
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
    return new Composite(id, parts, visible, parts, false);
  }

  /**
   * A primitive of parts that has other parts on the JVM.
   *
   * @param id its name
   * @param parts the parts, for a device
   * @param visible the arrays that the whole writes
   * @param onJvm the parts for the JVM, which write the same visible arrays; results that they do
   *     not deliver are not delivered
   */
  public static Composite of(
      String id, List<Primitive> parts, Set<String> visible, List<Primitive> onJvm) {
    return new Composite(id, parts, visible, onJvm, false);
  }

  /**
   * The same, for parts whose functions of elements are not user-defined and give the same bits
   * everywhere: none has a product with a following addition.
   */
  public Composite exact() {
    return new Composite(id, parts, visible, onJvm, true);
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
    parts.forEach(part -> part.requireLengths(lengths));
  }

  @Override
  public int[] shape(Lengths lengths) {
    return parts.stream().flatMapToInt(part -> Arrays.stream(shape(part, lengths))).toArray();
  }

  private static int[] shape(Primitive part, Lengths lengths) {
    return part.layout().shape(part.shape(lengths), lengths);
  }

  @Override
  public void launch(Launches launches) {
    int from = 0;
    for (Primitive part : parts) {
      launches.add(part, from);
      from += shape(part, launches.lengths()).length;
    }
  }

  @Override
  public String gaveUp(Function<String, Number> results, Lengths lengths) {
    return parts.stream()
        .map(part -> part.gaveUp(results, lengths))
        .filter(place -> !place.isEmpty())
        .findFirst()
        .orElse("");
  }

  @Override
  public Composite in(Setting setting) {
    List<Primitive> changed = parts.stream().map(part -> part.in(setting)).toList();
    List<Primitive> changedOnJvm =
        onJvm.equals(parts) ? changed : onJvm.stream().map(part -> part.in(setting)).toList();
    return new Composite(id, changed, visible, changedOnJvm, isExact);
  }

  @Override
  public String takesForGranted() {
    return parts.stream()
        .map(Primitive::takesForGranted)
        .filter(each -> !each.isEmpty())
        .distinct()
        .collect(Collectors.joining(", and "));
  }

  @Override
  public List<Combined> combined() {
    return parts.stream()
        .flatMap(part -> part.combined().stream())
        .filter(combined -> !isExact || combined.transform() == null)
        .toList();
  }

  @Override
  public void runOnJvm(JvmRun run) {
    onJvm.forEach(part -> part.runOnJvm(run));
  }

  @Override
  public String toString() {
    return "%s of %s".formatted(id, parts);
  }
}
