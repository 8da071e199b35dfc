package funnel.bench;

import funnel.operator.ElementType;

/** What a line of a report is about: what was done, and with what. */
interface Case {

  /** The elements' type. */
  ElementType type();

  /** Bytes that a run has to read and to write. */
  double bytes();

  /** What a subject's name is followed by, where it does the same in several ways. */
  default String suffix() {
    return "";
  }
}
