package funnel.jit;

import funnel.kernel.IntegerMethods;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.constantpool.ConstantPoolBuilder;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Gives each loop of a method one exit, at its head, for TornadoVM's compiler. */
final class LoopExits {

  /* Where several exits of loops meet, both backends take the value of the second for all of them. So
   * each exit but those of the loop's own condition notes its number, and goes on to the head of the
   * loop, which leaves it if there is one; what follows branches by the number:
   *
   *   for (...) { if (a) break; ...; if (b) return x; }        exit = 0;
   *                                                            while (exit == 0 && ...) {
   *                                                              if (a) exit = 1; else { ...; if (b) exit = 2; }
   *                                                            }
   *                                                            if (exit == 2) return x;
   *
   * The same fault strikes where two loops meet, in the arms of a condition; also in methods that
   * are called in these. An integer division between, of which the compiler does not know that it
   * cannot fail, keeps the exits from meeting; the result is compared so that it is not left out.
   *
   * A loop is the code from a label to the last branch back to it, as javac writes them. Variables
   * get a place for each type, and a value at the start: all are alive at the head of a loop now.
   */

  private static final ClassDesc INTEGERS = IntegerMethods.class.describeConstable().orElseThrow();

  /** A loop by the positions of its label and of its last branch. */
  private record Loop(int from, int to, Label head) {
    int length() {
      return to - from;
    }

    boolean contains(Loop other) {
      return from <= other.from && other.to <= to;
    }
  }

  private final CodeBuilder builder;
  private final MethodModel method;
  private final boolean isCalled;
  private List<CodeElement> elements;

  private LoopExits(
      CodeBuilder builder, MethodModel method, boolean isCalled, List<CodeElement> elements) {
    this.builder = builder;
    this.method = method;
    this.isCalled = isCalled;
    this.elements = elements;
  }

  /**
   * The method's code with other loops, or as it is.
   *
   * @param isCalled whether a function calls the method, perhaps beside another loop
   * @throws LoadedMethod.Refusal if there is a loop of another kind than javac writes
   */
  static CodeModel of(LoadedMethod named, CodeModel code, boolean isCalled) {
    List<Loop> loops = loops(code.elementList());
    if (loops.isEmpty()
        || !isCalled && loops.size() == 1 && hasPlainExit(code.elementList(), loops.getFirst())) {
      return code;
    }
    MethodModel method = code.parent().orElseThrow();
    ClassModel in = method.parent().orElseThrow();
    byte[] bytes =
        ClassFile.of()
            .build(
                in.thisClass().asSymbol(),
                type -> {
                  type.withVersion(in.majorVersion(), in.minorVersion());
                  type.withMethod(
                      method.methodName().stringValue(),
                      method.methodTypeSymbol(),
                      method.flags().flagsMask(),
                      made -> made.transformCode(code, rewriting(named, method, isCalled)));
                });
    return ClassFile.of().parse(bytes).methods().getFirst().code().orElseThrow();
  }

