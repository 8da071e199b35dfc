package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.io.Pieces;
import funnel.operator.ElementType;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Reductions of a file, piece by piece through one plan. */
final class FileReduction {

  private static final String INPUT = "x";

  private FileReduction() {}

  /**
   * Reduces a file.
   *
   * @return the operations' values in their order: numbers, or maps of numbers
   * @throws funnel.io.FileChangedException if somebody wrote to the file
   * @throws NoSuchElementException if the file is empty and a value is then not defined
   */
  static Map<String, Object> run(Funnel funnel, Pieces pieces, List<ReduceOp> ops)
      throws IOException {
    ElementType type = pieces.source().type();
    List<Accumulation> accumulations = ops.stream().map(op -> op.over(type)).toList();
    Plan.Builder builder = funnel.plan("file").input(INPUT, type, pieces.capacity());
    accumulations.forEach(
        a -> a.reductions().forEach((output, reduction) -> builder.add(output, reduction, INPUT)));
    try (Plan plan = builder.build()) {
      pieces.forEach(
          (piece, from) -> {
            Elements elements = Elements.of(piece, type);
            Results results = plan.run(Map.of(INPUT, elements));
            accumulations.forEach(a -> a.add(results, from, elements.length()));
          });
    } catch (NoSuchElementException e) {
      throw new NoSuchElementException(
          "%s is empty: %s".formatted(pieces.source(), e.getMessage()), e);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    accumulations.forEach(a -> values.put(a.op().toString(), a.value()));
    return values;
  }
}
