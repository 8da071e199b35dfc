package funnel.ptx;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A fundamental type of PTX. Registers hold its bits, those of 32 and fewer with the sign's. */
enum Type {
  PRED(1, false),
  S8(1, true),
  U8(1, false),
  B8(1, false),
  S16(2, true),
  U16(2, false),
  B16(2, false),
  S32(4, true),
  U32(4, false),
  B32(4, false),
  F32(4, true),
  S64(8, true),
  U64(8, false),
  B64(8, false),
  F64(8, true);

  final int bytes;
  private final boolean signed;

  Type(int bytes, boolean signed) {
    this.bytes = bytes;
    this.signed = signed;
  }

  boolean isFloat() {
    return this == F32 || this == F64;
  }

  boolean isUnsigned() {
    return !signed;
  }

  /** What a register holds of this value. */
  long extended(long value) {
    return switch (bytes) {
      case 1 -> signed ? (byte) value : value & 0xff;
      case 2 -> signed ? (short) value : value & 0xffff;
      case 4 -> (int) value;
      default -> value;
    };
  }

  long load(MemorySegment memory, long at) {
    return switch (bytes) {
      case 1 -> extended(memory.get(ValueLayout.JAVA_BYTE, at));
      case 2 -> extended(memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
      case 4 -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      default -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    };
  }

  void store(MemorySegment memory, long at, long value) {
    switch (bytes) {
      case 1 -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
      case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) value);
      case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) value);
      default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
    }
  }

  double toDouble(long bits) {
    return this == F32 ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
  }

  long toBits(double value) {
    return this == F32 ? Float.floatToRawIntBits((float) value) : Double.doubleToRawLongBits(value);
  }
}
