package funnel;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of one run of a plan, by name: single values, and arrays.
 *
 * <p>Values are here for good. Arrays stay where they were computed until they are asked for, and
 * must be asked for before the plan runs again, as long as they were in this run, whatever has been
 * set since; or {@linkplain Plan#into give them a destination}.
 *
 * {@snippet class="funnel.docs.ResultsSnippets" region="results"}
 */
public final class Results {

  private final Map<String, Object> values;
  private final @Nullable WrittenArrays arrays;

  /** The arrays that a run wrote. */
  interface WrittenArrays {
    Set<String> names();

    /** The type of an array; refuses a name that there is not. */
    ElementType type(String name);

    /** Copies an array into what {@code destination} makes for its length. */
    void read(String name, IntFunction<MemorySegment> destination);
  }

  /**
   * Outputs.
   *
   * @param values maps names to numbers, or to the reason, a string, why there is none
   * @param arrays the arrays, null if the plan writes none
   */
  Results(Map<String, Object> values, @Nullable WrittenArrays arrays) {
    this.values = Map.copyOf(values);
    this.arrays = arrays;
  }

  /** The names of the plan's outputs, values and arrays. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>(values.keySet());
    if (arrays != null) {
      names.addAll(arrays.names());
    }
    return Collections.unmodifiableSet(names);
  }

  /**
   * An int array that the run wrote, as a new Java array.
   *
   * @throws IllegalArgumentException if the plan writes no array of that name, or one of another
   *     type
   * @throws IllegalStateException if the plan has run again since, even in vain, or is closed
   */
  public int[] ints(String name) {
    int[][] array = new int[1][];
    read(name, ElementType.INT, length -> MemorySegment.ofArray(array[0] = new int[length]));
    return array[0];
  }

  /** A long array that the run wrote, as a new Java array; exceptions as {@link #ints}. */
  public long[] longs(String name) {
    long[][] array = new long[1][];
    read(name, ElementType.LONG, length -> MemorySegment.ofArray(array[0] = new long[length]));
    return array[0];
  }

  /** A float array that the run wrote, as a new Java array; exceptions as {@link #ints}. */
  public float[] floats(String name) {
    float[][] array = new float[1][];
    read(name, ElementType.FLOAT, length -> MemorySegment.ofArray(array[0] = new float[length]));
    return array[0];
  }

  /** A double array that the run wrote, as a new Java array; exceptions as {@link #ints}. */
  public double[] doubles(String name) {
    double[][] array = new double[1][];
    read(name, ElementType.DOUBLE, length -> MemorySegment.ofArray(array[0] = new double[length]));
    return array[0];
  }

  private void read(String name, ElementType type, IntFunction<MemorySegment> destination) {
    Objects.requireNonNull(name, "name");
    if (arrays == null || !arrays.names().contains(name)) {
      throw new IllegalArgumentException(
          "no array %s; there are %s".formatted(name, arrays == null ? Set.of() : arrays.names()));
    }
    if (arrays.type(name) != type) {
      throw new IllegalArgumentException(
          "array %s is of type %s, asked for %s".formatted(name, arrays.type(name), type));
    }
    arrays.read(name, destination);
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
          arrays != null && arrays.names().contains(name)
              ? "output %s is an array of %s: ask for the whole of it"
                  .formatted(name, arrays.type(name))
              : "no output %s; there are %s".formatted(name, names()));
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

  /**
   * All outputs in the order of {@link #names}: values, the reason where one is not defined, and
   * the types of arrays, such as {@code {running=array of INT, total=8}}. Reads no array.
   */
  @Override
  public String toString() {
    Map<String, Object> outputs = new TreeMap<>(values);
    if (arrays != null) {
      for (String array : arrays.names()) {
        outputs.put(array, "array of %s".formatted(arrays.type(array)));
      }
    }
    return outputs.toString();
  }
}
