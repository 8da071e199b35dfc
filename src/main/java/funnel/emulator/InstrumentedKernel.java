package funnel.emulator;

import funnel.jit.KernelTask;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.KernelContext;

/**
 * A kernel that is ready to be run by the emulator: a method of an instrumented copy, and its
 * arguments.
 *
 * @param name the task's id and the kernel's method, for messages
 * @param handle {@code (Object[] captured, KernelContext, Object[] arguments)void}
 * @param captured what the lambda captured, which its method takes before the context
 * @param arguments the task's arguments, which it takes after the context
 */
record InstrumentedKernel(String name, MethodHandle handle, Object[] captured, Object[] arguments) {

  /*
   * A serializable lambda or method reference has a private method writeReplace, which says as a
   * SerializedLambda which method it stands for. Copies are kept with the original class
   * (ClassValue), so they live exactly as long as it does. The handle is made once for each method
   * and gets its arguments with every call: the JVM compiles a form for every handle that is called
   * often, so a handle bound anew for every run would cost more than a small run itself.
   */

  private static final Map<Watch, ClassValue<InstrumentedClasses>> COPIES =
      Stream.of(Watch.values())
          .collect(Collectors.toUnmodifiableMap(Function.identity(), InstrumentedKernel::copies));

  private static ClassValue<InstrumentedClasses> copies(Watch watch) {
    return new ClassValue<>() {
      @Override
      protected InstrumentedClasses computeValue(Class<?> type) {
        return new InstrumentedClasses(type.getClassLoader(), watch);
      }
    };
  }

  private static InstrumentedClasses copiesOf(Class<?> original, Watch watch) {
    ClassValue<InstrumentedClasses> copies = COPIES.get(watch);
    if (copies == null) {
      throw new IllegalStateException("no copies for " + watch);
    }
    return copies.get(original);
  }

  static InstrumentedKernel of(KernelTask task, Watch watch) {
    SerializedLambda lambda = lambdaOf(task);
    String className = lambda.getImplClass().replace('/', '.');
    String name = "%s (%s.%s)".formatted(task.id(), className, lambda.getImplMethodName());
    if (lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic) {
      throw refused(task, name, "a kernel must be a static method", null);
    }
    Object[] captured = new Object[lambda.getCapturedArgCount()];
    Arrays.setAll(captured, lambda::getCapturedArg);
    Object[] arguments = task.arguments().toArray();
    try {
      ClassLoader loader = task.code().getClass().getClassLoader();
      Class<?> original = Class.forName(className, false, loader);
      InstrumentedClasses copies = copiesOf(original, watch);
      requireShared(task, name, captured);
      requireShared(task, name, arguments);
      MethodHandle handle =
          copies.handle(
              className,
              lambda.getImplMethodName(),
              lambda.getImplMethodSignature(),
              captured.length,
              arguments.length);
      return new InstrumentedKernel(name, handle, captured, arguments);
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      if (e instanceof UnsupportedKernelException known) {
        throw known;
      }
      throw refused(task, name, "no instrumented copy of the kernel could be made: " + e, e);
    }
  }

  void call(KernelContext context) throws Throwable {
    handle.invokeExact(captured, context, arguments);
  }

  private static SerializedLambda lambdaOf(KernelTask task) {
    Serializable code = task.code();
    try {
      Method writeReplace = code.getClass().getDeclaredMethod("writeReplace");
      writeReplace.setAccessible(true);
      if (writeReplace.invoke(code) instanceof SerializedLambda lambda) {
        return lambda;
      }
    } catch (ReflectiveOperationException e) {
      throw refused(
          task, task.id(), "the kernel is not a method reference but a " + code.getClass(), e);
    }
    throw refused(
        task, task.id(), "the kernel is not a method reference but a " + code.getClass(), null);
  }

  /** Refuses arguments of classes that the copies would have twice. */
  private static void requireShared(KernelTask task, String name, Object[] arguments) {
    for (Object argument : arguments) {
      Class<?> type = argument.getClass();
      while (type.isArray()) {
        type = type.getComponentType();
      }
      if (!type.isPrimitive() && !InstrumentedClasses.isShared(type.getName())) {
        throw refused(
            task,
            name,
            "an argument of %s: the kernel's copy would have another class of that name; pass"
                    .formatted(type)
                + " TornadoVM arrays and boxed numbers",
            null);
      }
    }
  }

  private static UnsupportedKernelException refused(
      KernelTask task, String name, String problem, @Nullable Throwable cause) {
    return new UnsupportedKernelException(
        new Place(name, task.grid(), Place.NONE, Place.NONE), problem, cause);
  }
}
