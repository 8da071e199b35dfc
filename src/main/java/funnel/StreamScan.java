package funnel;

import funnel.io.Sink;
import funnel.io.Source;
import funnel.operator.ElementType;
import funnel.pieces.PieceWriter;
import funnel.scan.Scan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A scan of a source: the initial value of a piece is the total of the pieces before it. */
final class StreamScan {

  private static final String INPUT = "source";
  private static final String INITIAL = "initial";
  private static final String OUTPUT = "sink";

  private StreamScan() {}

  static Number run(PieceRuns runs, Source source, Scan scan, Sink sink) throws IOException {
    ElementType type = scan.resultType(source.type());
    if (scan.isContinuing()) {
      throw new IllegalArgumentException(
          "%s takes its initial value from an input: over a source give it by from(value)"
              .formatted(scan));
    }
    Number[] total = {scan.initial(source.type())};
    PieceRuns.requireTakes(sink, type, source.length());
    try (PieceWriter writer = new PieceWriter(sink, runs.capacity(source))) {
      runs.forEach(
          new LinkedHashMap<>(Map.of(INPUT, source)),
          plan -> plan.input(INITIAL, type, 1).add(OUTPUT, scan.continuing(), INPUT, INITIAL),
          (plan, piece) -> {
            MemorySegment scanned = writer.next(piece.length(), piece.elements());
            total[0] =
                plan.run(
                        Map.of(INITIAL, Elements.ofNumbers(List.of(total[0]))),
                        Map.of(OUTPUT, Elements.of(scanned, type)))
                    .get(OUTPUT + "_total");
            writer.write(scanned);
          });
    }
    return total[0];
  }
}
