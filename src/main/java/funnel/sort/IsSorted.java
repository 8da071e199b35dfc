package funnel.sort;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Parts;
import funnel.operator.ElementType;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Whether an array is sorted, and where it first is not.
 *
 * <p><b>Definition.</b> The value {@code output} is 1 if the array is sorted, else 0; {@code output
 * + "_first"} is the position of the first element that belongs before its predecessor, or -1. For
 * 1, 1, 3, 4 they are 1 and -1; for 1, 3, 2, 0 they are 0 and 2. Both are ints.
 *
 * {@snippet class="funnel.docs.SortSnippets" region="sorted"}
 *
 * <p>The <b>order</b> is that of {@link Sort}: -0.0 before 0.0, NaN after all numbers, all NaN
 * equal. Elements are bytes (0 to 255), ints, longs, floats or doubles.
 *
 * <p><b>Empty input</b> is sorted, and so is a single element.
 *
 * <p><b>Cost.</b> On a device all elements are read once, in two launches; extra memory is 4 bytes
 * for each of at most 2048 blocks. The JVM stops at the first such element, a stream with its
 * piece.
 *
 * <p>Immutable. After {@code is_sorted} and {@code is_sorted_until} of Thrust.
 *
 * @param isDescending whether the largest element comes first
 */
public record IsSorted(boolean isDescending) implements Operation, Serializable {

  /** Whether the array is sorted with the smallest first. */
  public static IsSorted ascending() {
    return new IsSorted(false);
  }

  /** Whether the array is sorted with the largest first. */
  public static IsSorted descending() {
    return new IsSorted(true);
  }

  /**
   * @param output the name of the answer, and prefix of the name of the position
   * @param inputs the elements
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input x = Expansion.only(inputs, this);
    IsSortedStep check = new IsSortedStep(output, x, isDescending);
    String first = check.first();
    return new Expansion(
        List.of(check),
        List.of(
            new Output(
                output,
                ElementType.INT,
                x.name(),
                "",
                first,
                (results, length) -> results.apply(first).intValue() < 0 ? 1 : 0),
            Output.of(first, ElementType.INT, x.name(), "")));
  }

  /** Each piece, and the elements where two of them meet; the position is a long. */
  @Override
  public Optional<Parts<?>> inParts(List<ElementType> inputs) {
    return Optional.of(new InParts(this));
  }

  /** Answers for pieces. */
  private record InParts(IsSorted ofPiece) implements Parts<InParts.Part> {

    /**
     * Whether some pieces are sorted.
     *
     * @param first the first position that is not, or -1
     * @param ends the first element and the last one; none of an empty input
     */
    private record Part(long length, long first, List<Number> ends) implements Serializable {}

    @Override
    public Part of(Piece piece) {
      return new Part(
          piece.length(),
          piece.get("_first").longValue(),
          piece.first() == null || piece.last() == null
              ? List.of()
              : List.of(piece.first(), piece.last()));
    }

    @Override
    public Part combine(List<Part> parts, Calls onJvm) {
      long length = 0;
      long first = -1;
      for (int k = 0; k < parts.size(); k++) {
        Part part = parts.get(k);
        if (first < 0 && k > 0 && isBefore(part, parts.get(k - 1))) {
          first = length;
        } else if (first < 0 && part.first() >= 0) {
          first = length + part.first();
        }
        length += part.length();
      }
      return new Part(
          length,
          first,
          List.of(parts.getFirst().ends().getFirst(), parts.getLast().ends().getLast()));
    }

    /**
     * Whether a part begins with an element that belongs before the last one of the part before.
     */
    @SuppressWarnings("unchecked") // the order of Sort is the natural one of boxed numbers
    private boolean isBefore(Part part, Part before) {
      Comparable<Number> next = (Comparable<Number>) part.ends().getFirst();
      int order = next.compareTo(before.ends().getLast());
      return ofPiece.isDescending ? order > 0 : order < 0;
    }

    @Override
    public boolean isDone(List<Part> parts) {
      Part last = parts.getLast();
      return last.first() >= 0 || parts.size() > 1 && isBefore(last, parts.get(parts.size() - 2));
    }

    @Override
    public void finish(Part whole, BiConsumer<String, Object> output) {
      output.accept("", whole.first() < 0 ? 1L : 0L);
      output.accept("_first", whole.first());
    }
  }

  @Override
  public String toString() {
    return isDescending ? "is sorted, descending" : "is sorted";
  }
}
