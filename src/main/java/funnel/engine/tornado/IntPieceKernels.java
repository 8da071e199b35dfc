package funnel.engine.tornado;

import funnel.jit.Element;
import funnel.jit.Twins;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels of {@link StagedArrays} that copy a piece into an array, and out of it. */
@Twins({"Byte", "Long", "Float", "Double"})
final class IntPieceKernels {

  private IntPieceKernels() {}

  /**
   * The first {@code control[at + 1]} elements of a piece to the array from {@code control[at]} on.
   */
  @SuppressWarnings("cast") // of twins' elements
  static void in(
      KernelContext context,
      IntArray control,
      @Element IntArray piece,
      @Element IntArray array,
      IntArray report,
      int at,
      int length) {
    int first = control.get(at);
    int count = control.get(at + 1);
    if (context.globalIdx == 0) {
      report.set(at, report.get(at) + (int) piece.get(length));
    }
    for (int i = context.globalIdx; i < count; i += context.globalGroupSizeX) {
      array.set(first + i, piece.get(i));
    }
  }

  /** The other way; the piece's last element then is {@code control[number]}. */
  static void out(
      KernelContext context,
      IntArray control,
      @Element IntArray array,
      @Element IntArray piece,
      int at,
      int number,
      int length) {
    int first = control.get(at);
    int count = control.get(at + 1);
    if (context.globalIdx == 0 & count > 0) {
      piece.set(length, (@Element int) control.get(number));
    }
    for (int i = context.globalIdx; i < count; i += context.globalGroupSizeX) {
      piece.set(i, array.get(first + i));
    }
  }
}
