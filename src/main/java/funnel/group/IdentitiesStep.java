package funnel.group;

import funnel.operation.JvmRun;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The initial values of groups on the JVM: copies of an operator's identity.
 *
 * @param id its name and that of the array
 * @param identity the value
 * @param type its type
 */
record IdentitiesStep(String id, Number identity, ElementType type) implements Primitive {

  @Override
  public Step in(Setting setting) {
    return Step.of(this, setting).onJvm(this::fill);
  }

  private void fill(JvmRun run) {
    MemorySegment output = run.output(id);
    int bytes = type.bytes();
    for (long at = 0; at < output.byteSize(); at += bytes) {
      switch (identity) {
        case Integer i -> output.set(ValueLayout.JAVA_INT_UNALIGNED, at, i);
        case Long l -> output.set(ValueLayout.JAVA_LONG_UNALIGNED, at, l);
        case Float f -> output.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, f);
        default -> output.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, identity.doubleValue());
      }
    }
  }
}
