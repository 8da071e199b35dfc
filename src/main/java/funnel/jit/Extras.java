package funnel.jit;

import funnel.kernel.LookUps;
import funnel.kernel.Scalars;
import funnel.kernel.ShapeLongs;
import funnel.operator.ElementType;
import java.lang.classfile.Annotation;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.Signature;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.MethodParameterInfo;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.attribute.RuntimeVisibleParameterAnnotationsAttribute;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * What the functions in a copy need besides their arguments: on a device the values that they
 * captured, on the JVM the functions themselves, as objects.
 *
 * @param byPlaceholder the types, by the placeholders that the functions replace
 */
record Extras(SortedMap<String, List<ClassDesc>> byPlaceholder) {

  private static final String FACTORY = "ofFunctions$";
  private static final ClassDesc OBJECTS = ConstantDescs.CD_Object.arrayType();
  private static final ClassDesc INTS = IntArray.class.describeConstable().orElseThrow();
  private static final ClassDesc LONGS = ShapeLongs.class.describeConstable().orElseThrow();
  private static final ClassDesc SCALARS = Scalars.class.describeConstable().orElseThrow();
  private static final ClassDesc CONTEXT = KernelContext.class.describeConstable().orElseThrow();
  private static final ClassDesc LOOK_UPS = LookUps.class.describeConstable().orElseThrow();
  private static final ClassDesc MISSES = LongArray.class.describeConstable().orElseThrow();

  /* Arguments that a function gets from arrays, see RowFunction, are extras too: the array on the
   * device, as a parameter of the kernel after the others, and its offset.
   *
   * On a device, a function has the number of a captured array where it had the array itself: reads
   * of an element call a method of the copy, which finds the array by its number. TornadoVM inlines
   * it, and then the number is a constant. Of each array the extras have the array on the device and
   * its length; after all others comes the place for misses in the array of misses.
   */

  boolean isEmpty() {
    return byPlaceholder.isEmpty();
  }

  Set<String> placeholders() {
    return byPlaceholder.keySet();
  }

  /** The types of what a function needs, with arrays on a device for its arguments. */
  static List<ClassDesc> types(
      LoadedMethod.Implementation of, List<RowFunction.Argument> arguments) {
    List<ClassDesc> types = new ArrayList<>(of.extras());
    for (RowFunction.Argument argument : arguments) {
      types.add(
          argument.type() == ElementType.BYTE
              ? onDevice(ConstantDescs.CD_byte.arrayType())
              : onDevice(RowFunction.kind(argument.type()).upperBound().arrayType()));
    }
    return types;
  }

  /** The types in a copy: of arrays and what belongs to them, then of values. */
  List<ClassDesc> types() {
    List<ClassDesc> types = new ArrayList<>(kernelParameters());
    byPlaceholder.values().stream().flatMap(List::stream).map(Extras::number).forEach(types::add);
    if (!arrays().isEmpty()) {
      types.add(ConstantDescs.CD_int);
    }
    return types;
  }

  /** The types of further parameters of a kernel: captured arrays, and the array of misses. */
  List<ClassDesc> kernelParameters() {
    List<ClassDesc> types = new ArrayList<>();
    for (ClassDesc array : arrays()) {
      types.add(onDevice(array));
    }
    if (!types.isEmpty()) {
      types.add(MISSES);
    }
    types.addAll(arguments());
    return types;
  }

  private List<ClassDesc> arguments() {
    return byPlaceholder.values().stream()
        .flatMap(List::stream)
        .filter(Extras::isArgument)
        .toList();
  }

  /** The names of some of a kernel's parameters, and of these. */
  MethodParametersAttribute afterNames(MethodParametersAttribute names, List<Integer> kept) {
    List<MethodParameterInfo> all = new ArrayList<>();
    kept.forEach(i -> all.add(names.parameters().get(i)));
    for (String name : kernelParameterNames()) {
      all.add(MethodParameterInfo.ofParameter(Optional.of(name), 0));
    }
    return MethodParametersAttribute.of(all);
  }

  /** The annotations of some of a kernel's parameters, and none of these. */
  RuntimeVisibleParameterAnnotationsAttribute afterMarks(
      RuntimeVisibleParameterAnnotationsAttribute marks, List<Integer> kept) {
    List<List<Annotation>> all = new ArrayList<>();
    kept.forEach(i -> all.add(marks.parameterAnnotations().get(i)));
    all.addAll(Collections.nCopies(kernelParameters().size(), List.of()));
    return RuntimeVisibleParameterAnnotationsAttribute.of(all);
  }

