package funnel.sort;

import funnel.operation.JvmRun;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;

/**
 * The end of a {@link SegmentedSort} on the JVM, which sorts each segment by itself and no
 * positions.
 *
 * <p>Of 3, 1, 4, 1, 5 whose segments begin at 0, 0, 2, 2, 2 it is 1, 3, 1, 4, 5.
 *
 * @param id its name and that of the output
 * @param input the keys
 * @param firsts where each key's segment begins
 * @param order what is compared: all bits
 * @param capacity the most keys
 */
record SegmentLoops(String id, String input, String firsts, KeyOrder order, int capacity)
    implements Primitive {

  @Override
  public Layout layout() {
    return Layout.reads(input, firsts).writes(id, order.type(), capacity, input);
  }

  @Override
  public Primitive in(Setting setting) {
    return new SegmentLoops(id, input, firsts, order, setting.capacity(capacity));
  }

  @Override
  public void runOnJvm(JvmRun run) {
    new SortLoops(order)
        .sort(run.input(input), run.length(input), run.input(firsts), run.output(id));
  }
}
