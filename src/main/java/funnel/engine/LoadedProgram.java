package funnel.engine;

import java.lang.foreign.MemorySegment;

/**
 * A program on an engine, with its arrays: set inputs, run, read results, again and again.
 *
 * <p>Used by one thread at a time.
 */
public interface LoadedProgram extends AutoCloseable {

  /**
   * Sets an input's elements for the next runs. The JVM engine reads them where they are during
   * later runs; a device engine copies them now and uploads them with the next run.
   *
   * @param input name of an input that is not bound to an array
   * @param elements its elements, little-endian, at most the input's capacity
   */
  void set(String input, MemorySegment elements);

  /**
   * Says which part of a bound array is the input from the next run on, and that its elements have
   * changed.
   */
  void setRange(String input, int offset, int length);

  /**
   * Runs all primitives and waits for them.
   *
   * @throws FunnelDeviceException if the device failed; its results are not to be had
   */
  void run();

  /** Forgets inputs that it only refers to; they must be set again before the next run. */
  void release();

  /** A result of the last run: Integer, Long, Float or Double by its type. */
  Number result(String name);

  /** Bytes that its arrays take on the device, 0 on the JVM. */
  long deviceBytes();

  /**
   * Switches the measuring of kernel time on or off; it makes runs slower, on TornadoVM of all
   * programs of the process.
   */
  void measureKernels(boolean on);

  /** Kernel time of the last run in nanoseconds where it was measured, else -1. */
  long kernelNanos();

  @Override
  void close();
}
