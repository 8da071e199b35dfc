package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.io.PieceWriter;
import funnel.io.Pieces;
import funnel.io.Sink;
import funnel.operator.ElementType;
import funnel.scan.Scan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** A scan of a file into a {@code .npy} file, piece by piece through one plan. */
final class FileScan {

  /* The initial value of a piece is the total of the pieces before it. */

  private static final String INPUT = "x";
  private static final String INITIAL = "initial";
  private static final String OUTPUT = "y";

  private FileScan() {}

  /**
   * Scans a file.
   *
   * @param scan what to compute, without an initial value of its own
   * @param initial what everything is combined with first, of the results' type
   * @param output takes the results, of their type
   * @return the total, which is {@code initial} if the file is empty
   * @throws funnel.io.FileChangedException if somebody wrote to the file
   */
  static Number run(Funnel funnel, Pieces pieces, Scan scan, Number initial, Sink output)
      throws IOException {
    ElementType input = pieces.source().type();
    ElementType type = output.type();
    Number[] total = {initial};
    try (Plan plan =
            funnel
                .plan("file")
                .input(INPUT, input, pieces.capacity())
                .input(INITIAL, type, 1)
                .add(OUTPUT, scan.continuing(), INPUT, INITIAL)
                .build();
        PieceWriter writer = new PieceWriter(output, pieces.capacity())) {
      pieces.forEach(
          (piece, from) -> {
            Elements elements = Elements.of(piece, input);
            MemorySegment scanned = writer.next(elements.length());
            total[0] =
                plan.run(
                        Map.of(INPUT, elements, INITIAL, single(total[0])),
                        Map.of(OUTPUT, Elements.of(scanned, type)))
                    .get(OUTPUT + "_total");
            writer.write(scanned);
          });
    }
    return total[0];
  }

  private static Elements single(Number value) {
    return switch (value) {
      case Integer i -> Elements.of(new int[] {i});
      case Long l -> Elements.of(new long[] {l});
      case Float f -> Elements.of(new float[] {f});
      case Double d -> Elements.of(new double[] {d});
      default -> throw new IllegalArgumentException("no number of Funnel's: " + value.getClass());
    };
  }
}
