package funnel.bench;

import funnel.operator.ElementType;

/**
 * Steps of the heat equation.
 *
 * @param number of the method, 0 where it has none
 * @param type of the field
 * @param size of the field
 * @param steps of one run, 1 for a copy
 * @param hash of all bits of the field after the first run, or empty
 */
record HeatCase(int number, ElementType type, GridSize size, int steps, String hash)
    implements Case {

  /** Each step reads and writes every node once. */
  @Override
  public double bytes() {
    return 2.0 * type.bytes() * size.nodes() * steps;
  }

  /** Whether both are about the same field. */
  boolean isBeside(HeatCase other) {
    return type == other.type && size.equals(other.size);
  }
}
