package funnel;

import funnel.operation.Parts;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of one run of a plan, by name: single values, and arrays.
 *
 * <p>Values stay valid. Arrays stay where they were computed until they are read. Read them before
 * the plan runs again, or {@linkplain Plan#into set a destination}; they have the length that they
 * had in this run, whatever has been set since. The arrays of a {@linkplain Funnel#run one-shot
 * call} stay valid, too.
 *
 * {@snippet class="funnel.docs.ResultsSnippets" region="results"}
 */
public final class Results implements Parts.Outputs {

  private static final int MOST_SHOWN = 1 << 16;

  private final Map<String, Object> values;
  private final Map<String, Written> arrays;
  private final Set<String> inputs;

  /**
   * An array that a run wrote.
   *
   * @param type its elements' type
   * @param length the number of its elements
   * @param reader copies them into memory of that size
   * @param place where they are if that is memory of their own
   */
  record Written(
      ElementType type, int length, Consumer<MemorySegment> reader, @Nullable Elements place) {}

  /**
   * Outputs.
   *
   * @param values maps names to numbers, or to a string with the reason if a value is not defined
   * @param arrays the arrays, by name
   */
  Results(Map<String, Object> values, Map<String, Written> arrays) {
    this(values, arrays, Set.of());
  }

  /** Outputs, and the names of the plan's inputs for messages. */
  Results(Map<String, Object> values, Map<String, Written> arrays, Set<String> inputs) {
    this.values = Map.copyOf(values);
    this.arrays = new TreeMap<>(arrays);
    this.inputs = inputs;
  }

  /**
   * Outputs that are not a plan's, by their names.
   *
   * @param outputs Java arrays or {@link Elements}, which are read from where they are; Integers,
   *     Longs, Floats and Doubles, and for a value that is not defined a String with the reason
   * @throws IllegalArgumentException if an output is something else
   */
  public static Results of(Map<String, Object> outputs) {
    Map<String, Object> values = new TreeMap<>();
    Map<String, Written> arrays = new TreeMap<>();
    outputs.forEach(
        (name, output) -> {
          if (output instanceof Number || output instanceof String) {
            values.put(name, output);
          } else {
            Elements array = output instanceof Elements of ? of : Elements.ofArray(output);
            arrays.put(
                name,
                new Written(
                    array.type(), array.length(), into -> into.copyFrom(array.segment()), null));
          }
        });
    return new Results(values, arrays);
  }

  /**
   * An array that the run wrote, copied, whatever its type: {@code next.run(Map.of("x",
   * results.elements("y")))} passes it to another plan.
   *
   * @throws IllegalArgumentException if the plan writes no array of that name
   * @throws IllegalStateException as {@link #ints}
   */
  public Elements elements(String name) {
    Written array = written(name);
    Elements copy = Elements.allocate(array.type(), array.length());
    array.reader().accept(copy.segment());
    return copy;
  }

  /** An array in memory that no later run touches: that memory itself where it is there. */
  Elements take(String name) {
    Elements place = written(name).place();
    return place == null ? elements(name) : place;
  }

  /**
   * Copies an array that the run wrote into the caller's memory: 3, 4, 8 into the first three of
   * ten elements. The others stay as they are. {@link Plan#into} does so in every run.
   *
   * @param into of the array's type, and at least as long
   * @throws IllegalArgumentException if the plan writes no array of that name, or {@code into} is
   *     of another type, too short or read-only
   * @throws IllegalStateException as {@link #ints}
   */
  public void read(String name, Elements into) {
    Written array = written(name, Objects.requireNonNull(into, "into").type());
    if (into.length() < array.length() || into.segment().isReadOnly()) {
      throw new IllegalArgumentException(
          "array %s cannot be read into %s: length=%s, capacity=%s, read-only=%s"
              .formatted(name, into, array.length(), into.length(), into.segment().isReadOnly()));
    }
    array.reader().accept(into.range(0, array.length()).segment());
  }

  /** Whether an output is an array, not a value. */
  public boolean isArray(String name) {
    return arrays.containsKey(name);
  }

  /** The names of the plan's outputs, values and arrays. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>(values.keySet());
    names.addAll(arrays.keySet());
    return Collections.unmodifiableSet(names);
  }

  /**
   * An int array that the run wrote, as a new Java array.
   *
   * @throws IllegalArgumentException if the plan writes no array of that name, or one of another
   *     type
   * @throws IllegalStateException if the plan has run again since, even if that run failed, or is
   *     closed
   */
  public int[] ints(String name) {
    Written array = written(name, ElementType.INT);
    int[] elements = new int[array.length()];
    array.reader().accept(MemorySegment.ofArray(elements));
    return elements;
  }

  /** A long array that the run wrote, as a new Java array; exceptions as {@link #ints}. */
  public long[] longs(String name) {
    Written array = written(name, ElementType.LONG);
    long[] elements = new long[array.length()];
    array.reader().accept(MemorySegment.ofArray(elements));
    return elements;
  }

  /** A float array that the run wrote, as a new Java array; exceptions as {@link #ints}. */
  public float[] floats(String name) {
    Written array = written(name, ElementType.FLOAT);
    float[] elements = new float[array.length()];
    array.reader().accept(MemorySegment.ofArray(elements));
    return elements;
  }

  /** A double array that the run wrote, as a new Java array; exceptions as {@link #ints}. */
  public double[] doubles(String name) {
    Written array = written(name, ElementType.DOUBLE);
    double[] elements = new double[array.length()];
    array.reader().accept(MemorySegment.ofArray(elements));
    return elements;
  }

  /**
   * An array that the run wrote, as a new Java array of its type: an int[], for example.
   *
   * @throws IllegalArgumentException if the plan writes no array of that name
   * @throws IllegalStateException as {@link #ints}
   */
  @Override
  public Object array(String name) {
    return switch (written(name).type()) {
      case BYTE -> bytes(name);
      case INT -> ints(name);
      case LONG -> longs(name);
      case FLOAT -> floats(name);
      case DOUBLE -> doubles(name);
    };
  }

  /** A byte array that the run wrote, as a new Java array; exceptions as {@link #ints}. */
  public byte[] bytes(String name) {
    Written array = written(name, ElementType.BYTE);
    byte[] elements = new byte[array.length()];
    array.reader().accept(MemorySegment.ofArray(elements));
    return elements;
  }

  /**
   * The number of elements of an array that the run wrote: 3 for 3, 4, 8. The length of an input,
   * or the number of elements that the run has found. It stays valid, and nothing is copied.
   *
   * @throws IllegalArgumentException if the plan writes no array of that name
   */
  public int length(String name) {
    return written(name).length();
  }

  /**
   * The type of an array.
   *
   * @throws IllegalArgumentException if no array has that name
   */
  public ElementType type(String name) {
    return written(name).type();
  }

  private Written written(String name) {
    Written array = arrays.get(Objects.requireNonNull(name, "name"));
    if (array == null) {
      Object value = values.get(name);
      throw new IllegalArgumentException(
          value == null
              ? none("array", name, arrays.keySet())
              : "output %s is a single value, not an array: use %s(\"%s\")"
                  .formatted(name, value instanceof Number number ? getter(number) : "get", name));
    }
    return array;
  }

  /** The message that there is no output of this name, or that it is an input. */
  private String none(String what, String name, Set<String> there) {
    return inputs.contains(name)
        ? "%s is an input of the plan, not an output; there are %s".formatted(name, there)
        : "no %s %s; there are %s".formatted(what, name, there);
  }

  private static String getter(Number value) {
    return value instanceof Integer ? "getInt" : "get" + value.getClass().getSimpleName();
  }

  private static String reader(ElementType type) {
    return type.name().toLowerCase(Locale.ROOT) + "s";
  }

  private Written written(String name, ElementType type) {
    Written array = written(name);
    if (array.type() != type) {
      throw new IllegalArgumentException(
          "array %s is of type %s, not %s: use %s"
              .formatted(name, array.type(), type, reader(array.type())));
    }
    return array;
  }

  /**
   * An output, as an Integer, Long, Float or Double according to its type.
   *
   * @throws IllegalArgumentException if the plan has no output of that name
   * @throws NoSuchElementException if the output is not defined, because its input was empty
   */
  @Override
  public Number get(String name) {
    Object value = values.get(Objects.requireNonNull(name, "name"));
    if (value instanceof Number number) {
      return number;
    }
    if (value == null) {
      Written array = arrays.get(name);
      throw new IllegalArgumentException(
          array != null
              ? "output %s is an array of type %s: use %s(\"%s\")"
                  .formatted(name, array.type(), reader(array.type()), name)
              : none("output", name, names()));
    }
    throw new NoSuchElementException(value.toString());
  }

  /**
   * An output by its handle: an array as a new Java array, or a number.
   *
   * @throws IllegalArgumentException if there is no such output, or it is of another type
   * @throws NoSuchElementException if it is a number that is not defined
   */
  public <T> T get(Handle<T> output) {
    Class<T> type = output.type();
    if (!type.isArray()) {
      return typed(output.name(), type);
    }
    var _ = written(output.name(), Handle.elements(type));
    return type.cast(array(output.name()));
  }

  /**
   * Outputs as a record whose components have their names and types: {@code record Sums(int[]
   * running, long total)}.
   *
   * {@snippet class="funnel.docs.ResultsSnippets" region="as"}
   *
   * @throws IllegalArgumentException if there is no output of a component's name, or it is of
   *     another type
   */
  public <R extends Record> R as(Class<R> type) {
    return new Records<>(type)
        .make(each -> get(new Handle<>(each.getName(), Handle.boxed(each.getType()))));
  }

  private <T> T typed(String name, Class<T> type) {
    Number number = get(name);
    if (!type.isInstance(number)) {
      throw new IllegalArgumentException(
          "output %s is of type %s, not %s: use %s"
              .formatted(
                  name, number.getClass().getSimpleName(), type.getSimpleName(), getter(number)));
    }
    return type.cast(number);
  }

  /**
   * An int output.
   *
   * @throws IllegalArgumentException if it is of another type; other exceptions as {@link #get}
   */
  public int getInt(String name) {
    return typed(name, Integer.class);
  }

  /**
   * A long output, or an int output as a long.
   *
   * @throws IllegalArgumentException if it is of another type; other exceptions as {@link #get}
   */
  public long getLong(String name) {
    return get(name) instanceof Integer value ? value : typed(name, Long.class);
  }

  /**
   * A float output.
   *
   * @throws IllegalArgumentException if it is of another type; other exceptions as {@link #get}
   */
  public float getFloat(String name) {
    return typed(name, Float.class);
  }

  /**
   * A double output, or a float or int output as a double, which has the same value.
   *
   * @throws IllegalArgumentException if it is of another type; other exceptions as {@link #get}
   */
  public double getDouble(String name) {
    Number value = get(name);
    return value instanceof Integer || value instanceof Float
        ? value.doubleValue()
        : typed(name, Double.class);
  }

  /**
   * All outputs in the order of {@link #names}, in words: values, or the reason for one that is not
   * defined; of arrays the type, the length, and the first and last elements. Elements that are not
   * in the host's memory are read, up to 2<sup>16</sup> of an array; of others, and of those that
   * are lost since the plan has run again, there are none.
   */
  public Preview preview() {
    List<List<String>> rows =
        names().stream()
            .map(
                name -> {
                  Written array = arrays.get(name);
                  return array == null
                      ? List.of(name, type(get(values, name)), get(values, name).toString())
                      : List.of(
                          name,
                          "%s[%s]".formatted(reader(array.type()), array.length()),
                          ends(array));
                })
            .toList();
    return new Preview(
        List.of("output", "type", "value"), List.of("", "", ""), rows, List.of(), rows.size());
  }

  private static Object get(Map<String, Object> values, String name) {
    return Objects.requireNonNull(values.get(name));
  }

  private static String type(Object value) {
    return value instanceof Number ? value.getClass().getSimpleName() : "not defined";
  }

  private static String ends(Written array) {
    Elements place = array.place();
    if (place == null && array.length() > MOST_SHOWN) {
      return "...";
    }
    try {
      if (place == null) {
        place = Elements.allocate(array.type(), array.length());
        array.reader().accept(place.segment());
      }
      return Preview.ends(place);
    } catch (IllegalStateException e) {
      return "lost: " + e.getMessage();
    }
  }

  /**
   * All outputs in the order of {@link #names}: values, the reason for a value that is not defined,
   * and the types of arrays, such as {@code {running=array of INT, total=8}}. Reads no array.
   */
  @Override
  public String toString() {
    Map<String, Object> outputs = new TreeMap<>(values);
    arrays.forEach((name, array) -> outputs.put(name, "array of %s".formatted(array.type())));
    return outputs.toString();
  }
}
