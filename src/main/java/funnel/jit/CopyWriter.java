package funnel.jit;

import funnel.jit.LoadedMethod.Refusal;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.Signature;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.EnclosingMethodAttribute;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.attribute.PermittedSubclassesAttribute;
import java.lang.classfile.attribute.RecordAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleTypeAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleParameterAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleTypeAnnotationsAttribute;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes the class file of one copy: see {@link KernelCopies}. */
final class CopyWriter {

  /* A copy is the original's class file with another name, plus private static methods: its own
   * versions of methods of other classes. There are two kinds of these.
   *
   * Kernel side: methods of Funnel that reach a placeholder which is being replaced
   * (BlockReduce.reduce -> Combine.apply -> Placeholder.combine). In these and in the original,
   * placeholder calls are retargeted. User side: the methods of the operator, that is all static
   * methods that it reaches outside the platform; TornadoVM could not find the class files of many
   * of them (notebooks), and the copy's class loader could not see them. Here placeholder calls are
   * not changed: an operator that calls Combine.apply must not call itself.
   *
   * A method is queued when the first call of it is found, and written when the current method is
   * done. Everything else that a body uses stays a reference and must be accessible from the copy,
   * which is checked here: otherwise the JVM would fail in the middle of a run. The exception are
   * final static scalars, which are replaced by their value, as javac does with constant
   * expressions.
   *
   * Values that a function captured are not in the copy, which serves all values. Methods on the
   * kernel side that reach such a function take the values as more parameters, after their own, and
   * hand them on. Kernels read them once, from the array of lengths, before the step's own ints;
   * captured arrays are further parameters of kernels, see Extras. On the JVM, where functions with
   * values are called as objects, methods of an object have these in its fields.
   *
   * A copy for a device has nothing of a function but its code: no names of its class, methods and
   * variables, no lines, no type annotations. So functions of equal code give equal copies, in every
   * process. The table of variables stays, since TornadoVM's ptx backend needs one. Copies for the
   * JVM keep names and lines, for stack traces.
   */

  private static final String FUNCTION = "user$function";

  private static final String ASSERTIONS = "$assertionsDisabled";

  static final ClassDesc PLACEHOLDER = Placeholder.class.describeConstable().orElseThrow();

  /**
   * A method whose body is written into the copy, on the user's side or the kernel's.
   *
   * @param of the placeholder whose function the body belongs to, if that function has an object or
   *     reads variables: then all of its methods take the extras
   */
  record Body(LoadedMethod method, boolean user, @Nullable String of) {
    Body(LoadedMethod method, boolean user) {
      this(method, user, null);
    }
  }

  private record Target(ClassDesc owner, String name, boolean isInterface) {}

  private static final Set<Opcode> COMPARISONS_OF_OBJECTS =
      EnumSet.of(Opcode.IF_ACMPEQ, Opcode.IF_ACMPNE, Opcode.IFNULL, Opcode.IFNONNULL);

  private final Class<?> original;
  private final ClassDesc from;
  private final ClassDesc to;
  private final Renaming renaming;
  private final Map<String, KernelCopies.Replacement> replacements;
  private final Extras extras;
  private final KernelCopies.Fixed fixed;
  private final boolean forDevice;
  private final Access access;
  private final ReachedPlaceholders reached;
  private final Map<Body, Target> copied = new LinkedHashMap<>();
  private final Map<String, Target> replaced = new HashMap<>();
  private final Map<String, Target> lookUps = new HashMap<>();
  private final Map<String, LoadedMethod.Implementation> functions = new HashMap<>();
  private final Set<String> names = new HashSet<>();
  private final Deque<Consumer<ClassBuilder>> queue = new ArrayDeque<>();
  private final Map<LoadedMethod, Set<String>> deviceReasons = new LinkedHashMap<>();
  private final Set<LoadedMethod> throwing = new LinkedHashSet<>();
  private final CallGraph userCalls = new CallGraph();
  private boolean isFloating;
  private boolean isExact = true;

  /**
   * A writer of one class.
   *
   * @param original the class to copy, which also determines access
   * @param name the binary name of the copy
   * @param extras what functions need besides their arguments
   * @param fixed the kernel whose numbers are constants
   * @param forDevice whether operations in user-defined functions are replaced by forms that are
   *     correct on devices
   */
  CopyWriter(
      Class<?> original,
      String name,
      Map<String, KernelCopies.Replacement> replacements,
      Extras extras,
      KernelCopies.Fixed fixed,
      boolean forDevice) {
    this.extras = extras;
    this.fixed = fixed;
    this.forDevice = forDevice;
    this.original = original;
    this.from = original.describeConstable().orElseThrow();
    this.to = ClassDesc.of(name);
    this.renaming = new Renaming(from, to);
    this.replacements = replacements;
    this.access = new Access(original);
    this.reached = new ReachedPlaceholders(access);
  }

  /** The class file of the copy. */
  byte[] copy() {
    ClassModel model = access.classFile(original);
    if (model == null) {
      throw new IllegalArgumentException("the class file of %s is not found".formatted(original));
    }
    for (MethodModel method : model.methods()) {
      names.add(method.methodName().stringValue() + method.methodType().stringValue());
    }
    return write(
        builder -> {
          for (ClassElement element : model) {
            copy(element, builder);
          }
          if (!forDevice) {
            extras.writeFactory(builder, to);
          }
        });
  }

  /** Writes only a user-defined function, to test whether it can be written. */
  void tryOut(LoadedMethod.Implementation implementation) {
    replacement(implementation, implementation.calledAs(), "", List.of());
    write(builder -> {});
  }

