package funnel.array;

import funnel.group.Aggregate;
import funnel.group.Join;
import funnel.operation.Operation;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.select.Unique;
import funnel.sort.Ascending;
import funnel.sort.Order;
import funnel.sort.SegmentedSort;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import funnel.transform.Elementwise;
import funnel.transform.Fill;
import funnel.transform.Gather;
import funnel.transform.Reverse;
import funnel.transform.Shift;
import funnel.transform.Slice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows of a table: what its columns have in them, and what follows from these. */
public final class Rows {

  /* A column is named by an array that usually has other rows: those of a table that this one
   * follows from. What is computed of such arrays element by element is computed again of what they
   * have here. Of all else - a scan, the order, ranks - nobody can say whether it is meant in those
   * rows or in these, so it is taken only where both are the same. What depends on no column is as
   * the user says, and so is a single value.
   *
   * Nodes know the table whose columns they are, and so what has the rows of another one is found
   * wherever it stands in a chain. Tables have the same rows if a column has the same in both. A
   * chain may be longer than a stack is deep, and have more ways than can be walked.
   */

  /**
   * What an array is in these rows.
   *
   * @param here what it is here; null if it follows from no column element by element
   * @param isMoved whether the array itself has other rows
   * @param other a column that it follows from in other rows, or an array whose rows are not known
   */
  private record Fate(@Nullable Ref here, boolean isMoved, @Nullable Ref other) {
    static Fate other(Ref other) {
      return new Fate(null, true, other);
    }
  }

  private static final Fate FREE = new Fate(null, false, null);

  private final Map<Ref, Ref> columns;
  private final Map<Ref, Ref> here = new HashMap<>();
  private final Set<Ref> lacking;

  private Rows(Map<Ref, Ref> columns, Set<Ref> lacking) {
    this.columns = columns;
    this.lacking = lacking;
    columns.values().forEach(column -> here.put(column.unchecked(), column));
  }

  /**
   * Rows.
   *
   * @param columns what the columns have in these rows
   * @param lacking the columns that are not there in each row
   */
  public static Rows of(Map<Ref, Ref> columns, Set<Ref> lacking) {
    Rows rows = new Rows(columns, lacking);
    columns.forEach(
        (name, column) -> {
          if (!isSame(name, column) && column.unchecked().node() instanceof Node.Applied node) {
            node.in(rows);
          }
        });
    return rows;
  }

  private static boolean isSame(Ref one, @Nullable Ref other) {
    return other != null && one.unchecked().equals(other.unchecked());
  }

  /**
   * A column in these rows, or what follows from columns element by element.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public Ref column(Ref array) {
    Ref is = requireHere(array).here();
    if (is == null) {
      throw new IllegalArgumentException(
          "the table has no column %s: name columns by the arrays that its first table was made of, and add what is computed by with(...)"
              .formatted(array.text()));
    }
    return is;
  }

  /**
   * What an array is in these rows, of which it has one element each.
   *
   * @throws IllegalArgumentException if it follows from a column in other rows
   */
  public Ref row(Ref array) {
    Ref is = requireHere(array).here();
    return is == null ? array : is;
  }

  private Fate requireHere(Ref array) {
    Fate fate = fate(array);
    if (fate.other() != null) {
      throw refused(array, fate.other());
    }
    return fate;
  }

  private IllegalArgumentException refused(Ref array, Ref other) {
    return new IllegalArgumentException(
        lacking.contains(other)
            ? "rows of a join may lack the column %s: say what they have instead, by fill(column, ...)"
                .formatted(other.text())
            : "%s follows from %s, which has not the rows of this table: use what a column has in them, table.of(column), or add it before the rows change, by with(...)"
                .formatted(array.text(), other.text()));
  }

  private Fate fate(Ref array) {
    Map<Ref, Fate> fates = new HashMap<>();
    Deque<Ref> next = new ArrayDeque<>(List.of(array.unchecked()));
    while (!next.isEmpty()) {
      Ref ref = next.getFirst();
      List<Ref> open =
          fates.containsKey(ref)
              ? List.of()
              : of(ref).stream().filter(each -> !fates.containsKey(each)).toList();
      if (open.isEmpty()) {
        fates.computeIfAbsent(next.removeFirst(), each -> fate(each, fates));
      }
      open.forEach(next::addFirst);
    }
    return Objects.requireNonNull(fates.get(array.unchecked()));
  }

