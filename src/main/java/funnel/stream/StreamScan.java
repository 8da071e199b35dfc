package funnel.stream;

import funnel.Elements;
import funnel.Results;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Parts;
import funnel.operator.ElementType;
import funnel.pieces.PieceWriter;
import funnel.scan.Scan;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** A scan of a source: the initial value of a piece is the total of the pieces before it. */
public final class StreamScan {

  /* Runs follow one another in the order of the pieces, even with several devices: each needs the
   * total of the one before, rounded as on one device. But kernels take a fraction of the time of
   * transfers. So a run leaves its results on the device, and they are copied from there while
   * others run.
   */

  private static final String INPUT = "source";
  private static final String INITIAL = "initial";
  private static final String OUTPUT = "sink";

  private StreamScan() {}

  public static Number run(PieceRuns runs, Source source, Scan scan, Sink sink) throws IOException {
    ElementType type = scan.resultType(source.type());
    if (scan.isContinuing()) {
      throw new IllegalArgumentException(
          "%s takes its initial value from an input: over a source give it by from(value)"
              .formatted(scan));
    }
    Map<Long, Number> totals = new ConcurrentHashMap<>(); // of the elements before a position
    totals.put(0L, scan.initial(source.type()));
    PieceRuns.requireTakes(sink, type, source.length());
    runs.requireNotAhead(List.of(source), sink);
    boolean isOverlapped = runs.isOverlapped(source);
    try (PieceWriter writer = new PieceWriter(sink, runs.capacity(source))) {
      runs.forEach(
          isOverlapped,
          new LinkedHashMap<>(Map.of(INPUT, source)),
          plan -> plan.input(INITIAL, type, 1).add(OUTPUT, scan.continuing(), INPUT, INITIAL),
          (plan, piece) -> {
            MemorySegment scanned = writer.next(piece.length(), piece.from(), piece.elements());
            Map<String, Elements> into =
                isOverlapped ? Map.of() : Map.of(OUTPUT, Elements.of(scanned, type));
            Results results =
                piece.inTurn(
                    () -> {
                      Number before = Objects.requireNonNull(totals.get(piece.from()));
                      Results run =
                          plan.run(
                              Map.of(INITIAL, Elements.ofArray(Parts.array(List.of(before)))),
                              into);
                      totals.put(piece.to(), run.get(OUTPUT + "_total"));
                      return run;
                    });
            if (isOverlapped) {
              results.read(OUTPUT, Elements.of(scanned, type));
            }
            return scanned;
          },
          (piece, scanned) -> writer.write(scanned));
    }
    return Objects.requireNonNull(totals.get(source.length()));
  }
}
