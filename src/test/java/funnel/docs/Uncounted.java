package funnel.docs;

import funnel.engine.Primitive;
import java.lang.reflect.Proxy;
import java.util.List;

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
                  case "tasks" -> List.of();
                  case "on", "instead", "over" -> proxy;
                  case "equals" -> proxy == arguments[0];
                  default -> method.invoke(primitive, arguments);
                });
  }
}
