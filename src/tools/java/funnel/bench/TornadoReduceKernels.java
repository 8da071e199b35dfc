package funnel.bench;

import uk.ac.manchester.tornado.api.annotations.Parallel;
import uk.ac.manchester.tornado.api.annotations.Reduce;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Reductions as TornadoVM's documentation writes them. */
final class TornadoReduceKernels {

  private TornadoReduceKernels() {}

  static void sumInts(IntArray values, @Reduce IntArray result) {
    for (@Parallel int i = 0; i < values.getSize(); i++) {
      result.set(0, result.get(0) + values.get(i));
    }
  }

  static void sumLongs(LongArray values, @Reduce LongArray result) {
    for (@Parallel int i = 0; i < values.getSize(); i++) {
      result.set(0, result.get(0) + values.get(i));
    }
  }

  static void sumFloats(FloatArray values, @Reduce FloatArray result) {
    for (@Parallel int i = 0; i < values.getSize(); i++) {
      result.set(0, result.get(0) + values.get(i));
    }
  }

  static void sumDoubles(DoubleArray values, @Reduce DoubleArray result) {
    for (@Parallel int i = 0; i < values.getSize(); i++) {
      result.set(0, result.get(0) + values.get(i));
    }
  }

  static void maxInts(IntArray values, @Reduce IntArray result) {
    for (@Parallel int i = 0; i < values.getSize(); i++) {
      result.set(0, TornadoMath.max(result.get(0), values.get(i)));
    }
  }

  static void maxLongs(LongArray values, @Reduce LongArray result) {
    for (@Parallel int i = 0; i < values.getSize(); i++) {
      result.set(0, TornadoMath.max(result.get(0), values.get(i)));
    }
  }

  static void maxFloats(FloatArray values, @Reduce FloatArray result) {
    for (@Parallel int i = 0; i < values.getSize(); i++) {
      result.set(0, TornadoMath.max(result.get(0), values.get(i)));
    }
  }

  static void maxDoubles(DoubleArray values, @Reduce DoubleArray result) {
    for (@Parallel int i = 0; i < values.getSize(); i++) {
      result.set(0, TornadoMath.max(result.get(0), values.get(i)));
    }
  }
}
