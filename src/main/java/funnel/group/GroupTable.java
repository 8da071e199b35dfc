package funnel.group;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * A column combined on the JVM by a shipped operator, in a table with a value for each {@linkplain
 * GroupPlaces place}; the operator must allow any order of a group's values.
 *
 * @param column the values; null for the rows' positions
 * @param of their type
 */
record GroupTable(
    String name, @Nullable String column, ElementType of, Operator operator, ElementType type) {

  interface Loops {
    Object make(int places, Number identity);

    /** Combines values with a table. */
    void combine(Object table, GroupPlaces.Rows places, int count, MemorySegment values, int first);

    /** Writes the combined values of several tables at some places into an array. */
    void put(Object[] tables, int[] places, MemorySegment output);
  }

  /** Whether an operator gives the same result in any order and any tree. */
  static boolean suits(Operator operator, ElementType type) {
    boolean isExact =
        !type.isFloating() || operator.equals(Operator.MIN) || operator.equals(Operator.MAX);
    return operator.function() == null && isExact;
  }

  Number identity() {
    return operator.identity(type);
  }

  Loops loops() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    ElementType element = of == ElementType.BYTE ? ElementType.INT : of;
    return FunctionCopies.loops(
        lookup,
        Loops.class,
        TwinClass.of(lookup, IntToIntGroupTableLoops.class, element, type).asSubclass(Loops.class),
        operator);
  }
}
