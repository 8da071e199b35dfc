package funnel.array;

import funnel.Elements;
import funnel.operator.ElementType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rows as objects of a record class, whose components are columns of numbers.
 *
 * @param <R> the record class
 */
public final class Records<R extends Record> {

  private final Class<R> type;
  private final RecordComponent[] components;

  /**
   * The records of a class.
   *
   * @throws IllegalArgumentException if a component is no int, long, float, double or byte, or the
   *     class is not accessible
   */
  public Records(Class<R> type) {
    this.type = type;
    this.components = type.getRecordComponents();
    names().forEach(this::type);
  }

  /** The names of the columns. */
  public List<String> names() {
    return Stream.of(components).map(RecordComponent::getName).toList();
  }

  /** The type of a column. */
  public ElementType type(String name) {
    Class<?> wanted = component(name).getType();
    return Stream.of(ElementType.values())
        .filter(each -> each.name().equalsIgnoreCase(wanted.getName()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s %s of %s is no column: it must be an int, long, float, double or byte"
                        .formatted(wanted.getSimpleName(), name, type.getName())));
  }

  private RecordComponent component(String name) {
    return Stream.of(components).filter(c -> c.getName().equals(name)).findFirst().orElseThrow();
  }

  /** A column of rows. */
  public Elements column(String name, List<? extends R> rows) {
    Elements column = Elements.allocate(type(name), rows.size());
    Object array = column.segment().heapBase().orElseThrow();
    Method component = component(name).getAccessor();
    try {
      component.setAccessible(true);
      int i = 0;
      for (R row : rows) {
        Array.set(array, i++, component.invoke(row));
      }
      return column;
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw inaccessible(e);
    }
  }

  /** The rows of columns, Java arrays in the order of the names. */
  public List<R> rows(List<Object> columns) {
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class[]::new);
    try {
      Constructor<R> make = type.getDeclaredConstructor(types);
      make.setAccessible(true);
      int length = columns.isEmpty() ? 0 : Array.getLength(columns.getFirst());
      List<R> rows = new ArrayList<>(length);
      for (int i = 0; i < length; i++) {
        int row = i;
        rows.add(make.newInstance(columns.stream().map(c -> Array.get(c, row)).toArray()));
      }
      return rows;
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw inaccessible(e);
    }
  }

  private IllegalArgumentException inaccessible(Exception e) {
    return new IllegalArgumentException(
        "a %s cannot be read or made: %s".formatted(type.getName(), e), e);
  }
}
