package funnel.operator;

import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The types of elements that Funnel's primitives work on.
 *
 * <p>{@link #BYTE} elements are unsigned (0 to 255); all others are Java's own types. Arrays are
 * little-endian, whatever they are stored in.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="type"}
 */
public enum ElementType {
  /** Unsigned 8-bit integers, kept in {@code byte[]}. */
  BYTE(ValueLayout.JAVA_BYTE),
  /** 32-bit two's complement integers. */
  INT(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN)),
  /** 64-bit two's complement integers. */
  LONG(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN)),
  /** IEEE 754 binary32. */
  FLOAT(ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN)),
  /** IEEE 754 binary64. */
  DOUBLE(ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN));

  private final ValueLayout layout;

  ElementType(ValueLayout layout) {
    this.layout = layout;
  }

  /** The layout of one element in a memory segment: little-endian, unaligned. */
  public ValueLayout layout() {
    return layout;
  }

  /** The size of one element in bytes. */
  public int bytes() {
    return (int) layout.byteSize();
  }

  /** Whether sums of this type round, so that the order of combination affects the bits. */
  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /**
   * A number as an element of this type: an {@link Integer} (0 to 255 of bytes), {@link Long},
   * {@link Float} or {@link Double}. A fraction becomes the nearest float or double, so 0.1 is 0.1f
   * as a float. -0.0 stays -0.0, and NaN stays NaN.
   *
   * @param what what the number is, for the message
   * @param value the number
   * @throws IllegalArgumentException if the number is too large; or if it is an integer, or is to
   *     become one, and would change, such as 2<sup>53</sup> + 1 as a double
   */
  public Number fitting(String what, Number value) {
    Number converted =
        switch (this) {
          case BYTE -> value.intValue() & 0xff;
          case INT -> value.intValue();
          case LONG -> value.longValue();
          case FLOAT -> value.floatValue();
          case DOUBLE -> value.doubleValue();
        };
    BigDecimal wanted = exactly(value);
    BigDecimal given = exactly(converted);
    boolean isRounded =
        isFloating()
            && (value instanceof Double || value instanceof Float || value instanceof BigDecimal);
    boolean fits =
        wanted == null || given == null
            ? wanted == given && Double.compare(value.doubleValue(), converted.doubleValue()) == 0
            : isRounded || wanted.compareTo(given) == 0;
    if (!fits) {
      throw new IllegalArgumentException(
          "%s %s does not fit %s: it would become %s".formatted(what, value, this, converted));
    }
    return converted;
  }

  /** The number without rounding; null for infinities and NaN. */
  private static @Nullable BigDecimal exactly(Number value) {
    return switch (value) {
      case BigDecimal decimal -> decimal;
      case BigInteger integer -> new BigDecimal(integer);
      default -> {
        double wide = value.doubleValue();
        boolean isFloating = value instanceof Double || value instanceof Float;
        if (!isFloating && wide == value.longValue()) {
          yield BigDecimal.valueOf(value.longValue());
        }
        yield Double.isFinite(wide) ? new BigDecimal(wide) : null;
      }
    };
  }
}
