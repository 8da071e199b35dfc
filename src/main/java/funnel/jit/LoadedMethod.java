package funnel.jit;

import funnel.operator.CapturedValues;
import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A method of a loaded class. */
record LoadedMethod(Class<?> owner, String name, String descriptor) {

  /**
   * The method that a user-defined lambda or method reference calls.
   *
   * @param method the method
   * @param calledAs the descriptor of the call
   * @param receiver the class of the object whose method it is; null if it is static
   * @param captures the number of numbers and arrays that the lambda captured, which are the
   *     method's first arguments
   * @param fields of such types that the method and those that it calls read: static ones of
   *     notebooks, static final arrays, and final ones of the object
   */
  record Implementation(
      LoadedMethod method,
      String calledAs,
      @Nullable Class<?> receiver,
      int captures,
      List<Field> fields) {

    /** The name of a parameter for a captured value. */
    String parameter(int captured) {
      MethodModel found = method.find(classFile(method.owner()));
      int slot = receiver == null ? 0 : 1;
      for (ClassDesc type : method.type().parameterList().subList(0, captured)) {
        slot += TypeKind.from(type).slotSize();
      }
      for (CodeElement element : Objects.requireNonNull(found).code().orElseThrow()) {
        if (element instanceof LocalVariable v && v.slot() == slot) {
          return v.name().stringValue();
        }
      }
      return String.valueOf(captured + 1);
    }

    /** The number of captured arrays before a field. */
    int arraysBefore(int field) {
      return Math.toIntExact(
          extras().subList(0, captures + field).stream().filter(ClassDesc::isArray).count());
    }

    /** The types of the numbers and arrays that the method needs besides its arguments. */
    List<ClassDesc> extras() {
      return Stream.concat(
              method.type().parameterList().subList(0, captures).stream(),
              fields.stream().map(field -> field.getType().describeConstable().orElseThrow()))
          .map(Tables::asArray)
          .toList();
    }
  }

  @Override
  public String toString() {
    return owner.getName() + "." + name;
  }

  MethodTypeDesc type() {
    return MethodTypeDesc.ofDescriptor(descriptor);
  }

  /** The name of a class, or of an array's element class, as {@link Class#forName} takes it. */
  static String binaryName(ClassDesc type) {
    ClassDesc element = type;
    while (element.isArray()) {
      element = element.componentType();
    }
    String descriptor = element.descriptorString();
    return element.isPrimitive()
        ? "java.lang." + element.displayName()
        : descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
  }

  /** Whether a handle calls a static method. */
  static boolean isStatic(DirectMethodHandleDesc handle) {
    return handle.kind() == DirectMethodHandleDesc.Kind.STATIC
        || handle.kind() == DirectMethodHandleDesc.Kind.INTERFACE_STATIC;
  }

  /** Whether the class comes with the JDK or TornadoVM, so that every class can call it. */
  static boolean isPlatform(String binaryName) {
    return binaryName.startsWith("java.")
        || binaryName.startsWith("javax.")
        || binaryName.startsWith("jdk.")
        || binaryName.startsWith("uk.ac.manchester.tornado.api.");
  }

  /** Whether a function on a device may have values of a type: numbers and arrays of numbers. */
  static boolean isCapturable(ClassDesc type) {
    return type.isPrimitive() || isTable(type);
  }

  /** Whether a type is that of an array in which a function may look up numbers. */
  static boolean isTable(ClassDesc type) {
    return type.isArray() ? type.componentType().isPrimitive() : Tables.is(type);
  }

  /** Whether jshell made the class, from a notebook's cell. */
  static boolean isCell(String binaryName) {
    return binaryName.startsWith("REPL.");
  }

  /**
   * The method of this name that a call on {@code on} resolves to, or null if class files are
   * missing.
   */
  static @Nullable LoadedMethod resolve(
      Class<?> on, String name, String descriptor, Function<Class<?>, @Nullable ClassModel> files) {
    for (Class<?> type = on; type != null; type = type.getSuperclass()) {
      ClassModel model = files.apply(type);
      if (model == null) {
        return null;
      }
      LoadedMethod method = new LoadedMethod(type, name, descriptor);
      if (method.find(model) != null) {
        return method;
      }
    }
    return null;
  }

  /**
   * The method that a call of this one on an object of a class calls, or null if class files are
   * missing: a private method is not overridden by one of its name.
   */
  @Nullable LoadedMethod dispatched(Class<?> receiver) {
    LoadedMethod declared = resolve(owner, name, descriptor, LoadedMethod::classFile);
    MethodModel found = declared == null ? null : declared.find(classFile(declared.owner()));
    return found != null && found.flags().has(AccessFlag.PRIVATE)
        ? declared
        : resolve(receiver, name, descriptor, LoadedMethod::classFile);
  }

  /** This method in a class file; null without one, or if it is not there. */
  @Nullable MethodModel find(@Nullable ClassModel model) {
    if (model == null) {
      return null;
    }
    for (MethodModel method : model.methods()) {
      if (method.methodName().equalsString(name) && method.methodType().equalsString(descriptor)) {
        return method;
      }
    }
    return null;
  }

  /** The class file of a class, or null. */
  static @Nullable ClassModel classFile(Class<?> type) {
    byte[] bytes = type.isHidden() ? null : ClassFiles.read(type.getName(), type.getClassLoader());
    return bytes == null ? null : ClassFile.of().parse(bytes);
  }

