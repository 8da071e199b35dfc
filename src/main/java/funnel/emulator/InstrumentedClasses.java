package funnel.emulator;

import funnel.jit.ClassFiles;
import funnel.kernel.BlockSize;
import java.io.ByteArrayInputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.KernelContext;

/** The instrumented copies of a kernel's class and of the classes that it calls. */
final class InstrumentedClasses extends ClassLoader {

  /*
   * A loader that looks at itself first: every class that is not Java's or TornadoVM's is read as a
   * class file, changed, and defined here. The changes add calls of Probe and no jumps:
   *
   *   jump back                    Probe.step() before it
   *   array.get(i), array.set(i,v) Probe.checkIndex(i, array.getSize(), type) before it
   *   context.localBarrier() ...   Probe.localBarrier(context, site) instead: the site, and the
   *                                calls on the way to it, tell barriers apart, and two in one
   *                                line are numbered; so it is with local arrays
   *   call that takes a context    Probe.enter(site) before it, Probe.leave() after it, and so for
   *                                objects, which may hold a context
   *   call that takes int[] a      Probe.passed(a, callee) before it, a.length: Probe.length(a)
   *   BlockSize.require(threads)   Probe.blockSize(threads) instead
   *   other context methods        the method of Probe of the same name if there is one, else a
   *                                rejection
   *   static fields not final      rejected when reached (the class may well have some that
   *                                the kernel does not use)
   *   int[] a: a[i], a[i] = v      with Watch.LOCAL_MEMORY: Probe.read(a, i), Probe.write
   *   array.get(i), array.set(i,v) with Watch.GLOBAL_MEMORY: Probe.access(array, i, writes) too
   *
   * A value to be set lies on top of the index, so it is put into a new local variable for the
   * moment. Line numbers and variable names stay.
   */

  static {
    registerAsParallelCapable();
  }

  private static final ClassDesc PROBE = ClassDesc.of(Probe.class.getName());
  private static final ClassDesc CONTEXT = ClassDesc.of(KernelContext.class.getName());
  private static final ClassDesc BLOCK_SIZE = ClassDesc.of(BlockSize.class.getName());
  private static final ClassDesc STRING = ConstantDescs.CD_String;
  private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
  private static final ClassDesc INT = ConstantDescs.CD_int;
  private static final ClassDesc VOID = ConstantDescs.CD_void;

  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(VOID);
  private static final MethodTypeDesc SIZE = MethodTypeDesc.of(INT);
  private static final MethodTypeDesc ON_STRING = MethodTypeDesc.of(VOID, STRING);
  private static final MethodTypeDesc ON_INT = MethodTypeDesc.of(VOID, INT);
  private static final MethodTypeDesc ON_OBJECT = MethodTypeDesc.of(VOID, OBJECT);
  private static final MethodTypeDesc PASSED = MethodTypeDesc.of(VOID, OBJECT, STRING);
  private static final MethodTypeDesc CHECK = MethodTypeDesc.of(VOID, INT, INT, STRING);
  private static final MethodTypeDesc ACCESS =
      MethodTypeDesc.of(VOID, OBJECT, INT, ConstantDescs.CD_boolean);
  private static final MethodTypeDesc READ = MethodTypeDesc.of(VOID, OBJECT, INT);

  private static final String ARRAYS = "uk/ac/manchester/tornado/api/types/arrays/";
  private static final String VECTORS = "uk/ac/manchester/tornado/api/types/collections/Vector";

  private static final List<String> SHARED =
      List.of(
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "com.sun.",
          "uk.ac.manchester.",
          // what classes that hold kernels may have in static fields, and cannot be there twice
          "org.slf4j.",
          "org.junit.",
          "net.jqwik.");

  private static final Set<String> WITH_SITE =
      Set.of(
          "localBarrier",
          "globalBarrier",
          "simdSum",
          "simdShuffleDown",
          "simdBroadcastFirst",
          "allocateByteLocalArray",
          "allocateIntLocalArray",
          "allocateLongLocalArray",
          "allocateFloatLocalArray",
          "allocateDoubleLocalArray");

  private static final Set<String> EMULATED = emulatedMethods();
  private static final Set<String> OF_OBJECT = methodsOfObject();

  private final Watch watch;
  private final Map<String, Set<String>> mutableStatics = new HashMap<>();
  private final Map<String, MethodHandle> handles = new ConcurrentHashMap<>();

  InstrumentedClasses(@Nullable ClassLoader parent, Watch watch) {
    super("funnel-emulator", parent == null ? ClassLoader.getSystemClassLoader() : parent);
    this.watch = watch;
  }

