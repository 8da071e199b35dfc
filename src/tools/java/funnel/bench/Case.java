package funnel.bench;

import funnel.operator.ElementType;

/** What a line of a report describes. */
interface Case {

  /** The elements' type. */
  ElementType type();

  /** Bytes that a run must read and write. */
  double bytes();

  /** What follows a subject's name if it does the same in several ways. */
  default String suffix() {
    return "";
  }
}
