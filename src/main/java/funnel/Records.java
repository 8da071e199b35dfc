package funnel;

import funnel.operator.ElementType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Objects of a record class, whose components are outputs of a plan or columns of a table. */
final class Records<R extends Record> {

  private final Class<R> type;
  private final List<RecordComponent> components;

  Records(Class<R> type) {
    this.type = type;
    this.components = List.of(type.getRecordComponents());
  }

  List<RecordComponent> components() {
    return components;
  }

  /**
   * The type of a component that is an element of a column.
   *
   * @throws IllegalArgumentException if it is no element
   */
  ElementType element(RecordComponent component) {
    if (!component.getType().isPrimitive()) {
      throw new IllegalArgumentException(
          "%s %s of %s is no column: it must be an int, long, float, double or byte"
              .formatted(component.getType().getSimpleName(), component.getName(), type.getName()));
    }
    return Handle.elements(component.getType().arrayType());
  }

  /** A column of rows. */
  Elements column(RecordComponent component, List<? extends R> rows) {
    Elements column = Elements.allocate(element(component), rows.size());
    Object array = column.segment().heapBase().orElseThrow();
    Method accessor = component.getAccessor();
    try {
      accessor.setAccessible(true);
      int i = 0;
      for (R row : rows) {
        Array.set(array, i++, accessor.invoke(row));
      }
      return column;
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw inaccessible(e);
    }
  }

  /** The rows of columns, Java arrays in the order of the components. */
  List<R> rows(List<Object> columns) {
    int length = columns.isEmpty() ? 0 : Array.getLength(columns.getFirst());
    Function<Object[], R> make = maker();
    List<R> rows = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      int row = i;
      rows.add(make.apply(columns.stream().map(column -> Array.get(column, row)).toArray()));
    }
    return rows;
  }

  /** Makes an object of the values of its components. */
  R make(Function<RecordComponent, Object> value) {
    return maker().apply(components.stream().map(value).toArray());
  }

  private Function<Object[], R> maker() {
    Class<?>[] types = components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return values -> {
        try {
          return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
          throw inaccessible(e);
        }
      };
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw inaccessible(e);
    }
  }

  private IllegalArgumentException inaccessible(Exception e) {
    return new IllegalArgumentException(
        "a %s cannot be read or made: %s".formatted(type.getName(), e), e);
  }
}
