package funnel.group;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * What an operator of Funnel's makes of a column on the JVM, in a table with a value for each
 * {@linkplain GroupPlaces place}: one that may combine values of a group in any order.
 *
 * @param name of the groups' values
 * @param column the values; null for the rows' positions
 * @param of their type
 * @param operator combines them
 * @param type of the groups' values
 */
record GroupTable(
    String name, @Nullable String column, ElementType of, Operator operator, ElementType type) {

  /** Loops over values of a type with an operator. */
  interface Loops {
    /** A table in which no value is yet: an array. */
    Object make(int places, Number identity);

    /**
     * Combines values with a table.
     *
     * @param table the table
     * @param places the values' places in it
     * @param count how many values
     * @param values where they are
     * @param first the first of them
     */
    void combine(Object table, GroupPlaces.Rows places, int count, MemorySegment values, int first);

    /** Puts what several tables come to at some places into an array. */
    void put(Object[] tables, int[] places, MemorySegment output);
  }

  /** Whether an operator makes the same of values in any order and any tree. */
  static boolean suits(Operator operator, ElementType type) {
    boolean isExact =
        !type.isFloating() || operator.equals(Operator.MIN) || operator.equals(Operator.MAX);
    return operator.function() == null && isExact;
  }

  /** What a table begins with. */
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