  /** Whether the copies use the original of this class. */
  static boolean isShared(String binaryName) {
    return SHARED.stream().anyMatch(binaryName::startsWith)
        || binaryName.equals(Probe.class.getName());
  }

  /**
   * The copy of a static method, as {@code (Object[] captured, KernelContext, Object[]
   * arguments)void}.
   */
  MethodHandle handle(
      String className, String method, String descriptor, int captured, int arguments)
      throws ReflectiveOperationException {
    String key = className + "." + method + descriptor;
    MethodHandle known = handles.get(key);
    if (known != null) {
      return known;
    }
    MethodType type = MethodType.fromMethodDescriptorString(descriptor, this);
    Method copy = staticMethod(loadClass(className), method, type);
    copy.setAccessible(true);
    // generic first: a spreader in front of other parameters does not convert
    MethodHandle handle =
        MethodHandles.lookup()
            .unreflect(copy)
            .asType(
                type.generic()
                    .changeReturnType(void.class)
                    .changeParameterType(captured, KernelContext.class))
            .asSpreader(captured + 1, Object[].class, arguments)
            .asSpreader(0, Object[].class, captured)
            .asType(
                MethodType.methodType(
                    void.class, Object[].class, KernelContext.class, Object[].class));
    handles.put(key, handle);
    return handle;
  }

