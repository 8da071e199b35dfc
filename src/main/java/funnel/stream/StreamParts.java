package funnel.stream;

import funnel.Plan;
import funnel.Results;
import funnel.histogram.KeyOutsideException;
import funnel.io.Source;
import funnel.io.StreamException;
import funnel.operation.JvmRun;
import funnel.operation.Operation;
import funnel.operation.Parts;
import funnel.operator.ElementType;
import funnel.pieces.Pieces;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Operations over sources that are done in {@linkplain Parts parts}, several in one pass. */
public final class StreamParts {

  /** The name of the output of a stream's only operation. */
  public static final String RESULT = "result";

  /** Parts are combined when they have more elements than this. */
  private static final int MOST_KEPT = 1 << 16;

  /** How operations are named in the plans; names of the caller's could clash there. */
  private static final String PART = "part";

  private StreamParts() {}

  /** One operation, and its parts so far, in the order of their pieces. */
  private static final class One<P extends Serializable> {
    final String name;
    final Parts<P> parts;
    private final List<P> kept = new ArrayList<>();
    private long size;
    private boolean isDone;

    One(String name, Parts<P> parts) {
      this.name = name;
      this.parts = parts;
    }

    Runnable taken(P part, PieceRuns runs) {
      return () -> {
        kept.add(part);
        isDone |= parts.isDone(kept);
        size += parts.size(part);
        if (size > MOST_KEPT) {
          P all = whole(runs);
          kept.clear();
          kept.add(all);
          size = parts.size(all);
        }
      };
    }

    private P whole(PieceRuns runs) {
      return kept.size() == 1 ? kept.getFirst() : parts.combine(kept, runs::onJvm);
    }

    void finish(PieceRuns runs, Map<String, Object> outputs) {
      parts.finish(whole(runs), (suffix, output) -> outputs.put(name + suffix, output));
    }
  }

  /** The outputs of operations, as a plan would have them, but positions and counts are longs. */
  public static Results run(
      PieceRuns runs,
      SequencedMap<String, Source> sources,
      Map<String, ? extends Operation> operations)
      throws IOException {
    String[] inputs = sources.keySet().toArray(String[]::new);
    Source first = sources.firstEntry().getValue();
    List<ElementType> types = sources.values().stream().map(Source::type).toList();
    runs.requireValid(sources, operations);
    List<One<?>> all = new ArrayList<>();
    operations.forEach((name, operation) -> all.add(new One<>(name, parts(operation, types))));
    runs.forEach(
        sources,
        plan -> {
          for (int k = 0; k < all.size(); k++) {
            plan.add(PART + k, all.get(k).parts.ofPiece(), inputs);
          }
          return plan;
        },
        (plan, piece) -> {
          Results results = run(plan, piece, first);
          List<Runnable> taken = new ArrayList<>();
          for (One<?> one : all) {
            taken.add(part(one, PART + taken.size(), results, piece, first.type(), runs));
          }
          return taken;
        },
        new Pieces.Taker<>() {
          @Override
          public void take(Pieces.Piece piece, List<Runnable> taken) {
            taken.forEach(Runnable::run);
          }

          @Override
          public boolean takesMore() {
            return !all.stream().allMatch(one -> one.isDone);
          }
        });
    runs.end();
    Map<String, Object> outputs = new HashMap<>();
    all.forEach(one -> one.finish(runs, outputs));
    return Results.of(outputs);
  }

  private static Parts<?> parts(Operation operation, List<ElementType> types) {
    return operation
        .inParts(types)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s is not done in parts: read the source into an array, or see which methods a stream has"
                        .formatted(operation)));
  }

  private static Results run(Plan plan, Pieces.Piece piece, Source source) throws IOException {
    try {
      return plan.run();
    } catch (KeyOutsideException e) {
      try {
        source.requireUnchanged();
      } catch (IOException changed) {
        throw StreamException.reading(source, piece.from(), piece.to(), changed);
      }
      throw e.after(piece.from());
    }
  }

  private static <P extends Serializable> Runnable part(
      One<P> one,
      String name,
      Results results,
      Pieces.Piece piece,
      ElementType type,
      PieceRuns runs) {
    int length = piece.length();
    MemorySegment elements = piece.elements().getFirst();
    P part =
        one.parts.of(
            new Parts.Piece(
                length,
                length == 0 ? null : JvmRun.element(elements, type, 0),
                length == 0 ? null : JvmRun.element(elements, type, length - 1),
                name,
                results));
    return one.taken(part, runs);
  }
}
