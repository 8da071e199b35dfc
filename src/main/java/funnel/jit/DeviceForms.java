package funnel.jit;

import funnel.kernel.FloatingMethods;
import funnel.kernel.IntegerMethods;
import funnel.kernel.Scalars;
import funnel.math.PowersOfTwo;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.PseudoInstruction;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces operations in user-defined functions by forms of {@link Scalars} and {@link
 * FloatingMethods} that devices compute correctly.
 */
final class DeviceForms {

  /* A replacement pops and pushes the same as the original, so one static call replaces one
   * instruction. A comparison of floating-point numbers is an instruction that pushes -1, 0 or 1
   * and a branch on it; TornadoVM merges the two into one negated comparison that is true for NaN.
   * It cannot do so with a computed int. A comparison of a variable with itself, which asks for NaN,
   * has a form of its own.
   *
   * A condition with && or || that becomes a value is, in bytecode, branches to constants which
   * meet: 1 and 0, or those of a ?:. From these TornadoVM builds nested conditions, in which its
   * cuda backend loses negations. It builds them from ints and longs only. So the constants that
   * merge are converted to floats, and the merged value back to an int. This is not done for the
   * ptx backend, which compiles nested conditions correctly, but not a branch on a condition that
   * earlier ones decide, and such a branch could remain then.
   *
   * Floats cost more than most predicates: of each, a selection, a test for NaN, a branch and a
   * conversion are left in the machine's code. So they are left out where nothing can nest. A
   * condition nests another if a constant that merges in one is a condition's value in the other.
   * That takes two branches, or another function that computes with the result. What a kernel does
   * with the result of a function nests it at most once, of which the backend loses nothing.
   *
   * A comparison of ints or longs that are both known to be negative is wrong, see IntegerMethods: of
   * both operands, unless the second is a constant that is not negative, the sign is made unknown.
   *
   * At the end of a loop the backends copy variables one after the other, so that those which change
   * places get equal. So in a method with a loop what is stored is never another variable, but its
   * maximum with itself.
   *
   * Left shifts are correct except for distances beyond the width, which are not masked.
   *
   * Of what has no other form, both backends compile sums, differences, products, quotients of
   * doubles, negations and conversions to operations that round as Java does. They have no remainder
   * of floating-point numbers, take a small int that they have narrowed for an unsigned one in some
   * places, and make a division of floats of an infinite constant.
   *
   * A method of the JDK has the form of its name and parameters, if there is one. The code of other
   * ones is copied like the user's own, see JdkMethods.
   */

  private static final String COMPARES = "compare";

  static final ClassDesc SCALARS = classDesc(Scalars.class);

  private static final ClassDesc FLOATING = classDesc(FloatingMethods.class);

  private record Form(String name, String descriptor, ClassDesc owner) {
    Form(String name, String descriptor) {
      this(name, descriptor, SCALARS);
    }
  }

  private static final Map<Opcode, Form> INSTRUCTIONS =
      Map.ofEntries(
          Map.entry(Opcode.ISHL, new Form("shiftLeft", "(II)I")),
          Map.entry(Opcode.LSHL, new Form("shiftLeft", "(JI)J")),
          Map.entry(Opcode.ISHR, new Form("shiftRight", "(II)I")),
          Map.entry(Opcode.LSHR, new Form("shiftRight", "(JI)J")),
          Map.entry(Opcode.IUSHR, new Form("shiftRightUnsigned", "(II)I")),
          Map.entry(Opcode.LUSHR, new Form("shiftRightUnsigned", "(JI)J")),
          Map.entry(Opcode.IDIV, new Form("divide", "(II)I")),
          Map.entry(Opcode.LDIV, new Form("divide", "(JJ)J")),
          Map.entry(Opcode.FDIV, new Form("divide", "(FF)F")),
          Map.entry(Opcode.IREM, new Form("remainder", "(II)I")),
          Map.entry(Opcode.LREM, new Form("remainder", "(JJ)J")),
          Map.entry(Opcode.FCMPL, new Form("compareOrLess", "(FF)I")),
          Map.entry(Opcode.FCMPG, new Form("compareOrGreater", "(FF)I")),
          Map.entry(Opcode.DCMPL, new Form("compareOrLess", "(DD)I")),
          Map.entry(Opcode.DCMPG, new Form("compareOrGreater", "(DD)I")),
          Map.entry(Opcode.FREM, new Form("remainder", "(FF)F", FLOATING)),
          Map.entry(Opcode.DREM, new Form("remainder", "(DD)D", FLOATING)),
          Map.entry(Opcode.I2B, new Form("toByte", "(I)I")),
          Map.entry(Opcode.I2S, new Form("toShort", "(I)I")),
          Map.entry(Opcode.I2C, new Form("toChar", "(I)I")),
          Map.entry(Opcode.L2F, new Form("toFloat", "(J)F")),
          Map.entry(Opcode.L2D, new Form("toDouble", "(J)D")),
          Map.entry(Opcode.F2I, new Form("toInt", "(F)I")),
          Map.entry(Opcode.D2I, new Form("toInt", "(D)I")),
          Map.entry(Opcode.F2L, new Form("toLong", "(F)J")),
          Map.entry(Opcode.D2L, new Form("toLong", "(D)J")));

