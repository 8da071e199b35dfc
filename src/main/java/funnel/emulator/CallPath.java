package funnel.emulator;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A place in a kernel's code with all calls that led to it. On a device a kernel is one method with
 * every call inlined: the code of a shared method exists once for each path to it.
 */
final class CallPath {

  /* The paths of a group's threads are one tree, so that the same path is the same object. Methods
   * may have thousands of places, and places are constants of the copies, with hashes that are
   * kept. Threads follow each other along one path, so where the last one went is looked at first.
   */

  private final @Nullable CallPath caller;
  private final String place;
  private final Map<String, CallPath> callees = new HashMap<>();
  private @Nullable CallPath latest;

  private CallPath(@Nullable CallPath caller, String place) {
    this.caller = caller;
    this.place = place;
  }

  /** The kernel's own method. */
  static CallPath root() {
    return new CallPath(null, "an unknown place");
  }

  /** The path from here to a place in the method that this path leads to. */
  @SuppressWarnings("ReferenceEquality") // equal strings that are not the same are found in the map
  CallPath to(String next) {
    CallPath callee = latest;
    if (callee == null || callee.place != next) {
      callee = callees.computeIfAbsent(next, place -> new CallPath(this, place));
      latest = callee;
    }
    return callee;
  }

  /** The path without its last place. */
  CallPath back() {
    if (caller == null) {
      throw new IllegalStateException("returns from a call that was not seen");
    }
    return caller;
  }

  @Override
  public String toString() {
    return caller == null || caller.caller == null ? place : place + ", called at " + caller;
  }
}
