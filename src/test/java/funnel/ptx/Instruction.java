package funnel.ptx;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * One instruction, its operands numbers of registers; constants are registers too.
 *
 * @param text as it is written, for messages
 * @param guard the register of its predicate; less than 0: none
 * @param when what the predicate has to be
 * @param operation a {@code LongUnaryOperator}, {@code LongBinaryOperator} or {@code Ternary}
 */
record Instruction(
    String text,
    Kind kind,
    int guard,
    boolean when,
    int to,
    int a,
    int b,
    int c,
    Object operation,
    Type type,
    Place place,
    int target) {

  enum Kind {
    MOVE,
    UNARY,
    BINARY,
    TERNARY,
    ADD_INT,
    ADD_LONG,
    AND,
    LESS,
    EQUAL,
    SELECT,
    LOAD,
    STORE,
    ATOMIC,
    BRANCH,
    BARRIER,
    SHUFFLE,
    RETURN,
    NOTHING
  }

  enum Space {
    GLOBAL,
    SHARED,
    LOCAL,
    PARAM
  }

  /**
   * What is read or written: {@code register * scale + offset}, not below {@code from} and below
   * {@code to}.
   */
  record Place(Space space, int register, int scale, long offset, long from, long to) {}

  LongUnaryOperator unary() {
    return (LongUnaryOperator) operation;
  }

  LongBinaryOperator binary() {
    return (LongBinaryOperator) operation;
  }

  Operations.Ternary ternary() {
    return (Operations.Ternary) operation;
  }
}
