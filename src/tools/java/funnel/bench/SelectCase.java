package funnel.bench;

import funnel.operator.ElementType;

/**
 * A selection.
 *
 * @param type the elements' type
 * @param op the operation, or copy
 * @param length the number of elements
 * @param bytes bytes that must be moved
 * @param moved bytes that the subject moves, or NaN if that is not known
 * @param expected the expected result
 */
record SelectCase(
    ElementType type, String op, int length, double bytes, double moved, String expected)
    implements Case {

  /**
   * A task over elements.
   *
   * @param passes the subject's passes over them, or 0 if that is not known
   * @param again bytes of each kept element that it moves once more
   */
  static SelectCase of(Selectable elements, SelectTask task, int passes, int again) {
    Selectable.Kept kept = elements.kept(task);
    ElementType type = elements.type();
    int length = elements.length();
    return new SelectCase(
        type,
        task.toString(),
        length,
        task.bytes(1, type, length, kept.count()),
        passes == 0 || task == SelectTask.CHAIN_50
            ? Double.NaN
            : task.bytes(passes, type, length, kept.count()) + (double) again * kept.count(),
        kept.toString());
  }
}
