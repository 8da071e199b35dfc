package funnel.jit;

import funnel.operator.ElementType;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.Map;
import java.util.function.Function;

/**
 * Kept arrays that functions capture: in the body of a function {@code table.get(i)} is what {@code
 * array[i]} is of a Java array, and {@code table.count()} what {@code array.length} is.
 */
public final class Tables {

  /* The classes of arrays are above this package, which knows only their names. They say how to get
   * from one to its elements, so that users do not see a method for that.
   */

  /** The elements of an array, kept where functions look them up. */
  public interface Table {
    /** The elements' type. */
    ElementType type();

    /** The number of elements. */
    int length();
  }

  /** The method that reads an element. */
  static final String GET = "get";

  /** The method that gives the number of elements. */
  static final String COUNT = "count";

  /** The static method of an array's class that calls {@link #GET} of its first argument. */
  static final String ELEMENT = "element";

  private static final Map<String, ClassDesc> ARRAYS =
      Map.of(
          "funnel.Bytes", ConstantDescs.CD_byte.arrayType(),
          "funnel.Ints", ConstantDescs.CD_int.arrayType(),
          "funnel.Longs", ConstantDescs.CD_long.arrayType(),
          "funnel.Floats", ConstantDescs.CD_float.arrayType(),
          "funnel.Doubles", ConstantDescs.CD_double.arrayType());

  private static volatile Function<Object, Table> elements =
      array -> {
        throw new IllegalStateException("no array: " + array.getClass());
      };

  private Tables() {}

  /**
   * Sets how to get an array's elements.
   *
   * @param of throws an IllegalStateException if the array is not kept
   */
  public static void by(Function<Object, Table> of) {
    elements = of;
  }

  /** The elements of a captured array; any other value itself. */
  static Object elements(Object captured) {
    return ARRAYS.containsKey(captured.getClass().getName()) ? elements.apply(captured) : captured;
  }

  /** Whether a type is that of an array whose elements a function looks up. */
  static boolean is(ClassDesc type) {
    return type.isClassOrInterface() && ARRAYS.containsKey(LoadedMethod.binaryName(type));
  }

  /** The Java array that a captured type is treated like; any other type itself. */
  static ClassDesc asArray(ClassDesc type) {
    return type.isClassOrInterface()
        ? ARRAYS.getOrDefault(LoadedMethod.binaryName(type), type)
        : type;
  }
}
