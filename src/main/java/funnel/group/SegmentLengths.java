package funnel.group;

import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;

/**
 * Refuses lengths that a reduction of segments refuses, before inner primitives do so with names
 * that the caller does not know.
 *
 * @param id its name
 * @param values the reduction's values
 * @param segments heads, bits, offsets or keys
 * @param reduction the reduction
 */
record SegmentLengths(String id, String values, String segments, Primitive reduction)
    implements Primitive {

  @Override
  public Layout layout() {
    return Layout.reads().readsFound(values).readsFound(segments);
  }

  @Override
  public void requireLengths(Lengths lengths) {
    reduction.requireLengths(lengths);
  }

  @Override
  public void launch(Launches launches) {}

  @Override
  public Primitive in(Setting setting) {
    return this;
  }

  @Override
  public void runOnJvm(JvmRun run) {}
}
