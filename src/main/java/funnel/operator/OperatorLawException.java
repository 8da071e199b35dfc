package funnel.operator;

/**
 * An operator of the user's that is not what it says: its identity changes an operand, operands
 * cannot be grouped otherwise, or not be exchanged although it is declared commutative. Results
 * would depend on the input's length and on where an element stands.
 *
 * <p>The message has the operator, the operands, what came out, and what to do. Plans try the
 * identity on their first elements, see {@link Operator}; {@link Operator#check(int...)} tries all.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="law"}
 */
public final class OperatorLawException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** What an operator has to obey. */
  public enum Law {
    /** {@code f(identity, a)} and {@code f(a, identity)} are {@code a}. */
    IDENTITY,
    /** {@code f(f(a, b), c)} is {@code f(a, f(b, c))}. */
    ASSOCIATIVITY,
    /** {@code f(a, b)} is {@code f(b, a)}, where it is declared. */
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

  /** What it does not obey. */
  public Law law() {
    return law;
  }
}
