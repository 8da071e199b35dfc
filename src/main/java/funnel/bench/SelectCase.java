package funnel.bench;

import funnel.operator.ElementType;

/**
 * A selection.
 *
 * @param type the elements' type
 * @param op what is done, or copy
 * @param length elements
 * @param bytes that have to be moved
 * @param moved bytes that the subject moves, as far as that is known, or NaN
 * @param expected what it should give
 */
record SelectCase(
    ElementType type, String op, int length, double bytes, double moved, String expected)
    implements Case {

  /**
   * A task over elements.
   *
   * @param passes of the subject over them, or 0 if that is not known
   * @param again bytes of each that is kept that it moves once more
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
