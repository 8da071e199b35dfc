package funnel.array;

import funnel.group.Aggregate;
import funnel.operator.ElementType;
import org.jspecify.annotations.Nullable;

/**
 * An array or a single value that a chain computes or is given.
 *
 * @param node what computes it
 * @param suffix what its name has after that of the node's output
 * @param part what is asked of a node whose outputs are those that are asked for, else null
 * @param type the type of its elements
 */
public record Ref(Node node, String suffix, @Nullable Part part, ElementType type) {

  /**
   * A column of rows, or an aggregate of groups.
   *
   * @param aggregate the aggregate, of column 1; null for the column itself
   * @param column the column; null for a count
   */
  public record Part(@Nullable Aggregate aggregate, @Nullable Ref column) {}
}
