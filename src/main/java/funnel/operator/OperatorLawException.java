package funnel.operator;

/**
 * A user-defined operator violates a law: its identity changes an operand, it is not associative,
 * or it is declared commutative and is not. Results would depend on the input's length and on the
 * positions of elements.
 *
 * <p>The message has the operator, the operands, the results, and what to do. Plans try the
 * identity, and associativity over integers, on some of their elements, see {@link Operator};
 * {@link Operator#check(int...)} tests all laws.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="law"}
 */
public final class OperatorLawException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** The laws of operators. */
  public enum Law {
    /** {@code f(identity, a)} and {@code f(a, identity)} are {@code a}. */
    IDENTITY,
    /** {@code f(f(a, b), c)} is {@code f(a, f(b, c))}. */
    ASSOCIATIVITY,
    /** {@code f(a, b)} is {@code f(b, a)}, if the operator is declared commutative. */
    COMMUTATIVITY
  }

  private final String operator;
  private final Law law;

  OperatorLawException(String operator, Law law, String seen) {
    super("operator %s: %s".formatted(operator, seen));
    this.operator = operator;
    this.law = law;
  }

  /** The operator's name. */
  public String operator() {
    return operator;
  }

  /** The law that it violates. */
  public Law law() {
    return law;
  }
}