  private static final ClassDesc INTEGERS = classDesc(IntegerMethods.class);

  /** The classes with these forms. */
  static final Set<ClassDesc> OWNERS = Set.of(SCALARS, FLOATING, INTEGERS);

  private static final String UNKNOWN = "unknown";

  /** Comparisons of two ints, with the one whose operands have changed places. */
  private static final Map<Opcode, Opcode> REVERSED =
      Map.of(
          Opcode.IF_ICMPLT, Opcode.IF_ICMPGT,
          Opcode.IF_ICMPGT, Opcode.IF_ICMPLT,
          Opcode.IF_ICMPLE, Opcode.IF_ICMPGE,
          Opcode.IF_ICMPGE, Opcode.IF_ICMPLE);

  private static final boolean LOSES_NEGATIONS =
      ModuleLayer.boot().findModule("tornado.drivers.cuda").isPresent();

  private final List<CodeElement> elements;
  private final boolean hasLoops;
  private final Set<Integer> constants = new HashSet<>();
  private final Set<Integer> joins = new HashSet<>();
  private final Set<Integer> returns = new HashSet<>();
  private @Nullable Label end;
  private int position;

  /**
   * For one method, with a workaround for lost negations if the backend needs it.
   *
   * @param nests whether functions compute with the method's result
   */
  DeviceForms(CodeModel code, boolean nests) {
    this(code, LOSES_NEGATIONS, nests);
  }

  /**
   * For one method, whose elements are then given to {@link #rewrite} in their order.
   *
   * @param losesNegations whether constants that merge are converted to floats
   */
  DeviceForms(CodeModel code, boolean losesNegations, boolean nests) {
    elements = code.elementList();
    hasLoops = LoopExits.hasLoops(elements);
    if (losesNegations && (nests || !isOneCondition())) {
      findJoins();
    }
  }

  /**
   * Whether the method branches at most once, and calls nothing, which could branch too; an element
   * of an array is read by a call.
   */
  private boolean isOneCondition() {
    int branches = 0;
    for (CodeElement element : elements) {
      switch (element) {
        case BranchInstruction branch when branch.opcode() == Opcode.GOTO -> {}
        case BranchInstruction branch -> branches++;
        case InvokeInstruction call -> branches = 2;
        case ConvertInstruction cast when INSTRUCTIONS.containsKey(cast.opcode()) -> branches = 2;
        case ArrayLoadInstruction load -> branches = 2;
        case OperatorInstruction length when length.opcode() == Opcode.ARRAYLENGTH -> branches = 2;
        case LookupSwitchInstruction choice -> branches = 2;
        case TableSwitchInstruction choice -> branches = 2;
        default -> {}
      }
    }
    return branches <= 1;
  }

