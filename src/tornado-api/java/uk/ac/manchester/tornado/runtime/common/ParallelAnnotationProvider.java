package uk.ac.manchester.tornado.runtime.common;

/** Where a {@code @Parallel} variable is valid. A statement of signatures. */
public interface ParallelAnnotationProvider {

  /** First byte of code. */
  int getStart();

  /** Bytes of code. */
  int getLength();

  /** The variable's slot. */
  int getIndex();
}