  /** The names of further parameters of a kernel. */
  List<String> kernelParameterNames() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < arrays().size(); i++) {
      names.add(KernelCopies.LOOK_UP + i);
    }
    if (!names.isEmpty()) {
      names.add(KernelCopies.MISSES);
    }
    for (int i = 0; i < arguments().size(); i++) {
      names.add(KernelCopies.ARGUMENT + i);
    }
    return names;
  }

  /** The types of all captured arrays, in the order of their numbers. */
  private List<ClassDesc> arrays() {
    return byPlaceholder.values().stream()
        .flatMap(List::stream)
        .filter(ClassDesc::isArray)
        .toList();
  }

  /** The number of a placeholder's first captured array. */
  int firstArray(String placeholder) {
    return Math.toIntExact(
        byPlaceholder.headMap(placeholder).values().stream()
            .flatMap(List::stream)
            .filter(ClassDesc::isArray)
            .count());
  }

  boolean hasArrays(String placeholder) {
    return byPlaceholder.getOrDefault(placeholder, List.of()).stream().anyMatch(ClassDesc::isArray);
  }

  /**
   * The type of what stands for a value in a function: of an array its number. For the array of an
   * argument, of its offset.
   */
  private static ClassDesc number(ClassDesc type) {
    return LoadedMethod.isTable(type) || isArgument(type) ? ConstantDescs.CD_int : type;
  }

  private static boolean isArgument(ClassDesc type) {
    return type.packageName().equals(IntArray.class.getPackageName());
  }

  /** A method's type with the numbers of arrays. */
  static MethodTypeDesc numbers(MethodTypeDesc type) {
    return MethodTypeDesc.of(
        number(type.returnType()), type.parameterList().stream().map(Extras::number).toList());
  }

  private static ClassDesc onDevice(ClassDesc array) {
    Class<?> type =
        switch (array.componentType().descriptorString()) {
          case "B", "Z" -> ByteArray.class;
          case "J" -> LongArray.class;
          case "F" -> FloatArray.class;
          case "D" -> DoubleArray.class;
          default -> IntArray.class;
        };
    return type.describeConstable().orElseThrow();
  }

  /**
   * Writes the instructions that read an argument from its array; a copy has one function with such
   * arguments.
   *
   * @param number of the argument
   * @param index the slot of the index
   * @param first the index of the method's parameter that is the first extra
   * @return the argument's type
   */
  ClassDesc writeArgument(
      CodeBuilder code, int number, RowFunction.Argument argument, int index, int first) {
    int given = kernelParameters().size();
    ClassDesc array = arguments().get(number);
    int values = (int) byPlaceholder.values().stream().mapToLong(List::size).sum();
    code.aload(code.parameterSlot(first + given - arguments().size() + number));
    code.iload(code.parameterSlot(first + given + values - arguments().size() + number));
    if (!argument.isValue()) {
      code.iload(index).iadd();
    }
    code.invokevirtual(array, "get", MethodTypeDesc.of(element(array), ConstantDescs.CD_int));
    if (argument.type() == ElementType.BYTE) {
      writeValueOfByte(code);
    }
    return RowFunction.kind(argument.type()).upperBound();
  }

  /** Writes a call that makes a number from 0 to 255 of a byte. */
  static void writeValueOfByte(CodeBuilder code) {
    code.invokestatic(
        SCALARS, "value", MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_byte));
  }

  /** The index of a placeholder's first extra. */
  int at(String placeholder) {
    return kernelParameters().size()
        + byPlaceholder.headMap(placeholder).values().stream().mapToInt(List::size).sum();
  }

  MethodTypeDesc after(MethodTypeDesc type) {
    return after(type, types());
  }

  static MethodTypeDesc after(MethodTypeDesc type, List<ClassDesc> more) {
    List<ClassDesc> all = new ArrayList<>(type.parameterList());
    all.addAll(more);
    return MethodTypeDesc.of(type.returnType(), all);
  }

  /**
   * Whether a method of the original is where extras begin: on a device a kernel, which reads them
   * from the array of lengths; on the JVM a method of an object, which has them in fields.
   */
  boolean beginIn(MethodModel method, boolean onDevice) {
    boolean isStatic = method.flags().has(AccessFlag.STATIC);
    List<ClassDesc> parameters = method.methodTypeSymbol().parameterList();
    return onDevice
        ? isStatic
            && !method.flags().has(AccessFlag.PRIVATE)
            && !parameters.isEmpty()
            && parameters.getFirst().equals(CONTEXT)
        : !isStatic;
  }

  /** The number of ints that a captured value takes in the array of lengths. */
  static int ints(ClassDesc type) {
    return switch (TypeKind.from(type).asLoadable()) {
      case INT, FLOAT -> 1;
      default -> ShapeLongs.INTS;
    };
  }

  /** The ints of a captured value. */
  static int[] ints(Object value) {
    return switch (value) {
      case Boolean b -> new int[] {b ? 1 : 0};
      case Character c -> new int[] {c};
      case Long l -> ShapeLongs.ints(l);
      case Float f -> new int[] {Float.floatToRawIntBits(f)};
      case Double d -> ShapeLongs.ints(Double.doubleToRawLongBits(d));
      case Number n -> new int[] {n.intValue()};
      case Object array when array.getClass().isArray() || array instanceof Tables.Table ->
          new int[] {LookUp.length(array)};
      default -> throw new IllegalArgumentException("a value of " + value.getClass());
    };
  }

  /** A number that is still a parameter where others are constants, in a slot of its own. */
  record Kept(String name, ClassDesc type, int slot) {}

  /**
   * Where a method has its local variables: the extras are after the parameters.
   *
   * @param types of the extras
   * @param unmoved the number of slots that are as in the original
   * @param kept the numbers that are parameters after those, if others are constants
   * @param from the first slot of the extras
   * @param slots by which the others move
   * @param removed the number of slots before the parameters that the method no longer has
   * @param parameters the slots of the parameters, by their names
   */
  record Locals(
      List<ClassDesc> types,
      int unmoved,
      List<Kept> kept,
      int from,
      int slots,
      int removed,
      Map<String, Integer> parameters) {

    /** Writes the instructions that set a variable which was a parameter. */
    void set(CodeBuilder code, String parameter, Object value) {
      ConstantDesc constant = (ConstantDesc) value;
      code.loadConstant(constant);
      code.storeLocal(
          TypeKind.from(MethodType.methodType(value.getClass()).unwrap().returnType()),
          moved(Objects.requireNonNull(parameters.get(parameter), parameter)));
    }

    /** Writes the instructions that put the kept numbers where the original has them. */
    void setKept(CodeBuilder code) {
      for (Kept number : kept) {
        TypeKind kind = TypeKind.from(number.type);
        code.loadLocal(kind, number.slot);
        code.storeLocal(kind, moved(Objects.requireNonNull(parameters.get(number.name))));
      }
    }

    private int moved(int slot) {
      int left = slot - removed;
      return left < unmoved ? left : left + slots;
    }

    /** An instruction or a variable's name for the new place of a local variable. */
    CodeElement moved(CodeElement element) {
      return switch (element) {
        case LoadInstruction load -> LoadInstruction.of(load.typeKind(), moved(load.slot()));
        case StoreInstruction store -> StoreInstruction.of(store.typeKind(), moved(store.slot()));
        case IncrementInstruction add -> IncrementInstruction.of(moved(add.slot()), add.constant());
        case LocalVariable v ->
            LocalVariable.of(
                moved(v.slot()),
                v.name().stringValue(),
                v.typeSymbol(),
                v.startScope(),
                v.endScope());
        case LocalVariableType v ->
            LocalVariableType.of(
                moved(v.slot()),
                v.name().stringValue(),
                Signature.parseFrom(v.signature().stringValue()),
                v.startScope(),
                v.endScope());
        default -> element;
      };
    }

    void load(CodeBuilder code) {
      for (int i = 0; i < types.size(); i++) {
        load(code, i);
      }
    }

    void load(CodeBuilder code, int extra) {
      int slot =
          from
              + types.subList(0, extra).stream()
                  .mapToInt(type -> TypeKind.from(type).slotSize())
                  .sum();
      code.loadLocal(TypeKind.from(types.get(extra)), slot);
    }
  }

  /** The names of a method's parameters; "" for those that are not known. */
  static List<String> names(MethodModel method) {
    List<MethodParameterInfo> names =
        method
            .findAttribute(Attributes.methodParameters())
            .map(MethodParametersAttribute::parameters)
            .orElse(List.of());
    return IntStream.range(0, method.methodTypeSymbol().parameterCount())
        .mapToObj(i -> i < names.size() ? names.get(i).name() : Optional.<Utf8Entry>empty())
        .map(name -> name.map(Utf8Entry::stringValue).orElse(""))
        .toList();
  }

  /** The local variables of a method, which may lose its object. */
  Locals locals(CodeModel code, boolean losesObject) {
    MethodModel method = code.parent().orElseThrow();
    int parameters = method.methodTypeSymbol().parameterCount();
    return locals(code, losesObject, IntStream.range(0, parameters).boxed().toList());
  }

  /**
   * The local variables of a kernel with some of its parameters; if not all, the numbers among them
   * are where the extras begin, as all numbers come after its arrays.
   */
  Locals locals(CodeModel code, List<Integer> kept) {
    return locals(code, false, kept);
  }

  private Locals locals(CodeModel code, boolean losesObject, List<Integer> kept) {
    MethodModel method = code.parent().orElseThrow();
    boolean hasObject = !method.flags().has(AccessFlag.STATIC);
    List<ClassDesc> of = method.methodTypeSymbol().parameterList();
    boolean keepsAll = kept.size() == of.size();
    List<String> names = names(method);
    Map<String, Integer> parameters = new HashMap<>();
    int slot = hasObject && !losesObject ? 1 : 0;
    int unmoved = slot;
    for (int i = 0; i < of.size(); i++) {
      parameters.put(names.get(i), slot);
      slot += TypeKind.from(of.get(i)).slotSize();
      unmoved = keepsAll || !of.get(i).isPrimitive() ? slot : unmoved;
    }
    int from = unmoved;
    List<Kept> numbers = new ArrayList<>();
    for (int i : kept) {
      if (!keepsAll && of.get(i).isPrimitive()) {
        numbers.add(new Kept(names.get(i), of.get(i), from));
        from += TypeKind.from(of.get(i)).slotSize();
      }
    }
    int slots = types().stream().mapToInt(type -> TypeKind.from(type).slotSize()).sum();
    return new Locals(
        types(),
        unmoved,
        numbers,
        from,
        from - unmoved + slots,
        hasObject && losesObject ? 1 : 0,
        parameters);
  }

  /**
   * Writes a method that takes an array's number, or that and an index, and all extras, and returns
   * the array's length, or its element.
   *
   * @param type of the arrays on a device; null for the length
   */
  void writeLookUp(CodeBuilder code, @Nullable ClassDesc type) {
    List<ClassDesc> types = types();
    int first = type == null ? 1 : 2;
    for (int i = 0; i < first + types.size(); i++) {
      code.localVariable(
          code.parameterSlot(i),
          "p" + i,
          i < first ? ConstantDescs.CD_int : types.get(i - first),
          code.startLabel(),
          code.endLabel());
    }
    List<ClassDesc> values = byPlaceholder.values().stream().flatMap(List::stream).toList();
    List<ClassDesc> arrays = arrays();
    List<Integer> numbers =
        IntStream.range(0, arrays.size())
            .filter(i -> type == null || type.equals(onDevice(arrays.get(i))))
            .boxed()
            .toList();
    List<Integer> lengths =
        IntStream.range(0, values.size())
            .filter(i -> values.get(i).isArray())
            .map(i -> first + kernelParameters().size() + i)
            .boxed()
            .toList();
    for (int number : numbers) {
      Label next = code.newLabel();
      if (number != numbers.getLast()) {
        code.iload(0).loadConstant(number).if_icmpne(next);
      }
      if (type == null) {
        code.iload(code.parameterSlot(lengths.get(number))).ireturn();
      } else {
        code.aload(code.parameterSlot(first + number));
        code.iload(code.parameterSlot(lengths.get(number))).iload(1);
        code.aload(code.parameterSlot(first + arrays.size()));
        code.iload(code.parameterSlot(first + types.size() - 1)).loadConstant(number);
        ClassDesc element = element(type);
        code.invokestatic(
            LOOK_UPS,
            "at",
            MethodTypeDesc.of(
                element,
                type,
                ConstantDescs.CD_int,
                ConstantDescs.CD_int,
                MISSES,
                ConstantDescs.CD_int,
                ConstantDescs.CD_int));
        if (arrays.get(number).componentType().equals(ConstantDescs.CD_boolean)) {
          // a number that TornadoVM's cuda backend need not cut to one bit
          code.ifThenElse(Opcode.IFNE, CodeBuilder::iconst_1, CodeBuilder::iconst_0);
        }
        code.return_(TypeKind.from(element).asLoadable());
      }
      code.labelBinding(next);
    }
  }

  /** The type of the method that {@link #writeLookUp} writes, without the extras. */
  static MethodTypeDesc lookUp(@Nullable ClassDesc type) {
    return type == null
        ? MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int)
        : MethodTypeDesc.of(element(type), ConstantDescs.CD_int, ConstantDescs.CD_int);
  }

  private static ClassDesc element(ClassDesc onDevice) {
    return switch (onDevice.displayName()) {
      case "ByteArray" -> ConstantDescs.CD_byte;
      case "LongArray" -> ConstantDescs.CD_long;
      case "FloatArray" -> ConstantDescs.CD_float;
      case "DoubleArray" -> ConstantDescs.CD_double;
      default -> ConstantDescs.CD_int;
    };
  }

  /** The arrays on a device that an instruction for elements of a kind reads. */
  static ClassDesc arraysOf(TypeKind element) {
    return onDevice(element.upperBound().arrayType());
  }

  /** Writes the instructions that read the extras into their local variables. */
  void begin(CodeBuilder code, Locals locals, ClassDesc copy, boolean onDevice) {
    int given = kernelParameters().size();
    int slot = locals.from() + given;
    List<ClassDesc> values = types().subList(given, types().size());
    int at = onDevice ? -values.stream().mapToInt(Extras::ints).sum() : 0;
    for (int i = 0; i < values.size(); i++) {
      ClassDesc type = values.get(i);
      TypeKind kind = TypeKind.from(type);
      if (onDevice) {
        read(code, locals, type, at);
        at += ints(type);
      } else {
        code.aload(0);
        code.getfield(copy, field(i), type);
      }
      code.storeLocal(kind, slot);
      slot += kind.slotSize();
    }
  }

  private static void read(CodeBuilder code, Locals locals, ClassDesc type, int at) {
    Integer shape = locals.parameters().get("shape");
    Integer shapeAt = locals.parameters().get("shapeAt");
    if (shape == null || shapeAt == null) {
      throw new IllegalArgumentException(
          "a kernel with a function that captured values needs the parameters shape and shapeAt");
    }
    code.aload(locals.moved(shape));
    code.iload(locals.moved(shapeAt));
    code.loadConstant(at);
    code.iadd();
    if (ints(type) == 1) {
      code.invokevirtual(
          INTS, "get", MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int));
    } else {
      code.invokestatic(
          LONGS, "get", MethodTypeDesc.of(ConstantDescs.CD_long, INTS, ConstantDescs.CD_int));
    }
    MethodTypeDesc ofBits = MethodTypeDesc.of(type, ConstantDescs.CD_long, type);
    switch (TypeKind.from(type)) {
      case FLOAT -> code.i2l().fconst_0().invokestatic(SCALARS, "ofBits", ofBits);
      case DOUBLE -> code.dconst_0().invokestatic(SCALARS, "ofBits", ofBits);
      default -> {}
    }
  }

  private static String field(int extra) {
    return "function$" + extra;
  }

  /** Writes fields for the extras, and a method that makes an object from an array of them. */
  void writeFactory(ClassBuilder builder, ClassDesc copy) {
    List<ClassDesc> types = types();
    for (int i = 0; i < types.size(); i++) {
      builder.withField(field(i), types.get(i), ClassFile.ACC_PRIVATE);
    }
    builder.withMethodBody(
        FACTORY,
        MethodTypeDesc.of(ConstantDescs.CD_Object, OBJECTS),
        ClassFile.ACC_STATIC,
        code -> {
          code.new_(copy).dup();
          code.invokespecial(copy, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
          for (int i = 0; i < types.size(); i++) {
            code.dup().aload(0).loadConstant(i).aaload().checkcast(types.get(i));
            code.putfield(copy, field(i), types.get(i));
          }
          code.areturn();
        });
  }

  private static final ClassValue<MethodHandle> FACTORIES =
      new ClassValue<>() {
        @Override
        protected MethodHandle computeValue(Class<?> copy) {
          try {
            return TwinClass.lookup(copy)
                .findStatic(copy, FACTORY, MethodType.methodType(Object.class, Object[].class));
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("copy " + copy.getName(), e);
          }
        }
      };

  /** A new object of a copy with these functions. */
  static Object make(Class<?> copy, Object[] functions) {
    try {
      return FACTORIES.get(copy).invoke(functions);
    } catch (Throwable e) {
      throw new IllegalStateException("no instance of " + copy.getName(), e);
    }
  }
}
