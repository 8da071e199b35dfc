package funnel.array;

import funnel.Elements;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.io.Source;
import funnel.operation.Operation;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import funnel.plan.Kept;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A part of a chain. Immutable; nodes are compared by identity. */
public sealed interface Node {

  /** The node's first output. */
  default Ref output(ElementType type) {
    return output("", type);
  }

  /** One of the node's outputs. */
  default Ref output(String suffix, ElementType type) {
    return new Ref(this, suffix, null, type);
  }

  /** What is asked of a node whose outputs are those that are asked for. */
  default Ref part(@Nullable Aggregate aggregate, @Nullable Ref column, ElementType type) {
    return new Ref(this, "", new Ref.Part(aggregate, column), type);
  }

  /** Elements that are there. */
  sealed interface Given extends Node {
    /** The type, the length, and the first and last elements, whatever state they are in. */
    @Override
    String toString();

    /** The name in messages; empty for a number. */
    String name();

    /** The number of elements. */
    long length();

    /** The same elements by another name. */
    Given named(String other);
  }

  /** Elements in memory. */
  record InMemory(Elements elements, String name) implements Given {
    @Override
    public long length() {
      return elements.length();
    }

    @Override
    public Given named(String other) {
      return new InMemory(elements, other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }

    @Override
    public String toString() {
      return Shown.of(elements.type(), elements.length(), name, "", Shown.ends(elements));
    }
  }

  /**
   * Elements that are kept where they are computed on.
   *
   * @param isAscending whether they are known to be in ascending order
   */
  record Resident(Kept kept, String name, boolean isAscending) implements Given {
    @Override
    public long length() {
      return kept.length();
    }

    @Override
    public Given named(String other) {
      return new Resident(kept, other, isAscending);
    }

    @Override
    public String toString() {
      return kept.isClosed()
          ? Shown.type(kept.type()) + ", closed"
          : Shown.of(
              kept.type(),
              kept.length(),
              name,
              ", kept",
              Shown.ends(kept.length(), kept::elements));
    }
  }

  /** Elements that are read piece by piece. */
  record Streamed(Source source, String name) implements Given {
    @Override
    public long length() {
      return source.length();
    }

    @Override
    public Given named(String other) {
      return new Streamed(source, other);
    }

    @Override
    public String toString() {
      return Shown.of(source, name);
    }
  }

  /** What an operation is made of when it is known what is asked of it. */
  @FunctionalInterface
  interface Making {
    /**
     * The operation.
     *
     * @param aggregates those that are asked for, over their columns
     * @param capacity the number of elements that there is room for, where the operation needs it
     */
    Operation operation(List<Aggregate> aggregates, int capacity);
  }

  /** One operation that does what two do, or null. */
  @FunctionalInterface
  interface Fusion {
    /**
     * The operation in place of {@code before}, over its inputs, and of the one after it.
     *
     * @param map the function that {@code before} is, if it is one of one array
     */
    @Nullable Operation with(Operation before, @Nullable Transform map);
  }

  /** An array that is there if others are as long. */
  final class Checked implements Node {
    final Ref of;
    final List<Ref> all;

    private Checked(Ref of, List<Ref> all) {
      this.of = of;
      this.all = all;
    }
  }

  /** Columns of a table, of which each reading finds out whether all are equally long. */
  static List<Ref> equallyLong(List<Ref> columns) {
    List<Ref> all = List.copyOf(columns);
    return all.stream().map(each -> new Checked(each, all).output(each.type())).toList();
  }

  /** An operation over arrays and values of a chain. */
  final class Applied implements Node {
    final Making making;
    final @Nullable Operation operation;
    final List<Ref> of;
    final boolean isSized;
    @Nullable Transform map;
    @Nullable Fusion fusion;
    @Nullable Rows rows;
    private boolean isAscending;

    private Applied(Making making, @Nullable Operation operation, boolean isSized, List<Ref> of) {
      this.making = making;
      this.operation = operation;
      this.isSized = isSized;
      this.of = of;
    }

    private Applied(Operation operation, List<Ref> of) {
      this((_, _) -> operation, operation, false, of);
    }

    /** The same operation over other arrays. */
    Applied over(List<Ref> others) {
      Applied other = new Applied(making, operation, isSized, List.copyOf(others));
      other.map = map;
      other.fusion = fusion;
      return other;
    }

    /** This node, whose outputs are columns of a table, or groups of its rows. */
    public Applied in(@Nullable Rows table) {
      rows = table;
      return this;
    }

    /** This node, which is a function of one array that may be fused with what comes after it. */
    public Applied mapping(Transform function) {
      map = function;
      return this;
    }

    /** This node, whose output is in ascending order. */
    public Applied ascending() {
      isAscending = true;
      return this;
    }

    boolean isAscending() {
      return isAscending;
    }

    /** This node, which may be fused with what computes its first input, and nothing else uses. */
    private Applied fusing(Fusion with) {
      fusion = with;
      return this;
    }
  }

  /** An operation. */
  static Applied of(Operation operation, Ref... of) {
    return new Applied(operation, List.of(of));
  }

  /** A function of one array. */
  static Applied map(Operation operation, Transform function, Ref of) {
    return of(operation, of).mapping(function);
  }

  /** An operation that may be fused with what computes its first input. */
  static Applied fused(Operation operation, Fusion fusion, Ref... of) {
    return of(operation, of).fusing(fusion);
  }

  /** An operation with room for a number of elements that is only found when it runs. */
  static Applied sized(IntFunction<Operation> operation, Ref... of) {
    return new Applied((_, capacity) -> operation.apply(capacity), null, true, List.of(of));
  }

  /** Groups of rows, whose aggregates are those that are asked for. */
  static Applied groups(GroupBy by, List<Ref> keys) {
    return new Applied(
        (aggregates, _) -> new GroupBy(by.arraysOfKeys(), by.isOfRuns(), aggregates),
        null,
        false,
        keys);
  }

  /** An operation on rows, whose columns are those that are asked for. */
  static Applied rows(Operation operation, List<Ref> of) {
    return new Applied(operation, of);
  }
}
