package funnel.bench;

import funnel.operator.ElementType;
import funnel.operator.Operator;

/**
 * A primitive over an array.
 *
 * @param work what is done
 * @param block threads of a block where that is what is compared, else 0
 * @param type the elements' type
 * @param op the operator's name
 * @param length elements
 * @param expected what it should give
 */
record PrimitiveCase(Work work, int block, ElementType type, String op, int length, String expected)
    implements Case {

  PrimitiveCase(Work work, int block, Workload workload, Operator operator, Number expected) {
    this(work, block, workload.type(), operator.name(), workload.length(), expected.toString());
  }

  /** With the result that a plain loop gives. */
  static PrimitiveCase of(Work work, Workload workload, Operator operator) {
    return new PrimitiveCase(work, 0, workload, operator, workload.expected(operator));
  }

  /** Of the input, and of the output if it is as long. */
  @Override
  public double bytes() {
    return (double) length * type.bytes() * work.moved();
  }

  @Override
  public String suffix() {
    return block > 0 ? "/" + block : "";
  }
}
