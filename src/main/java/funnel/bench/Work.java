package funnel.bench;

import java.util.Locale;

/** What is measured. */
enum Work {
  /** Every element is read. */
  REDUCE(1),
  /** Every element is read, and a result written for it. */
  SCAN(2),
  /** Every element is read and written. */
  COPY(2);

  private final int moved;

  Work(int moved) {
    this.moved = moved;
  }

  /** Elements that have to be moved for each one of the input, which is what counts in GB/s. */
  int moved() {
    return moved;
  }

  String label() {
    return Named.of(this);
  }

  /**
   * By its label.
   *
   * @throws IllegalArgumentException if there is no such work
   */
  static Work of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
