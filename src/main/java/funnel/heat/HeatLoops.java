package funnel.heat;

import funnel.jit.FunctionCopies;
import funnel.jit.TwinClass;
import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;

/** JVM form of a heat equation's steps over one element type. */
interface HeatLoops {

  /** The loops of a type. */
  static HeatLoops of(ElementType type) {
    return FunctionCopies.instance(
        MethodHandles.lookup(),
        HeatLoops.class,
        TwinClass.of(MethodHandles.lookup(), FloatHeatLoops.class, type));
  }

  /** Advances the field by steps; the second array's contents are lost. */
  void advance(HeatGrid grid, HeatArrays arrays, int steps);

  /** Puts the size of the next step's change of each node into the second array. */
  void change(HeatGrid grid, HeatArrays arrays);

  /** Sets the nodes of Dirichlet sides that have values. */
  void setSides(HeatGrid grid, HeatArrays arrays);

  /** The last node. */
  Number last(HeatGrid grid, HeatArrays arrays);
}
