package funnel.transform;

import funnel.jit.FunctionCopies;
import funnel.jit.RowFunction;
import funnel.operation.Composite;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.Primitive;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A user-defined function applied element by element: to one to three arrays of one type, and to
 * the index if it is {@linkplain #indexed() indexed}, or to up to {@linkplain #of four of any
 * types}, into an array of any type.
 *
 * <p><b>Definition.</b> {@code y[i] = f(a[i], b[i], c[i])} with as many arrays as the function has
 * arguments: for {@code 10 * a + b}, 3, 1, 4 and 1, 5, 9 it is 31, 15, 49. Functions are over ints,
 * longs, floats or doubles, like the arrays; a function over ints takes bytes too, as their values
 * 0 to 255. The output is as long as the inputs, which are equally long. It stays on the device,
 * where later operations of the plan may take it.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="elementwise"}
 *
 * <p><b>The function</b> must be pure: it may be called more than once for an element, in any order
 * and from many threads. Its body is copied into the kernel; {@link Operator} says what it may
 * contain on a device, and what may have other bits there. If it throws on the JVM, the call throws
 * the same exception, see {@link funnel.operator.OperatorThrewException}.
 *
 * <p><b>The output's type</b> is the function's, or {@linkplain #to another one}, by Java's cast of
 * the function's value, with the same bits on every engine: floating-point numbers are rounded
 * towards 0, those out of range become the nearest int or long, and NaN becomes 0; a byte is the
 * low 8 bits of the int.
 *
 * <p><b>Empty inputs</b> give an empty output.
 *
 * <p><b>In place:</b> the output may be in exactly the memory of any input of its type; each
 * element is read before it is written. Functions {@linkplain #of of any types} have no such form.
 *
 * <p><b>Cost.</b> Each input is read once and the output written once, in one launch, or two if the
 * function looks up elements of arrays; no extra memory but for these arrays.
 *
 * <p>Immutable. After {@code transform} of the C++ standard library and Thrust, and {@code
 * DeviceTransform} of CUB.
 */
public final class Elementwise implements Operation {

  private static final int NONE = -1;

  /** How many indices floats represent: from 0 to 2^24. */
  private static final int MOST_FLOAT_INDICES = (1 << 24) + 1;

  private final Transform function;
  private final int arguments;
  private final boolean isIndexed;
  private final int length; // of a function of the index alone, else NONE
  private final ElementType type;

  private Elementwise(Transform function, boolean isIndexed, int length, ElementType type) {
    this.function = function;
    this.arguments = FunctionCopies.arguments(function.function());
    this.isIndexed = isIndexed;
    this.length = length;
    this.type = type;
  }

  /**
   * A function of up to four arrays of any types, through an interface of your own. In a plan,
   * single values of earlier operations may take the place of arrays, but not of all: these do not
   * come to the host in between.
   *
   * {@snippet class="funnel.docs.TransformSnippets" region="values"}
   *
   * <p>A function over ints takes bytes too, as their values 0 to 255. A boolean is the byte 1 or
   * 0.
   *
   * @param name for messages
   * @throws IllegalArgumentException if the function's types are others than int, long, float and
   *     double, and boolean for its result, or it has more than four arguments
   */
  public static Elementwise of(String name, ElementFunction function) {
    Class<?> result = RowFunction.signature(function).returnType();
    ElementType type = RowFunction.elements(result);
    return new Elementwise(
        new Transform(name, type, false, function),
        false,
        NONE,
        result == boolean.class ? ElementType.BYTE : type);
  }

  /**
   * A function of one to three arrays of a type.
   *
   * @throws IllegalArgumentException if it is a predicate
   */
  public static Elementwise of(Transform function) {
    if (function.isTest()) {
      throw new IllegalArgumentException(
          "%s is a predicate: give Elementwise.of a function, or use Select.where"
              .formatted(function));
    }
    return new Elementwise(function, false, NONE, function.type());
  }

  private static Elementwise of(String name, ElementType type, Serializable function) {
    return new Elementwise(new Transform(name, type, false, function), false, NONE, type);
  }

  /**
   * A function of an array of ints, or of unsigned bytes as 0 to 255; {@code name} appears in
   * messages.
   */
  public static Elementwise ofInt(String name, Transform.IntMap function) {
    return of(name, ElementType.INT, function);
  }

  /**
   * A function of two arrays of ints, or of unsigned bytes as 0 to 255; {@code name} appears in
   * messages.
   */
  public static Elementwise ofInt(String name, Operator.IntCombine function) {
    return of(name, ElementType.INT, function);
  }

  /**
   * A function of three arrays of ints, or of unsigned bytes as 0 to 255; {@code name} appears in
   * messages.
   */
  public static Elementwise ofInt(String name, Transform.IntMap3 function) {
    return of(name, ElementType.INT, function);
  }

  /** The sums of two arrays of a type: 4, 3 for 3, 1 and 1, 2. Integers wrap around. */
  public static Elementwise sum(ElementType type) {
    return switch (type) {
      case BYTE, INT -> ofInt("sum", (int a, int b) -> a + b);
      case LONG -> ofLong("sum", (long a, long b) -> a + b);
      case FLOAT -> ofFloat("sum", (float a, float b) -> a + b);
      case DOUBLE -> ofDouble("sum", (double a, double b) -> a + b);
    };
  }

  /** A function of an array of longs; {@code name} appears in messages. */
  public static Elementwise ofLong(String name, Transform.LongMap function) {
    return of(name, ElementType.LONG, function);
  }

  /** A function of two arrays of longs; {@code name} appears in messages. */
  public static Elementwise ofLong(String name, Operator.LongCombine function) {
    return of(name, ElementType.LONG, function);
  }

  /** A function of three arrays of longs; {@code name} appears in messages. */
  public static Elementwise ofLong(String name, Transform.LongMap3 function) {
    return of(name, ElementType.LONG, function);
  }

  /** A function of an array of floats; {@code name} appears in messages. */
  public static Elementwise ofFloat(String name, Transform.FloatMap function) {
    return of(name, ElementType.FLOAT, function);
  }

  /** A function of two arrays of floats; {@code name} appears in messages. */
  public static Elementwise ofFloat(String name, Operator.FloatCombine function) {
    return of(name, ElementType.FLOAT, function);
  }

  /** A function of three arrays of floats; {@code name} appears in messages. */
  public static Elementwise ofFloat(String name, Transform.FloatMap3 function) {
    return of(name, ElementType.FLOAT, function);
  }

  /** A function of an array of doubles; {@code name} appears in messages. */
  public static Elementwise ofDouble(String name, Transform.DoubleMap function) {
    return of(name, ElementType.DOUBLE, function);
  }

  /** A function of two arrays of doubles; {@code name} appears in messages. */
  public static Elementwise ofDouble(String name, Operator.DoubleCombine function) {
    return of(name, ElementType.DOUBLE, function);
  }

  /** A function of three arrays of doubles; {@code name} appears in messages. */
  public static Elementwise ofDouble(String name, Transform.DoubleMap3 function) {
    return of(name, ElementType.DOUBLE, function);
  }

  /**
   * This function with the index, from 0, as the first argument, before the elements: converted to
   * the function's type by Java's cast. A float does not represent all indices beyond 2^24, so that
   * inputs with room for more are refused: {@link Transform#indexedFloat} takes the index as an
   * int, {@code Elementwise.of(Transform.indexedFloat("name", (i, x) -> ...))}.
   *
   * @throws IllegalArgumentException if the function has only one argument: then no array gives the
   *     length, see {@link #indexed(int)}
   */
  public Elementwise indexed() {
    if (arguments == 1) {
      throw new IllegalArgumentException(
          "%s has one argument, so that with the index no array gives the output's length: use indexed(length)"
              .formatted(function));
    }
    return new Elementwise(function, true, length, type);
  }

  /**
   * This function of the index alone, without inputs: {@code y[i] = f(i)} for {@code i} from 0
   * below {@code newLength}, converted as by {@link #indexed()}.
   *
   * @throws IllegalArgumentException if the function has more than one argument, or the length is
   *     negative or more than an array can have
   */
  public Elementwise indexed(int newLength) {
    if (arguments != 1) {
      throw new IllegalArgumentException(
          "%s has %s arguments: a function of the index alone has one; use indexed() for one of the index and of arrays"
              .formatted(function, arguments));
    }
    int checked = Input.requireLength("%s, indexed: length".formatted(function), newLength);
    return new Elementwise(function, true, checked, type);
  }

  /** This function with an output of another type, by a cast of its value. */
  public Elementwise to(ElementType newType) {
    return new Elementwise(function, isIndexed, length, Objects.requireNonNull(newType, "type"));
  }

  /** The type of its output. */
  public ElementType outputType() {
    return type;
  }

  /** Whether the function takes the index too. */
  public boolean isIndexed() {
    return isIndexed || function.isIndexed();
  }

  /** The number of arrays that the function takes. */
  public int inputs() {
    return arguments - (isIndexed ? 1 : 0);
  }

  /**
   * The primitives of this operation.
   *
   * @param output name of the output, an array
   * @param inputs the arrays, in the order of the function's arguments; none for a function of the
   *     index alone
   * @throws IllegalArgumentException if there are more or fewer than the function takes, or one is
   *     not of the function's type
   */
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    if (function.function() instanceof ElementFunction own && inputs.size() == inputs()) {
      return expand(output, inputs, own);
    }
    if (inputs.size() != inputs()) {
      throw new IllegalArgumentException(
          "%s takes %s inputs, given=%s%s"
              .formatted(
                  this,
                  inputs(),
                  inputs.size(),
                  isIndexed || inputs.size() != arguments - 1
                      ? ""
                      : "; if its first argument is the index, add .indexed(%s)"
                          .formatted(arguments == 1 ? "length" : "")));
    }
    ElementType from = inputs.isEmpty() ? function.type() : inputs.getFirst().type();
    int capacity = inputs.isEmpty() ? length : Integer.MAX_VALUE;
    for (Input input : inputs) {
      boolean isByte = input.type() == ElementType.BYTE && function.type() == ElementType.INT;
      if (input.type() != function.type() && !isByte) {
        throw new IllegalArgumentException(
            "%s is over %s, input %s is of type %s"
                .formatted(this, function.type(), input.name(), input.type()));
      }
      if (input.type() != from) {
        throw new IllegalArgumentException(
            "%s takes inputs of one type: %s is of type %s, %s of type %s"
                .formatted(this, inputs.getFirst().name(), from, input.name(), input.type()));
      }
      capacity = Math.min(capacity, input.capacity());
    }
    if (isIndexed && function.type() == ElementType.FLOAT && capacity > MOST_FLOAT_INDICES) {
      throw new IllegalArgumentException(
          "%s takes its index as a float, which is not exact beyond 2^24, and there may be %s elements: use Elementwise.of(Transform.indexedFloat(name, function)), or of(name, function) over indices and elements, whose index is an int"
              .formatted(this, capacity));
    }
    List<String> names = inputs.stream().map(Input::name).toList();
    return new Expansion(
        List.of(new ElementwiseStep(output, names, from, function, isIndexed, type, capacity)),
        List.of());
  }

  @Override
  public boolean takesValues() {
    return function.function() instanceof ElementFunction;
  }

  private Expansion expand(String output, List<Input> inputs, ElementFunction own) {
    List<Class<?>> types = RowFunction.signature(own).parameterList();
    List<Primitive> parts = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<RowFunction.Argument> arguments = new ArrayList<>();
    int capacity = Integer.MAX_VALUE;
    for (int i = 0; i < inputs.size(); i++) {
      Input input = inputs.get(i);
      Output value = input.value();
      ElementType wanted = RowFunction.elements(types.get(i));
      boolean isByte = input.type() == ElementType.BYTE && wanted == ElementType.INT;
      if (input.type() != wanted && !isByte) {
        throw new IllegalArgumentException(
            "argument %s of %s is of type %s, input %s of type %s"
                .formatted(i + 1, function, wanted, input.name(), input.type()));
      }
      arguments.add(new RowFunction.Argument(input.type(), value != null));
      if (value == null) {
        names.add(input.name());
        capacity = Math.min(capacity, input.capacity());
      } else {
        String name = output + "." + input.name();
        if (!names.contains(name)) { // it may be several arguments
          parts.add(new ValueStep(name, value));
        }
        names.add(name);
      }
    }
    if (arguments.stream().allMatch(RowFunction.Argument::isValue)) {
      throw new IllegalArgumentException(
          "%s takes single values alone, so that no array gives the output's length: %s"
              .formatted(this, inputs.stream().map(Input::name).toList()));
    }
    Transform row =
        new Transform(function.name(), function.type(), false, new RowFunction(own, arguments));
    ElementwiseStep step =
        new ElementwiseStep(output, names, function.type(), row, false, type, capacity);
    parts.add(step);
    return new Expansion(
        List.of(parts.size() == 1 ? step : Composite.of(output, parts, Set.of(output))), List.of());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Elementwise that
        && function.equals(that.function)
        && isIndexed == that.isIndexed
        && length == that.length
        && type == that.type;
  }

  @Override
  public int hashCode() {
    return Objects.hash(function, isIndexed, length, type);
  }

  @Override
  public String toString() {
    return "%s element by element to %s".formatted(function, type);
  }
}
