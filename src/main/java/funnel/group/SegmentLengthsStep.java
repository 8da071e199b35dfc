package funnel.group;

import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;

/**
 * Checks the lengths of a reduction of segments first, so that messages have the caller's names.
 *
 * @param id its name
 * @param values the reduction's values
 * @param segments heads, bits, offsets or keys
 * @param reduction the reduction
 */
record SegmentLengthsStep(String id, String values, String segments, Primitive reduction)
    implements Primitive {

  @Override
  public Step in(Setting setting) {
    return Step.of(this, setting)
        .readsFound("values", values)
        .readsFound("segments", segments)
        .requires(reduction.in(setting)::requireLengths)
        .onDevice(launches -> {})
        .onJvm(run -> {});
  }
}
