package funnel.emulator;

import funnel.kernel.KernelTask.Grid;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

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
   * Copies are kept with the original class (ClassValue), so they live exactly as long as it does.
   * The handle is made once for each method and gets its arguments with every call: the JVM compiles
   * a form for every handle that is called often, so a handle bound again for every run would cost
   * more than a small run itself.
   */

  private static final Map<Watch, ClassValue<InstrumentedClasses>> COPIES =
      Stream.of(Watch.values())
          .collect(Collectors.toUnmodifiableMap(Function.identity(), InstrumentedKernel::copies));

  private static final ClassValue<KernelCode> CODE =
      new ClassValue<>() {
        @Override
        protected KernelCode computeValue(Class<?> type) {
          return new KernelCode(type.getClassLoader());
        }
      };

  private static ClassValue<InstrumentedClasses> copies(Watch watch) {
    return new ClassValue<>() {
      @Override
      protected InstrumentedClasses computeValue(Class<?> type) {
        return new InstrumentedClasses(type.getClassLoader(), watch);
      }
    };
  }

  private static InstrumentedClasses copiesOf(Class<?> original, Watch watch) {
    return Objects.requireNonNull(COPIES.get(watch)).get(original);
  }

  /** The kernel of a task, with what its threads are to report. */
  static InstrumentedKernel of(
      String id, Grid grid, Object code, List<Object> values, Watch watch) {
    TaskCode method;
    try {
      method = TaskCode.of(code);
    } catch (TaskCode.Refusal e) {
      throw refused(id, grid, e.reason(), e.getCause());
    }
    String name = "%s (%s.%s)".formatted(id, method.owner(), method.name());
    Object[] captured = method.captured();
    try {
      Object[] arguments = arguments(method, values);
      ClassLoader loader = code.getClass().getClassLoader();
      Class<?> original = Class.forName(method.owner(), false, loader);
      requireCompilable(name, grid, original, method);
      InstrumentedClasses copies = copiesOf(original, watch);
      requireShared(name, grid, captured);
      requireShared(name, grid, arguments);
      MethodHandle handle =
          copies.handle(
              method.owner(),
              method.name(),
              method.descriptor(),
              captured.length,
              arguments.length);
      return new InstrumentedKernel(name, handle, captured, arguments);
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      if (e instanceof UnsupportedKernelException known) {
        throw known;
      }
      throw refused(name, grid, "no instrumented copy of the kernel could be made: " + e, e);
    }
  }

  /** Passes bits as elements of the type that a kernel takes, as a device does silently. */
  private static Object[] arguments(TaskCode method, List<Object> values) {
    Object[] arguments = values.toArray();
    List<ClassDesc> parameters = MethodTypeDesc.ofDescriptor(method.descriptor()).parameterList();
    int first = parameters.size() - arguments.length;
    for (int i = 0; i < arguments.length; i++) {
      String type = parameters.get(first + i).displayName();
      if (arguments[i] instanceof FloatArray floats && type.equals("IntArray")) {
        arguments[i] = IntArray.fromSegmentShallow(floats.getSegmentWithHeader());
      } else if (arguments[i] instanceof DoubleArray doubles && type.equals("LongArray")) {
        arguments[i] = LongArray.fromSegmentShallow(doubles.getSegmentWithHeader());
      } else if (arguments[i] instanceof IntArray ints && type.equals("LongArray")) {
        arguments[i] = pairs(ints);
      }
    }
    return arguments;
  }

  /** The ints two by two; the number of elements in the header, which a new array sets, is kept. */
  private static LongArray pairs(IntArray ints) {
    MemorySegment all = ints.getSegmentWithHeader();
    int number = all.get(ValueLayout.JAVA_INT, 0);
    long odd = (long) Integer.BYTES * (ints.getSize() % 2);
    LongArray longs = LongArray.fromSegmentShallow(all.asSlice(0, all.byteSize() - odd));
    all.set(ValueLayout.JAVA_INT, 0, number);
    return longs;
  }

  private static void requireCompilable(
      String name, Grid grid, Class<?> original, TaskCode method) {
    Optional<String> refusal =
        CODE.get(original).refusal(method.owner(), method.name(), method.descriptor());
    if (refusal.isPresent()) {
      throw refused(name, grid, "no device can run it as it is: " + refusal.get(), null);
    }
  }

  void call(KernelContext context) throws Throwable {
    handle.invokeExact(captured, context, arguments);
  }

  /** Requires arguments of classes that the copies do not duplicate. */
  private static void requireShared(String name, Grid grid, Object[] arguments) {
    for (Object argument : arguments) {
      Class<?> type = argument.getClass();
      while (type.isArray()) {
        type = type.getComponentType();
      }
      if (!type.isPrimitive() && !InstrumentedClasses.isShared(type.getName())) {
        throw refused(
            name,
            grid,
            "an argument of %s: the kernel's copy would have another class of that name; pass"
                    .formatted(type)
                + " TornadoVM arrays and boxed numbers",
            null);
      }
    }
  }

  private static UnsupportedKernelException refused(
      String name, Grid grid, String problem, @Nullable Throwable cause) {
    return new UnsupportedKernelException(
        new Place(name, grid, Place.NONE, Place.NONE), problem, cause);
  }
}
