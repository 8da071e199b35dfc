package funnel.operation;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known about where a primitive will run; it chooses its form by this.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="primitive"}
 *
 * @param device the device to choose the fastest form for, unless the operation names a form; null
 *     for the default form
 * @param callers inputs and outputs that are parts of the caller's arrays
 * @param mayGiveUp whether a form may be used that can {@linkplain Step#gaveUp give up}
 * @param mayAssume whether a form may be used that {@linkplain Step#assumes assumes} something of
 *     its inputs' elements
 * @param most the largest number of elements of inputs
 * @param localAtomics whether atomic additions in the device's local memory are correct
 */
public record Setting(
    @Nullable Device device,
    Set<String> callers,
    boolean mayGiveUp,
    boolean mayAssume,
    int most,
    LocalAtomics localAtomics) {

  /** Copies the names. */
  public Setting {
    callers = Set.copyOf(callers);
  }

  /** The default form. */
  public static Setting asIs() {
    return within(Integer.MAX_VALUE);
  }

  /** The fastest form on a device, of whose local atomics nothing is known but in the emulator. */
  public static Setting on(Device device) {
    return on(device, device.isEmulator() ? LocalAtomics.CORRECT : LocalAtomics.UNKNOWN);
  }

  /** The fastest form on a device. */
  public static Setting on(Device device, LocalAtomics localAtomics) {
    return new Setting(device, Set.of(), true, true, Integer.MAX_VALUE, localAtomics);
  }

  /** The default form, for inputs of at most {@code most} elements. */
  public static Setting within(int most) {
    return new Setting(null, Set.of(), true, true, most, LocalAtomics.UNKNOWN);
  }

  /** The default form, unless it may give up or assumes something: then one that does neither. */
  public static Setting toTheEnd() {
    return new Setting(null, Set.of(), false, false, Integer.MAX_VALUE, LocalAtomics.UNKNOWN);
  }

  /** The default form, unless it assumes something: then one for inputs of any elements. */
  public static Setting assumingNothing() {
    return new Setting(null, Set.of(), true, false, Integer.MAX_VALUE, LocalAtomics.UNKNOWN);
  }

  /**
   * This setting over the caller's arrays.
   *
   * @param arrays inputs and outputs that are parts of the caller's arrays
   * @param isInPlace whether an array is in exactly the memory of an input
   */
  public Setting over(Set<String> arrays, boolean isInPlace) {
    return new Setting(
        device, arrays, mayGiveUp && !isInPlace, mayAssume && !isInPlace, most, localAtomics);
  }

  /** This setting with the restrictions of another one as well. */
  Setting and(Setting other) {
    Set<String> all = new HashSet<>(callers);
    all.addAll(other.callers);
    return new Setting(
        other.device == null ? device : other.device,
        all,
        mayGiveUp && other.mayGiveUp,
        mayAssume && other.mayAssume,
        Math.min(most, other.most),
        other.device == null ? localAtomics : other.localAtomics);
  }

  /** The smaller of a capacity and this setting's maximum. */
  public int capacity(int own) {
    return Math.min(own, most);
  }
}
