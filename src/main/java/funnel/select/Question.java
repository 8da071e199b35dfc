package funnel.select;

import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.Transform;
import funnel.scan.ScanForm;
import funnel.transform.Elementwise;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The criterion of a selection before its inputs are known: a predicate, a function, or flags if
 * there is neither.
 */
record Question(@Nullable Transform predicate, @Nullable Elementwise function) {

  static final Question FLAGS = new Question(null, null);

  static Question of(Transform predicate) {
    return new Question(Criterion.requireTest(predicate), null);
  }

  static Question of(Elementwise function) {
    return new Question(null, function);
  }

  private int deciding() {
    return function == null ? 1 : function.inputs();
  }

  /** The criterion over the inputs of an operation, of which it takes the last ones. */
  Criterion criterion(
      Operation operation,
      String output,
      List<Input> inputs,
      boolean keeps,
      @Nullable ScanForm form) {
    if (inputs.size() != deciding() + (predicate == null ? 1 : 0)) {
      throw new IllegalArgumentException(
          "%s takes %s, given=%s inputs"
              .formatted(
                  operation,
                  predicate == null ? "elements and " + what() : "one input",
                  inputs.size()));
    }
    int from = inputs.size() - deciding();
    return criterion(operation, output, inputs, from, keeps, form);
  }

  /** The criterion over the inputs of an operation on rows, of which it takes the first ones. */
  Criterion ofRows(
      Operation operation,
      String output,
      List<Input> inputs,
      boolean keeps,
      @Nullable ScanForm form) {
    if (columns(inputs).isEmpty()) {
      throw new IllegalArgumentException(
          "%s takes %s, and then columns, given=%s inputs"
              .formatted(operation, predicate == null ? what() : "elements", inputs.size()));
    }
    return criterion(operation, output, inputs, 0, keeps, form);
  }

  /** The other inputs of an operation on rows. */
  List<Input> columns(List<Input> inputs) {
    return inputs.subList(Math.min(deciding(), inputs.size()), inputs.size());
  }

  private Criterion criterion(
      Operation operation,
      String output,
      List<Input> inputs,
      int from,
      boolean keeps,
      @Nullable ScanForm form) {
    List<Input> of = inputs.subList(from, from + deciding());
    return function == null
        ? Criterion.of(operation, predicate, of.getFirst(), keeps, form)
        : Criterion.of(output, function, of, keeps, form);
  }

  private String what() {
    return function == null ? "flags" : "the %s inputs of %s".formatted(deciding(), function);
  }

  @Override
  public String toString() {
    return predicate != null
        ? predicate.toString()
        : function == null ? "flagged" : function.toString();
  }
}
