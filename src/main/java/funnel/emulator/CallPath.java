package funnel.emulator;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in a kernel's code with all calls that led to it. A kernel is one method on a device,
 * with every call inlined: what a common method does is there once for each path to it.
 */
final class CallPath {

  /* The paths of a group's threads are one tree, so that the same path is the same object, and a
   * call costs a look at the few callees of its caller.
   */

  private final @Nullable CallPath caller;
  private final String place;
  private final List<CallPath> callees = new ArrayList<>(2);

  private CallPath(@Nullable CallPath caller, String place) {
    this.caller = caller;
    this.place = place;
  }

  /** The kernel's own method. */
  static CallPath root() {
    return new CallPath(null, "an unknown place");
  }

  /** The path that goes on from here to a place in the method that this path leads to. */
  CallPath to(String next) {
    for (int i = 0; i < callees.size(); i++) {
      if (callees.get(i).place.equals(next)) {
        return callees.get(i);
      }
    }
    CallPath callee = new CallPath(this, next);
    callees.add(callee);
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
