package funnel.histogram;

import funnel.engine.Primitive.Slot;
import funnel.operator.ElementType;
import java.util.List;
import java.util.function.Function;

/**
 * What a run tells of samples that are in no bin, as three results: how many are below, above and
 * NaN; or, by keys, the first one's position, or -1, and the sample itself, or 0.
 */
final class Outside {

  /** The results of numbers, and by keys where no sample is outside. */
  static final long NO_POSITION = -1;

  private Outside() {}

  /** The results' names. */
  static List<String> names(String id, boolean areKeys) {
    return areKeys
        ? List.of(id + ".position", id + ".key", id + ".other")
        : List.of(id + "_below", id + "_above", id + "_nan");
  }

  /** The results. */
  static List<Slot> slots(String id, boolean areKeys) {
    return names(id, areKeys).stream().map(name -> new Slot(name, ElementType.LONG, 1)).toList();
  }

  /**
   * Refuses samples that are no keys.
   *
   * @throws KeyOutsideException with the first
   */
  static void requireKeys(String id, String input, Bins bins, Function<String, Number> results) {
    if (bins.areKeys()) {
      List<String> names = names(id, true);
      long position = results.apply(names.get(0)).longValue();
      if (position != NO_POSITION) {
        long key = results.apply(names.get(1)).longValue();
        throw new KeyOutsideException(id, input, (int) position, key, bins.bins());
      }
    }
  }
}
