package funnel.bench;

import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.sort.Order;
import funnel.sort.Sort;

/** What is asked of keys. */
enum SortTask {
  /** They themselves. */
  SORT,
  /** The positions that they are at. */
  ORDER;

  Operation operation() {
    return this == SORT ? Sort.ascending() : Order.ascending();
  }

  /** The type of what comes out. */
  ElementType type(ElementType keys) {
    return this == SORT ? keys : ElementType.INT;
  }

  @Override
  public String toString() {
    return Named.of(this);
  }
}
