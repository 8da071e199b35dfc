package funnel;

import funnel.operator.ElementFunction;

/**
 * Functions from a number to one of another type, for arrays: {@code ints.mapToDouble(v -> 0.5 *
 * v)}. Programs write lambdas, and name none of these.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="types"}
 */
public final class Functions {

  private Functions() {}

  /** A function from an int to an int. */
  @FunctionalInterface
  public interface IntToInt extends ElementFunction {
    /** The function's value at {@code value}. */
    int apply(int value);
  }

  /** A function from an int to a long. */
  @FunctionalInterface
  public interface IntToLong extends ElementFunction {
    /** The function's value at {@code value}. */
    long apply(int value);
  }

  /** A function from an int to a float. */
  @FunctionalInterface
  public interface IntToFloat extends ElementFunction {
    /** The function's value at {@code value}. */
    float apply(int value);
  }

  /** A function from an int to a double. */
  @FunctionalInterface
  public interface IntToDouble extends ElementFunction {
    /** The function's value at {@code value}. */
    double apply(int value);
  }

  /** A predicate of an int. */
  @FunctionalInterface
  public interface IntToBoolean extends ElementFunction {
    /** Whether something holds for {@code value}. */
    boolean apply(int value);
  }

  /** A function from a long to an int. */
  @FunctionalInterface
  public interface LongToInt extends ElementFunction {
    /** The function's value at {@code value}. */
    int apply(long value);
  }

  /** A function from a long to a long. */
  @FunctionalInterface
  public interface LongToLong extends ElementFunction {
    /** The function's value at {@code value}. */
    long apply(long value);
  }

  /** A function from a long to a float. */
  @FunctionalInterface
  public interface LongToFloat extends ElementFunction {
    /** The function's value at {@code value}. */
    float apply(long value);
  }

  /** A function from a long to a double. */
  @FunctionalInterface
  public interface LongToDouble extends ElementFunction {
    /** The function's value at {@code value}. */
    double apply(long value);
  }

  /** A predicate of a long. */
  @FunctionalInterface
  public interface LongToBoolean extends ElementFunction {
    /** Whether something holds for {@code value}. */
    boolean apply(long value);
  }

  /** A function from a float to an int. */
  @FunctionalInterface
  public interface FloatToInt extends ElementFunction {
    /** The function's value at {@code value}. */
    int apply(float value);
  }

  /** A function from a float to a long. */
  @FunctionalInterface
  public interface FloatToLong extends ElementFunction {
    /** The function's value at {@code value}. */
    long apply(float value);
  }

  /** A function from a float to a float. */
  @FunctionalInterface
  public interface FloatToFloat extends ElementFunction {
    /** The function's value at {@code value}. */
    float apply(float value);
  }

  /** A function from a float to a double. */
  @FunctionalInterface
  public interface FloatToDouble extends ElementFunction {
    /** The function's value at {@code value}. */
    double apply(float value);
  }

  /** A predicate of a float. */
  @FunctionalInterface
  public interface FloatToBoolean extends ElementFunction {
    /** Whether something holds for {@code value}. */
    boolean apply(float value);
  }

  /** A function from a double to an int. */
  @FunctionalInterface
  public interface DoubleToInt extends ElementFunction {
    /** The function's value at {@code value}. */
    int apply(double value);
  }

  /** A function from a double to a long. */
  @FunctionalInterface
  public interface DoubleToLong extends ElementFunction {
    /** The function's value at {@code value}. */
    long apply(double value);
  }

  /** A function from a double to a float. */
  @FunctionalInterface
  public interface DoubleToFloat extends ElementFunction {
    /** The function's value at {@code value}. */
    float apply(double value);
  }

  /** A function from a double to a double. */
  @FunctionalInterface
  public interface DoubleToDouble extends ElementFunction {
    /** The function's value at {@code value}. */
    double apply(double value);
  }

  /** A predicate of a double. */
  @FunctionalInterface
  public interface DoubleToBoolean extends ElementFunction {
    /** Whether something holds for {@code value}. */
    boolean apply(double value);
  }
}
