package funnel.group;

import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.scan.Scan;
import funnel.select.Runs;
import funnel.select.Select;
import funnel.sort.Order;
import funnel.sort.Sort;
import funnel.sort.SortedSearch;
import funnel.transform.Elementwise;
import funnel.transform.Gather;
import funnel.transform.GatherStep;
import funnel.transform.Iota;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A join of two tables: finds the rows of the left and the right table with equal keys.
 *
 * <p><b>Definition.</b> The first input has the left table's keys, the second the right table's,
 * both ints or both longs, in any order, possibly with duplicates. Outputs are positions, as ints
 * from 0. For the left keys 7, 9, 7, 5 and the right keys 9, 7, 9:
 *
 * <ul>
 *   <li>{@link #inner}: each pair of rows with equal keys, in {@code output + "_left"} and {@code
 *       output + "_right"}, by the left position and then the right one: 0, 1, 1, 2 and 1, 0, 2, 1;
 *   <li>{@link #left}: these pairs, and each left row without one, with -1 on the right: 0, 1, 1,
 *       2, 3 and 1, 0, 2, 1, -1;
 *   <li>{@link #semi}: the left rows whose key is in the right table: {@code output} is 0, 1, 2;
 *   <li>{@link #anti}: the left rows whose key is not in the right table: 3;
 *   <li>{@link #asOf}: for each left row the last right one with its key at or before its time.
 * </ul>
 *
 * <p>The number of rows or pairs is found on the device, where later operations of the plan use it:
 * {@link funnel.transform.Gather} gathers the rows' columns. A {@link Dictionary} maps strings and
 * other items to int keys.
 *
 * {@snippet class="funnel.docs.JoinSnippets" region="join"}
 *
 * <p>Or in one call:
 *
 * {@snippet class="funnel.docs.JoinSnippets" region="once"}
 *
 * <p><b>Too many pairs.</b> If there are more pairs than the capacity of {@code inner} or {@code
 * left}, the run throws an {@link funnel.operation.OutputTooShortException} with their number, and
 * nothing is written.
 *
 * <p><b>Empty inputs.</b> Without left rows the outputs are empty. Without right rows {@code anti}
 * and {@code left} give all left rows, {@code asOf} -1 for each, and the others give none. There is
 * no <b>in-place</b> form: outputs must not overlap the inputs.
 *
 * <p><b>Cost</b> on a device: the right keys are sorted, with positions for {@code inner}, unless
 * they are {@linkplain #sortedRight sorted already}; each left key is searched for among them,
 * twice for {@code inner}, see {@link SortedSearch}. {@code semi} and {@code anti} then move some
 * 12 bytes per left row, {@code inner} 68 per left row and 40 per pair, each of which searches for
 * its left row among the ends of runs. Extra memory of {@code inner}: 32 bytes per left row and 8
 * per pair, and that of the sort. The smaller table should be on the right. On the JVM right keys
 * go into a hash table, with some 24 bytes each; for {@code asOf} right rows are sorted on all
 * engines, with some 36 bytes each.
 *
 * <p>Immutable. After {@code inner_join}, {@code left_semi_join} and {@code left_anti_join} of
 * cuDF, whose pairs have no order.
 */
public final class Join implements Operation {

  /* The matches of a left row are neighbours in the sorted right keys, from its lower bound to its
   * upper bound. They form a run of as many pairs, and decoding the runs gives the left positions.
   * Pair i of the row whose pairs begin at s has the place i - s + lower bound in the sorted keys:
   * lower bound - s is computed for rows, before pairs. Starts are ints, and wrap only where the
   * pairs throw. A left join has a pair for a row without matches, whose place becomes negative.
   */

  private enum Kind {
    INNER,
    LEFT,
    SEMI,
    ANTI,
    AS_OF
  }

  private static final Elementwise MATCHES =
      Elementwise.ofInt("matches", (lower, upper) -> upper - lower);
  private static final Elementwise SHIFT =
      Elementwise.ofInt("shift", (lower, start) -> lower - start);
  private static final Elementwise PLACE =
      Elementwise.ofInt("place", (pair, shift) -> pair + shift).indexed();
  private static final Elementwise PAIRS =
      Elementwise.ofInt("pairs", matches -> matches == 0 ? 1 : matches);
  private static final Elementwise SHIFT_OR_NONE =
      Elementwise.ofInt(
          "shift", (lower, start, matches) -> matches == 0 ? Integer.MIN_VALUE : lower - start);
  private static final Elementwise PLACE_OR_NONE =
      Elementwise.ofInt("place", (pair, shift) -> pair + shift < 0 ? -1 : pair + shift).indexed();
  private static final Elementwise RUN_OR_NONE =
      Elementwise.ofInt("run", place -> Math.max(place, -1));
  private static final Elementwise END = Elementwise.ofInt("end", Integer::sum);
  private static final Elementwise BEFORE = Elementwise.ofInt("last", count -> count - 1);
  private static final Elementwise LAST =
      Elementwise.ofInt("last", (begin, count) -> count == 0 ? -1 : begin + count - 1);
  private static final Transform IS_FOUND = Transform.testInt("is found", place -> place >= 0);

  private final Kind kind;
  private final int capacity; // of pairs
  private final boolean isRightSorted;

  private Join(Kind kind, int capacity, boolean isRightSorted) {
    this.kind = kind;
    this.capacity = capacity;
    this.isRightSorted = isRightSorted;
  }

  /**
   * All pairs of rows with equal keys.
   *
   * @param capacity the largest number of pairs
   * @throws IllegalArgumentException if it is negative or more than an array can have
   */
  public static Join inner(int capacity) {
    return new Join(Kind.INNER, Input.requireLength("Join.inner: capacity", capacity), false);
  }

  /**
   * All pairs of rows with equal keys, and the left rows without one, each with the right position
   * -1, which {@link funnel.transform.Gather#orElse} replaces.
   *
   * @param capacity the largest number of pairs
   * @throws IllegalArgumentException if it is negative or more than an array can have
   */
  public static Join left(int capacity) {
    return new Join(Kind.LEFT, Input.requireLength("Join.left: capacity", capacity), false);
  }

  /** The left rows whose key is in the right table, each once. */
  public static Join semi() {
    return new Join(Kind.SEMI, 0, false);
  }

  /** The left rows whose key is not in the right table. */
  public static Join anti() {
    return new Join(Kind.ANTI, 0, false);
  }

  /**
   * The right row for each left row that is the last at or before its time, among those with its
   * key: of the right rows with equal keys whose times are not after that of the left row, the one
   * with the largest time, of several the last, or -1 if there is none.
   *
   * <p>Inputs are the times on the left and on the right, of one type and in the order of {@link
   * Sort}, and after them, if rows have keys, those on the left and on the right. The output is as
   * long as the left table. For the times 5, 3, 9 and 4, 1, 6 it is 0, 1, 2; with the keys 7, 7, 8
   * and 7, 8, 7 it is 0, -1, 1.
   */
  public static Join asOf() {
    return new Join(Kind.AS_OF, 0, false);
  }

  /**
   * This join of right keys that are already in ascending order, so that it does not sort them.
   * Unsorted keys are not detected (see {@link funnel.sort.IsSorted}): rows are then missing or
   * have wrong partners, the same on every engine.
   *
   * @throws IllegalArgumentException if this is an as-of join, which sorts rows by times too
   */
  public Join sortedRight() {
    if (kind == Kind.AS_OF) {
      throw new IllegalArgumentException(
          "%s sorts right rows by times too: leave out sortedRight()".formatted(this));
    }
    return new Join(kind, capacity, true);
  }

  /**
   * @param output the name of the positions, or prefix of their names
   * @param inputs the left keys, then the right keys
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (kind == Kind.AS_OF) {
      return lasts(output, inputs);
    }
    if (inputs.size() != 2) {
      throw new IllegalArgumentException(
          "%s takes keys on the left and keys on the right, given=%s inputs"
              .formatted(this, inputs.size()));
    }
    Input left = inputs.getFirst();
    Input right = inputs.getLast();
    requireKeys(left, right);
    Parts parts = new Parts(output, new ArrayList<>());
    boolean isOfPairs = kind == Kind.INNER || kind == Kind.LEFT;
    if (isOfPairs) {
      matches(left, right, parts);
    } else {
      found(left, right, parts);
    }
    List<Primitive> searches = List.copyOf(parts.all);
    List<Primitive> onJvm = new ArrayList<>();
    onJvm.add(
        new KeyMatchesStep(
            output + ".jvm",
            left,
            right,
            output + ".places",
            isOfPairs ? output + ".matches" : null,
            isRightSorted ? null : output + ".order",
            isRightSorted ? searches : List.of()));
    Set<String> visible = isOfPairs ? Set.of(output + "_left", output + "_right") : Set.of(output);
    if (isOfPairs) {
      pairs(left, right, parts);
    } else {
      Select found = Select.where(IS_FOUND).positions();
      parts.add("", kind == Kind.SEMI ? found : found.rejecting(), parts.ints(".places", left));
    }
    onJvm.addAll(parts.all.subList(searches.size(), parts.all.size()));
    return new Expansion(List.of(Composite.of(output, parts.all, visible, onJvm)), List.of());
  }

  private void requireKeys(Input left, Input right) {
    if (left.type() != right.type()
        || (left.type() != ElementType.INT && left.type() != ElementType.LONG)) {
      throw new IllegalArgumentException(
          "keys of %s are both ints or both longs: %s is of type %s, %s of type %s"
              .formatted(this, left.name(), left.type(), right.name(), right.type()));
    }
  }

  private Expansion lasts(String output, List<Input> inputs) {
    if (inputs.size() != 2 && inputs.size() != 4) {
      throw new IllegalArgumentException(
          "%s takes times on the left and on the right, and keys if there are any, given=%s inputs"
              .formatted(this, inputs.size()));
    }
    Input times = inputs.getFirst();
    Input others = inputs.get(1);
    if (times.type() != others.type()) {
      throw new IllegalArgumentException(
          "times of %s are of one type: %s is of type %s, %s of type %s"
              .formatted(this, times.name(), times.type(), others.name(), others.type()));
    }
    Parts parts = new Parts(output, new ArrayList<>());
    if (inputs.size() == 2) {
      Input order = parts.add(".order", Order.ascending(), others);
      Input sorted = parts.taken(".sorted", others, order, others.name());
      Input counts = parts.add(".counts", SortedSearch.upperBound(), sorted, times);
      parts.add("", Gather.at().orElse(-1), order, parts.add(".last", BEFORE, counts));
    } else {
      Input keys = inputs.get(2);
      Input otherKeys = inputs.getLast();
      requireKeys(keys, otherKeys);
      Order byKeyAndTime = Order.of(Sort.ascending(), Sort.ascending());
      Input order = parts.add(".order", byKeyAndTime, otherKeys, others);
      Input sortedKeys = parts.taken(".keys", otherKeys, order, otherKeys.name());
      Input runs = parts.runs(sortedKeys);
      Input places = parts.add(".places", SortedSearch.binarySearch(), runs, keys);
      Input run = parts.add(".run", RUN_OR_NONE, places);
      Gather orNone = Gather.at().orElse(0);
      Input begins = parts.add(".begins", orNone, parts.ints(".runs_starts", runs), run);
      Input lengths = parts.add(".lengths", orNone, parts.ints(".runs_lengths", runs), run);
      Input ends = parts.add(".ends", END, begins, lengths);
      Input sorted = parts.taken(".sorted", others, order, others.name());
      SortedSearch notAfter = SortedSearch.upperBound().within();
      Input counts = parts.add(".counts", notAfter, sorted, times, begins, ends);
      parts.add("", Gather.at().orElse(-1), order, parts.add(".last", LAST, begins, counts));
    }
    List<Primitive> onJvm = List.of(SortedSearch.lastRows(output, inputs, parts.all));
    return new Expansion(
        List.of(Composite.of(output, parts.all, Set.of(output), onJvm)), List.of());
  }

  private void found(Input left, Input right, Parts parts) {
    Input sorted = isRightSorted ? right : parts.add(".sorted", Sort.ascending(), right);
    parts.add(".places", SortedSearch.binarySearch(), sorted, left);
  }

  /** Adds the primitives that search for left keys, and count the matches of each. */
  private void matches(Input left, Input right, Parts parts) {
    Input sorted = right;
    if (!isRightSorted) {
      Input order = parts.add(".order", Order.ascending(), right);
      sorted = parts.taken(".sorted", right, order, right.name());
    }
    Input lower = parts.add(".places", SortedSearch.lowerBound(), sorted, left);
    Input upper = parts.add(".upper", SortedSearch.upperBound(), sorted, left);
    parts.add(".matches", MATCHES, lower, upper);
  }

  private void pairs(Input left, Input right, Parts parts) {
    String output = parts.output;
    Input lower = parts.ints(".places", left);
    Input matches = parts.ints(".matches", left);
    boolean isLeft = kind == Kind.LEFT;
    Input counts = isLeft ? parts.add(".pairs", PAIRS, matches) : matches;
    Input starts = parts.add(".starts", Scan.exclusive(Operator.SUM), counts);
    Input shifts =
        isLeft
            ? parts.add(".shifts", SHIFT_OR_NONE, lower, starts, matches)
            : parts.add(".shifts", SHIFT, lower, starts);
    parts.all.add(Iota.positions(output + ".rows", left));
    parts.all.add(
        Runs.decoded(
            output + "_left",
            parts.ints(".rows", left),
            counts,
            capacity,
            "%s %s has more pairs".formatted(this, output),
            isLeft ? "Join.left" : "Join.inner"));
    Input lefts = new Input(output + "_left", ElementType.INT, capacity);
    Input shift = parts.taken(".shift", shifts, lefts, null);
    Elementwise place = isLeft ? PLACE_OR_NONE : PLACE;
    Input rights = parts.add(isRightSorted ? "_right" : ".rights", place, shift);
    if (!isRightSorted && isLeft) {
      parts.add("_right", Gather.at().orElse(-1), parts.ints(".order", right), rights);
    } else if (!isRightSorted) {
      parts.taken("_right", parts.ints(".order", right), rights, null);
    }
  }

  /** The parts of {@code output} that have been added. */
  private record Parts(String output, List<Primitive> all) {

    /** Adds an operation whose output is an array of ints, or sorted keys, as long as an input. */
    Input add(String name, Operation operation, Input... inputs) {
      all.addAll(operation.expand(output + name, List.of(inputs)).primitives());
      Input last = inputs[inputs.length - 1];
      ElementType type = operation instanceof Sort ? last.type() : ElementType.INT;
      return new Input(output + name, type, last.capacity());
    }

    /** The distinct ones of sorted keys, and in further arrays where they begin and how often. */
    Input runs(Input sorted) {
      all.addAll(Runs.encode().expand(output + ".runs", List.of(sorted)).primitives());
      return new Input(output + ".runs", sorted.type(), sorted.capacity());
    }

    /** An array of ints that has been added, as long as an input. */
    Input ints(String name, Input like) {
      return new Input(output + name, ElementType.INT, like.capacity());
    }

    Input taken(String name, Input of, Input positions, @Nullable String source) {
      int most = positions.capacity();
      all.add(
          new GatherStep(
              output + name, of.name(), positions.name(), null, source, of.type(), most));
      return new Input(output + name, of.type(), most);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Join that
        && kind == that.kind
        && capacity == that.capacity
        && isRightSorted == that.isRightSorted;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, capacity, isRightSorted);
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + " join";
  }
}