  private void findJoins() {
    Map<Label, List<Integer>> jumps = new HashMap<>();
    Set<Label> others = new HashSet<>();
    for (int i = 0; i < elements.size(); i++) {
      switch (elements.get(i)) {
        case BranchInstruction branch when branch.opcode() == Opcode.GOTO ->
            jumps.computeIfAbsent(branch.target(), label -> new ArrayList<>()).add(i);
        case BranchInstruction branch -> others.add(branch.target());
        case LookupSwitchInstruction choice -> {
          others.add(choice.defaultTarget());
          choice.cases().forEach(c -> others.add(c.target()));
        }
        case TableSwitchInstruction choice -> {
          others.add(choice.defaultTarget());
          choice.cases().forEach(c -> others.add(c.target()));
        }
        case ExceptionCatch handler -> others.add(handler.handler());
        case ReturnInstruction r -> {
          if (isSmallInt(before(i))) {
            returns.add(i);
          }
        }
        default -> {}
      }
    }
    if (returns.size() > 1) {
      returns.forEach(at -> constants.add(before(at)));
    } else {
      returns.clear();
    }
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LabelTarget join
          && jumps.containsKey(join.label())
          && !others.contains(join.label())) {
        join(i, jumps.getOrDefault(join.label(), List.of()));
      }
    }
  }

  /** Records a place where several constants merge, and nothing else. */
  private void join(int at, List<Integer> jumps) {
    List<Integer> arms = new ArrayList<>();
    jumps.forEach(jump -> arms.add(before(jump)));
    arms.add(before(at));
    if (arms.stream().allMatch(this::isSmallInt)) {
      constants.addAll(arms);
      joins.add(at);
    }
  }

  /** The instruction or label before the one at {@code at}, or -1. */
  private int before(int at) {
    int i = at - 1;
    while (i >= 0
        && elements.get(i) instanceof PseudoInstruction p
        && !(p instanceof LabelTarget)) {
      i--;
    }
    return i;
  }

  private boolean isOfOneVariable(int at) {
    int last = before(at);
    int first = last < 0 ? -1 : before(last);
    return first >= 0
        && elements.get(first) instanceof LoadInstruction one
        && elements.get(last) instanceof LoadInstruction other
        && one.slot() == other.slot();
  }

  private boolean isNotNegative(int at) {
    return at >= 0
        && elements.get(at) instanceof ConstantInstruction constant
        && constant.constantValue() instanceof Number value
        && value.longValue() >= 0;
  }

  private boolean isSmallInt(int at) {
    return at >= 0
        && elements.get(at) instanceof ConstantInstruction constant
        && constant.constantValue() instanceof Integer value
        && Math.abs((long) value) <= 1 << 24;
  }

  private static boolean isNotFinite(ConstantDesc constant) {
    return constant instanceof Number number && !Double.isFinite(number.doubleValue());
  }

  private static ClassDesc classDesc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /**
   * Whether a method's class is written for devices already: only its calls are replaced then. Each
   * other form is a call too, and TornadoVM 5.2.0 has failed on kernels with very many.
   */
  static boolean isForDevices(LoadedMethod method) {
    return method.owner().getPackage() == PowersOfTwo.class.getPackage();
  }

  /** Writes the code after the last element. */
  void writeEnd(CodeBuilder builder) {
    if (end != null) {
      builder.labelBinding(end).f2i().ireturn();
    }
  }

  /** Writes another form of the next element; returns false if it needs none. */
  boolean rewrite(CodeBuilder builder, CodeElement element) {
    int at = position++;
    switch (element) {
      case ConstantInstruction constant when constants.contains(at) -> {
        builder.loadConstant(((Integer) constant.constantValue()).floatValue());
        return true;
      }
      case LabelTarget join when joins.contains(at) -> {
        builder.with(join).f2i();
        return true;
      }
      case ReturnInstruction r when returns.contains(at) -> {
        end = end == null ? builder.newLabel() : end;
        builder.goto_(end);
        return true;
      }
      case BranchInstruction branch when REVERSED.containsKey(branch.opcode()) -> {
        if (isNotNegative(before(at))) {
          return false;
        }
        MethodTypeDesc same = MethodTypeDesc.ofDescriptor("(I)I");
        builder.invokestatic(INTEGERS, UNKNOWN, same).swap().invokestatic(INTEGERS, UNKNOWN, same);
        builder.branch(Objects.requireNonNull(REVERSED.get(branch.opcode())), branch.target());
        return true;
      }
      case StoreInstruction store when hasLoops && store.typeKind() != TypeKind.REFERENCE -> {
        ClassDesc type = store.typeKind().asLoadable().upperBound();
        boolean isFloating =
            type.equals(ConstantDescs.CD_float) || type.equals(ConstantDescs.CD_double);
        builder.invokestatic(
            isFloating ? FLOATING : INTEGERS, UNKNOWN, MethodTypeDesc.of(type, type));
        return false;
      }
      case OperatorInstruction compare when compare.opcode() == Opcode.LCMP -> {
        if (isNotNegative(before(at))) {
          return false;
        }
        MethodTypeDesc same = MethodTypeDesc.ofDescriptor("(J)J");
        builder.invokestatic(INTEGERS, UNKNOWN, same).dup2_x2().pop2();
        builder.invokestatic(INTEGERS, UNKNOWN, same).dup2_x2().pop2().lcmp();
        return true;
      }
      case OperatorInstruction _, ConvertInstruction _ -> {
        Form form = INSTRUCTIONS.get(((Instruction) element).opcode());
        if (form == null) {
          return false;
        }
        String name =
            form.name().startsWith(COMPARES) && isOfOneVariable(at)
                ? form.name().replace(COMPARES, COMPARES + "ToItself")
                : form.name();
        builder.invokestatic(form.owner(), name, MethodTypeDesc.ofDescriptor(form.descriptor()));
        return true;
      }
      case ConstantInstruction constant when isNotFinite(constant.constantValue()) -> {
        Number value = (Number) constant.constantValue();
        boolean isDouble = value instanceof Double;
        ClassDesc type = isDouble ? ConstantDescs.CD_double : ConstantDescs.CD_float;
        double one = value.doubleValue() < 0 ? -1 : 1;
        builder.loadConstant(isDouble ? (ConstantDesc) one : (ConstantDesc) (float) one);
        builder.invokestatic(
            FLOATING,
            Double.isNaN(value.doubleValue()) ? "notANumber" : "infinity",
            MethodTypeDesc.of(type, type));
        return true;
      }
      default -> {
        return false;
      }
    }
  }
}
