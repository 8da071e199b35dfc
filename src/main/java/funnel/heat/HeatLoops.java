package funnel.heat;

import funnel.operator.ElementType;

/** JVM form of a heat equation's steps over one element type. */
interface HeatLoops {

  /** The loops of a type. */
  static HeatLoops of(ElementType type) {
    return switch (type) {
      case FLOAT -> new FloatHeatLoops();
      case DOUBLE -> new DoubleHeatLoops();
      case BYTE, INT, LONG -> throw new IllegalArgumentException("no heat of type " + type);
    };
  }

  /** Advances the field by steps; the second array's contents are lost. */
  void advance(HeatGrid grid, HeatArrays arrays, int steps);

  /** Puts the size of the next step's change of each node into the second array. */
  void change(HeatGrid grid, HeatArrays arrays);

  /** The last node. */
  Number last(HeatGrid grid, HeatArrays arrays);
}
