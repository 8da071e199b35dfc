package funnel;

import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;

/** The outputs of one run of a plan, by name. Immutable. */
public final class Results {

  private final Map<String, Object> values;

  /** Maps names to numbers, or to the reason, a string, why there is none. */
  Results(Map<String, Object> values) {
    this.values = Map.copyOf(values);
  }

  /** The names of the plan's outputs. */
  public Set<String> names() {
    return values.keySet();
  }

  /**
   * An output, as an Integer, Long, Float or Double by its type.
   *
   * @throws IllegalArgumentException if the plan has no output of that name
   * @throws NoSuchElementException if the output is not defined, since its input was empty
   */
  public Number get(String name) {
    Object value = values.get(Objects.requireNonNull(name, "name"));
    if (value instanceof Number number) {
      return number;
    }
    if (value == null) {
      throw new IllegalArgumentException(
          "no output %s; there are %s".formatted(name, values.keySet()));
    }
    throw new NoSuchElementException(value.toString());
  }

  private <T> T typed(String name, Class<T> type) {
    Number number = get(name);
    if (!type.isInstance(number)) {
      throw new IllegalArgumentException(
          "output %s is of type %s, asked for %s"
              .formatted(name, number.getClass().getSimpleName(), type.getSimpleName()));
    }
    return type.cast(number);
  }

  /**
   * An int output.
   *
   * @throws IllegalArgumentException if it is of another type, besides what {@link #get} throws
   */
  public int getInt(String name) {
    return typed(name, Integer.class);
  }

  /**
   * A long output.
   *
   * @throws IllegalArgumentException if it is of another type, besides what {@link #get} throws
   */
  public long getLong(String name) {
    return typed(name, Long.class);
  }

  /**
   * A float output.
   *
   * @throws IllegalArgumentException if it is of another type, besides what {@link #get} throws
   */
  public float getFloat(String name) {
    return typed(name, Float.class);
  }

  /**
   * A double output.
   *
   * @throws IllegalArgumentException if it is of another type, besides what {@link #get} throws
   */
  public double getDouble(String name) {
    return typed(name, Double.class);
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
