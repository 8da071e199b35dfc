package funnel.operator;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

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

  /** The layout of one element in a memory segment: little-endian, no alignment asked. */
  public ValueLayout layout() {
    return layout;
  }

  /** The size of one element in bytes. */
  public int bytes() {
    return (int) layout.byteSize();
  }

  /** Whether sums of this type round, so that their order of combination shows in the bits. */
  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }
}
