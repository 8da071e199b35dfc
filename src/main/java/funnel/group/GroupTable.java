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
 * @param name of the groups' values
 * @param column the values; null for the rows' positions
 * @param of their type
 * @param operator combines the values
 * @param type of the groups' values
 */
record GroupTable(
    String name, @Nullable String column, ElementType of, Operator operator, ElementType type) {

  /** Loops over values of a type with an operator. */
  interface Loops {
    /** An empty table: an array. */
    Object make(int places, Number identity);

    /**
     * Combines values with a table.
     *
     * @param table the table
     * @param places the values' places in it
     * @param count the number of values
     * @param values the values
     * @param first the index of the first of them
     */
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

  /** The initial value of a table. */
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
