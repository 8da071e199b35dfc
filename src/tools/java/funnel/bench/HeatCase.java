package funnel.bench;

import funnel.operator.ElementType;

/**
 * Steps of the heat equation.
 *
 * @param number the method's number, or 0
 * @param type the type of the field
 * @param size the size of the field
 * @param steps the number of steps in a run, 1 for a copy
 * @param hash the hash of the field's bits after the first run, or empty
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