  /* Each lambda has a class of its own; what its methods do may depend on its object's class, too. */
  private static final ClassValue<Map<Optional<Class<?>>, Implementation>> KNOWN =
      new ClassValue<>() {
        @Override
        protected Map<Optional<Class<?>>, Implementation> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  /**
   * The method that a lambda or method reference calls.
   *
   * @throws Refusal if there is none, or it needs more than arguments and numbers
   */
  static Implementation behind(Serializable function) {
    Map<Optional<Class<?>>, Implementation> known = KNOWN.get(function.getClass());
    Implementation implementation = known.get(Optional.<Class<?>>empty());
    if (implementation != null) { // known without the work to look into the lambda
      return implementation;
    }
    SerializedLambda lambda = serialized(function);
    Optional<Class<?>> receiver = receiver(lambda).map(Object::getClass);
    implementation = known.get(receiver);
    if (implementation == null) {
      implementation = behind(function, lambda, receiver.orElse(null));
      known.put(receiver, implementation);
    }
    return implementation;
  }

  /** The object whose method a function calls. */
  private static Optional<Object> receiver(SerializedLambda lambda) {
    return lambda.getImplMethodKind() == MethodHandleInfo.REF_invokeStatic
            || lambda.getCapturedArgCount() == 0
        ? Optional.empty()
        : Optional.of(lambda.getCapturedArg(0));
  }

  private static Implementation behind(
      Serializable function, SerializedLambda lambda, @Nullable Class<?> receiver) {
    String calledAs = lambda.getFunctionalInterfaceMethodSignature();
    boolean isStatic = lambda.getImplMethodKind() == MethodHandleInfo.REF_invokeStatic;
    if (!isStatic && receiver == null) {
      throw new Refusal(
          "it is an instance method (%s.%s)"
              .formatted(lambda.getImplClass().replace('/', '.'), lambda.getImplMethodName()));
    }
    int captures = lambda.getCapturedArgCount() - (isStatic ? 0 : 1);
    String descriptor = lambda.getImplMethodSignature();
    for (ClassDesc type :
        MethodTypeDesc.ofDescriptor(descriptor).parameterList().subList(0, captures)) {
      if (!isCapturable(type)) {
        throw new Refusal(
            "it captures an object of type %s: on a device, a function may capture numbers and arrays of numbers alone; copy those that it needs to local variables"
                .formatted(type.displayName()));
      }
    }
    String owner = lambda.getImplClass().replace('/', '.');
    Class<?> type;
    try {
      type = Class.forName(owner, false, function.getClass().getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new Refusal("its class %s cannot be found by name".formatted(owner));
    }
    if (receiver == type
        && Tables.is(type.describeConstable().orElseThrow())
        && lambda.getImplMethodName().equals(Tables.GET)) { // table::get, like i -> table.get(i)
      MethodTypeDesc element =
          MethodTypeDesc.ofDescriptor(descriptor)
              .insertParameterTypes(0, type.describeConstable().orElseThrow());
      return new Implementation(
          new LoadedMethod(type, Tables.ELEMENT, element.descriptorString()),
          calledAs,
          null,
          1,
          List.of());
    }
    LoadedMethod method = new LoadedMethod(type, lambda.getImplMethodName(), descriptor);
    if (receiver != null) {
      method = Objects.requireNonNullElse(method.dispatched(receiver), method);
    }
    return new Implementation(
        method, calledAs, receiver, captures, FieldReads.of(method, receiver));
  }

  /** The numbers and arrays that a function needs besides its arguments, as they are now. */
  static List<Object> extras(Serializable function) {
    SerializedLambda lambda = serialized(function);
    Implementation of = behind(function);
    List<Object> values = new ArrayList<>(CapturedValues.of(lambda));
    Object receiver = of.receiver() == null ? null : values.removeFirst();
    for (Field field : of.fields()) {
      try {
        values.add(field.get(receiver)); // which is ignored if the field is static
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("field " + field, e);
      }
    }
    values.replaceAll(value -> value == null ? value : Tables.elements(value));
    return values;
  }

  /** The arrays among these. */
  static List<LookUp> lookUps(Serializable function) {
    Implementation of;
    try {
      of = behind(function);
    } catch (Refusal refusal) {
      return List.of(); // it runs on the JVM alone
    }
    List<ClassDesc> types = of.extras();
    if (types.stream().noneMatch(ClassDesc::isArray)) {
      return List.of();
    }
    List<@Nullable Object> values = extras(function);
    List<LookUp> lookUps = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      if (types.get(i).isArray()) {
        String name =
            i < of.captures() ? of.parameter(i) : of.fields().get(i - of.captures()).getName();
        Object array =
            Objects.requireNonNull(
                values.get(i), () -> "array %s that %s reads is null".formatted(name, of.method()));
        lookUps.add(new LookUp(name, array));
      }
    }
    return lookUps;
  }

  /** Whether these values may change for the same function. */
  static boolean mayChange(Serializable function) {
    return behind(function).fields().stream()
        .anyMatch(field -> Modifier.isStatic(field.getModifiers()));
  }

  private static SerializedLambda serialized(Serializable function) {
    Class<?> type = function.getClass();
    try {
      SerializedLambda lambda = CapturedValues.lambda(function);
      if (lambda != null) {
        return lambda;
      }
    } catch (InaccessibleObjectException e) {
      throw new Refusal(
          "%s does not open package %s, so that its bytecode cannot be found"
              .formatted(type.getModule(), type.getPackageName()));
    }
    throw new Refusal(
        "it is an object of class %s, not a lambda or method reference".formatted(type.getName()));
  }

  /** Why a user-defined function cannot be copied. */
  static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refusal(String reason) {
      super(reason, null, false, false);
    }

    String reason() {
      return String.valueOf(getMessage());
    }
  }
}
