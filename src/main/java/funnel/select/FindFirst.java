package funnel.select;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Parts;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The position of the first element for which a predicate holds, as an int, or -1 if there is none.
 *
 * <p><b>Definition.</b> For 3, 1, 4, 1 it is 2 by "over 3", and -1 by "over 5". The predicate holds
 * for some element if the result is not -1, and for all elements if the result of {@link
 * #rejecting} is -1.
 *
 * {@snippet class="funnel.docs.SelectSnippets" region="first"}
 *
 * <p>Predicates and types are as for {@link Select}. <b>Empty input</b> gives -1.
 *
 * <p><b>Cost.</b> On a device all elements are read once, in two launches; extra memory is 4 bytes
 * for each of at most 2048 blocks. The JVM stops at the first match, a stream with its piece.
 *
 * <p>Immutable. After {@code find_if} of Thrust.
 *
 * @param predicate the predicate
 * @param keeps true to find an element for which it holds, false for one for which it does not hold
 */
public record FindFirst(Transform predicate, boolean keeps) implements Operation, Serializable {

  /**
   * Checks the predicate.
   *
   * @throws IllegalArgumentException if it is not a predicate
   */
  public FindFirst {
    Criterion.requireTest(predicate);
  }

  /**
   * Finds the first element for which a predicate holds.
   *
   * @throws IllegalArgumentException if {@code predicate} is not a predicate
   */
  public static FindFirst where(Transform predicate) {
    return new FindFirst(predicate, true);
  }

  /** Finds the first element for which the predicate does not hold. */
  public FindFirst rejecting() {
    return new FindFirst(predicate, !keeps);
  }

  /**
   * @param output the name of the position
   * @param inputs the elements
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    Input elements = Expansion.only(inputs, this);
    predicate.requireOver(elements.name(), elements.type());
    FindFirstStep search = new FindFirstStep(output, elements, predicate, keeps);
    return new Expansion(
        List.of(search), List.of(Output.of(output, ElementType.INT, elements.name(), "")));
  }

  /** The first position of a piece that has one, as a long. */
  @Override
  public Optional<Parts<?>> inParts(List<ElementType> inputs) {
    return Optional.of(new InParts(this));
  }

  private record InParts(FindFirst ofPiece) implements Parts<InParts.Part> {

    private record Part(long length, long first) implements Serializable {}

    @Override
    public Part of(Piece piece) {
      return new Part(piece.length(), piece.get("").longValue());
    }

    @Override
    public Part combine(List<Part> parts, Calls onJvm) {
      long before = 0;
      long first = -1;
      for (Part part : parts) {
        if (first < 0 && part.first() >= 0) {
          first = before + part.first();
        }
        before += part.length();
      }
      return new Part(before, first);
    }

    @Override
    public boolean isDone(List<Part> parts) {
      return parts.getLast().first() >= 0;
    }

    @Override
    public void finish(Part whole, BiConsumer<String, Object> output) {
      output.accept("", whole.first());
    }
  }

  @Override
  public String toString() {
    return (keeps ? "first where " : "first where not ") + predicate;
  }
}
