package funnel.array;

import funnel.group.Aggregate;
import funnel.operator.ElementType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An array or a single value that a chain computes or is given. The name of a computed one is only
 * a name: it is the same array by another.
 *
 * @param node what computes it
 * @param suffix what its name has after that of the node's output
 * @param part what is asked of a node whose outputs are those that are asked for, else null
 * @param type the type of its elements
 * @param name the name that the user gave what is computed, or an empty one
 */
public record Ref(Node node, String suffix, @Nullable Part part, ElementType type, String name) {

  Ref(Node node, String suffix, @Nullable Part part, ElementType type) {
    this(node, suffix, part, type, "");
  }

  /** The same by another name. */
  public Ref named(String other) {
    return node instanceof Node.Given given
        ? given.named(other).output(type)
        : new Ref(node, suffix, part, type, other);
  }

  /** Whether it is known to be in ascending order. */
  public boolean isAscending() {
    return switch (node) {
      case Node.Applied applied -> applied.isAscending() && suffix.isEmpty() && part == null;
      case Node.Resident resident -> resident.isAscending();
      default -> false;
    };
  }

  /** The name that the user gave it, or an empty one. */
  @Override
  public String name() {
    return node instanceof Node.Given given ? given.name() : name;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof Ref ref
            && node.equals(ref.node)
            && suffix.equals(ref.suffix)
            && Objects.equals(part, ref.part)
            && type == ref.type;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * node.hashCode() + suffix.hashCode()) + Objects.hashCode(part);
  }

  /** The array itself, where it is one that is there if others are as long. */
  public Ref unchecked() {
    Ref ref = this;
    while (ref.node instanceof Node.Checked checked) {
      ref = checked.of;
    }
    return ref;
  }

  /** What it is, for users; nothing is computed. */
  public String text() {
    return text(name);
  }

  /** What it is, by a name if it is not there itself. */
  public String text(String named) {
    return unchecked().node instanceof Node.Given given
        ? given.toString()
        : "%s%s, not computed".formatted(Shown.type(type), Shown.before(named));
  }

  /** A column of rows, or an aggregate of groups. */
  public static final class Part {

    /* The columns of a table that follows from many others are parts of parts of parts: the hash
     * code is known, so that neither it nor a comparison of different ones goes down to the first.
     */

    private final @Nullable Aggregate aggregate;
    private final @Nullable Ref column;
    private final int hash;

    /**
     * A part.
     *
     * @param aggregate the aggregate, of column 1; null for the column itself
     * @param column the column; null for a count
     */
    Part(@Nullable Aggregate aggregate, @Nullable Ref column) {
      this.aggregate = aggregate;
      this.column = column;
      this.hash = Objects.hash(aggregate, column);
    }

    @Nullable Aggregate aggregate() {
      return aggregate;
    }

    @Nullable Ref column() {
      return column;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other
          || other instanceof Part part
              && hash == part.hash
              && Objects.equals(aggregate, part.aggregate)
              && Objects.equals(column, part.column);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}