  /** Operations in the written functions that a device cannot do; empty if none was found. */
  List<String> deviceReasons() {
    List<String> reasons = new ArrayList<>();
    deviceReasons.forEach(
        (method, own) -> {
          if (!throwing.contains(method)) { // which makes an object and its message, too
            reasons.addAll(own);
          }
        });
    for (LoadedMethod method : throwing) {
      reasons.add(
          "%s throws, but a device has no exceptions: return a value that says so"
              .formatted(method));
    }
    for (LoadedMethod method : userCalls.recursive()) {
      reasons.add("%s is recursive".formatted(method));
    }
    return reasons;
  }

  /** Whether the written functions compute with floating-point numbers. */
  boolean isFloating() {
    return isFloating;
  }

  /** Whether a device computes each operation of the written functions as Java does. */
  boolean isExact() {
    return isExact;
  }

  private byte[] write(Consumer<ClassBuilder> first) {
    ClassHierarchyResolver hierarchy =
        ClassHierarchyResolver.ofResourceParsing(this::bytesForFrames).cached();
    return ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(hierarchy))
        .build(
            to,
            builder -> {
              first.accept(builder);
              for (Consumer<ClassBuilder> next = queue.poll(); next != null; next = queue.poll()) {
                next.accept(builder);
              }
            });
  }

  /*
   * Stack map frames are computed again: where branches with objects of two classes merge, their
   * common superclass is needed. Any loader that a body came from may know them.
   */
  private @Nullable InputStream bytesForFrames(ClassDesc type) {
    String name = LoadedMethod.binaryName(type.equals(to) ? from : type);
    Set<@Nullable ClassLoader> loaders = new LinkedHashSet<>();
    loaders.add(original.getClassLoader());
    copied.keySet().forEach(body -> loaders.add(body.method().owner().getClassLoader()));
    for (ClassLoader loader : loaders) {
      byte[] bytes = ClassFiles.read(name, loader);
      if (bytes != null) {
        return new ByteArrayInputStream(bytes);
      }
    }
    return null;
  }

  // The original's own parts

  private void copy(ClassElement element, ClassBuilder builder) {
    switch (element) {
      case MethodModel method -> {
        if (!method.methodName().equalsString("$deserializeLambda$")) {
          copy(method, builder);
        }
      }
      case FieldModel field ->
          builder.withField(
              field.fieldName().stringValue(),
              renaming.of(field.fieldTypeSymbol()),
              fields -> {
                for (FieldElement part : field) {
                  fields.with(part instanceof SignatureAttribute s ? renaming.of(s) : part);
                }
              });
      case SignatureAttribute signature -> builder.with(renaming.of(signature));
      // a copy stands alone: no nest, no enclosing class
      case NestHostAttribute a -> {}
      case NestMembersAttribute a -> {}
      case InnerClassesAttribute a -> {}
      case EnclosingMethodAttribute a -> {}
      case PermittedSubclassesAttribute a -> {}
      case RecordAttribute a -> {}
      default -> builder.with(element);
    }
  }

  private void copy(MethodModel method, ClassBuilder builder) {
    LoadedMethod self =
        new LoadedMethod(
            original, method.methodName().stringValue(), method.methodType().stringValue());
    boolean takesExtras = takesExtras(self);
    boolean takesArrays =
        !takesExtras && reachesExtras(self) && !extras.kernelParameters().isEmpty();
    MethodTypeDesc type = renaming.of(method.methodTypeSymbol());
    builder.withMethod(
        method.methodName().stringValue(),
        takesExtras
            ? extras.after(type)
            : takesArrays
                ? Extras.after(
                    MethodTypeDesc.of(
                        type.returnType(), chosen(type.parameterList(), kept(method))),
                    extras.kernelParameters())
                : type,
        method.flags().flagsMask(),
        methods -> {
          for (MethodElement part : method) {
            switch (part) {
              case CodeModel code ->
                  methods.transformCode(code, rewriting(new Body(self, false), code));
              case SignatureAttribute signature when !takesExtras && !takesArrays ->
                  methods.with(renaming.of(signature));
              case SignatureAttribute signature -> {}
              case MethodParametersAttribute parameters when takesExtras -> {}
              case RuntimeVisibleParameterAnnotationsAttribute marks when takesExtras -> {}
              case RuntimeVisibleParameterAnnotationsAttribute marks when takesArrays ->
                  methods.with(extras.afterMarks(marks, kept(method)));
              case MethodParametersAttribute parameters when takesArrays ->
                  methods.with(extras.afterNames(parameters, kept(method)));
              default -> methods.with(part);
            }
          }
        });
  }

  /** The numbers of the parameters that are none of a kernel's constants. */
  private List<Integer> kept(MethodModel method) {
    List<String> names = Extras.names(method);
    boolean hasConstants = method.methodName().equalsString(fixed.name());
    return IntStream.range(0, method.methodTypeSymbol().parameterCount())
        .filter(i -> !hasConstants || !fixed.numbers().containsKey(names.get(i)))
        .boxed()
        .toList();
  }

  private static <T> List<T> chosen(List<T> of, List<Integer> numbers) {
    return numbers.stream().map(of::get).toList();
  }

  /** Whether a method on the kernel side reaches a function that needs more than arguments. */
  private boolean reachesExtras(LoadedMethod method) {
    return !extras.isEmpty() && !Collections.disjoint(reached.of(method), extras.placeholders());
  }

  private boolean takesExtras(Body body) {
    return body.user() ? body.of() != null : takesExtras(body.method());
  }

  /** Whether a method on the kernel side takes extras as parameters: it is not where they begin. */
  private boolean takesExtras(LoadedMethod method) {
    return reachesExtras(method) && !beginsWithExtras(method);
  }

  private boolean beginsWithExtras(LoadedMethod method) {
    MethodModel model = method.owner() == original ? found(method) : null;
    return model != null && extras.beginIn(model, forDevice);
  }

  private @Nullable MethodModel found(LoadedMethod method) {
    return method.find(access.classFile(method.owner()));
  }

  // Bodies from elsewhere

  /** Where to call this version of a method; queues its body if it is new. */
  private Target copied(Body body) {
    Target known = copied.get(body);
    if (known != null) {
      return known;
    }
    LoadedMethod method = body.method();
    MethodModel found = found(method);
    CodeModel code = found == null ? null : found.code().orElse(null);
    if (found == null || !found.flags().has(AccessFlag.STATIC) && body.of() == null) {
      throw refused("the class file of %s is not found", method.owner().getName());
    }
    if (code == null) {
      throw refused(
          "%s is %s", method, found.flags().has(AccessFlag.ABSTRACT) ? "abstract" : "native");
    }
    if (found.flags().has(AccessFlag.SYNCHRONIZED)) {
      throw refused("%s is synchronized", method);
    }
    boolean isUnnamed = body.user() && forDevice;
    String name = isUnnamed ? FUNCTION : simpleName(method.owner()) + "$" + method.name();
    Target target = newMethod(name, type(body));
    copied.put(body, target);
    queue.add(
        builder ->
            writeBody(
                body,
                target,
                isUnnamed && !DeviceForms.isForDevices(method)
                    ? LoopExits.of(method, code, userCalls.isCalled(method))
                    : code,
                builder));
    return target;
  }

  /** The type of a body's method in the copy. */
  private MethodTypeDesc type(Body body) {
    MethodTypeDesc type = body.method().type();
    return takesExtras(body) ? extras.after(hasArrays(body) ? Extras.numbers(type) : type) : type;
  }

  /** Whether the function that a body belongs to has numbers in place of captured arrays. */
  private boolean hasArrays(Body body) {
    return body.user() && body.of() != null && extras.hasArrays(body.of());
  }

  private void writeBody(Body body, Target target, CodeModel code, ClassBuilder builder) {
    MethodTypeDesc type = body.method().type();
    if (body.user()) {
      type.parameterList().forEach(parameter -> requireType(parameter, body));
      requireType(type.returnType(), body);
    }
    builder.withMethod(
        target.name(),
        type(body),
        ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC,
        methods -> methods.transformCode(code, rewriting(body, code)));
  }

  private Target newMethod(String wanted, MethodTypeDesc type) {
    String name = wanted;
    for (int i = 2; !names.add(name + type.descriptorString()); i++) {
      name = wanted + "$" + i;
    }
    return new Target(to, name, original.isInterface());
  }

  /** The target of a placeholder call that is replaced by the body of a user-defined function. */
  private Target replacement(
      LoadedMethod.Implementation function,
      String calledAs,
      String placeholder,
      List<RowFunction.Argument> arguments) {
    LoadedMethod method = function.method();
    boolean isPlatform = LoadedMethod.isPlatform(method.owner().getName());
    if (isPlatform && function.receiver() != null) {
      throw refused("%s is a method of an object", method);
    }
    functions.put(placeholder, function);
    boolean handsOn =
        function.receiver() != null
            || !function.fields().isEmpty()
            || extras.hasArrays(placeholder);
    Target target =
        isPlatform
            ? platformFunction(method)
            : copied(new Body(method, true, handsOn ? placeholder : null));
    boolean needsExtras = !function.extras().isEmpty() || !arguments.isEmpty();
    if (method.descriptor().equals(calledAs) && !needsExtras && !handsOn) {
      return target;
    }
    MethodTypeDesc placed = MethodTypeDesc.ofDescriptor(calledAs);
    MethodTypeDesc wanted =
        arguments.isEmpty() ? placed : MethodTypeDesc.ofDescriptor(function.calledAs());
    Widening widening = new Widening(method.type(), wanted, function.captures());
    if (!widening.fits()) {
      throw refused(
          "it is called as %s, and %s takes and gives %s: kernels do not box values",
          wanted.displayDescriptor(), method, method.type().displayDescriptor());
    }
    List<ClassDesc> more = needsExtras ? extras.types() : List.of();
    return bridge(
        target.name() + "$widened",
        placed,
        more,
        code ->
            widening.write(
                code,
                target.owner(),
                target.name(),
                target.isInterface(),
                placed.parameterList(),
                more,
                extras.at(placeholder),
                extras.firstArray(placeholder),
                handsOn,
                arguments.isEmpty()
                    ? i -> widening.loadArgument(code, i)
                    : i ->
                        extras.writeArgument(
                            code, i, arguments.get(i), 0, placed.parameterCount())));
  }

  /** Where to call a method of the JDK that is a function itself. */
  private Target platformFunction(LoadedMethod method) {
    ClassDesc owner = method.owner().describeConstable().orElseThrow();
    judge(owner, method.name(), method.type());
    return platformTarget(method.owner(), method.name(), method.type(), new Body(method, true));
  }

  /** A new method that takes more than the wanted parameters. */
  private Target bridge(
      String name, MethodTypeDesc wanted, List<ClassDesc> more, Consumer<CodeBuilder> body) {
    MethodTypeDesc type = Extras.after(wanted, more);
    Target bridge = newMethod(name, type);
    queue.add(
        builder ->
            builder.withMethodBody(
                bridge.name(), type, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC, body));
    return bridge;
  }

  /**
   * What a function calls in place of a static method of the JDK: Funnel's own or a form, a copy of
   * its code, or the method itself.
   */
  private Target platformTarget(Class<?> owner, String name, MethodTypeDesc type, Body in) {
    ClassDesc of = owner.describeConstable().orElseThrow();
    Class<?> own = JdkMethods.everywhere(of, name, type);
    Class<?> form = JdkMethods.form(of, name, type);
    if (own != null && forDevice && own != form) {
      return copied(new LoadedMethod(own, name, type.descriptorString()), in);
    }
    Class<?> called = own == null && forDevice ? form : own;
    if (called != null) {
      return new Target(called.describeConstable().orElseThrow(), name, false);
    }
    if (forDevice && JdkMethods.isComputing(of) && !JdkMethods.mayDiffer(of, name, type)) {
      return copied(new LoadedMethod(owner, name, type.descriptorString()), in);
    }
    return new Target(of, name, owner.isInterface());
  }

  /** A method that a function calls, in the copy. */
  private Target copied(LoadedMethod method, Body in) {
    if (copied.containsKey(in)) { // not for a method of the JDK that is a function itself
      userCalls.add(in.method(), method);
    }
    return copied(new Body(method, true, in.of()));
  }

  // Instructions

  private CodeTransform rewriting(Body in, CodeModel code) {
    if (!in.user() && reachesExtras(in.method())) {
      return withExtras(in, code);
    }
    if (!forDevice || !in.user()) {
      return (builder, element) -> rewrite(builder, element, in);
    }
    Extras.Locals locals = in.of() == null ? null : extras.locals(code, true);
    if (DeviceForms.isForDevices(in.method())) {
      return (builder, element) -> {
        if (!isAboutSource(element)) {
          rewrite(builder, element, in);
        }
      };
    }
    DeviceForms forms = new DeviceForms(code, nests(in.method()));
    return new CodeTransform() {
      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        judge(element);
        if (forms.rewrite(builder, element) || isThis(element, in) || isAboutSource(element)) {
          return;
        }
        CodeElement unnamed = element instanceof LocalVariable v ? unnamed(v) : element;
        CodeElement moved = locals == null ? unnamed : locals.moved(unnamed);
        if (!hasArrays(in) || !rewriteArray(builder, moved, in)) {
          rewrite(builder, moved, in);
        }
      }

      @Override
      public void atEnd(CodeBuilder builder) {
        forms.writeEnd(builder);
      }
    };
  }

  /** Notes whether a function's instruction is floating, and whether it is exact on a device. */
  private void judge(CodeElement element) {
    isFloating |=
        switch (element) {
          case LoadInstruction load -> isFloating(load.typeKind());
          case ReturnInstruction give -> isFloating(give.typeKind());
          case OperatorInstruction operator -> isFloating(operator.typeKind());
          case ConvertInstruction cast -> isFloating(cast.fromType()) || isFloating(cast.toType());
          default -> false;
        };
    if (element instanceof InvokeInstruction call) {
      judge(call.owner().asSymbol(), call.name().stringValue(), call.typeSymbol());
    }
  }

  private void judge(ClassDesc owner, String name, MethodTypeDesc type) {
    if (LoadedMethod.isPlatform(LoadedMethod.binaryName(owner))
        && !ClassFiles.isJShellStop(owner)) {
      isFloating |=
          isFloating(type.returnType())
              || type.parameterList().stream().anyMatch(CopyWriter::isFloating);
      isExact &= !JdkMethods.mayDiffer(owner, name, type);
    }
  }

  private static boolean isFloating(ClassDesc type) {
    return isFloating(TypeKind.from(type));
  }

  private static boolean isFloating(TypeKind kind) {
    return kind == TypeKind.FLOAT || kind == TypeKind.DOUBLE;
  }

  /** Whether an element tells about a function's source what its code does not depend on. */
  private static boolean isAboutSource(CodeElement element) {
    return element instanceof LineNumber
        || element instanceof LocalVariableType
        || element instanceof RuntimeVisibleTypeAnnotationsAttribute
        || element instanceof RuntimeInvisibleTypeAnnotationsAttribute;
  }

  private static LocalVariable unnamed(LocalVariable v) {
    return LocalVariable.of(v.slot(), "v" + v.slot(), v.typeSymbol(), v.startScope(), v.endScope());
  }

  /** Whether functions compute with what a method returns: those that call it, or an operator. */
  private boolean nests(LoadedMethod method) {
    return userCalls.isCalled(method)
        || replacements.keySet().stream().anyMatch(key -> key.startsWith("combine("))
        || functions.values().stream().noneMatch(function -> function.method().equals(method));
  }

  /** Rewrites an instruction for an array that is a number here; false if it is another one. */
  private boolean rewriteArray(CodeBuilder builder, CodeElement element, Body in) {
    switch (element) {
      case LoadInstruction load when load.typeKind() == TypeKind.REFERENCE ->
          builder.iload(load.slot());
      case StoreInstruction store when store.typeKind() == TypeKind.REFERENCE ->
          builder.istore(store.slot());
      case ReturnInstruction give when give.typeKind() == TypeKind.REFERENCE -> builder.ireturn();
      case ArrayLoadInstruction read when read.typeKind() != TypeKind.REFERENCE ->
          callLookUp(builder, Extras.arraysOf(read.typeKind()), in);
      case OperatorInstruction length when length.opcode() == Opcode.ARRAYLENGTH ->
          callLookUp(builder, null, in);
      case InvokeInstruction call when Tables.is(call.owner().asSymbol()) ->
          callTable(builder, call, in);
      case LocalVariable v when LoadedMethod.isTable(v.typeSymbol()) ->
          builder.localVariable(
              v.slot(), v.name().stringValue(), ConstantDescs.CD_int, v.startScope(), v.endScope());
      case ArrayStoreInstruction store ->
          deviceCannot(in, "%s writes to an array, and functions may only read them", in.method());
      case NewPrimitiveArrayInstruction make ->
          deviceCannot(in, "%s captures an array and makes another one", in.method());
      case BranchInstruction compare when COMPARISONS_OF_OBJECTS.contains(compare.opcode()) ->
          deviceCannot(in, "%s compares arrays", in.method());
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Rewrites a call of a method of an array that is a number here. */
  private void callTable(CodeBuilder builder, InvokeInstruction call, Body in) {
    ClassDesc array = Tables.asArray(call.owner().asSymbol());
    switch (call.name().stringValue()) {
      case Tables.GET -> {
        callLookUp(builder, Extras.arraysOf(TypeKind.from(array.componentType())), in);
        if (array.componentType().equals(ConstantDescs.CD_byte)) {
          Extras.writeValueOfByte(builder);
        }
      }
      case Tables.COUNT -> callLookUp(builder, null, in);
      default ->
          deviceCannot(
              in,
              "%s calls %s of an array, and functions may only call get(index) and count()",
              in.method(),
              call.name().stringValue());
    }
  }

  /** Writes a call of a method that reads an array's element, or its length. */
  private void callLookUp(CodeBuilder builder, @Nullable ClassDesc arrays, Body in) {
    MethodTypeDesc type = extras.after(Extras.lookUp(arrays));
    Target target =
        lookUps.computeIfAbsent(
            String.valueOf(arrays),
            _ ->
                bridge(
                    KernelCopies.LOOK_UP,
                    type,
                    List.of(),
                    code -> extras.writeLookUp(code, arrays)));
    loadExtras(builder, in);
    builder.invokestatic(target.owner(), target.name(), type, target.isInterface());
  }

  /**
   * Whether an element loads or names the object of a function, which the copy does not have: it
   * has the values of the object's fields.
   */
  private boolean isThis(CodeElement element, Body in) {
    if (in.of() == null || isStatic(in.method())) {
      return false;
    }
    switch (element) {
      case StoreInstruction store when store.typeKind() == TypeKind.REFERENCE ->
          deviceCannot(in, "%s keeps an object in a variable", in.method());
      case ReturnInstruction give when give.typeKind() == TypeKind.REFERENCE ->
          deviceCannot(in, "%s returns an object", in.method());
      case BranchInstruction compare when COMPARISONS_OF_OBJECTS.contains(compare.opcode()) ->
          deviceCannot(in, "%s compares objects", in.method());
      default -> {}
    }
    return switch (element) {
      case LoadInstruction load -> load.typeKind() == TypeKind.REFERENCE && load.slot() == 0;
      case LocalVariable v -> v.slot() == 0;
      case LocalVariableType v -> v.slot() == 0;
      default -> false;
    };
  }

  private boolean isStatic(LoadedMethod method) {
    MethodModel found = found(method);
    return found == null || found.flags().has(AccessFlag.STATIC);
  }

  private @Nullable Class<?> receiver(Body in) {
    return in.of() == null ? null : Objects.requireNonNull(functions.get(in.of())).receiver();
  }

  /** Moves local variables to make room for the extras after the parameters. */
  private CodeTransform withExtras(Body in, CodeModel code) {
    Extras.Locals locals = locals(in, code);
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder builder) {
        if (!takesExtras(in.method())) {
          if (in.method().name().equals(fixed.name())) {
            fixed.numbers().forEach((name, value) -> locals.set(builder, name, value));
            locals.setKept(builder);
          }
          extras.begin(builder, locals, to, forDevice);
        }
      }

      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        // TornadoVM looks for a kernel's parameters where it begins
        if (forDevice && element instanceof LocalVariable v && v.slot() < locals.unmoved()) {
          builder.localVariable(
              v.slot(),
              v.name().stringValue(),
              renaming(in).of(v.typeSymbol()),
              builder.startLabel(),
              builder.endLabel());
        } else {
          rewrite(builder, locals.moved(element), in);
        }
      }

      /** TornadoVM takes the names of a kernel's parameters in the order of this table. */
      @Override
      public void atEnd(CodeBuilder builder) {
        for (Extras.Kept number : locals.kept()) {
          builder.localVariable(
              number.slot(),
              number.name(),
              number.type(),
              builder.startLabel(),
              builder.endLabel());
        }
        List<ClassDesc> more = takesExtras(in.method()) ? List.of() : extras.kernelParameters();
        for (int i = 0; i < more.size(); i++) {
          builder.localVariable(
              locals.from() + i,
              extras.kernelParameterNames().get(i),
              more.get(i),
              builder.startLabel(),
              builder.endLabel());
        }
      }
    };
  }

  private void loadExtras(CodeBuilder builder, Body in) {
    locals(in, Objects.requireNonNull(found(in.method())).code().orElseThrow()).load(builder);
  }

  private Extras.Locals locals(Body in, CodeModel code) {
    return in.user() || takesExtras(in.method())
        ? extras.locals(code, in.user())
        : extras.locals(code, kept(code.parent().orElseThrow()));
  }

  private void rewrite(CodeBuilder builder, CodeElement element, Body in) {
    switch (element) {
      case InvokeInstruction call -> rewriteCall(builder, call, in);
      case InvokeDynamicInstruction call -> rewriteDynamicCall(builder, call, in);
      case FieldInstruction field -> rewriteField(builder, field, in);
      case LoadConstantInstruction load -> {
        if (load.constantValue() instanceof Number || load.constantValue() instanceof String) {
          builder.with(load);
        } else {
          builder.loadConstant(mappedConstant(load.constantValue(), in));
        }
      }
      case NewObjectInstruction make -> {
        String type = make.className().asSymbol().displayName();
        deviceCannot(in, "%s makes an object of %s", in.method(), type);
        builder.new_(mappedType(make.className(), in));
      }
      case NewReferenceArrayInstruction make -> {
        deviceCannot(in, "%s makes an array of objects", in.method());
        builder.anewarray(mappedType(make.componentType(), in));
      }
      case NewMultiArrayInstruction make -> {
        deviceCannot(in, "%s makes an array of arrays", in.method());
        builder.multianewarray(mappedType(make.arrayType(), in), make.dimensions());
      }
      case TypeCheckInstruction check -> {
        deviceCannot(in, "%s tests an object's class", in.method());
        builder.with(TypeCheckInstruction.of(check.opcode(), mappedType(check.type(), in)));
      }
      case ThrowInstruction t -> {
        if (in.user()) {
          throwing.add(in.method());
        }
        builder.with(t);
      }
      case MonitorInstruction m -> {
        deviceCannot(in, "%s synchronizes", in.method());
        builder.with(m);
      }
      case ExceptionCatch c -> {
        deviceCannot(in, "%s catches exceptions", in.method());
        ClassEntry type = c.catchType().orElse(null);
        if (type == null) {
          builder.with(c);
        } else {
          builder.exceptionCatch(c.tryStart(), c.tryEnd(), c.handler(), mappedType(type, in));
        }
      }
      case LocalVariable v ->
          builder.localVariable(
              v.slot(),
              v.name().stringValue(),
              renaming(in).of(v.typeSymbol()),
              v.startScope(),
              v.endScope());
      case LocalVariableType v -> rewriteVariableType(builder, v, in);
      default -> builder.with(element);
    }
  }

  private void rewriteDynamicCall(CodeBuilder builder, InvokeDynamicInstruction call, Body in) {
    deviceCannot(in, "%s makes a lambda or joins strings", in.method());
    MethodTypeDesc type = renaming(in).of(call.typeSymbol());
    ConstantDesc[] constants = mappedConstants(call.bootstrapArgs(), in);
    for (int i = 0; i < constants.length && !in.user(); i++) {
      if (call.bootstrapArgs().get(i) instanceof DirectMethodHandleDesc handle
          && LoadedMethod.isStatic(handle)
          && takesExtras(called(handle, in))) {
        int captured = type.parameterCount();
        constants[i] = lambdaWithExtras((DirectMethodHandleDesc) constants[i], captured);
        loadExtras(builder, in);
        type = extras.after(type);
      }
    }
    builder.invokedynamic(
        DynamicCallSiteDesc.of(call.bootstrapMethod(), call.name().stringValue(), type, constants));
  }

  private LoadedMethod called(DirectMethodHandleDesc handle, Body in) {
    LoadedMethod method =
        LoadedMethod.resolve(
            Access.load(handle.owner(), in),
            handle.methodName(),
            handle.lookupDescriptor(),
            access::classFile);
    return Objects.requireNonNull(method, handle::methodName);
  }

  /** A lambda's method that takes the extras after what the lambda captured anyway. */
  private DirectMethodHandleDesc lambdaWithExtras(DirectMethodHandleDesc of, int captured) {
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(of.lookupDescriptor());
    List<ClassDesc> types = new ArrayList<>(type.parameterList());
    types.addAll(captured, extras.types());
    MethodTypeDesc wanted = MethodTypeDesc.of(type.returnType(), types);
    int more = extras.types().size();
    Target bridge =
        bridge(
            of.methodName() + "$extras",
            wanted,
            List.of(),
            code -> {
              for (int i = 0; i < types.size(); i++) {
                if (i < captured || i >= captured + more) {
                  code.loadLocal(TypeKind.from(types.get(i)), code.parameterSlot(i));
                }
              }
              for (int i = captured; i < captured + more; i++) {
                code.loadLocal(TypeKind.from(types.get(i)), code.parameterSlot(i));
              }
              code.invokestatic(
                  of.owner(), of.methodName(), extras.after(type), of.isOwnerInterface());
              code.return_(TypeKind.from(type.returnType()));
            });
    return MethodHandleDesc.ofMethod(
        bridge.isInterface()
            ? DirectMethodHandleDesc.Kind.INTERFACE_STATIC
            : DirectMethodHandleDesc.Kind.STATIC,
        bridge.owner(),
        bridge.name(),
        wanted);
  }

  private void rewriteVariableType(CodeBuilder builder, LocalVariableType v, Body in) {
    String signature = in.user() ? v.signature().stringValue() : renaming.of(v.signature());
    builder.localVariableType(
        v.slot(),
        v.name().stringValue(),
        Signature.parseFrom(signature),
        v.startScope(),
        v.endScope());
  }

  private void rewriteCall(CodeBuilder builder, InvokeInstruction call, Body in) {
    ClassDesc owner = call.owner().asSymbol();
    String name = call.name().stringValue();
    MethodTypeDesc type = call.typeSymbol();
    boolean isNumber = hasArrays(in) && !LoadedMethod.isPlatform(LoadedMethod.binaryName(owner));
    if (in.of() != null
        && !type.parameterList().stream()
            .allMatch(t -> isNumber ? LoadedMethod.isCapturable(t) : t.isPrimitive())) {
      deviceCannot(in, "%s passes an object to %s", in.method(), name);
    }
    if (call.opcode() == Opcode.INVOKESTATIC) {
      if (owner.equals(PLACEHOLDER) && !in.user()) {
        rewritePlaceholder(builder, call, name + type.descriptorString(), in);
        return;
      }
      if (in.user() && ClassFiles.isJShellStop(owner)) {
        return;
      }
      Target target = target(owner, name, type.descriptorString(), call.isInterface(), in);
      MethodTypeDesc renamed = renaming(in).of(type);
      if (in.user()
          ? in.of() != null && target.owner().equals(to)
          : takesExtras(owner, name, type, in)) {
        loadExtras(builder, in);
        renamed = extras.after(hasArrays(in) ? Extras.numbers(renamed) : renamed);
      }
      builder.invokestatic(target.owner(), target.name(), renamed, target.isInterface());
      return;
    }
    LoadedMethod own = FieldReads.ofReceiver(call, in.method().owner(), receiver(in));
    if (own != null) {
      userCalls.add(in.method(), own);
      Body body = new Body(own, true, in.of());
      Target target = copied(body);
      loadExtras(builder, in);
      builder.invokestatic(target.owner(), target.name(), type(body), target.isInterface());
      return;
    }
    deviceCannot(in, "%s calls a method of an object, %s", in.method(), name);
    requireMember(owner, name, type.descriptorString(), false, in);
    builder.invoke(
        call.opcode(), renaming(in).of(owner), name, renaming(in).of(type), call.isInterface());
  }

  private boolean takesExtras(ClassDesc owner, String name, MethodTypeDesc type, Body in) {
    if (extras.isEmpty() || !LoadedMethod.binaryName(owner).startsWith("funnel.")) {
      return false;
    }
    LoadedMethod method =
        LoadedMethod.resolve(
            Access.load(owner, in), name, type.descriptorString(), access::classFile);
    return method != null && takesExtras(method);
  }

  private void rewritePlaceholder(
      CodeBuilder builder, InvokeInstruction call, String key, Body in) {
    switch (replacements.get(key)) {
      case KernelCopies.Constant(int value) -> builder.loadConstant(value);
      case KernelCopies.Body body -> {
        MethodTypeDesc type = call.typeSymbol();
        boolean needsExtras = extras.placeholders().contains(key);
        Target target =
            replaced.computeIfAbsent(key, _ -> replacement(key, type, body, needsExtras));
        if (needsExtras) {
          loadExtras(builder, in);
        }
        builder.invokestatic(
            target.owner(),
            target.name(),
            needsExtras ? extras.after(type) : type,
            target.isInterface());
      }
      case null -> builder.with(call);
    }
  }

  private Target replacement(
      String key, MethodTypeDesc type, KernelCopies.Body body, boolean needsExtras) {
    if (forDevice || !needsExtras) {
      return replacement(
          LoadedMethod.behind(body.own()), type.descriptorString(), key, body.arguments());
    }
    CalledFunction called = CalledFunction.of(body.function());
    return bridge(
        "call$" + key.substring(0, key.indexOf('(')),
        type,
        extras.types(),
        code -> called.write(code, type, type.parameterCount() + extras.at(key)));
  }

  /** The target that replaces a call of a static method, or a reference to one. */
  private Target target(
      ClassDesc owner, String name, String descriptor, boolean isInterface, Body in) {
    Target asItIs = new Target(renaming(in).of(owner), name, isInterface);
    if (in.user() && LoadedMethod.isPlatform(LoadedMethod.binaryName(owner))) {
      MethodTypeDesc type = MethodTypeDesc.ofDescriptor(descriptor);
      if (forDevice && !JdkMethods.isOnDevices(owner)) {
        String called = LoadedMethod.binaryName(owner) + "." + name;
        deviceCannot(in, "%s calls %s, which devices do not have", in.method(), called);
      }
      return platformTarget(Access.load(owner, in), name, type, in);
    }
    Class<?> form =
        in.user() && forDevice
            ? JdkMethods.form(owner, name, MethodTypeDesc.ofDescriptor(descriptor))
            : null;
    if (form != null) {
      return new Target(form.describeConstable().orElseThrow(), name, false);
    }
    if (in.user() && (JdkMethods.hasForms(owner) || !forDevice && JdkMethods.isOwn(owner))) {
      return asItIs;
    }
    if (LoadedMethod.isPlatform(LoadedMethod.binaryName(owner))
        || owner.equals(PLACEHOLDER)
        || isOurs(owner, in)) {
      return asItIs;
    }
    LoadedMethod method =
        LoadedMethod.resolve(Access.load(owner, in), name, descriptor, access::classFile);
    if (in.user()) {
      if (method == null) {
        throw refused("the class file of %s is not found", LoadedMethod.binaryName(owner));
      }
      return copied(method, in);
    }
    if (method != null) {
      boolean needed = !Collections.disjoint(reached.of(method), replacements.keySet());
      if (needed || !access.isAccessible(method, in)) {
        return copied(new Body(method, false));
      }
    }
    return asItIs;
  }

  private void rewriteField(CodeBuilder builder, FieldInstruction field, Body in) {
    ClassDesc owner = field.owner().asSymbol();
    String name = field.name().stringValue();
    ClassDesc type = field.typeSymbol();
    if (in.of() != null) {
      Field read = FieldReads.read(field, in.method().owner(), receiver(in));
      LoadedMethod.Implementation function = Objects.requireNonNull(functions.get(in.of()));
      int at = read == null ? -1 : function.fields().indexOf(read);
      if (at >= 0 && LoadedMethod.isTable(type)) {
        builder.loadConstant(extras.firstArray(in.of()) + function.arraysBefore(at));
        return;
      }
      if (at >= 0) {
        CodeModel code = Objects.requireNonNull(found(in.method())).code().orElseThrow();
        extras.locals(code, true).load(builder, extras.at(in.of()) + function.captures() + at);
        return;
      }
    }
    boolean isPlatform = LoadedMethod.isPlatform(LoadedMethod.binaryName(owner));
    if (isPlatform && name.equals(ASSERTIONS)) { // in the JDK's own code
      builder.iconst_1();
      return;
    }
    if (field.opcode() == Opcode.GETSTATIC
        && type.isPrimitive()
        && !isOurs(owner, in)
        && !isPlatform) {
      ConstantDesc value = access.finalScalar(Access.load(owner, in), name, type);
      if (value != null) {
        builder.loadConstant(value);
        return;
      }
    }
    if (in.user()) {
      deviceCannot(in, access.fieldReason(owner, name, type.descriptorString(), in));
    }
    requireMember(owner, name, type.descriptorString(), true, in);
    builder.fieldAccess(field.opcode(), renaming(in).of(owner), name, renaming(in).of(type));
  }

  private void deviceCannot(Body in, String reason, Object... arguments) {
    if (in.of() != null) { // what would follow lacks the object
      throw refused(reason, arguments);
    }
    if (in.user()) {
      deviceReasons
          .computeIfAbsent(in.method(), _ -> new LinkedHashSet<>())
          .add(arguments.length == 0 ? reason : reason.formatted(arguments));
    }
  }

  // Names, in the original and in the copy

  private Renaming renaming(Body body) {
    return body.user() ? Renaming.NONE : renaming;
  }

  private ClassDesc mappedType(ClassEntry type, Body in) {
    requireType(type.asSymbol(), in);
    return renaming(in).of(type.asSymbol());
  }

  private ConstantDesc[] mappedConstants(List<ConstantDesc> constants, Body in) {
    return constants.stream().map(c -> mappedConstant(c, in)).toArray(ConstantDesc[]::new);
  }

  private ConstantDesc mappedConstant(ConstantDesc constant, Body in) {
    return switch (constant) {
      case ClassDesc type -> {
        requireType(type, in);
        yield renaming(in).of(type);
      }
      case MethodTypeDesc type -> renaming(in).of(type);
      case DirectMethodHandleDesc handle -> mappedHandle(handle, in);
      case DynamicConstantDesc<?> dynamic ->
          DynamicConstantDesc.ofNamed(
              dynamic.bootstrapMethod(),
              dynamic.constantName(),
              renaming(in).of(dynamic.constantType()),
              mappedConstants(dynamic.bootstrapArgsList(), in));
      default -> constant;
    };
  }

  private MethodHandleDesc mappedHandle(DirectMethodHandleDesc handle, Body in) {
    String descriptor = handle.lookupDescriptor();
    if (LoadedMethod.isStatic(handle)) {
      Target target =
          target(handle.owner(), handle.methodName(), descriptor, handle.isOwnerInterface(), in);
      return MethodHandleDesc.of(
          target.isInterface()
              ? DirectMethodHandleDesc.Kind.INTERFACE_STATIC
              : DirectMethodHandleDesc.Kind.STATIC,
          target.owner(),
          target.name(),
          renaming(in).of(MethodTypeDesc.ofDescriptor(descriptor)).descriptorString());
    }
    boolean isField = !descriptor.startsWith("(");
    requireMember(handle.owner(), handle.methodName(), descriptor, isField, in);
    return MethodHandleDesc.of(
        handle.kind(),
        renaming(in).of(handle.owner()),
        handle.methodName(),
        isField
            ? renaming(in).of(ClassDesc.ofDescriptor(descriptor)).descriptorString()
            : renaming(in).of(MethodTypeDesc.ofDescriptor(descriptor)).descriptorString());
  }

  private static String simpleName(Class<?> type) {
    return type.getName().substring(type.getName().lastIndexOf('.') + 1);
  }

  // Refusals

  private static Refusal refused(String reason, Object... arguments) {
    return new Refusal(arguments.length == 0 ? reason : reason.formatted(arguments));
  }

  private boolean isOurs(ClassDesc type, Body in) {
    return type.equals(from) && !in.user();
  }

  private void requireType(ClassDesc type, Body in) {
    if (!isOurs(type, in)) {
      access.requireAccessible(type, in);
    }
  }

  private void requireMember(
      ClassDesc owner, String name, String descriptor, boolean isField, Body in) {
    if (!isOurs(owner, in)) {
      access.requireAccessibleMember(owner, name, descriptor, isField, in);
    }
  }
}
