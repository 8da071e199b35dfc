package funnel.operator;

/**
 * The numbers of the operators in kernels.
 *
 * <p>A kernel takes the code as a scalar argument. TornadoVM compiles it in as a constant, so that
 * a switch over it costs nothing on the device.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="code"}
 */
public final class OperatorCode {
  /** Addition. */
  public static final int SUM = 0;

  /** Multiplication. */
  public static final int PRODUCT = 1;

  /** The smaller operand, as {@code Math.min}. */
  public static final int MIN = 2;

  /** The larger operand, as {@code Math.max}. */
  public static final int MAX = 3;

  /** Bitwise and. */
  public static final int AND = 4;

  /** Bitwise or. */
  public static final int OR = 5;

  /** Bitwise exclusive or. */
  public static final int XOR = 6;

  /** A user-defined operator. */
  public static final int USER = 7;

  private OperatorCode() {}
}
