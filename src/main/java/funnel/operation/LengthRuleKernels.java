package funnel.operation;

import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Device form of {@link LengthRule}. */
final class LengthRuleKernels {

  static final int THREADS = 32;

  private LengthRuleKernels() {}

  /**
   * The number of parts, computed so that no sum passes 2^31: a length and the places before it may
   * together be that much.
   */
  static int apply(int length, int kind, int per, int before) {
    int whole = length / per;
    int rest = length - whole * per;
    int parts = whole + (rest + before + per - 1) / per;
    parts = length > 0 ? parts : 0;
    parts = kind == 1 ? whole : parts;
    return kind == 2 ? rest : parts;
  }

  /** Applies the rules of what a {@link FoundLength} is needed for; a thread has one need's. */
  static void derive(
      KernelContext context,
      IntArray shape,
      IntArray found,
      @AtLaunch int tableAt,
      int needs,
      @AtLaunch int foundAt) {
    int length = found.get(foundAt);
    for (int need = context.localIdx; need < needs; need += THREADS) {
      int shapeAt = shape.get(tableAt + FoundLength.INTS * need);
      int rulesAt = shapeAt + shape.get(tableAt + FoundLength.INTS * need + 1);
      int rules = shape.get(tableAt + FoundLength.INTS * need + 2);
      for (int i = 0; i < rules; i++) {
        int rule = rulesAt + LengthRule.INTS * i;
        int afterPerAt = shape.get(rule + 3); // 0 if there is none
        int factor = shape.get(shapeAt + Scalars.max(afterPerAt - 1, 0));
        int per = shape.get(rule + 2) * (afterPerAt == 0 ? 1 : factor);
        int parts = apply(length, shape.get(rule + 1), per, shape.get(rule + 4));
        parts = Scalars.min(Scalars.max(parts, shape.get(rule + 5)), shape.get(rule + 6));
        shape.set(shapeAt + shape.get(rule), parts * shape.get(rule + 7));
      }
    }
  }
}
