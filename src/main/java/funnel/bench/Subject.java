package funnel.bench;

import funnel.operator.Operator;

/** Something that reduces or scans, and is measured at it. */
interface Subject {

  /** Its name in reports. */
  String name();

  /** Runs it on a workload; what goes wrong is in the measurement's note. */
  Measurement measure(Workload workload, Operator operator, Effort effort);
}
