package funnel.bench;

import java.util.Locale;

/** The measured work. */
enum Work {
  /** Every element is read. */
  REDUCE(1),
  /** Every element is read, and a result is written for it. */
  SCAN(2),
  /** Every element is read and written. */
  COPY(2);

  private final int moved;

  Work(int moved) {
    this.moved = moved;
  }

  /** Elements that must be moved for each input element, which GB/s counts. */
  int moved() {
    return moved;
  }

  String label() {
    return Named.of(this);
  }

  /**
   * The work with a label.
   *
   * @throws IllegalArgumentException if there is no such work
   */
  static Work of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
