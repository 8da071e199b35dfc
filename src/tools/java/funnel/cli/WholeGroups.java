package funnel.cli;

import funnel.Array;
import funnel.Bytes;
import funnel.Doubles;
import funnel.Elements;
import funnel.Floats;
import funnel.Funnel;
import funnel.Groups;
import funnel.Ints;
import funnel.Longs;
import funnel.Reading;
import funnel.Table;
import funnel.io.Source;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Groups of columns that are in memory as a whole, for aggregates that streams do not have. */
final class WholeGroups {

  private final Funnel funnel;
  private final List<Array<?, ?>> columns = new ArrayList<>();
  private final Groups<?> groups;

  /**
   * Groups.
   *
   * @param sources keys, which are ints or longs, and then values
   */
  WholeGroups(Funnel funnel, List<Source> sources, int keys, Arena arena) throws IOException {
    this.funnel = funnel;
    for (Source each : sources) {
      Elements elements = Elements.of(each.piece(0, each.length(), arena), each.type());
      columns.add(
          switch (each.type()) {
            case BYTE -> funnel.bytes(elements);
            case INT -> funnel.ints(elements);
            case LONG -> funnel.longs(elements);
            case FLOAT -> funnel.floats(elements);
            case DOUBLE -> funnel.doubles(elements);
          });
    }
    Table table = funnel.table(columns.toArray(Array<?, ?>[]::new));
    Array<?, ?>[] next = columns.subList(1, keys).toArray(Array<?, ?>[]::new);
    groups =
        switch (columns.getFirst()) {
          case Ints key -> table.groupBy(key, next);
          case Longs key -> table.groupBy(key, next);
          default -> throw new AssertionError(columns);
        };
  }

  /** An aggregate of a column in each group, which is computed when it is read. */
  Array<?, ?> get(GroupColumn aggregate, int column) {
    return switch (columns.get(column)) {
      case Bytes x -> aggregate.ofGroups(groups, x);
      case Ints x -> aggregate.ofGroups(groups, x);
      case Longs x -> aggregate.ofGroups(groups, x);
      case Floats x -> aggregate.ofGroups(groups, x);
      case Doubles x -> aggregate.ofGroups(groups, x);
    };
  }

  /** Several of them, computed together, as longs or doubles. */
  <K> Map<K, Object> read(Map<K, Array<?, ?>> wanted) {
    Map<K, Array<?, ?>> numbers = new HashMap<>(wanted);
    numbers.replaceAll((_, each) -> each instanceof Bytes bytes ? bytes.asInts() : each);
    Reading read = funnel.read(numbers.values().toArray(Array<?, ?>[]::new));
    Map<K, Object> wide = new HashMap<>();
    numbers.forEach((of, each) -> wide.put(of, GroupColumn.wide(read.get(each))));
    return wide;
  }
}
