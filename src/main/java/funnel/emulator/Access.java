package funnel.emulator;

/**
 * One access of a kernel's thread to global memory, with its value.
 *
 * <p>{@code Access(0, READ, 0, 5, 7)} means that thread 0 read element 5 of the kernel's first
 * array argument and got 7.
 *
 * {@snippet class="funnel.docs.EmulatorSnippets" region="access"}
 *
 * @param thread the thread's number within its group, x varying fastest
 * @param kind the kind of access
 * @param argument the array's position among the task's arguments
 * @param index the element's index
 * @param value the element's value after the access: what was read, what was written, or the sum
 */
public record Access(int thread, Kind kind, int argument, int index, Number value) {

  /** What a thread does to an element. */
  public enum Kind {
    /** {@code array.get(index)}. */
    READ,
    /** {@code array.set(index, value)}. */
    WRITE,
    /** {@code context.atomicAdd(array, index, value)}. */
    ADD
  }

  /**
   * Whether exchanging these two may change the outcome: they are by the same thread, or to the
   * same element and not both reads. (Two additions may round differently.)
   */
  boolean conflictsWith(Access other) {
    return thread == other.thread
        || argument == other.argument
            && index == other.index
            && !(kind == Kind.READ && other.kind == Kind.READ);
  }
}
