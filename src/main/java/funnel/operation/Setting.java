package funnel.operation;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a primitive is to run, as far as it is said, for the choice of its form.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="setting"}
 *
 * @param device whose fastest form is wanted, unless the caller of the operation named one; if
 *     null, the form as it is
 * @param callers inputs and arrays that lie in arrays of the caller's, of which they may be any
 *     part
 * @param mayGiveUp whether a form will do that can {@linkplain Primitive#gaveUp give up}
 * @param most the most elements of inputs
 */
public record Setting(@Nullable Device device, Set<String> callers, boolean mayGiveUp, int most) {

  /** Copies the names. */
  public Setting {
    callers = Set.copyOf(callers);
  }

  /** The fastest form on a device. */
  public static Setting on(Device device) {
    return new Setting(device, Set.of(), true, Integer.MAX_VALUE);
  }

  /** The form as it is, for inputs of at most so many elements. */
  public static Setting within(int most) {
    return new Setting(null, Set.of(), true, most);
  }

  /** The form as it is, or in its place one that cannot give up. */
  public static Setting toTheEnd() {
    return new Setting(null, Set.of(), false, Integer.MAX_VALUE);
  }

  /**
   * The same over arrays of the caller's.
   *
   * @param arrays inputs and arrays that lie in such
   * @param isInPlace whether an array is in the very memory of an input
   */
  public Setting over(Set<String> arrays, boolean isInPlace) {
    return new Setting(device, arrays, mayGiveUp && !isInPlace, most);
  }

  /** The smaller one of a capacity and this one's. */
  public int capacity(int own) {
    return Math.min(own, most);
  }
}
