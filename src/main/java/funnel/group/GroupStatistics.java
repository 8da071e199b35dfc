package funnel.group;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Tables of one column of integers that are filled in one pass: the number of values of each place,
 * their sums, the least and the largest.
 *
 * <p>For a place with the values 3, 1 they are 2, 4, 1, 3.
 *
 * @param of their type, ints or longs
 * @param tables the tables of sums, least and largest values
 */
record GroupStatistics(String column, ElementType of, List<GroupTable> tables) {

  interface Loops {
    Object make(int places);

    /** Adds values to the statistics of their places. */
    void add(Object all, GroupPlaces.Rows places, int count, MemorySegment values, int first);

    void join(Object all, Object others);

    /** How many values each place has. */
    int[] counts(Object all);

    /** Writes the sums of some places into an array of ints or longs. */
    void putSums(Object all, ElementType type, int[] places, MemorySegment output);

    /** Writes the least or the largest values of some places into an array. */
    void putEnds(Object all, boolean isLeast, int[] places, MemorySegment output);
  }

  private static boolean suits(GroupTable table) {
    Operator operator = table.operator();
    return table.column() != null
        && (table.of() == ElementType.INT || table.of() == ElementType.LONG)
        && (operator.equals(Operator.SUM)
            || operator.equals(Operator.MIN)
            || operator.equals(Operator.MAX));
  }

  /** The statistics of columns that have several tables. */
  static List<GroupStatistics> of(List<GroupTable> tables) {
    Map<String, List<GroupTable>> byColumn = new LinkedHashMap<>();
    for (GroupTable table : tables) {
      if (suits(table)) {
        String column = Objects.requireNonNull(table.column());
        byColumn.computeIfAbsent(column, _ -> new ArrayList<>()).add(table);
      }
    }
    return byColumn.entrySet().stream()
        .filter(each -> each.getValue().size() > 1)
        .map(
            each ->
                new GroupStatistics(
                    each.getKey(), each.getValue().getFirst().of(), each.getValue()))
        .toList();
  }

  Loops loops() {
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        Loops.class,
        TwinClass.of(MethodHandles.lookup(), IntGroupStatisticsLoops.class, of));
  }

  /** Writes a table's statistic of some places into an array. */
  static void put(Loops loops, GroupTable table, Object all, int[] places, MemorySegment output) {
    if (table.operator().equals(Operator.SUM)) {
      loops.putSums(all, table.type(), places, output);
    } else {
      loops.putEnds(all, table.operator().equals(Operator.MIN), places, output);
    }
  }
}
