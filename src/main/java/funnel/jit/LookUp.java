package funnel.jit;

import funnel.jit.Tables.Table;
import funnel.operator.CapturedValues;
import funnel.operator.ElementType;
import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * An array that a function captured, in which it looks up elements.
 *
 * @param name of the variable or field
 * @param array an array of a primitive type, or a {@link Table}
 */
public record LookUp(String name, Object array) {

  /** The type of its elements on a device: chars and shorts are ints there, booleans bytes. */
  public ElementType type() {
    return switch (array) {
      case Table table -> table.type();
      case byte[] _, boolean[] _ -> ElementType.BYTE;
      case long[] _ -> ElementType.LONG;
      case float[] _ -> ElementType.FLOAT;
      case double[] _ -> ElementType.DOUBLE;
      default -> ElementType.INT;
    };
  }

  /** An array of that type with its elements, which are not kept: itself, or a copy. */
  public Object elements() {
    switch (array) {
      case boolean[] of -> {
        byte[] bytes = new byte[of.length];
        for (int i = 0; i < of.length; i++) {
          bytes[i] = (byte) (of[i] ? 1 : 0);
        }
        return bytes;
      }
      case char[] of -> {
        int[] ints = new int[of.length];
        Arrays.setAll(ints, i -> of[i]);
        return ints;
      }
      case short[] of -> {
        int[] ints = new int[of.length];
        Arrays.setAll(ints, i -> of[i]);
        return ints;
      }
      default -> {
        return array;
      }
    }
  }

  /** The number of its elements. */
  public int length() {
    return length(array);
  }

  static int length(Object array) {
    return array instanceof Table table ? table.length() : Array.getLength(array);
  }

  /** Whether it is kept where functions look it up: nothing is uploaded. */
  public boolean isKept() {
    return array instanceof Table;
  }

  /** The number of elements that a program has room for, one in place of a kept array. */
  public int capacity() {
    return isKept() ? 1 : CapturedValues.capacity(length());
  }
}
