package funnel.sort;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operation.Requirement;
import funnel.operator.Transform;
import funnel.select.FindFirst;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An operation on ascending arrays that refuses others, with a {@link NotAscendingException}.
 *
 * <p><b>Definition.</b> Operations that rely on the order of their inputs, such as {@link
 * SortedSearch}, {@link SetOperation} and {@link Merge}, take it for granted: of other inputs their
 * results are arbitrary. {@code Ascending.first(SortedSearch.lowerBound())} has the same results
 * for ascending arrays, and refuses 3, 1, 4, with the position 1. The order is that of {@link
 * Sort}: -0.0 before 0.0, NaN after all numbers. Equal neighbours are ascending, and so are empty
 * arrays.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="ascending"}
 *
 * <p><b>Cost.</b> What {@link IsSorted} takes, for each checked input: it is read once more. On a
 * device the run is refused when it has ended.
 *
 * <p>Immutable.
 */
public final class Ascending implements Operation {

  private final Operation of;
  private final int checked;
  private final @Nullable Transform misplaced;

  private Ascending(Operation of, int checked, @Nullable Transform misplaced) {
    this.of = Objects.requireNonNull(of, "operation");
    this.checked = checked;
    this.misplaced = misplaced;
  }

  /** An operation whose first input must be ascending. */
  public static Ascending first(Operation of) {
    return new Ascending(of, 1, null);
  }

  /** An operation whose first two inputs must be ascending. */
  public static Ascending both(Operation of) {
    return new Ascending(of, 2, null);
  }

  /**
   * An operation some of whose inputs must be in an order that only the caller knows: the first
   * input here, before those of the operation, says for each element whether it is not. For windows
   * by times in segments, say, each segment is in order, and NaN is nowhere.
   *
   * @param misplaced a predicate of the first input's elements
   * @throws IllegalArgumentException if it is no predicate
   */
  public static Ascending unless(Transform misplaced, Operation of) {
    FindFirst.where(misplaced); // checks it
    return new Ascending(of, 1, misplaced);
  }

  /** The operation of {@link #first}; null of the others. */
  public @Nullable Operation ofFirst() {
    return checked == 1 && misplaced == null ? of : null;
  }

  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() < checked) {
      throw new IllegalArgumentException(
          "%s takes at least %s inputs, given=%s".formatted(this, checked, inputs.size()));
    }
    List<Primitive> checks = new ArrayList<>();
    for (int k = 0; k < checked; k++) {
      Input input = inputs.get(k);
      String order = output + ".order" + (k + 1);
      String position;
      if (misplaced == null) {
        IsSortedStep step = new IsSortedStep(order, input, false);
        checks.add(step);
        position = step.first();
      } else {
        checks.addAll(FindFirst.where(misplaced).expand(order, List.of(input)).primitives());
        position = order;
      }
      checks.add(new Requirement(order + ".required", position, input.name(), this::require));
    }
    Expansion all = of.expand(output, inputs.subList(misplaced == null ? 0 : 1, inputs.size()));
    List<Primitive> parts = new ArrayList<>();
    parts.add(Composite.of(output + ".order", checks, Set.of()));
    parts.addAll(all.primitives());
    return new Expansion(parts, all.outputs());
  }

  private void require(Number position, int length) {
    if (position.intValue() >= 0) {
      throw new NotAscendingException(of.toString(), position.intValue(), length);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Ascending that
        && of.equals(that.of)
        && checked == that.checked
        && Objects.equals(misplaced, that.misplaced);
  }

  @Override
  public int hashCode() {
    return Objects.hash(of, checked, misplaced);
  }

  @Override
  public String toString() {
    return "%s of ascending arrays".formatted(of);
  }
}