  private static CodeTransform rewriting(LoadedMethod named, MethodModel method, boolean isCalled) {
    List<CodeElement> elements = new ArrayList<>();
    return new CodeTransform() {
      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        if (element instanceof ExceptionCatch) { // refused where it is written
          throw new LoadedMethod.Refusal(
              "%s catches exceptions in or beside a loop".formatted(named));
        }
        elements.add(element);
      }

      @Override
      public void atEnd(CodeBuilder builder) {
        new LoopExits(builder, method, isCalled, elements).write(named);
      }
    };
  }

  private static Map<Label, Integer> positions(List<CodeElement> elements) {
    Map<Label, Integer> positions = new HashMap<>();
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LabelTarget target) {
        positions.put(target.label(), i);
      }
    }
    return positions;
  }

  private static List<Label> targets(CodeElement element) {
    List<Label> targets = new ArrayList<>();
    switch (element) {
      case BranchInstruction branch -> targets.add(branch.target());
      case LookupSwitchInstruction choice -> {
        targets.add(choice.defaultTarget());
        choice.cases().forEach(each -> targets.add(each.target()));
      }
      case TableSwitchInstruction choice -> {
        targets.add(choice.defaultTarget());
        choice.cases().forEach(each -> targets.add(each.target()));
      }
      default -> {}
    }
    return targets;
  }

  /** Whether code branches back. */
  static boolean hasLoops(List<CodeElement> elements) {
    return !loops(elements).isEmpty();
  }

  /** The loops, inner ones first. */
  private static List<Loop> loops(List<CodeElement> elements) {
    Map<Label, Integer> positions = positions(elements);
    Map<Integer, Loop> loops = new TreeMap<>();
    for (int i = 0; i < elements.size(); i++) {
      for (Label target : targets(elements.get(i))) {
        int from = Objects.requireNonNull(positions.get(target));
        if (from <= i) {
          loops.put(from, new Loop(from, i, target)); // labels at one place are not equal
        }
      }
    }
    return loops.values().stream().sorted(Comparator.comparingInt(Loop::length)).toList();
  }

  private static boolean isConditional(CodeElement element) {
    return element instanceof BranchInstruction branch
        && branch.opcode() != Opcode.GOTO
        && branch.opcode() != Opcode.GOTO_W;
  }

  /** Whether a loop is left to one place, before anything has changed. */
  private static boolean hasPlainExit(List<CodeElement> elements, Loop loop) {
    Map<Label, Integer> positions = positions(elements);
    @Nullable Label only = null;
    int exits = 0;
    boolean hasChanged = false;
    for (int i = loop.from(); i <= loop.to(); i++) {
      CodeElement element = elements.get(i);
      hasChanged |= element instanceof StoreInstruction || element instanceof IncrementInstruction;
      if (element instanceof ReturnInstruction || element instanceof ThrowInstruction) {
        return false;
      }
      for (Label target : targets(element)) {
        int to = Objects.requireNonNull(positions.get(target));
        if (to < loop.from() || to > loop.to()) {
          exits++;
          if (exits > 1 && (hasChanged || !target.equals(only))) {
            return false;
          }
          only = target;
        }
      }
    }
    return !isConditional(elements.get(loop.to())) || exits == 0;
  }

  private void write(LoadedMethod named) {
    separateVariables();
    for (int i = 0; i < loops(elements).size(); i++) { // their order does not change
      Loop loop = loops(elements).get(i);
      requireOneEntry(named, loop);
      if (!hasPlainExit(elements, loop)) {
        leaveAtHead(loop);
      } else if (needsGuard(loop)) {
        guardExit(loop);
      }
    }
    elements.forEach(builder::with);
  }

  private boolean needsGuard(Loop loop) {
    List<Loop> others = loops(elements);
    return isCalled && others.stream().noneMatch(each -> each != loop && each.contains(loop))
        || others.stream().anyMatch(each -> !each.contains(loop) && !loop.contains(each));
  }

  private LabelTarget newLabel() {
    return (LabelTarget) builder.newLabel(); // the JDK's labels are what binds them, too
  }

  /** Lets a loop be left at its head alone. */
  private void leaveAtHead(Loop loop) {
    Map<Label, Integer> positions = positions(elements);
    LabelTarget head = newLabel();
    LabelTarget left = newLabel();
    LabelTarget after = newLabel();
    TypeKind result = TypeKind.from(method.methodTypeSymbol().returnType()).asLoadable();
    int returned = initialised(result);
    int exit = builder.allocateLocal(TypeKind.INT);
    LabelTarget returns = newLabel();
    Map<Label, LabelTarget> stubs = new LinkedHashMap<>();
    UnaryOperator<Label> mapped =
        target -> {
          int to = Objects.requireNonNull(positions.get(target));
          return target.equals(loop.head())
              ? head.label()
              : to > loop.from() && to <= loop.to() ? target : stub(stubs, target);
        };
    List<CodeElement> written = new ArrayList<>(elements.subList(0, loop.from() + 1));
    written.add(ConstantInstruction.ofIntrinsic(Opcode.ICONST_0));
    written.add(StoreInstruction.of(TypeKind.INT, exit));
    written.add(head);
    written.add(LoadInstruction.of(TypeKind.INT, exit));
    written.add(BranchInstruction.of(Opcode.IFNE, left.label()));
    for (CodeElement element : elements.subList(loop.from() + 1, loop.to() + 1)) {
      if (element instanceof ReturnInstruction) {
        written.add(StoreInstruction.of(result, returned));
        written.add(BranchInstruction.of(Opcode.GOTO, stub(stubs, returns.label())));
      } else {
        written.add(retargeted(element, mapped));
      }
    }
    if (isConditional(elements.get(loop.to()))) {
      written.add(BranchInstruction.of(Opcode.GOTO, stub(stubs, after.label())));
    }
    List<Label> targets = List.copyOf(stubs.keySet());
    for (int i = 0; i < targets.size(); i++) {
      written.add(Objects.requireNonNull(stubs.get(targets.get(i))));
      written.add(ConstantInstruction.ofArgument(Opcode.SIPUSH, i + 1));
      written.add(StoreInstruction.of(TypeKind.INT, exit));
      written.add(BranchInstruction.of(Opcode.GOTO, head.label()));
    }
    written.add(left);
    if (needsGuard(loop)) {
      guard(written);
    }
    for (int i = 0; i < targets.size() - 1; i++) {
      written.add(LoadInstruction.of(TypeKind.INT, exit));
      written.add(ConstantInstruction.ofArgument(Opcode.SIPUSH, i + 1));
      written.add(BranchInstruction.of(Opcode.IF_ICMPEQ, targets.get(i)));
    }
    written.add(BranchInstruction.of(Opcode.GOTO, targets.getLast()));
    if (stubs.containsKey(returns.label())) {
      written.add(returns);
      written.add(LoadInstruction.of(result, returned));
      written.add(ReturnInstruction.of(result));
    }
    written.add(after);
    written.addAll(elements.subList(loop.to() + 1, elements.size()));
    elements = written;
  }

  private Label stub(Map<Label, LabelTarget> stubs, Label target) {
    return stubs.computeIfAbsent(target, _ -> newLabel()).label();
  }

  private static CodeElement retargeted(CodeElement element, UnaryOperator<Label> mapped) {
    return switch (element) {
      case BranchInstruction branch ->
          BranchInstruction.of(branch.opcode(), mapped.apply(branch.target()));
      case LookupSwitchInstruction choice ->
          LookupSwitchInstruction.of(
              mapped.apply(choice.defaultTarget()), retargeted(choice.cases(), mapped));
      case TableSwitchInstruction choice ->
          TableSwitchInstruction.of(
              choice.lowValue(),
              choice.highValue(),
              mapped.apply(choice.defaultTarget()),
              retargeted(choice.cases(), mapped));
      default -> element;
    };
  }

  private static List<SwitchCase> retargeted(List<SwitchCase> cases, UnaryOperator<Label> mapped) {
    return cases.stream()
        .map(each -> SwitchCase.of(each.caseValue(), mapped.apply(each.target())))
        .toList();
  }

  /** Keeps the exit of a loop apart from others. */
  private void guardExit(Loop loop) {
    Map<Label, Integer> positions = positions(elements);
    Map<Label, LabelTarget> stubs = new LinkedHashMap<>();
    List<CodeElement> written = new ArrayList<>(elements.subList(0, loop.from()));
    for (CodeElement element : elements.subList(loop.from(), loop.to() + 1)) {
      written.add(
          retargeted(
              element,
              target -> {
                int to = Objects.requireNonNull(positions.get(target));
                return to >= loop.from() && to <= loop.to() ? target : stub(stubs, target);
              }));
    }
    if (isConditional(elements.get(loop.to()))) {
      guard(written);
    }
    stubs.forEach(
        (target, stub) -> {
          written.add(stub);
          guard(written);
          written.add(BranchInstruction.of(Opcode.GOTO, target));
        });
    written.addAll(elements.subList(loop.to() + 1, elements.size()));
    elements = written;
  }

  /** Adds a division by a number that is never 0, and a return that is never reached. */
  private void guard(List<CodeElement> written) {
    int slot = method.flags().has(AccessFlag.STATIC) ? 0 : 1;
    for (ClassDesc parameter : method.methodTypeSymbol().parameterList()) {
      TypeKind kind = TypeKind.from(parameter).asLoadable();
      TypeKind result = TypeKind.from(method.methodTypeSymbol().returnType()).asLoadable();
      if (kind != TypeKind.REFERENCE && result != TypeKind.REFERENCE && result != TypeKind.VOID) {
        LabelTarget next = newLabel();
        written.add(LoadInstruction.of(kind, slot));
        written.add(call("isNever", ConstantDescs.CD_boolean, kind));
        written.add(BranchInstruction.of(Opcode.IFEQ, next.label()));
        written.add(ConstantInstruction.ofIntrinsic(zero(result)));
        written.add(ReturnInstruction.of(result));
        written.add(next);
        return;
      }
      slot += kind.slotSize();
    }
  }

  private InvokeInstruction call(String name, ClassDesc result, TypeKind argument) {
    ConstantPoolBuilder pool = builder.constantPool();
    return InvokeInstruction.of(
        Opcode.INVOKESTATIC,
        pool.methodRefEntry(INTEGERS, name, MethodTypeDesc.of(result, argument.upperBound())));
  }

  private static Opcode zero(TypeKind kind) {
    return switch (kind) {
      case LONG -> Opcode.LCONST_0;
      case FLOAT -> Opcode.FCONST_0;
      case DOUBLE -> Opcode.DCONST_0;
      default -> Opcode.ICONST_0;
    };
  }

  private void requireOneEntry(LoadedMethod named, Loop loop) {
    Map<Label, Integer> positions = positions(elements);
    for (int i = 0; i < elements.size(); i++) {
      boolean isInside = i >= loop.from() && i <= loop.to();
      for (Label target : targets(elements.get(i))) {
        int to = Objects.requireNonNull(positions.get(target));
        if (!isInside && to > loop.from() && to <= loop.to() && !isSamePlace(loop.from(), to)) {
          throw new LoadedMethod.Refusal(
              "%s has a loop that is entered at two places%s: write it as a while loop"
                  .formatted(named, line(loop.from())));
        }
      }
    }
  }

  private boolean isSamePlace(int from, int to) {
    return elements.subList(from, to).stream().noneMatch(Instruction.class::isInstance);
  }

  private String line(int at) {
    for (int i = at; i >= 0; i--) {
      if (elements.get(i) instanceof LineNumber line) {
        return " (line %s)".formatted(line.line());
      }
    }
    return "";
  }

  /** Variables of one place and several types get several; all begin with a value. */
  private void separateVariables() {
    Map<String, Integer> slots = new HashMap<>();
    int slot = method.flags().has(AccessFlag.STATIC) ? 0 : 1;
    if (slot == 1) {
      slots.put("0" + TypeKind.REFERENCE, 0);
    }
    for (ClassDesc type : method.methodTypeSymbol().parameterList()) {
      TypeKind kind = TypeKind.from(type).asLoadable();
      slots.put(slot + "" + kind, slot);
      slot += kind.slotSize();
    }
    List<CodeElement> separate = new ArrayList<>();
    for (CodeElement element : elements) {
      switch (element) {
        case LoadInstruction load ->
            separate.add(
                LoadInstruction.of(load.typeKind(), place(slots, load.slot(), load.typeKind())));
        case StoreInstruction store ->
            separate.add(
                StoreInstruction.of(
                    store.typeKind(), place(slots, store.slot(), store.typeKind())));
        case IncrementInstruction add ->
            separate.add(
                IncrementInstruction.of(place(slots, add.slot(), TypeKind.INT), add.constant()));
        case LocalVariable v -> {}
        case LocalVariableType v -> {}
        default -> separate.add(element);
      }
    }
    elements = separate;
  }

  private int place(Map<String, Integer> slots, int slot, TypeKind kind) {
    return slots.computeIfAbsent(slot + "" + kind, _ -> initialised(kind));
  }

  /** A new variable; of a number, 0 where the method begins. */
  private int initialised(TypeKind kind) {
    int made = builder.allocateLocal(kind);
    if (kind != TypeKind.REFERENCE) {
      builder.with(ConstantInstruction.ofIntrinsic(zero(kind)));
      builder.storeLocal(kind, made);
    }
    return made;
  }
}
