package funnel.docs;

import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;

/** Primitives whose kernels are never launched, as when a driver drops a launch. */
final class Uncounted {

  private Uncounted() {}

  /** The primitive without its kernels, except in a check of them. */
  static Primitive of(Primitive primitive) {
    return new Primitive() {
      @Override
      public String id() {
        return primitive.id();
      }

      @Override
      public Step in(Setting setting) {
        Step step = primitive.in(setting).formOf(this, setting);
        boolean isCheck = setting.most() < Integer.MAX_VALUE;
        return isCheck ? step : step.onDevice(_ -> {});
      }
    };
  }
}
