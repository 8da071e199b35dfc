package funnel.bench;

import funnel.operator.ElementType;
import funnel.operator.Operator;

/**
 * A primitive over an array.
 *
 * @param work the measured work
 * @param block the number of threads of a block if block sizes are compared, else 0
 * @param type the elements' type
 * @param op the operator's name
 * @param length the number of elements
 * @param expected the expected result
 */
record PrimitiveCase(Work work, int block, ElementType type, String op, int length, String expected)
    implements Case {

  PrimitiveCase(Work work, int block, Workload workload, Operator operator, Number expected) {
    this(work, block, workload.type(), operator.name(), workload.length(), expected.toString());
  }

  /** With a plain loop's result as the expected one. */
  static PrimitiveCase of(Work work, Workload workload, Operator operator) {
    return new PrimitiveCase(work, 0, workload, operator, workload.expected(operator));
  }

  /** Bytes of the input, and of the output if it has the same length. */
  @Override
  public double bytes() {
    return (double) length * type.bytes() * work.moved();
  }

  @Override
  public String suffix() {
    return block > 0 ? "/" + block : "";
  }
}
