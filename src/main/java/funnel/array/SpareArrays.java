package funnel.array;

import funnel.engine.KeptArray;
import funnel.operator.ElementType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Arrays on a device that their owners have closed, for the next of the same type and length. */
public final class SpareArrays {

  private static final int MOST = 16;
  private static final long MOST_BYTES = 4L << 30;

  private final List<KeptArray> spare = new ArrayList<>(); // the oldest first
  private final Consumer<KeptArray> frees;

  /**
   * No arrays.
   *
   * @param frees closes an array
   */
  public SpareArrays(Consumer<KeptArray> frees) {
    this.frees = frees;
  }

  /** Takes an array of a type and length, if there is one. */
  public synchronized @Nullable KeptArray take(ElementType type, int length) {
    for (Iterator<KeptArray> each = spare.iterator(); each.hasNext(); ) {
      KeptArray array = each.next();
      if (array.type() == type && array.length() == length) {
        each.remove();
        return array;
      }
    }
    return null;
  }

  /** Takes care of an array that nobody reads any more. */
  public void give(KeptArray array) {
    List<KeptArray> tooMany = new ArrayList<>();
    synchronized (this) {
      spare.add(array);
      while (spare.size() > MOST || bytes() > MOST_BYTES) {
        tooMany.add(spare.removeFirst());
      }
    }
    tooMany.forEach(frees); // outside the monitor: the device is waited for
  }

  private long bytes() {
    return spare.stream().mapToLong(KeptArray::deviceBytes).sum();
  }

  /** Frees all; returns whether there were any. */
  public boolean free() {
    List<KeptArray> all;
    synchronized (this) {
      all = List.copyOf(spare);
      spare.clear();
    }
    all.forEach(frees);
    return !all.isEmpty();
  }
}
