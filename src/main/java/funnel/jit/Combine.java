package funnel.jit;

import funnel.kernel.Scalars;
import funnel.operator.OperatorCode;

/**
 * The operators of {@link OperatorCode} on two values: {@code Combine.apply(SUM, 2, 3)} is 5.
 *
 * <p>For use in kernels, where {@code operator} is a scalar argument of the task and the switch
 * folds away. Operators that are not defined for a type return the left operand.
 *
 * {@snippet class="funnel.docs.KernelCopySnippets" region="pairs"}
 */
public final class Combine {

  private Combine() {}

  /** {@code left operator right} over ints; sums and products wrap around. */
  public static int apply(int operator, int left, int right) {
    return switch (operator) {
      case OperatorCode.SUM -> left + right;
      case OperatorCode.PRODUCT -> left * right;
      case OperatorCode.MIN -> Scalars.min(left, right);
      case OperatorCode.MAX -> Scalars.max(left, right);
      case OperatorCode.AND -> left & right;
      case OperatorCode.OR -> left | right;
      case OperatorCode.XOR -> left ^ right;
      case OperatorCode.USER -> Placeholder.combine(left, right);
      default -> left;
    };
  }

  /** {@code left operator right} over longs; sums and products wrap around. */
  public static long apply(int operator, long left, long right) {
    return switch (operator) {
      case OperatorCode.SUM -> left + right;
      case OperatorCode.PRODUCT -> left * right;
      case OperatorCode.MIN -> Scalars.min(left, right);
      case OperatorCode.MAX -> Scalars.max(left, right);
      case OperatorCode.AND -> left & right;
      case OperatorCode.OR -> left | right;
      case OperatorCode.XOR -> left ^ right;
      case OperatorCode.USER -> Placeholder.combine(left, right);
      default -> left;
    };
  }

  /** {@code left operator right} over floats; min and max as in {@link Math}. */
  public static float apply(int operator, float left, float right) {
    return switch (operator) {
      case OperatorCode.SUM -> left + right;
      case OperatorCode.PRODUCT -> left * right;
      case OperatorCode.MIN -> Scalars.min(left, right);
      case OperatorCode.MAX -> Scalars.max(left, right);
      case OperatorCode.USER -> Placeholder.combine(left, right);
      default -> left;
    };
  }

  /** {@code left operator right} over doubles; min and max as in {@link Math}. */
  public static double apply(int operator, double left, double right) {
    return switch (operator) {
      case OperatorCode.SUM -> left + right;
      case OperatorCode.PRODUCT -> left * right;
      case OperatorCode.MIN -> Scalars.min(left, right);
      case OperatorCode.MAX -> Scalars.max(left, right);
      case OperatorCode.USER -> Placeholder.combine(left, right);
      default -> left;
    };
  }
}
