package funnel.operator;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An associative binary operator with an identity, by which reductions and scans combine elements.
 *
 * <p>Funnel ships {@link #SUM}, {@link #PRODUCT}, {@link #MIN}, {@link #MAX}, {@link #AND}, {@link
 * #OR} and {@link #XOR}. A user-defined operator is a static method or a lambda, with its identity:
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="operator"}
 *
 * <p><b>Requirements.</b> {@code f(f(a, b), c)} equals {@code f(a, f(b, c))}, and {@code
 * f(identity, a)} and {@code f(a, identity)} equal {@code a}, bit for bit. A plan tries the
 * identity once, on up to 16 elements from all over its input, before it runs, and over integers
 * whether the operator is associative on some of them; if not, it throws an {@link
 * OperatorLawException}. It does not try arrays that earlier operations of the plan write, nor
 * elements on which the operator throws. {@link #check(int...)} tries all laws on your samples. The
 * operator may be called any number of times, in any temporal order, from many threads; it must not
 * have side effects. Its operands are results over adjacent parts of the input, left operand first,
 * or the identity; never anything from outside the input. A commutative operator is faster if it is
 * declared so ({@link #commutative}); then parts need not be adjacent.
 *
 * <p>An operator must not use the Funnel or plan that runs it, nor wait for a thread that does:
 * such a call throws an IllegalStateException. Compute what it needs before the run. It may use
 * another Funnel, whose operators must not use this one.
 *
 * <p>If an operator throws on the JVM, the call throws the same exception object: see {@link
 * OperatorThrewException}.
 *
 * <p><b>On a device</b> the body is compiled by TornadoVM: int, long, float and double arithmetic,
 * conditionals, loops with one exit, and static methods of the same kind. Lambdas may capture
 * numbers, and arrays in which they look up elements, those of Java and {@linkplain
 * funnel.Array#keep kept} ones: one compiled kernel serves all. An index outside an array throws an
 * ArrayIndexOutOfBoundsException. Other objects and exceptions throw an {@link OperatorException}
 * there; the JVM engine accepts them. Arithmetic, comparisons, casts, {@code Math.sqrt}, {@code
 * abs}, {@code min}, {@code max} and {@code fma} have the same bits everywhere; methods such as
 * {@code Math.exp} may have others on a device.
 *
 * <p>The class of the function can be unloaded once every {@code Funnel} that used it is closed. A
 * compiled copy of the function, of some kilobytes, stays for each kernel that it was used in: so
 * create an operator once, and not in a class that is loaded again for every call.
 *
 * <p>Immutable, thread-safe and serializable: a function is serialized by the class that it was
 * written in, which must be on the class path of the reader.
 */
public final class Operator implements Serializable {

  /** An operator over ints. */
  @FunctionalInterface
  public interface IntCombine extends IntBinaryOperator, Serializable {}

  /** An operator over longs. */
  @FunctionalInterface
  public interface LongCombine extends LongBinaryOperator, Serializable {}

  /** An operator over floats. */
  @FunctionalInterface
  public interface FloatCombine extends Serializable {
    /** Combines two neighbours, the left one first. */
    float applyAsFloat(float left, float right);
  }

  /** An operator over doubles. */
  @FunctionalInterface
  public interface DoubleCombine extends DoubleBinaryOperator, Serializable {}

  /**
   * Addition; identity 0. Integers wrap around. Floating-point sums start from +0.0, so that a sum
   * of -0.0 elements alone is +0.0, as in a plain loop.
   */
  public static final Operator SUM = builtIn("sum", OperatorCode.SUM);

  /** Multiplication; identity 1. Integers wrap around. */
  public static final Operator PRODUCT = builtIn("product", OperatorCode.PRODUCT);

  /**
   * The smallest element as by {@code Math.min}: NaN if there is one, and -0.0 is smaller than 0.0.
   */
  public static final Operator MIN = builtIn("min", OperatorCode.MIN);

  /**
   * The largest element as by {@code Math.max}: NaN if there is one, and 0.0 is larger than -0.0.
   */
  public static final Operator MAX = builtIn("max", OperatorCode.MAX);

  /** Bitwise and of integers; identity -1. */
  public static final Operator AND = builtIn("and", OperatorCode.AND);

  /** Bitwise or of integers; identity 0. */
  public static final Operator OR = builtIn("or", OperatorCode.OR);

  /** Bitwise exclusive or of integers; identity 0. */
  public static final Operator XOR = builtIn("xor", OperatorCode.XOR);

  private static final long serialVersionUID = 1;
  private static final int MOST_SAMPLES = 256;

  private final String name;
  private final int code;
  private final boolean commutative;
  private final @Nullable ElementType type;
  private final @Nullable Number identity;
  private final @Nullable Serializable function;

  private Operator(
      String name,
      int code,
      boolean commutative,
      @Nullable ElementType type,
      @Nullable Number identity,
      @Nullable Serializable function) {
    this.name = name;
    this.code = code;
    this.commutative = commutative;
    this.type = type;
    this.identity = identity;
    this.function = function;
  }

  private static Operator builtIn(String name, int code) {
    return new Operator(name, code, true, null, null, null);
  }

  private static Operator user(
      String name, ElementType type, Number identity, Serializable function) {
    return new Operator(
        Objects.requireNonNull(name, "name"),
        OperatorCode.USER,
        false,
        type,
        identity,
        Objects.requireNonNull(function, "operator"));
  }

  /** An operator over ints; {@code name} appears in messages and reports. */
  public static Operator ofInt(String name, int identity, IntCombine operator) {
    return user(name, ElementType.INT, identity, operator);
  }

  /**
   * An operator over longs, which may also be pairs packed into a long: {@code (high << 32) | (low
   * & 0xffffffffL)}.
   */
  public static Operator ofLong(String name, long identity, LongCombine operator) {
    return user(name, ElementType.LONG, identity, operator);
  }

  /** An operator over floats. */
  public static Operator ofFloat(String name, float identity, FloatCombine operator) {
    return user(name, ElementType.FLOAT, identity, operator);
  }

  /** An operator over doubles. */
  public static Operator ofDouble(String name, double identity, DoubleCombine operator) {
    return user(name, ElementType.DOUBLE, identity, operator);
  }

  /**
   * This operator, declared commutative: {@code f(a, b)} equals {@code f(b, a)}. Elements may then
   * be combined in the order in which memory delivers them.
   */
  public Operator commutative() {
    return new Operator(name, code, true, type, identity, function);
  }

  /** The name. */
  public String name() {
    return name;
  }

  /** The operator's number in kernels, see {@link OperatorCode}. */
  public int code() {
    return code;
  }

  /** Whether operands may be exchanged. */
  public boolean isCommutative() {
    return commutative;
  }

  /** Whether this is a user-defined operator. */
  public boolean isUser() {
    return code == OperatorCode.USER;
  }

  /**
   * The user's function, one of the nested interfaces; null for the operators that Funnel ships.
   */
  public @Nullable Serializable function() {
    return function;
  }

  /**
   * The identity over a type.
   *
   * @return an Integer, Long, Float or Double according to the type (Integer for {@link
   *     ElementType#BYTE})
   * @throws IllegalArgumentException if the operator is not defined on the type
   */
  public Number identity(ElementType over) {
    requireDefinedOn(over);
    if (identity != null) {
      return identity;
    }
    return switch (over) {
      case BYTE, INT ->
          switch (code) {
            case OperatorCode.PRODUCT -> 1;
            case OperatorCode.MIN -> Integer.MAX_VALUE;
            case OperatorCode.MAX -> Integer.MIN_VALUE;
            case OperatorCode.AND -> -1;
            default -> 0;
          };
      case LONG ->
          switch (code) {
            case OperatorCode.PRODUCT -> 1L;
            case OperatorCode.MIN -> Long.MAX_VALUE;
            case OperatorCode.MAX -> Long.MIN_VALUE;
            case OperatorCode.AND -> -1L;
            default -> 0L;
          };
      case FLOAT ->
          switch (code) {
            case OperatorCode.PRODUCT -> 1f;
            case OperatorCode.MIN -> Float.POSITIVE_INFINITY;
            case OperatorCode.MAX -> Float.NEGATIVE_INFINITY;
            default -> 0f;
          };
      case DOUBLE ->
          switch (code) {
            case OperatorCode.PRODUCT -> 1d;
            case OperatorCode.MIN -> Double.POSITIVE_INFINITY;
            case OperatorCode.MAX -> Double.NEGATIVE_INFINITY;
            default -> 0d;
          };
    };
  }

  /**
   * The value that leaves every value of a type unchanged, the sign of a zero included: the
   * {@linkplain #identity identity}, but -0.0 for {@link #SUM} over float and double, since 0.0 +
   * -0.0 is 0.0. Scans use it in place of missing elements.
   *
   * @throws IllegalArgumentException if the operator is not defined on the type
   */
  public Number neutral(ElementType over) {
    Number neutral = identity(over);
    if (code != OperatorCode.SUM || !over.isFloating()) {
      return neutral;
    }
    return over == ElementType.FLOAT ? (Number) (-0f) : (Number) (-0d);
  }

  /**
   * Requires a type on which this operator is defined.
   *
   * @throws IllegalArgumentException for a user-defined operator over another type, and for and,
   *     or, xor over float or double
   */
  public void requireDefinedOn(ElementType over) {
    Objects.requireNonNull(over, "type");
    if (type != null && type != over) {
      throw new IllegalArgumentException(
          "operator %s is over %s, the elements are %s: use Operator.of%s"
              .formatted(
                  name,
                  type,
                  over,
                  over.name().charAt(0)
                      + over.name().substring(1).toLowerCase(java.util.Locale.ROOT)));
    }
    boolean bitwise =
        code == OperatorCode.AND || code == OperatorCode.OR || code == OperatorCode.XOR;
    if (bitwise && over.isFloating()) {
      throw new IllegalArgumentException(
          "operator %s is bitwise and not defined for %s elements".formatted(name, over));
    }
  }

  /** Whether an empty input has a result, the identity; min and max have none. */
  public boolean hasEmptyResult() {
    return code != OperatorCode.MIN && code != OperatorCode.MAX;
  }

  private Operator check(ElementType over, Stream<? extends Number> samples) {
    requireDefinedOn(over);
    List<Number> all = samples.collect(Collectors.toUnmodifiableList());
    if (all.isEmpty() || all.size() > MOST_SAMPLES) {
      throw new IllegalArgumentException(
          "an operator is checked on 1 to %s samples, in all triples: samples=%s"
              .formatted(MOST_SAMPLES, all.size()));
    }
    if (function != null) {
      new OperatorLaws(this, function, identity(over)).check(all);
    }
    return this;
  }

  /**
   * Tests this operator on samples: that its identity leaves each sample unchanged; that all
   * triples give the same result however they are grouped; and that operands may be exchanged, if
   * it is declared {@linkplain #commutative commutative}.
   *
   * <p>Of {@code ofInt("less", 0, (a, b) -> b == 0 ? a : a == 0 ? b : a - b)}, the samples 2 and 1
   * show that {@code f(f(2, 1), 2)} is -1 and {@code f(2, f(1, 2))} is 3. Passing the test proves
   * nothing: take samples of each kind that occurs, such as negative ones, and the limits of the
   * type.
   *
   * <p>Since sums and products round, floats and doubles count as the same if they differ by at
   * most 1e-4 of the largest intermediate number; all NaN count as the same, and so do zeros of
   * either sign. Triples in which finite numbers give an infinity, or numbers give NaN, are left
   * out. The operators that Funnel ships pass.
   *
   * @param samples 1 to 256
   * @return this operator
   * @throws OperatorLawException with the first samples that violate a law
   * @throws IllegalArgumentException if there are no samples or more than 256, or the operator is
   *     over another type
   */
  public Operator check(int... samples) {
    return check(ElementType.INT, IntStream.of(samples).boxed());
  }

  /** Tests an operator over longs, see {@link #check(int...)}. */
  public Operator check(long... samples) {
    return check(ElementType.LONG, LongStream.of(samples).boxed());
  }

  /** Tests an operator over floats, see {@link #check(int...)}. */
  public Operator check(float... samples) {
    return check(ElementType.FLOAT, IntStream.range(0, samples.length).mapToObj(i -> samples[i]));
  }

  /** Tests an operator over doubles, see {@link #check(int...)}. */
  public Operator check(double... samples) {
    return check(ElementType.DOUBLE, DoubleStream.of(samples).boxed());
  }

  /**
   * Tests the identity on one value, as plans do on some of their elements, with the tolerance of
   * {@link #check(int...)}.
   *
   * @param value of the operator's type
   * @throws OperatorLawException if {@code f(identity, value)} or {@code f(value, identity)}
   *     differs from {@code value}
   */
  public void requireIdentityOf(Number value) {
    if (function != null && identity != null) {
      new OperatorLaws(this, function, identity).requireIdentity(value);
    }
  }

  /**
   * Tests whether three values give the same result however they are grouped, as plans do over
   * integers on some of their elements. With the tolerance of {@link #check(int...)}.
   *
   * @param three values of the operator's type
   * @throws OperatorLawException if {@code f(f(a, b), c)} differs from {@code f(a, f(b, c))}
   */
  public void requireAssociativeOn(List<Number> three) {
    if (function != null && identity != null) {
      new OperatorLaws(this, function, identity)
          .requireAssociative(three.get(0), three.get(1), three.get(2));
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Operator o
        && name.equals(o.name)
        && code == o.code
        && commutative == o.commutative
        && type == o.type
        && Objects.equals(identity, o.identity)
        && CapturedValues.equal(function, o.function);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, code, commutative, type, identity, CapturedValues.hash(function));
  }

  @Override
  public String toString() {
    return name;
  }
}
