package funnel;

import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;

/** The outputs of a run that are no arrays. */
public final class SingleValues {

  private SingleValues() {}

  /** The values by name; for a value that is not defined, the reason. */
  public static Map<String, Object> of(Results results) {
    Map<String, Object> values = new TreeMap<>();
    for (String name : results.names()) {
      try {
        values.put(name, results.get(name));
      } catch (NoSuchElementException e) {
        values.put(name, e.getMessage());
      } catch (IllegalArgumentException e) {
        var _ = results.type(name); // an array
      }
    }
    return values;
  }
}
