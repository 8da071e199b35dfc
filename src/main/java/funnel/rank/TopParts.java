package funnel.rank;

import funnel.operation.Parts;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The largest or smallest elements in parts: those of the pieces are candidates, in the order of
 * the pieces, and the best of them are found as in any array. So of equal elements those that come
 * first stay.
 */
record TopParts(TopK top) implements Parts<TopParts.Part> {

  /**
   * The best elements of some pieces, and their positions.
   *
   * @param best a Java array
   */
  record Part(long length, Serializable best, long[] positions) implements Serializable {}

  @Override
  public TopK ofPiece() {
    return new TopK(top.k(), top.isLargest(), true, true);
  }

  @Override
  public Part of(Piece piece) {
    int[] positions = (int[]) piece.array("_positions");
    return new Part(
        piece.length(),
        (Serializable) piece.array(""),
        Arrays.stream(positions).asLongStream().toArray());
  }

  @Override
  public Part combine(List<Part> parts, Calls onJvm) {
    long before = 0;
    long[] of = {};
    for (Part part : parts) {
      int from = of.length;
      of = Arrays.copyOf(of, from + part.positions().length);
      for (int i = from; i < of.length; i++) {
        of[i] = before + part.positions()[i - from];
      }
      before += part.length();
    }
    Outputs best = onJvm.run(ofPiece(), Parts.joined(parts.stream().map(Part::best).toList()));
    int[] at = (int[]) best.array(OUTPUT + "_positions");
    long[] positions = new long[at.length];
    for (int i = 0; i < at.length; i++) {
      positions[i] = of[at[i]];
    }
    return new Part(before, (Serializable) best.array(OUTPUT), positions);
  }

  @Override
  public void finish(Part whole, BiConsumer<String, Object> output) {
    if (top.hasElements()) {
      output.accept("", whole.best());
    }
    if (top.hasPositions()) {
      output.accept(top.hasElements() ? "_positions" : "", whole.positions());
    }
  }

  @Override
  public boolean isExact() {
    return true;
  }

  @Override
  public int size(Part part) {
    return part.positions().length;
  }
}
