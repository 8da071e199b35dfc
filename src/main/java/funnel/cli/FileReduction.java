package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.io.ElementFile;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;

/** Reductions of a mapped file, chunk by chunk through one plan. */
final class FileReduction {

  /* A chunk is what one run of the plan takes: it bounds the device's memory, not the file. Its
   * length is part of the definition of a floating-point result, since chunks are combined on the
   * host one after the other; so it does not depend on the engine.
   */

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
    int capacity = (int) Math.min(chunk, Math.max(1, file.length()));
    Plan.Builder builder = funnel.plan("file").input(Accumulation.input(), file.type(), capacity);
    accumulations.forEach(accumulation -> accumulation.declare(builder));
    try (Plan plan = builder.build()) {
      long from = 0;
      do {
        int length = (int) Math.min(chunk, file.length() - from);
        Elements elements = Elements.of(file.chunk(from, from + length), file.type());
        var results = plan.run(Map.of(Accumulation.input(), elements));
        for (Accumulation accumulation : accumulations) {
          accumulation.add(results, from, length);
        }
        from += length;
        done.accept(length);
      } while (from < file.length());
    } catch (NoSuchElementException e) {
      throw new NoSuchElementException("%s is empty: %s".formatted(file.path(), e.getMessage()), e);
    } catch (InternalError e) {
      /* a page of the mapping is gone: somebody cut the file off */
      file.requireUnchanged();
      throw e;
    }
    file.requireUnchanged();
    Map<String, Object> values = new LinkedHashMap<>();
    accumulations.forEach(a -> values.put(a.op().toString(), a.value()));
    return values;
  }
}
