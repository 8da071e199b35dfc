package funnel.jit;

import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Transform;
import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A function that gets its arguments from arrays, by the index for which it is called.
 *
 * @param function the user's
 * @param arguments where they come from
 */
public record RowFunction(ElementFunction function, List<Argument> arguments)
    implements Serializable {

  /**
   * An argument.
   *
   * @param type of the array's elements
   * @param isValue whether it is the array's only element, for all indices
   */
  public record Argument(ElementType type, boolean isValue) implements Serializable {}

  /** The most arguments of such a function. */
  public static final int MOST = 4;

  /* On the JVM an object of a class made here, one for each function's class so that C2 inlines the
   * function into the loop, has the function and the arrays, and is a function of the index.
   */

  private static final AtomicInteger COUNT = new AtomicInteger();

  private static final ClassValue<Map<List<Argument>, MethodHandle>> MADE =
      new ClassValue<>() {
        @Override
        protected Map<List<Argument>, MethodHandle> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  /** The user's own function. */
  public static Serializable own(Serializable function) {
    return function instanceof RowFunction row ? row.function() : function;
  }

  /** The interface of a function. */
  private static Class<?> type(ElementFunction function) {
    return Arrays.stream(function.getClass().getInterfaces())
        .filter(ElementFunction.class::isAssignableFrom)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s has no interface of its own that extends ElementFunction"
                        .formatted(function.getClass().getName())));
  }

  private static Method method(ElementFunction function) {
    Class<?> type = type(function);
    List<Method> methods =
        Arrays.stream(type.getMethods())
            .filter(method -> Modifier.isAbstract(method.getModifiers()))
            .toList();
    if (methods.size() != 1) {
      throw new IllegalArgumentException(
          "interface %s has %s abstract methods, a function has one"
              .formatted(type.getName(), methods.size()));
    }
    return methods.getFirst();
  }

  /**
   * The types of a function.
   *
   * @throws IllegalArgumentException if they are others than those of elements
   */
  public static MethodType signature(ElementFunction function) {
    Method method = method(function);
    MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
    if (type.parameterCount() == 0
        || type.parameterCount() > MOST
        || !type.parameterList().stream().allMatch(RowFunction::isNumber)
        || !isNumber(type.returnType()) && type.returnType() != boolean.class) {
      throw new IllegalArgumentException(
          "%s is %s: a function takes 1 to %s ints, longs, floats or doubles, and returns one, or a boolean"
              .formatted(method, type, MOST));
    }
    return type;
  }

  private static boolean isNumber(Class<?> type) {
    return type == int.class || type == long.class || type == float.class || type == double.class;
  }

  /** The type of elements for a type in Java; a boolean is 1 or 0. */
  public static ElementType elements(Class<?> type) {
    return type == boolean.class
        ? ElementType.INT
        : ElementType.valueOf(type.getName().toUpperCase(Locale.ROOT));
  }

  /**
   * The function of an index, and of a number that it ignores, on the JVM.
   *
   * @param given for each argument the Java array of its elements, or for a value a number
   */
  public Serializable of(@Nullable Object[] given) {
    MethodHandle make = MADE.get(function.getClass()).computeIfAbsent(arguments, _ -> define());
    try {
      return (Serializable) make.invoke((Object) JvmFunction.of(function), given);
    } catch (Throwable e) {
      throw new IllegalStateException("arguments of " + function.getClass().getName(), e);
    }
  }

  private MethodHandle define() {
    Class<?> type = type(function);
    String name = type.getPackageName() + ".RowFunction$" + COUNT.incrementAndGet();
    try {
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      Class<?> made =
          lookup.defineClass(bytes(ClassDesc.of(name.startsWith(".") ? name.substring(1) : name)));
      return MethodHandles.privateLookupIn(made, MethodHandles.lookup())
          .findConstructor(made, MethodType.methodType(void.class, Object.class, Object[].class))
          .asType(MethodType.methodType(Object.class, Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "%s does not open package %s, in which the arguments of its function are read"
              .formatted(type.getModule(), type.getPackageName()),
          e);
    }
  }

  private static final ClassDesc NUMBER = desc(Number.class);

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  private byte[] bytes(ClassDesc self) {
    Method method = method(function);
    ClassDesc type = desc(type(function));
    MethodType signature = signature(function);
    Class<?> result = signature.returnType() == boolean.class ? int.class : signature.returnType();
    Class<?> as =
        switch (elements(result)) {
          case LONG -> Transform.IndexedLongMap.class;
          case FLOAT -> Transform.IndexedFloatMap.class;
          case DOUBLE -> Transform.IndexedDoubleMap.class;
          default -> Transform.IndexedIntMap.class;
        };
    return ClassFile.of()
        .build(
            self,
            builder -> {
              builder
                  .withInterfaceSymbols(desc(as))
                  .withField("function", type, ClassFile.ACC_FINAL);
              for (int i = 0; i < arguments.size(); i++) {
                builder.withField("argument" + i, field(arguments.get(i)), ClassFile.ACC_FINAL);
              }
              builder.withMethodBody(
                  ConstantDescs.INIT_NAME,
                  MethodTypeDesc.of(
                      ConstantDescs.CD_void,
                      ConstantDescs.CD_Object,
                      ConstantDescs.CD_Object.arrayType()),
                  0,
                  code -> writeConstructor(code, self, type));
              builder.withMethodBody(
                  as.getMethods()[0].getName(),
                  MethodTypeDesc.of(desc(result), ConstantDescs.CD_int, desc(result)),
                  ClassFile.ACC_PUBLIC,
                  code -> {
                    code.aload(0).getfield(self, "function", type);
                    for (int i = 0; i < arguments.size(); i++) {
                      Argument argument = arguments.get(i);
                      code.aload(0).getfield(self, "argument" + i, field(argument));
                      if (!argument.isValue()) {
                        code.iload(1).arrayLoad(TypeKind.from(argument.type().layout().carrier()));
                        if (argument.type() == ElementType.BYTE) {
                          code.loadConstant(0xff).iand();
                        }
                      }
                      code.conversion(
                          kind(argument.type()), TypeKind.from(signature.parameterType(i)));
                    }
                    code.invokeinterface(
                        type,
                        method.getName(),
                        MethodTypeDesc.ofDescriptor(signature.descriptorString()));
                    code.return_(TypeKind.from(result));
                  });
            });
  }

  private void writeConstructor(CodeBuilder code, ClassDesc self, ClassDesc type) {
    code.aload(0)
        .invokespecial(ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
    code.aload(0).aload(1).checkcast(type).putfield(self, "function", type);
    for (int i = 0; i < arguments.size(); i++) {
      Argument argument = arguments.get(i);
      code.aload(0).aload(2).loadConstant(i).aaload();
      if (argument.isValue()) {
        ClassDesc value = field(argument);
        code.checkcast(NUMBER)
            .invokevirtual(NUMBER, value.displayName() + "Value", MethodTypeDesc.of(value));
      } else {
        code.checkcast(field(argument));
      }
      code.putfield(self, "argument" + i, field(argument));
    }
    code.return_();
  }

  private static ClassDesc field(Argument argument) {
    return argument.isValue()
        ? kind(argument.type()).upperBound()
        : desc(argument.type().layout().carrier().arrayType());
  }

  /** Bytes are ints, 0 to 255. */
  static TypeKind kind(ElementType type) {
    return switch (type) {
      case BYTE, INT -> TypeKind.INT;
      case LONG -> TypeKind.LONG;
      case FLOAT -> TypeKind.FLOAT;
      case DOUBLE -> TypeKind.DOUBLE;
    };
  }
}
