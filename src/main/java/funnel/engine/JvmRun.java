package funnel.engine;

import java.lang.foreign.MemorySegment;

/** One run of a program on the JVM: what a primitive's JVM form works on. */
public interface JvmRun {

  /** The elements of an input, little-endian, exactly its length. */
  MemorySegment input(String name);

  /** The number of elements of an input. */
  int length(String name);

  /** A result that an earlier primitive delivered in this run. */
  Number result(String name);

  /** Delivers a result. */
  void deliver(String name, Number value);
}
