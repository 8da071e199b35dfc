package funnel.sort;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import java.util.List;
import java.util.Locale;

/**
 * Searches for many elements in a sorted array: for each, its place there.
 *
 * <p><b>Definition.</b> The inputs are the sorted array and the elements to search for, of the same
 * type; the output has an int for each of the latter. In the array 1, 1, 3, 4 with {@code n}
 * elements, these are the results for 0, 1, 2 and 9:
 *
 * <ul>
 *   <li>{@link #lowerBound}: 0, 0, 2, 4: how many elements come before it, which is the first place
 *       where it can be inserted;
 *   <li>{@link #upperBound}: 0, 2, 2, 4: how many elements do not come after it, which is the last
 *       place where it can be inserted;
 *   <li>{@link #binarySearch}: -1, 0, -3, -5: the index of the first equal element, or if there is
 *       none, {@code -1 - p} with the lower bound {@code p}, as {@code Arrays.binarySearch}
 *       returns.
 * </ul>
 *
 * <p>The elements are bytes (0 to 255), ints, longs, floats or doubles; those to search for may
 * have any order. The output stays on the device, where later operations of the plan may take it.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="search"}
 *
 * <p>The <b>order</b> is that of {@link Sort}: -0.0 before 0.0, NaN after all numbers, all NaN
 * equal. Use {@link #descending} for an array that is sorted with the largest first. An unsorted
 * array is not detected (see {@link IsSorted}): the places are then arbitrary from 0 to {@code n},
 * but the same on every engine.
 *
 * <p><b>Within parts.</b> {@link #within} looks for each element in a part of its own, given by two
 * further inputs of ints: the index where it begins, and that of the first element after it. Only
 * the parts are sorted, and places are counted from where they begin. What is outside of the array
 * is cut off; a part that ends before it begins is empty.
 *
 * <p><b>Empty inputs.</b> In an empty array the bounds are 0, and {@code binarySearch} gives -1.
 * With nothing to search for, the output is empty.
 *
 * <p>There is no <b>in-place</b> form: the output must not overlap the inputs.
 *
 * <p><b>Cost.</b> One launch; a search reads {@code log2(n)} elements, one after the other, each of
 * which is a sector of 32 bytes if it is not in a cache. If the elements to search for are sorted,
 * most reads are from a cache. No extra memory.
 *
 * <p>Immutable. After {@code lower_bound}, {@code upper_bound} and {@code binary_search} of Thrust.
 *
 * @param kind which place is found
 * @param isDescending whether the largest element comes first
 * @param isWithin whether each element is looked for in a part
 */
public record SortedSearch(Kind kind, boolean isDescending, boolean isWithin) implements Operation {

  /** A search in a whole array. */
  public SortedSearch(Kind kind, boolean isDescending) {
    this(kind, isDescending, false);
  }

  /** The place that a search finds. */
  public enum Kind {
    /** How many elements come before the one searched for. */
    LOWER_BOUND,
    /** How many elements do not come after the one searched for. */
    UPPER_BOUND,
    /** Where the first equal element is. */
    BINARY_SEARCH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** For each, how many elements of an ascending array come before it. */
  public static SortedSearch lowerBound() {
    return new SortedSearch(Kind.LOWER_BOUND, false);
  }

  /** For each, how many elements of an ascending array do not come after it. */
  public static SortedSearch upperBound() {
    return new SortedSearch(Kind.UPPER_BOUND, false);
  }

  /** For each, where the first equal element of an ascending array is, or a negative number. */
  public static SortedSearch binarySearch() {
    return new SortedSearch(Kind.BINARY_SEARCH, false);
  }

  /**
   * This search in an array with the largest first: the lower bounds of 9, 3 in 4, 3, 1 are 0, 1.
   */
  public SortedSearch descending() {
    return new SortedSearch(kind, true, isWithin);
  }

  /**
   * This search in a part for each element, given by where it begins and ends: the lower bounds of
   * 2, 2 in 1, 3, 0, 2, 5 from 0 to 2 and from 2 to 5 are 1, 1.
   */
  public SortedSearch within() {
    return new SortedSearch(kind, isDescending, true);
  }

  /**
   * @param output name of the output, an array of ints
   * @param inputs the sorted array, the elements to search for, and if it is {@link #within} where
   *     their parts begin and end
   * @throws IllegalArgumentException if there are too few or too many, or they are of other types
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (inputs.size() != (isWithin ? 4 : 2)) {
      throw new IllegalArgumentException(
          "%s takes a sorted array and elements to search for%s, given=%s inputs"
              .formatted(this, isWithin ? ", and where parts begin and end" : "", inputs.size()));
    }
    Input sorted = inputs.getFirst();
    Input wanted = inputs.get(1);
    List<Input> parts = inputs.subList(2, inputs.size());
    for (Input part : parts) {
      if (part.type() != ElementType.INT) {
        throw new IllegalArgumentException(
            "%s takes ints for where parts begin and end, %s is of type %s"
                .formatted(this, part.name(), part.type()));
      }
    }
    if (sorted.type() != wanted.type()) {
      throw new IllegalArgumentException(
          "%s searches for elements of the array's type: %s is of type %s, %s of type %s"
              .formatted(this, sorted.name(), sorted.type(), wanted.name(), wanted.type()));
    }
    return new Expansion(
        List.of(new SortedSearchStep(output, sorted, wanted, parts, kind, isDescending)),
        List.of());
  }

  /**
   * The JVM's primitive for the last of other rows at or before the time of each row, among those
   * with its key if there are keys: positions, or -1.
   *
   * @param output name of the positions
   * @param inputs the times of rows and of other rows, and their keys, ints or longs, if any
   * @param ifNot primitives that write the same, for times and keys of too many bits
   */
  public static Primitive lastRows(String output, List<Input> inputs, List<Primitive> ifNot) {
    return new LastRowsStep(output, List.copyOf(inputs), List.copyOf(ifNot));
  }

  @Override
  public String toString() {
    return (isDescending ? "descending " : "") + kind + (isWithin ? " within parts" : "");
  }
}
