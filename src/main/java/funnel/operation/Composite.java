package funnel.operation;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A primitive that consists of others, run one after the other, with intermediate arrays that are
 * not visible outside.
 *
 * <p>A scan from {@code x} to {@code y.first} and one from there to {@code y}, the only visible
 * array, make the scan of the scan of {@code x}.
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

  private Composite(
      String id,
      List<? extends Primitive> parts,
      Set<String> visible,
      List<? extends Primitive> onJvm,
      boolean isExact) {
    this.id = Objects.requireNonNull(id, "id");
    this.parts = List.copyOf(parts);
    this.visible = Set.copyOf(visible);
    this.onJvm = List.copyOf(onJvm);
    this.isExact = isExact;
  }

  /**
   * A primitive of parts.
   *
   * @param id its name
   * @param parts the parts, each of which may read what earlier ones write
   * @param visible the arrays that the whole writes; all others of the parts are scratch, with
   *     names that begin with {@code id + "."}
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
   * @param onJvm the parts for the JVM, which write the same visible arrays; only results that
   *     these deliver are available
   */
  public static Composite of(
      String id, List<Primitive> parts, Set<String> visible, List<Primitive> onJvm) {
    return new Composite(id, parts, visible, onJvm, false);
  }

  /**
   * This composite, with parts whose functions of elements are not user-defined and give the same
   * bits everywhere: none has a product with a following addition.
   */
  public Composite exact() {
    return new Composite(id, parts, visible, onJvm, true);
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public Step in(Setting setting) {
    List<Step> steps = parts.stream().map(part -> part.in(setting)).toList();
    List<Step> others =
        onJvm.equals(parts) ? steps : onJvm.stream().map(part -> part.in(setting)).toList();
    Layout layout =
        Layout.of(
            steps.stream().map(Step::layout).toList(),
            visible,
            others.stream().map(Step::layout).toList());
    Step step = Step.of(this, setting, layout, steps, others);
    return isExact ? step.exact() : step;
  }

  @Override
  public String toString() {
    return "%s of %s".formatted(id, parts);
  }
}
