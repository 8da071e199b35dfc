package funnel.cli;

import funnel.ElementStream;
import funnel.Results;
import funnel.io.ElementFile;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Reductions of a file. */
final class FileReduction {

  private FileReduction() {}

  /**
   * Reduces a file.
   *
   * @return the operations' values in their order: numbers, or maps of numbers
   * @throws NoSuchElementException if the file is empty and a value is therefore not defined
   */
  static Map<String, Object> run(ElementStream stream, ElementFile file, List<ReduceOp> ops)
      throws IOException {
    ElementType type = file.type();
    long length = file.length();
    Map<String, Reduction> reductions = new LinkedHashMap<>();
    ops.forEach(op -> reductions.putAll(op.reductions(type, length)));
    Results results = stream.reduce(reductions);
    Map<String, Object> values = new LinkedHashMap<>();
    try {
      ops.forEach(op -> values.put(op.toString(), op.value(results, type, length)));
    } catch (NoSuchElementException e) {
      throw new NoSuchElementException("%s is empty: %s".formatted(file, e.getMessage()), e);
    }
    return values;
  }
}