  /** What has to be known of an array's own inputs. */
  private List<Ref> of(Ref ref) {
    if (columns.containsKey(ref)
        || here.containsKey(ref)
        || !(ref.node() instanceof Node.Applied node)) {
      return List.of();
    }
    return isValue(ref) || isOther(node) ? List.of() : inputs(ref, node);
  }

  private static List<Ref> inputs(Ref ref, Node.Applied node) {
    List<Ref> inputs = new ArrayList<>(node.of);
    if (ref.part() != null && ref.part().column() != null) {
      inputs.add(ref.part().column());
    }
    return inputs.stream().map(Ref::unchecked).toList();
  }

  /** Whether a node has columns of this table's in other rows. */
  private boolean isOther(Node.Applied node) {
    return node.rows != null && node.rows != this && !hasRowsOf(node.rows);
  }

  /** Whether columns of both tables are the same, or none is of both. */
  private boolean hasRowsOf(Rows other) {
    boolean isRelated = false;
    for (Map.Entry<Ref, Ref> each : other.columns.entrySet()) {
      Ref mine = columns.get(each.getKey());
      if (isSame(each.getValue(), mine)) {
        return true;
      }
      isRelated |= mine != null;
    }
    return !isRelated;
  }

  private Fate fate(Ref ref, Map<Ref, Fate> fates) {
    Ref column = columns.get(ref);
    if (column != null) {
      return lacking.contains(ref) ? Fate.other(ref) : new Fate(column, !isSame(ref, column), null);
    }
    if (here.containsKey(ref)) {
      return new Fate(here.get(ref), false, null);
    }
    if (!(ref.node() instanceof Node.Applied node) || isValue(ref)) {
      return FREE;
    }
    if (isOther(node)) {
      return Fate.other(ref);
    }
    int from = elementwise(ref);
    return from < 0 ? whole(ref, node, fates) : elementwise(ref, node, from, fates);
  }

  /** Of what is not computed element by element. */
  private Fate whole(Ref ref, Node.Applied node, Map<Ref, Fate> fates) {
    for (Ref each : inputs(ref, node)) {
      Fate fate = Objects.requireNonNull(fates.get(each));
      if (fate.other() != null) {
        return fate;
      }
      if (fate.isMoved()) {
        return Fate.other(each);
      }
    }
    return FREE;
  }

  private Fate elementwise(Ref ref, Node.Applied node, int from, Map<Ref, Fate> fates) {
    List<Ref> of = new ArrayList<>(node.of);
    boolean isHere = false;
    boolean isMoved = false;
    boolean isChecked = false;
    Ref free = null;
    for (int i = from; i < of.size(); i++) {
      Ref each = of.get(i).unchecked();
      Fate fate = Objects.requireNonNull(fates.get(each));
      if (fate.other() != null) {
        return fate;
      }
      if (fate.here() != null) {
        isHere = true;
        isMoved |= fate.isMoved();
        isChecked |= fate.here().node() instanceof Node.Checked;
        of.set(i, fate.here());
      } else if (!isValue(each)) {
        free = each;
      }
    }
    if (!isMoved && !isChecked) {
      return isHere ? new Fate(ref, false, null) : FREE;
    }
    free = isMoved ? free : null;
    for (Ref lookedUp : isMoved ? of.subList(0, from) : List.<Ref>of()) {
      Fate fate = Objects.requireNonNull(fates.get(lookedUp.unchecked()));
      free = fate.isMoved() ? lookedUp : free;
    }
    return free == null
        ? new Fate(node.over(of).output(ref.suffix(), ref.type()), isMoved, null)
        : Fate.other(free);
  }

  /** A single value of an array, which no rows change. */
  private static boolean isValue(Ref ref) {
    return ref.node() instanceof Node.Applied node && node.operation instanceof Reduction;
  }

