package funnel.operation;

import funnel.operator.ElementType;
import java.util.function.Function;

/**
 * A value that a plan's user reads, computed on the host from results of primitives.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="step"}
 *
 * @param name unique within the plan
 * @param type type of the value
 * @param input the input whose length is passed to {@code finish}
 * @param emptyReason the message if the input was empty and the value is therefore not defined;
 *     empty if it is defined
 * @param result the primitive's result that the value is computed from
 * @param finish computes the value
 */
public record Output(
    String name, ElementType type, String input, String emptyReason, String result, Finish finish) {

  /** Computes an output's value. */
  @FunctionalInterface
  public interface Finish {
    /**
     * The value.
     *
     * @param results the primitives' results by name
     * @param length elements of the input
     */
    Number value(Function<String, Number> results, int length);
  }

  /**
   * A finish that a device can do, too: a result, or the quotient of it and the length.
   *
   * @param result the primitive's result
   * @param type of the result
   * @param to the value's type
   * @param fewer what is subtracted from the length; negative for the result itself
   */
  public record OnDevice(String result, ElementType type, ElementType to, int fewer)
      implements Finish {
    @Override
    public Number value(Function<String, Number> results, int length) {
      Number value = results.apply(result);
      if (fewer >= 0) {
        return value.doubleValue() / (length - fewer);
      }
      return to == ElementType.LONG ? (Number) value.longValue() : value;
    }
  }

  /** An output that is the primitive's result of its name, unchanged. */
  public static Output of(String name, ElementType type, String input, String emptyReason) {
    return ofResult(name, type, input, emptyReason, name);
  }

  /** An output that is a primitive's result of another name, unchanged. */
  public static Output ofResult(
      String name, ElementType type, String input, String emptyReason, String result) {
    return new Output(name, type, input, emptyReason, result, new OnDevice(result, type, type, -1));
  }
}
