package funnel.bench;

import funnel.operator.ElementType;

/**
 * A sort, or the order of keys.
 *
 * @param type the keys' type
 * @param data their distribution
 * @param task the task
 * @param length the number of keys
 * @param expected the hash of the expected result
 */
record SortCase(ElementType type, Sortable.Data data, SortTask task, int length, String expected)
    implements Case {

  static SortCase of(Sortable keys, SortTask task) {
    return new SortCase(keys.type(), keys.data(), task, keys.length(), keys.expected(task));
  }

  @Override
  public double bytes() {
    return (double) length * (type.bytes() + task.type(type).bytes());
  }
}
