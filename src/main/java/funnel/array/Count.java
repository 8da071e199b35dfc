package funnel.array;

import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operator.ElementType;
import java.util.List;

/** The number of an array's elements, which an earlier operation may find. */
public record Count() implements Operation {
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    String array = Expansion.only(inputs, this).name();
    return new Expansion(List.of(), List.of(of(output, array)));
  }

  /** The number of elements as an output. */
  static Output of(String output, String array) {
    return new Output(output, ElementType.INT, array, "", output, (_, n) -> n);
  }
}
