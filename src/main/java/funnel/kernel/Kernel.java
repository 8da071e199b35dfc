package funnel.kernel;

import java.io.Serializable;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.common.TornadoFunctions;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * A kernel, found by its name: a static method of a class whose first parameter is a {@link
 * KernelContext}. Its launches bind arguments to the other parameters by their names.
 *
 * {@snippet class="funnel.docs.KernelSnippets" region="named"}
 */
public final class Kernel {

  /* TornadoVM and the emulator find the method behind a task's lambda, in the lambda's class or
   * through its SerializedLambda. The metafactory that javac uses for lambdas can make one for any
   * method, so that kernels need no launching methods of their own.
   */

  /* Of an array's type, compiled code contains only the element size, which the kernel's own
   * parameter determines: so an array of floats may be passed as an array of ints.
   */

  private static final ClassValue<Map<String, Kernel>> OF =
      new ClassValue<>() {
        @Override
        protected Map<String, Kernel> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  /** The method that a lambda calls, by its class: set for kernels here, found for others. */
  private static final ClassValue<AtomicReference<@Nullable Method>> BEHIND =
      new ClassValue<>() {
        @Override
        protected AtomicReference<@Nullable Method> computeValue(Class<?> type) {
          return new AtomicReference<>();
        }
      };

  private final Method method;
  private final Serializable code;

  /**
   * An argument whose bits a kernel reads as ints or longs: an array of floats for a parameter of
   * type array of ints, or of doubles for longs; or two ints that begin at an even index as one
   * long, the first as its lower half. An array of the parameter's own type is passed unchanged.
   *
   * @param array a TornadoVM array
   */
  public record Bits(Object array) {
    private boolean isOf(Class<?> type) {
      return type.isInstance(array)
          || array instanceof FloatArray && type == IntArray.class
          || array instanceof IntArray && type == LongArray.class
          || array instanceof DoubleArray && type == LongArray.class;
    }
  }

  private Kernel(Method method) {
    this.method = method;
    try {
      this.code = code(method);
    } catch (Throwable e) {
      throw new IllegalStateException("kernel " + method + " cannot be called", e);
    }
    BEHIND.get(code.getClass()).set(method);
  }

  /**
   * The kernel with a name.
   *
   * @param owner the class that has it, or a copy of that class
   * @param name the method's name, which must be unique in the class
   * @throws NoSuchElementException if there is no such method, or more than one
   * @throws IllegalArgumentException if it is not static, its first parameter is no context, or its
   *     class was compiled without {@code -parameters}
   */
  public static Kernel of(Class<?> owner, String name) {
    return OF.get(owner).computeIfAbsent(name, wanted -> new Kernel(method(owner, wanted)));
  }

  /** The name of the kernel that belongs to a constant: {@code hillisSteele} for HILLIS_STEELE. */
  public static String nameOf(Enum<?> constant) {
    String words =
        Stream.of(constant.name().split("_", -1))
            .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining());
    return words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
  }

  private static Method method(Class<?> owner, String name) {
    Method[] found =
        Stream.of(owner.getDeclaredMethods())
            .filter(method -> method.getName().equals(name))
            .toArray(Method[]::new);
    if (found.length != 1) {
      throw new NoSuchElementException(
          "class %s has %s methods %s, but a kernel's name must be unique"
              .formatted(owner.getName(), found.length, name));
    }
    Class<?>[] parameters = found[0].getParameterTypes();
    if (!Modifier.isStatic(found[0].getModifiers())
        || parameters.length == 0
        || parameters[0] != KernelContext.class) {
      throw new IllegalArgumentException(
          "%s is not a kernel: a kernel is static, and its first parameter is a KernelContext"
              .formatted(found[0]));
    }
    if (!Stream.of(found[0].getParameters()).allMatch(Parameter::isNamePresent)) {
      throw new IllegalArgumentException(
          "%s has no parameter names, by which arguments are bound: compile it with javac -parameters"
              .formatted(found[0]));
    }
    return found[0];
  }

  private static Serializable code(Method method) throws Throwable {
    MethodHandles.Lookup lookup =
        MethodHandles.privateLookupIn(method.getDeclaringClass(), MethodHandles.lookup());
    MethodHandle handle = lookup.unreflect(method);
    MethodType type = handle.type();
    Class<?> task =
        Class.forName(TornadoFunctions.class.getName() + "$Task" + type.parameterCount());
    return (Serializable)
        LambdaMetafactory.altMetafactory(
                lookup,
                "apply",
                MethodType.methodType(task),
                type.generic().changeReturnType(void.class),
                handle,
                type.wrap().changeReturnType(void.class),
                LambdaMetafactory.FLAG_SERIALIZABLE)
            .getTarget()
            .invoke();
  }

  /**
   * A launch of this kernel.
   *
   * @param id name of the task, unique in its task graph
   * @param grid blocks and threads
   * @param arguments the argument for each parameter after the context, by the parameter's name
   * @throws IllegalArgumentException if a parameter has no argument, or one that is not of its type
   */
  public KernelTask task(String id, KernelTask.Grid grid, Map<String, ?> arguments) {
    return new KernelTask(
        id,
        grid,
        code,
        Stream.of(method.getParameters())
            .skip(1)
            .map(parameter -> argument(id, parameter, arguments.get(parameter.getName())))
            .toList());
  }

  private Object argument(String id, Parameter parameter, @Nullable Object argument) {
    Class<?> type = MethodType.methodType(parameter.getType()).wrap().returnType();
    Object given = argument instanceof Bits bits ? bits.array() : argument;
    boolean isOfType = argument instanceof Bits bits ? bits.isOf(type) : type.isInstance(argument);
    if (given == null || !isOfType) {
      throw new IllegalArgumentException(
          "task %s: parameter %s of kernel %s is of type %s, its argument %s"
              .formatted(
                  id,
                  parameter.getName(),
                  this,
                  type.getSimpleName(),
                  given == null ? "is missing" : "of " + given.getClass().getSimpleName()));
    }
    return given;
  }

  /** The kernel that a task's code calls; empty if that is none, or the code captured values. */
  static Optional<Method> behind(Serializable code) {
    AtomicReference<@Nullable Method> behind = BEHIND.get(code.getClass());
    Method known = behind.get();
    if (known != null) {
      return Optional.of(known);
    }
    try {
      Method writeReplace = code.getClass().getDeclaredMethod("writeReplace");
      writeReplace.setAccessible(true);
      if (!(writeReplace.invoke(code) instanceof SerializedLambda lambda)
          || lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic
          || lambda.getCapturedArgCount() > 0) {
        return Optional.empty();
      }
      ClassLoader loader = code.getClass().getClassLoader();
      Method found =
          Class.forName(lambda.getImplClass().replace('/', '.'), false, loader)
              .getDeclaredMethod(
                  lambda.getImplMethodName(),
                  MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader)
                      .parameterArray());
      if (found.getParameterCount() == 0 || found.getParameterTypes()[0] != KernelContext.class) {
        return Optional.empty();
      }
      behind.set(found);
      return Optional.of(found);
    } catch (ReflectiveOperationException
        | LinkageError
        | TypeNotPresentException
        | InaccessibleObjectException e) {
      return Optional.empty(); // no lambda, or of a class that is not found by its name
    }
  }

  /** The class and the method, such as {@code IntToIntReductionKernels.rows}. */
  @Override
  public String toString() {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }
}