  /**
   * From which of its inputs on an operation computes element by element; negative if none. It
   * looks up elements of those before.
   */
  private static int elementwise(Ref ref) {
    return ref.part() != null || !(ref.node() instanceof Node.Applied node)
        ? -1
        : switch (node.operation instanceof Ascending of ? of.ofFirst() : node.operation) {
          case Elementwise function -> function.isIndexed() ? -1 : 0;
          case Fill _ -> 0;
          case Gather _, SortedSearch _ -> 1;
          case null, default -> -1;
        };
  }

  /**
   * What has as many elements as an array, as far as that is known without a run: equal objects
   * have equally many.
   */
  public static Object length(Ref array) {
    Ref ref = array.unchecked();
    while (ref.node() instanceof Node.Applied node) {
      int from = elementwise(ref);
      Aggregate aggregate = ref.part() == null ? null : ref.part().aggregate();
      boolean isAsLong =
          Aggregate.rows().equals(aggregate)
              || Aggregate.list(1).equals(aggregate)
              || switch (node.operation) {
                case Scan _, Sort _, Shift _, Reverse _, Order _ -> ref.part() == null;
                case null, default -> false;
              };
      if (!isAsLong && (ref.part() != null || node.operation == null)) {
        return node; // columns of rows; keys and aggregates of groups; pairs
      }
      List<Ref> of = node.of.stream().filter(each -> !isValue(each)).toList();
      from = isAsLong ? 0 : from;
      if (from < 0 || from >= of.size()) {
        return ref;
      }
      ref = of.get(from).unchecked();
    }
    return ref.node() instanceof Node.Given given ? given.length() : ref;
  }

  /**
   * Requires that an array is a column of those rows that positions are of, if these are of a
   * table's: where the largest elements are, say, or the last row of each group.
   *
   * @throws IllegalArgumentException if the table has it in other rows
   */
  public static void requireRowsOf(Ref positions, Ref array) {
    Rows rows = ofPositions(positions);
    if (rows == null) {
      return;
    }
    if (rows.fate(array).isMoved()) {
      throw new IllegalArgumentException(
          "the positions are those of rows of a table, in which %s is another array: take table.of(column) at them, or the rows, table.at(positions)"
              .formatted(array.text()));
    }
  }

  /**
   * Requires that positions, if they are of a table's rows, are of these.
   *
   * @throws IllegalArgumentException if they are of other rows of these columns
   */
  public Ref positions(Ref positions) {
    Rows rows = ofPositions(positions);
    if (rows != null && !hasRowsOf(rows)) {
      throw new IllegalArgumentException(
          "the positions are those of other rows of these columns: take the rows of the table that"
              + " they were made of");
    }
    return row(positions);
  }

  /** The table of whose rows an array has positions, if it is known. */
  private static @Nullable Rows ofPositions(Ref positions) {
    Set<Ref> seen = new HashSet<>();
    Ref ref = positions.unchecked();
    while (ref.node() instanceof Node.Applied node && seen.add(ref)) {
      Ref.Part part = ref.part();
      if (part != null && part.aggregate() != null) {
        return part.aggregate().isPosition() || part.aggregate().equals(Aggregate.rows())
            ? node.rows
            : null;
      }
      boolean isOfFirst =
          List.of("_positions", "_starts", "_left").contains(ref.suffix())
              || node.operation instanceof Order
              || node.operation instanceof Join;
      if (isOfFirst || ref.suffix().equals("_right")) {
        return ofColumn(node.of.get(isOfFirst ? 0 : 1));
      }
      if (part != null && part.column() != null) {
        ref = part.column().unchecked();
      } else if (keepsElements(node.operation)) {
        ref = node.of.getFirst().unchecked();
      } else {
        return null;
      }
    }
    return null;
  }

  private static boolean keepsElements(@Nullable Operation operation) {
    return switch (operation) {
      case Gather _, Slice _, Select _, Sort _, SegmentedSort _, Unique _, Reverse _ -> true;
      case null, default -> false;
    };
  }

  /** The table of which an array is a column, or follows from one element by element. */
  private static @Nullable Rows ofColumn(Ref array) {
    Ref ref = array.unchecked();
    while (ref.node() instanceof Node.Applied node) {
      int from = elementwise(ref);
      if (node.rows != null || from < 0 || from >= node.of.size()) {
        return ref.part() != null && ref.part().aggregate() != null ? null : node.rows;
      }
      ref = node.of.get(from).unchecked();
    }
    return null;
  }
}
