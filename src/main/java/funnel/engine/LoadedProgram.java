package funnel.engine;

import funnel.operation.FunnelDeviceException;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * A program on an engine, with its arrays: set inputs, run, read results, again and again.
 *
 * <p>Used by one thread at a time.
 *
 * <p>With {@code Scaled}, the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="load"}
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
   * changed. For a bound array that is only written, where its elements begin.
   */
  void setRange(String input, int offset, int length);

  /**
   * Refuses an array of the caller's whose elements kernels do not all reach on the engine's
   * device.
   *
   * @param input the input or output that the array is for
   * @throws IllegalArgumentException with the array's length and the largest
   */
  default void requireReach(String input, TornadoNativeArray array) {}

  /**
   * Runs a routine and waits for it.
   *
   * @param routine its number in the program
   * @throws FunnelDeviceException if the device failed; its results are not to be had, nor those of
   *     the run before it. No destination was written, but for large ones, if it failed while it
   *     copied them: these may be half written
   */
  void run(int routine);

  /** Runs the first routine. */
  default void run() {
    run(0);
  }

  /**
   * Sets inputs and runs the first routine, as one step: what is given stays as it is until then,
   * and may be read again where a device fails.
   */
  default void run(Map<String, MemorySegment> given) {
    given.forEach(this::set);
    run();
  }

  /**
   * Sets inputs, runs the first routine and {@linkplain #release forgets} what the run was on,
   * whether or not it fails. So inputs that it writes over need not be kept for another run.
   */
  default void runAndRelease(Map<String, MemorySegment> given) {
    try {
      run(given);
    } finally {
      release();
    }
  }

  /** Forgets what it only refers to: inputs, to be set again before the next run; destinations. */
  void release();

  /**
   * Has an array that the program writes put into memory of the caller's with every run from now
   * on. The JVM engine writes there directly; a device engine copies after the run. Either way the
   * primitives of the run see inputs as they were before it, and so does the next run those that
   * were {@link #set}.
   *
   * @param array the array's name
   * @param destination at least as long as the array will be; it may be the memory of an input that
   *     the array may be {@linkplain Layout#inPlaceOf in place} of
   */
  default void setDestination(String array, MemorySegment destination) {
    setDestination(array, _ -> destination);
  }

  /**
   * The same with memory that overlaps no other, made when it is known how long the array is.
   *
   * @param make is given as many elements as there are, or as there may be at most where the array
   *     is written before its length is found
   */
  void setDestination(String array, IntFunction<MemorySegment> make);

  /**
   * Copies an array that the last run wrote, or an input that runs change.
   *
   * @param array the array's name
   * @param destination exactly as long as the array is now
   * @throws FunnelDeviceException if the copy did not take place
   */
  void fetch(String array, MemorySegment destination);

  /** The number of elements of an input, or of an array that the program wrote in its last run. */
  int length(String name);

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

  /** What each primitive of the last run took, in order; none if it was not measured, or failed. */
  List<PrimitiveTime> times();

  @Override
  void close();
}
