package funnel.cli;

import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.io.ElementFile;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;

/** Reductions of a mapped file, chunk by chunk through one plan. */
final class FileReduction {

  private static final String INPUT = "x";

  private FileReduction() {}

  /**
   * Reduces a file.
   *
   * @param chunk elements of a run
   * @param done is told the elements of each run when it is over
   * @return the operations' values in their order: numbers, or maps of numbers
   * @throws funnel.io.FileChangedException if somebody wrote to the file
   * @throws NoSuchElementException if the file is empty and a value is then not defined
   */
  static Map<String, Object> run(
      Funnel funnel, ElementFile file, List<ReduceOp> ops, int chunk, LongConsumer done)
      throws IOException {
    List<Accumulation> accumulations = ops.stream().map(op -> op.over(file.type())).toList();
    Plan.Builder builder =
        funnel.plan("file").input(INPUT, file.type(), FileChunks.capacity(file, chunk));
    accumulations.forEach(
        a -> a.reductions().forEach((output, reduction) -> builder.add(output, reduction, INPUT)));
    try (Plan plan = builder.build()) {
      FileChunks.forEach(
          file,
          chunk,
          done,
          (elements, from) -> {
            Results results = plan.run(Map.of(INPUT, elements));
            accumulations.forEach(a -> a.add(results, from, elements.length()));
          });
    } catch (NoSuchElementException e) {
      throw new NoSuchElementException("%s is empty: %s".formatted(file.path(), e.getMessage()), e);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    accumulations.forEach(a -> values.put(a.op().toString(), a.value()));
    return values;
  }
}
