package funnel.jit;

import funnel.operator.CapturedValues;
import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InaccessibleObjectException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A static method of a loaded class. */
record StaticMethod(Class<?> owner, String name, String descriptor) {

  /**
   * The method that a user-defined lambda or method reference calls, and the descriptor of the
   * call. Values that the lambda captured are the method's first arguments.
   */
  record Implementation(StaticMethod method, String calledAs, int captures) {

    /** The types of the captured values. */
    List<ClassDesc> captured() {
      return method.type().parameterList().subList(0, captures);
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

  /** Whether jshell made the class, from a notebook's cell. */
  static boolean isCell(String binaryName) {
    return binaryName.startsWith("REPL.");
  }

  /**
   * The method of this name that a call on {@code on} resolves to, or null if class files are
   * missing.
   */
  static @Nullable StaticMethod resolve(
      Class<?> on, String name, String descriptor, Function<Class<?>, @Nullable ClassModel> files) {
    for (Class<?> type = on; type != null; type = type.getSuperclass()) {
      ClassModel model = files.apply(type);
      if (model == null) {
        return null;
      }
      StaticMethod method = new StaticMethod(type, name, descriptor);
      if (method.find(model) != null) {
        return method;
      }
    }
    return null;
  }

  @Nullable MethodModel find(ClassModel model) {
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

  /**
   * The static method that a lambda or method reference calls.
   *
   * @throws Refusal if there is none, or it needs more than its arguments
   */
  static Implementation behind(Serializable function) {
    SerializedLambda lambda = serialized(function);
    String calledAs = lambda.getFunctionalInterfaceMethodSignature();
    int captured = lambda.getCapturedArgCount();
    if (lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic) {
      throw new Refusal(
          lambda.getImplMethodName().startsWith("lambda$")
              ? "it captures `this`. " + whatWorks(calledAs, lambda.getImplClass())
              : "it is an instance method (%s.%s). %s"
                  .formatted(
                      lambda.getImplClass().replace('/', '.'),
                      lambda.getImplMethodName(),
                      whatWorks(calledAs, lambda.getImplClass())));
    }
    MethodTypeDesc takes = MethodTypeDesc.ofDescriptor(lambda.getImplMethodSignature());
    for (ClassDesc type : takes.parameterList().subList(0, captured)) {
      if (!type.isPrimitive()) {
        throw new Refusal(
            "it captures an object of type %s. %s"
                .formatted(type.displayName(), whatWorks(calledAs, lambda.getImplClass())));
      }
    }
    String owner = lambda.getImplClass().replace('/', '.');
    try {
      Class<?> type = Class.forName(owner, false, function.getClass().getClassLoader());
      return new Implementation(
          new StaticMethod(type, lambda.getImplMethodName(), lambda.getImplMethodSignature()),
          calledAs,
          captured);
    } catch (ClassNotFoundException e) {
      throw new Refusal("its class %s cannot be found by name".formatted(owner));
    }
  }

  /** The values that a function captured, all of primitive types. */
  static List<Object> captured(Serializable function) {
    return CapturedValues.of(serialized(function));
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
        "it is an object of class %s, not a lambda or method reference. %s"
            .formatted(type.getName(), whatWorks("(II)I", type.getName())));
  }

  private static String whatWorks(String descriptor, String owner) {
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(descriptor);
    StringBuilder parameters = new StringBuilder();
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < type.parameterCount(); i++) {
      parameters
          .append(i == 0 ? "" : ", ")
          .append(type.parameterType(i).displayName())
          .append(' ')
          .append((char) ('a' + i));
      names.append(i == 0 ? "" : ", ").append((char) ('a' + i));
    }
    // a method of a cell belongs to no class that could be named
    String passed =
        isCell(owner.replace('/', '.')) ? "(%1$s) -> f(%1$s)".formatted(names) : "MyClass::f";
    return "Only static methods, and lambdas that capture nothing but numbers, can be compiled for a device:"
        + " write `static %s f(%s)` and pass `%s`;"
            .formatted(type.returnType().displayName(), parameters, passed)
        + " give a value that f needs as another array (Elementwise takes up to three), or make it"
        + " a static final constant";
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
