package funnel.jit;

import funnel.operator.CapturedValues;
import java.io.Serializable;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A function as an object that the JVM's loops call: the user's own, or a copy that calls Funnel's
 * elementary functions in place of the JDK's.
 */
final class JvmFunction {

  /* The copy is an object of a hidden class, a nest mate of the class that has the function's code, so
   * that it may use what is private there. It has copies of those methods alone that reach a method of
   * JdkMethods.everywhere, as static ones: the object of an instance method is their first parameter.
   * What the function captured is in final fields.
   *
   * There is no copy of a function that runs on no device, and none where a method's class is in
   * another nest and uses what is private there: the JVM rejects it. Then a warning says that the
   * JDK's methods are called.
   */

  private static final Logger LOG = LoggerFactory.getLogger(JvmFunction.class);

  /** What makes a copy of captured values; empty where the user's own object is called. */
  private static final ClassValue<Map<LoadedMethod.Implementation, Optional<MethodHandle>>> MADE =
      new ClassValue<>() {
        @Override
        protected Map<LoadedMethod.Implementation, Optional<MethodHandle>> computeValue(
            Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private static final ClassValue<AtomicBoolean> FAILED =
      new ClassValue<>() {
        @Override
        protected AtomicBoolean computeValue(Class<?> type) {
          return new AtomicBoolean();
        }
      };

  private final Class<?> lambdaClass;
  private final LoadedMethod.Implementation function;
  private final SerializedLambda lambda;
  private final ClassDesc self;
  private final Map<LoadedMethod, String> names = new LinkedHashMap<>();

  private JvmFunction(
      Class<?> lambdaClass, LoadedMethod.Implementation function, SerializedLambda lambda) {
    this.lambdaClass = lambdaClass;
    this.function = function;
    this.lambda = lambda;
    this.self =
        ClassDesc.of(function.method().owner().getName().replaceAll("/.*", "") + "$$funnel");
  }

  /** A function that gives Funnel's bits on the JVM: this one, or a copy. */
  static Serializable of(Serializable function) {
    SerializedLambda lambda;
    Optional<MethodHandle> made;
    try {
      made = made(function);
      lambda = made.isEmpty() ? null : CapturedValues.lambda(function);
    } catch (LoadedMethod.Refusal refusal) {
      return function; // it runs on the JVM alone
    }
    if (lambda == null) {
      return function;
    }
    try {
      return (Serializable)
          made.orElseThrow().invoke(CapturedValues.of(lambda).toArray(Object[]::new));
    } catch (Throwable e) {
      throw new IllegalStateException("the copy of " + function.getClass().getName(), e);
    }
  }

  /** Whether the JVM calls the JDK's own functions where other engines call Funnel's. */
  static boolean differs(Serializable function) {
    try {
      return made(function).isEmpty() && FAILED.get(function.getClass()).get();
    } catch (LoadedMethod.Refusal refusal) {
      return true; // and runs on no device
    }
  }

  private static Optional<MethodHandle> made(Serializable function) {
    LoadedMethod.Implementation behind = LoadedMethod.behind(function);
    Map<LoadedMethod.Implementation, Optional<MethodHandle>> known = MADE.get(function.getClass());
    Optional<MethodHandle> made = known.get(behind);
    if (made == null) {
      SerializedLambda lambda = Objects.requireNonNull(CapturedValues.lambda(function));
      made = new JvmFunction(function.getClass(), behind, lambda).make();
      known.put(behind, made);
    }
    return made;
  }

  private Optional<MethodHandle> make() {
    LoadedMethod first = function.method();
    if (LoadedMethod.isPlatform(first.owner().getName()) || !reaches(first, new ArrayList<>())) {
      return Optional.empty();
    }
    try {
      MethodHandles.Lookup lookup =
          MethodHandles.privateLookupIn(first.owner(), MethodHandles.lookup());
      MethodHandles.Lookup made =
          lookup.defineHiddenClass(
              ClassFile.of().build(self, this::write),
              true,
              MethodHandles.Lookup.ClassOption.NESTMATE);
      return Optional.of(
          made.findConstructor(
                  made.lookupClass(), MethodType.methodType(void.class, Object[].class))
              .asType(MethodType.methodType(Object.class, Object[].class))
              .asFixedArity());
    } catch (ReflectiveOperationException | LinkageError | IllegalArgumentException e) {
      LOG.warn(
          "{} calls the JDK's elementary functions on the JVM, so that other engines may give other"
              + " last digits: its code cannot be copied ({}); make the methods that it calls"
              + " public",
          first,
          e.toString());
      FAILED.get(lambdaClass).set(true);
      return Optional.empty();
    }
  }

  /** Whether a method of the user's reaches one that is Funnel's own on every engine. */
  private boolean reaches(LoadedMethod method, List<LoadedMethod> seen) {
    if (seen.contains(method)) {
      return false;
    }
    seen.add(method);
    for (CodeElement element : code(method)) {
      if (element instanceof InvokeInstruction call) {
        LoadedMethod called = called(call, method);
        if (own(call) != null || called != null && reaches(called, seen)) {
          return true;
        }
      }
    }
    return false;
  }

  private static @Nullable Class<?> own(InvokeInstruction call) {
    return call.opcode() == Opcode.INVOKESTATIC
        ? JdkMethods.everywhere(
            call.owner().asSymbol(), call.name().stringValue(), call.typeSymbol())
        : null;
  }

  /** The user's method that a call calls, if it can be told from the code. */
  private @Nullable LoadedMethod called(InvokeInstruction call, LoadedMethod in) {
    LoadedMethod method = FieldReads.called(call, in.owner(), function.receiver());
    return method == null
            || DeviceForms.isForDevices(method)
            || method.find(LoadedMethod.classFile(method.owner())) == null
        ? null
        : method;
  }

  private static List<CodeElement> code(LoadedMethod method) {
    MethodModel found = method.find(LoadedMethod.classFile(method.owner()));
    return found == null ? List.of() : found.code().map(CodeModel::elementList).orElse(List.of());
  }

  private void write(ClassBuilder builder) {
    List<ClassDesc> captured = new ArrayList<>();
    if (function.receiver() != null) {
      captured.add(desc(function.method().owner()));
    }
    captured.addAll(function.method().type().parameterList().subList(0, function.captures()));
    builder.withInterfaceSymbols(
        ClassDesc.ofInternalName(lambda.getFunctionalInterfaceClass()),
        Serializable.class.describeConstable().orElseThrow());
    for (int i = 0; i < captured.size(); i++) {
      builder.withField("captured" + i, captured.get(i), ClassFile.ACC_FINAL);
    }
    builder.withMethodBody(
        ConstantDescs.INIT_NAME,
        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object.arrayType()),
        ClassFile.ACC_PRIVATE,
        code -> writeConstructor(code, captured));
    builder.withMethodBody(
        lambda.getFunctionalInterfaceMethodName(),
        MethodTypeDesc.ofDescriptor(lambda.getFunctionalInterfaceMethodSignature()),
        ClassFile.ACC_PUBLIC,
        code -> writeCall(code, captured));
    for (int i = 0; i < names.size(); i++) { // writing one may add others
      LoadedMethod method = List.copyOf(names.keySet()).get(i);
      MethodModel found =
          Objects.requireNonNull(method.find(LoadedMethod.classFile(method.owner())));
      CodeModel body =
          found
              .code()
              .orElseThrow(() -> new IllegalArgumentException(method + " is abstract or native"));
      builder.withMethod(
          names.get(method),
          type(method),
          ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
          made -> made.transformCode(body, (code, element) -> rewrite(code, element, method)));
    }
  }

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  private MethodTypeDesc type(LoadedMethod method) {
    MethodModel found = Objects.requireNonNull(method.find(LoadedMethod.classFile(method.owner())));
    return found.flags().has(AccessFlag.STATIC)
        ? method.type()
        : method.type().insertParameterTypes(0, desc(method.owner()));
  }

  private String name(LoadedMethod method) {
    return names.computeIfAbsent(method, _ -> "copy" + names.size());
  }

  private void writeConstructor(CodeBuilder code, List<ClassDesc> captured) {
    code.aload(0)
        .invokespecial(ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
    for (int i = 0; i < captured.size(); i++) {
      ClassDesc type = captured.get(i);
      code.aload(0).aload(1).loadConstant(i).aaload();
      if (type.isPrimitive()) {
        ClassDesc box = desc(MethodType.methodType(primitive(type)).wrap().returnType());
        code.checkcast(box)
            .invokevirtual(box, type.displayName() + "Value", MethodTypeDesc.of(type));
      } else {
        code.checkcast(type);
      }
      code.putfield(self, "captured" + i, type);
    }
    code.return_();
  }

  private static Class<?> primitive(ClassDesc type) {
    return Objects.requireNonNull(Class.forPrimitiveName(type.displayName()));
  }

  private void writeCall(CodeBuilder code, List<ClassDesc> captured) {
    LoadedMethod method = function.method();
    MethodTypeDesc called =
        MethodTypeDesc.ofDescriptor(lambda.getFunctionalInterfaceMethodSignature());
    for (int i = 0; i < captured.size(); i++) {
      code.aload(0).getfield(self, "captured" + i, captured.get(i));
    }
    for (int i = 0; i < called.parameterCount(); i++) {
      TypeKind from = TypeKind.from(called.parameterType(i));
      code.loadLocal(from, code.parameterSlot(i));
      code.conversion(from, TypeKind.from(method.type().parameterType(function.captures() + i)));
    }
    code.invokestatic(self, name(method), type(method));
    TypeKind result = TypeKind.from(called.returnType());
    code.conversion(TypeKind.from(method.type().returnType()), result).return_(result);
  }

  private void rewrite(CodeBuilder code, CodeElement element, LoadedMethod in) {
    boolean isElsewhere = in.owner().getNestHost() != function.method().owner().getNestHost();
    if (isElsewhere && element instanceof FieldInstruction field) {
      throw new IllegalArgumentException("%s reads %s".formatted(in, field.name().stringValue()));
    }
    if (!(element instanceof InvokeInstruction call)) {
      code.with(element);
      return;
    }
    Class<?> own = own(call);
    LoadedMethod called = own == null ? called(call, in) : null;
    if (own != null) {
      code.invokestatic(desc(own), call.name().stringValue(), call.typeSymbol());
    } else if (called != null && reaches(called, new ArrayList<>())) {
      code.invokestatic(self, name(called), type(called));
    } else if (isElsewhere && called != null && isPrivate(called)) {
      throw new IllegalArgumentException("%s calls the private %s".formatted(in, called));
    } else {
      code.with(element);
    }
  }

  private static boolean isPrivate(LoadedMethod method) {
    MethodModel found = method.find(LoadedMethod.classFile(method.owner()));
    return found != null && found.flags().has(AccessFlag.PRIVATE);
  }
}
