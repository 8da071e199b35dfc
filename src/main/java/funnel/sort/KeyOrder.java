package funnel.sort;

import funnel.operator.ElementType;

/**
 * The order of keys: which bits are compared, and how.
 *
 * <p>By bit 0 alone, the last of the keys 3, 1, 4 is the least.
 *
 * @param isSigned whether the highest bit is a sign, if it is compared
 * @param fromBit the lowest bit that is compared
 * @param toBit the bit after the highest
 */
record KeyOrder(ElementType type, boolean isDescending, boolean isSigned, int fromBit, int toBit) {

  /** The order by all bits; bytes have no sign. */
  static KeyOrder of(ElementType type, boolean isDescending) {
    return new KeyOrder(type, isDescending, type != ElementType.BYTE, 0, 8 * type.bytes());
  }

  int bits() {
    return toBit - fromBit;
  }

  boolean isOfAllBits() {
    return bits() == 8 * type.bytes();
  }

  /** Whether the highest bit is compared, and is a sign. */
  boolean comparesSign() {
    return isSigned && toBit == 8 * type.bytes();
  }
}
