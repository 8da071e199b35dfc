package funnel.reduce;

import java.lang.foreign.MemorySegment;

/** The JVM form of a reduction to two values, for any type. */
interface PairLoops {

  /** Both values of the {@link PairCode} over a non-empty input. */
  Number[] reduce(MemorySegment values, int length, int code);
}
