package funnel.docs;

import funnel.operation.Primitive;
import funnel.operation.Setting;
import java.lang.reflect.Proxy;

/** Primitives whose kernels are never launched, as when a driver drops a launch. */
final class Uncounted {

  private Uncounted() {}

  /** The primitive without its kernels. */
  static Primitive of(Primitive primitive) {
    return (Primitive)
        Proxy.newProxyInstance(
            Primitive.class.getClassLoader(),
            new Class<?>[] {Primitive.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "launch" -> null;
                  case "in" ->
                      ((Setting) arguments[0]).device() == null
                          ? method.invoke(primitive, arguments)
                          : proxy;
                  case "equals" -> proxy == arguments[0];
                  default -> method.invoke(primitive, arguments);
                });
  }
}