  private static Method staticMethod(Class<?> owner, String name, MethodType type)
      throws NoSuchMethodException {
    for (Class<?> c = owner; c != null; c = c.getSuperclass()) {
      try {
        return c.getDeclaredMethod(name, type.parameterArray());
      } catch (NoSuchMethodException e) {
        // inherited, then
      }
    }
    throw new NoSuchMethodException(owner.getName() + "." + name + type);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      byte[] bytes = isShared(name) ? null : ClassFiles.read(name, getParent());
      if (bytes == null) {
        return super.loadClass(name, resolve);
      }
      byte[] changed = instrument(bytes);
      return defineClass(name, changed, 0, changed.length);
    }
  }

  private byte[] instrument(byte[] bytes) {
    ClassHierarchyResolver hierarchy =
        ClassHierarchyResolver.ofResourceParsing(
                type -> {
                  byte[] file = ClassFiles.read(binaryName(type), getParent());
                  return file == null ? null : new ByteArrayInputStream(file);
                })
            .orElse(ClassHierarchyResolver.defaultResolver());
    ClassFile classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(hierarchy));
    ClassModel model = classFile.parse(bytes);
    String source =
        model
            .findAttribute(Attributes.sourceFile())
            .map(attribute -> attribute.sourceFile().stringValue())
            .orElse("Unknown Source");
    String className = binaryName(model.thisClass().asSymbol());
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method) {
            String name = method.methodName().stringValue();
            builder.transformMethod(
                method,
                MethodTransform.transformingCode(
                    CodeTransform.ofStateful(() -> new Instrumentation(className, name, source))));
          } else {
            builder.with(element);
          }
        };
    return classFile.transformClass(model, transform);
  }

  /** The change to one method. */
  private final class Instrumentation implements CodeTransform {
    private final String className;
    private final String method;
    private final String source;
    private final Set<Label> passed = new HashSet<>();
    private final Map<TypeKind, Integer> variables = new EnumMap<>(TypeKind.class);
    private final Map<Integer, Integer> sitesOfLine = new HashMap<>();
    private int line = -1;

    Instrumentation(String className, String method, String source) {
      this.className = className;
      this.method = method;
      this.source = source;
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      switch (element) {
        case LabelTarget target -> passed.add(target.label());
        case LineNumber number -> line = number.line();
        case BranchInstruction jump -> stepIfBack(code, passed.contains(jump.target()));
        case TableSwitchInstruction jump ->
            stepIfBack(code, jumpsBack(jump.defaultTarget(), jump.cases()));
        case LookupSwitchInstruction jump ->
            stepIfBack(code, jumpsBack(jump.defaultTarget(), jump.cases()));
        case InvokeInstruction call when call.owner().asSymbol().equals(CONTEXT) -> {
          if (callsProbeInstead(code, call)) {
            return;
          }
        }
        case InvokeInstruction call when ClassFiles.isJShellStop(call.owner().asSymbol()) -> {
          return; // an endless kernel is stopped by the emulator itself
        }
        case InvokeInstruction call when call.owner().asSymbol().equals(BLOCK_SIZE) -> {
          code.invokestatic(PROBE, "blockSize", ON_INT);
          return;
        }
        case InvokeInstruction call -> {
          checkIndex(code, call);
          checkArrays(code, call);
          if (mayWait(call)) {
            code.ldc(site()).invokestatic(PROBE, "enter", ON_STRING);
            code.with(call).invokestatic(PROBE, "leave", NOTHING);
            return;
          }
        }
        case OperatorInstruction operator when operator.opcode() == Opcode.ARRAYLENGTH ->
            code.dup().invokestatic(PROBE, "length", ON_OBJECT);
        case FieldInstruction use -> refuseIfMutable(code, use);
        case ArrayLoadInstruction load when watch == Watch.LOCAL_MEMORY ->
            read(code, load.typeKind());
        case ArrayStoreInstruction store when watch == Watch.LOCAL_MEMORY ->
            write(code, store.typeKind());
        default -> {}
      }
      code.with(element);
    }

    private boolean jumpsBack(Label otherwise, List<SwitchCase> cases) {
      return passed.contains(otherwise)
          || cases.stream().anyMatch(one -> passed.contains(one.target()));
    }

    private void stepIfBack(CodeBuilder code, boolean back) {
      if (back) {
        code.invokestatic(PROBE, "step", NOTHING);
      }
    }

    private boolean callsProbeInstead(CodeBuilder code, InvokeInstruction call) {
      String name = call.name().stringValue();
      MethodTypeDesc type = call.typeSymbol();
      String signature = name + type.descriptorString();
      if (OF_OBJECT.contains(signature)) {
        return false;
      }
      if (!EMULATED.contains(signature)) {
        code.ldc(name + type.displayDescriptor()).invokestatic(PROBE, "unsupportedCall", ON_STRING);
        return false;
      }
      MethodTypeDesc ofProbe = type.insertParameterTypes(0, CONTEXT);
      if (WITH_SITE.contains(name)) {
        code.ldc(site());
        ofProbe = ofProbe.insertParameterTypes(ofProbe.parameterCount(), STRING);
      }
      code.invokestatic(PROBE, name, ofProbe);
      return true;
    }

    /** The line, with a number from the second place in it on. */
    private String site() {
      int same = sitesOfLine.merge(line, 1, Integer::sum);
      return "%s.%s(%s:%s)%s"
          .formatted(className, method, source, line, same == 1 ? "" : " no. " + same);
    }

    /** Whether the callee has a context, or an object that may hold one. */
    private static boolean mayWait(InvokeInstruction call) {
      ClassDesc owner = call.owner().asSymbol();
      if (owner.isArray()
          || isShared(binaryName(owner))
          || call.name().equalsString(ConstantDescs.INIT_NAME)) {
        return false;
      }
      return call.opcode() != Opcode.INVOKESTATIC
          || call.typeSymbol().parameterList().stream()
              .anyMatch(
                  type ->
                      type.equals(CONTEXT)
                          || type.isClassOrInterface() && !isShared(binaryName(type)));
    }

    /** Tells of the arrays of numbers among the arguments, which may be local ones. */
    private void checkArrays(CodeBuilder code, InvokeInstruction call) {
      List<ClassDesc> types = call.typeSymbol().parameterList();
      if (types.stream().noneMatch(Instrumentation::isArrayOfNumbers)
          || call.owner().asSymbol().equals(PROBE)) {
        return;
      }
      List<Integer> aside = new ArrayList<>();
      for (ClassDesc type : types.reversed()) {
        TypeKind kind = TypeKind.from(type).asLoadable();
        int variable = code.allocateLocal(kind);
        code.storeLocal(kind, variable);
        aside.addFirst(variable);
      }
      String callee = call.owner().asSymbol().displayName() + "." + call.name().stringValue();
      for (int i = 0; i < types.size(); i++) {
        code.loadLocal(TypeKind.from(types.get(i)).asLoadable(), aside.get(i));
        if (isArrayOfNumbers(types.get(i))) {
          code.dup().ldc(callee).invokestatic(PROBE, "passed", PASSED);
        }
      }
    }

    private static boolean isArrayOfNumbers(ClassDesc type) {
      return type.isArray() && type.componentType().isPrimitive();
    }

    private void checkIndex(CodeBuilder code, InvokeInstruction call) {
      String owner = call.owner().asInternalName();
      boolean vector = owner.startsWith(VECTORS);
      if (!vector && !(owner.startsWith(ARRAYS) && owner.endsWith("Array"))) {
        return;
      }
      String name = call.name().stringValue();
      MethodTypeDesc type = call.typeSymbol();
      boolean get =
          name.equals("get") && type.parameterCount() == 1 && type.parameterType(0).equals(INT);
      boolean set =
          name.equals("set") && type.parameterCount() == 2 && type.parameterType(0).equals(INT);
      if (!get && !set) {
        return;
      }
      int value = set ? putAside(code, TypeKind.from(type.parameterType(1))) : -1;
      code.dup2()
          .swap()
          .invokevirtual(call.owner().asSymbol(), vector ? "getLength" : "getSize", SIZE)
          .ldc(owner.substring(owner.lastIndexOf('/') + 1))
          .invokestatic(PROBE, "checkIndex", CHECK);
      if (watch == Watch.GLOBAL_MEMORY && !vector) {
        code.dup2().loadConstant(set ? 1 : 0).invokestatic(PROBE, "access", ACCESS);
      }
      if (set) {
        code.loadLocal(TypeKind.from(type.parameterType(1)), value);
      }
    }

    private void refuseIfMutable(CodeBuilder code, FieldInstruction use) {
      boolean isStatic = use.opcode() == Opcode.GETSTATIC || use.opcode() == Opcode.PUTSTATIC;
      if (!isStatic || method.equals(ConstantDescs.CLASS_INIT_NAME)) {
        return;
      }
      String owner = binaryName(use.owner().asSymbol());
      String field = use.name().stringValue();
      if (mutableStaticsOf(owner).contains(field)) {
        code.ldc(owner + "." + field).invokestatic(PROBE, "mutableStatic", ON_STRING);
      }
    }

    private void read(CodeBuilder code, TypeKind kind) {
      if (kind != TypeKind.REFERENCE) {
        code.dup2().invokestatic(PROBE, "read", READ);
      }
    }

    private void write(CodeBuilder code, TypeKind kind) {
      ClassDesc element =
          switch (kind) {
            case INT -> INT;
            case LONG -> ConstantDescs.CD_long;
            case FLOAT -> ConstantDescs.CD_float;
            case DOUBLE -> ConstantDescs.CD_double;
            case BYTE -> ConstantDescs.CD_byte;
            default -> null;
          };
      if (element == null) {
        return;
      }
      boolean bytes = kind == TypeKind.BYTE;
      int value = putAside(code, kind);
      code.dup2()
          .loadLocal(kind, value)
          .invokestatic(
              PROBE,
              "write",
              MethodTypeDesc.of(
                  VOID, bytes ? OBJECT : element.arrayType(), INT, bytes ? INT : element))
          .loadLocal(kind, value);
    }

    private int putAside(CodeBuilder code, TypeKind kind) {
      int variable = variables.computeIfAbsent(kind.asLoadable(), code::allocateLocal);
      code.storeLocal(kind, variable);
      return variable;
    }
  }

  private Set<String> mutableStaticsOf(String binaryName) {
    synchronized (mutableStatics) {
      Set<String> known = mutableStatics.get(binaryName);
      if (known == null) {
        known = new HashSet<>();
        byte[] bytes = isShared(binaryName) ? null : ClassFiles.read(binaryName, getParent());
        if (bytes != null) {
          ClassModel model = ClassFile.of().parse(bytes);
          for (FieldModel field : model.fields()) {
            if (field.flags().has(AccessFlag.STATIC)
                && !field.flags().has(AccessFlag.FINAL)
                && !field.flags().has(AccessFlag.SYNTHETIC)) {
              known.add(field.fieldName().stringValue());
            }
          }
          if (model.superclass().isPresent()) {
            known.addAll(mutableStaticsOf(binaryName(model.superclass().get().asSymbol())));
          }
        }
        mutableStatics.put(binaryName, known);
      }
      return known;
    }
  }

  /** Names and descriptors of the methods of KernelContext that Probe has. */
  private static Set<String> emulatedMethods() {
    Set<String> all = new HashSet<>();
    for (Method method : Probe.class.getDeclaredMethods()) {
      MethodTypeDesc type = descriptor(method);
      if (type.parameterCount() > 0 && type.parameterType(0).equals(CONTEXT)) {
        List<ClassDesc> parameters = type.parameterList();
        int last = parameters.size() - (WITH_SITE.contains(method.getName()) ? 1 : 0);
        all.add(
            method.getName()
                + MethodTypeDesc.of(type.returnType(), parameters.subList(1, last))
                    .descriptorString());
      }
    }
    return Set.copyOf(all);
  }

  private static Set<String> methodsOfObject() {
    Set<String> all = new HashSet<>();
    for (Method method : Object.class.getMethods()) {
      all.add(method.getName() + descriptor(method).descriptorString());
    }
    return Set.copyOf(all);
  }

  private static MethodTypeDesc descriptor(Method method) {
    return MethodTypeDesc.ofDescriptor(
        MethodType.methodType(method.getReturnType(), method.getParameterTypes())
            .descriptorString());
  }

  static String binaryName(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
  }
}
