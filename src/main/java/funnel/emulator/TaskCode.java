package funnel.emulator;

import java.io.Serializable;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The static method that a task's method reference or lambda stands for.
 *
 * @param owner binary name of its class
 * @param name its name
 * @param descriptor its descriptor
 * @param captured what the lambda captured, which the method takes before its own parameters
 */
record TaskCode(String owner, String name, String descriptor, Object[] captured) {

  /*
   * A serializable lambda has a private method writeReplace, which returns a SerializedLambda that
   * names its method. Those of KernelTask are serializable, but TornadoVM's own task interfaces are
   * not. For these the constant pool of the lambda's class is read, as TornadoVM does: the only
   * method in it that is not the JDK's is the one that the lambda calls. The pool is internal to
   * the JDK, so this needs two exports.
   */

  private static final String EXPORTS =
      "--add-exports=java.base/jdk.internal.access=ALL-UNNAMED"
          + " --add-exports=java.base/jdk.internal.reflect=ALL-UNNAMED";

  /** A reason that the method cannot be found, or cannot be a kernel. */
  static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    Refusal(String reason, @Nullable Throwable cause) {
      super(reason, cause);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  /**
   * The method that the code of a task calls.
   *
   * @throws Refusal if there is none, or it is not static
   */
  static TaskCode of(Object code) throws Refusal {
    if (!code.getClass().isHidden()) {
      throw new Refusal("the kernel is not a method reference but a " + code.getClass(), null);
    }
    return code instanceof Serializable ? serialized(code) : inPool(code);
  }

  private static TaskCode serialized(Object code) throws Refusal {
    try {
      Method writeReplace = code.getClass().getDeclaredMethod("writeReplace");
      writeReplace.setAccessible(true);
      if (writeReplace.invoke(code) instanceof SerializedLambda lambda) {
        if (lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic) {
          throw new Refusal("a kernel must be a static method", null);
        }
        Object[] captured = new Object[lambda.getCapturedArgCount()];
        Arrays.setAll(captured, lambda::getCapturedArg);
        return new TaskCode(
            lambda.getImplClass().replace('/', '.'),
            lambda.getImplMethodName(),
            lambda.getImplMethodSignature(),
            captured);
      }
    } catch (ReflectiveOperationException e) {
      throw new Refusal("the kernel is not a method reference but a " + code.getClass(), e);
    }
    throw new Refusal("the kernel is not a method reference but a " + code.getClass(), null);
  }

  private static TaskCode inPool(Object code) throws Refusal {
    if (code.getClass().getDeclaredFields().length > 0) {
      throw new Refusal(
          "the task's lambda captures values, or the kernel is a method of an object; pass"
              + " arguments to a static method",
          null);
    }
    List<String[]> methods = new ArrayList<>();
    try {
      Class<?> secrets = Class.forName("jdk.internal.access.SharedSecrets");
      Class<?> access = Class.forName("jdk.internal.access.JavaLangAccess");
      Object pool =
          access
              .getMethod("getConstantPool", Class.class)
              .invoke(secrets.getMethod("getJavaLangAccess").invoke(null), code.getClass());
      Class<?> type = Class.forName("jdk.internal.reflect.ConstantPool");
      Method tagAt = type.getMethod("getTagAt", int.class);
      Method referenceAt = type.getMethod("getMemberRefInfoAt", int.class);
      int size = (int) type.getMethod("getSize").invoke(pool);
      for (int i = 1; i < size; i++) {
        if (tagAt.invoke(pool, i).toString().endsWith("METHODREF")) {
          String[] method = (String[]) referenceAt.invoke(pool, i);
          if (!method[0].startsWith("java/lang/")) {
            methods.add(method);
          }
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new Refusal(
          "the kernel is found only by a JVM that is started with %s; or add the task as a"
                  .formatted(EXPORTS)
              + " funnel.kernel.KernelTask, by addTo",
          e);
    }
    if (methods.size() != 1) {
      throw new Refusal(
          "of %s methods none is known to be the kernel; give the task a method reference"
              .formatted(methods.size()),
          null);
    }
    String[] method = methods.getFirst();
    return new TaskCode(method[0].replace('/', '.'), method[1], method[2], new Object[0]);
  }
}
