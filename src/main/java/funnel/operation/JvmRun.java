package funnel.operation;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * One run of a program on the JVM: what a primitive's JVM form works on.
 *
 * <p>In the example of {@link Primitive}:
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="jvm"}
 */
public interface JvmRun {

  /** The elements of an input or of an earlier primitive's array, exactly its length. */
  MemorySegment input(String name);

  /** The number of elements of an input or of an earlier primitive's array. */
  int length(String name);

  /** Where an array that the primitive writes goes, exactly its length; it may be an input's. */
  MemorySegment output(String name);

  /** A result that an earlier primitive delivered in this run. */
  Number result(String name);

  /** Delivers a result. */
  void deliver(String name, Number value);

  /**
   * What is made once for all runs of a program, such as loops over its operator.
   *
   * @param id of the primitive
   * @param type of what is made
   * @param make makes it where it is not there yet
   */
  default <T> T kept(String id, Class<T> type, Supplier<T> make) {
    return make.get();
  }
}
