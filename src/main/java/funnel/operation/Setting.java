package funnel.operation;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a primitive is to run, as far as that is known, for the choice of its form.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="primitive"}
 *
 * @param device the device whose fastest form is wanted, unless the operation names a form; null
 *     for the form as it is
 * @param callers inputs and arrays that are in the caller's arrays, of which they may be any part
 * @param mayGiveUp whether a form may be used that can {@linkplain Step#gaveUp give up}
 * @param most the largest number of elements of inputs
 */
public record Setting(@Nullable Device device, Set<String> callers, boolean mayGiveUp, int most) {

  /** Copies the names. */
  public Setting {
    callers = Set.copyOf(callers);
  }

  /** The form as it is. */
  public static Setting asIs() {
    return new Setting(null, Set.of(), true, Integer.MAX_VALUE);
  }

  /** The fastest form on a device. */
  public static Setting on(Device device) {
    return new Setting(device, Set.of(), true, Integer.MAX_VALUE);
  }

  /** The form as it is, for inputs of at most {@code most} elements. */
  public static Setting within(int most) {
    return new Setting(null, Set.of(), true, most);
  }

  /** The form as it is, or if that can give up, one that cannot. */
  public static Setting toTheEnd() {
    return new Setting(null, Set.of(), false, Integer.MAX_VALUE);
  }

  /**
   * The same over the caller's arrays.
   *
   * @param arrays inputs and arrays that are in the caller's arrays
   * @param isInPlace whether an array is in exactly the memory of an input
   */
  public Setting over(Set<String> arrays, boolean isInPlace) {
    return new Setting(device, arrays, mayGiveUp && !isInPlace, most);
  }

  /** This setting and another one at once: what one of them restricts is restricted. */
  Setting and(Setting other) {
    Set<String> all = new HashSet<>(callers);
    all.addAll(other.callers);
    return new Setting(
        other.device == null ? device : other.device,
        all,
        mayGiveUp && other.mayGiveUp,
        Math.min(most, other.most));
  }

  /** The smaller of a capacity and this setting's maximum. */
  public int capacity(int own) {
    return Math.min(own, most);
  }
}
