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
 * A program on an engine, with its arrays: set inputs, run, read results, repeatedly.
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
   * these runs; a device engine copies them in this call and uploads them with the next run.
   *
   * @param input name of an input that is not bound to an array
   * @param elements its elements, little-endian, at most the input's capacity
   */
  void set(String input, MemorySegment elements);

  /**
   * Sets an input that is a kept array, of which functions look up elements or a primitive
   * {@linkplain Layout#borrows borrows} it, for the next run: all of that array. Nothing is copied.
   *
   * @throws IllegalArgumentException if the array is in other memory
   * @throws IllegalStateException if it is closed
   */
  void set(String input, KeptArray array);

  /** Gives an input undefined elements, which a run writes before it reads them. */
  void setLength(String input, int length);

  /** {@link #set(String, MemorySegment)}, but every engine copies the elements in this call. */
  default void keep(String input, MemorySegment elements) {
    set(input, elements);
  }

  /**
   * Sets the part of a bound array that is the input from the next run on, and marks its elements
   * as changed. For a bound array that is only written, sets where its elements begin.
   */
  void setRange(String input, int offset, int length);

  /**
   * Requires a caller's array of which kernels can reach all elements on the engine's device.
   *
   * @param input the input or output that the array is for
   * @throws IllegalArgumentException if it is too long, with its length and the maximum
   */
  default void requireReach(String input, TornadoNativeArray array) {}

  /**
   * Continues with the functions of a program that differs from this one only in the values that
   * they captured; nothing is compiled.
   */
  void take(Program other);

  /**
   * Continues over other kept arrays under the same names, which the program either reads or writes
   * and no other array of it is. Nothing is compiled.
   */
  default void lend(KeptArrays others) {
    throw new UnsupportedOperationException("an engine without a device has no such programs");
  }

  /**
   * Runs a routine and waits for it.
   *
   * @param routine its number in the program
   * @throws FunnelDeviceException if the device failed; there are then no results, not even those
   *     of the run before. No destination was written, except large ones if the device failed while
   *     it copied them: these may be partly written
   */
  void run(int routine);

  /** Runs the first routine. */
  default void run() {
    run(0);
  }

  /**
   * Sets inputs for this run and runs the first routine, as one step: their memory must not change
   * until then, and may be read again if a device fails. The inputs must be set again before the
   * next run: a destination may have overwritten them.
   */
  default void run(Map<String, MemorySegment> given) {
    given.forEach(this::set);
    run();
  }

  /**
   * {@link #run(Map)}, which then {@linkplain #release releases} the caller's memory, whether or
   * not the run fails.
   */
  default void runAndRelease(Map<String, MemorySegment> given) {
    try {
      run(given);
    } finally {
      release();
    }
  }

  /**
   * Releases references to the caller's memory: inputs, which must be set again before the next
   * run, and destinations.
   */
  void release();

  /**
   * Makes every run from now on put an array that the program writes into the caller's memory. The
   * JVM engine writes there directly; a device engine copies after the run. Either way the
   * primitives of the run see inputs as they were before it, and the next run sees those that were
   * {@link #set}.
   *
   * @param array the array's name
   * @param destination at least as long as the array will be; it may be the memory of an input that
   *     the array may be {@linkplain Layout#inPlaceOf in place} of
   */
  default void setDestination(String array, MemorySegment destination) {
    setDestination(array, _ -> destination);
  }

  /**
   * {@link #setDestination(String, MemorySegment)} with memory that overlaps no other, allocated
   * when the array's length is known.
   *
   * @param make takes the number of elements, or their maximum if the array is written before its
   *     length is found
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

  /** A result of the last run: an Integer, Long, Float or Double according to its type. */
  Number result(String name);

  /** Bytes that its arrays take on the device, 0 on the JVM. */
  long deviceBytes();

  /**
   * Switches the measurement of kernel time on or off; it makes runs slower, with TornadoVM those
   * of all programs of the process.
   */
  void measureKernels(boolean on);

  /** The sum of {@link #times} in nanoseconds; -1 if they are empty. */
  long kernelNanos();

  /**
   * The times of the primitives of the last run, in order; empty if it was not measured, or failed.
   */
  List<PrimitiveTime> times();

  /** The kernels that it has needed so far. */
  default KernelsOfProgram kernels() {
    return KernelsOfProgram.NONE;
  }

  @Override
  void close();
}
