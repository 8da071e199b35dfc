package funnel.emulator;

import funnel.emulator.KernelCode.Callee;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The calls of one method of a kernel, and code in it that no device can run. */
final class MethodScan {

  /*
   * TornadoVM 5.2.0's compiler rejects each of these on both of its backends. Exception handlers
   * are an exception: it silently leaves them out, so the kernel would do something else. Code
   * whose compilation depends on more than the instruction passes here:
   * Integer.numberOfLeadingZeros compiles only if its argument is a constant by then.
   *
   * TornadoVM ignores the branch of a static final boolean that is not taken, and so does this;
   * assert compiles to one.
   */

  private static final ClassDesc SYSTEM = ClassDesc.of("java.lang.System");
  private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
  private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");
  private static final ClassDesc STRICT_MATH = ClassDesc.of("java.lang.StrictMath");
  private static final String IO = "java.io";
  private static final Set<String> THROWING =
      Set.of(
          "addExact",
          "subtractExact",
          "multiplyExact",
          "incrementExact",
          "decrementExact",
          "negateExact",
          "absExact");

  private static final String NO_LOCKS =
      "a device has no locks; use a barrier between threads of a block, or atomicAdd";

  private final String place;
  private final String source;
  private final Map<Callee, Integer> calls = new LinkedHashMap<>();
  private final Map<Label, Integer> lines = new HashMap<>();
  private final Set<Label> labels = new HashSet<>();
  private final Set<Label> ends = new HashSet<>();
  private int line = -1;
  private @Nullable Instruction last;
  private @Nullable String handler;
  private @Nullable String first;

  private MethodScan(Callee method, ClassModel model) {
    place = method.owner() + "." + method.name();
    source =
        model
            .findAttribute(Attributes.sourceFile())
            .map(attribute -> attribute.sourceFile().stringValue())
            .orElse("Unknown Source");
  }

  static MethodScan of(Callee callee, ClassModel model, MethodModel method, CodeModel code) {
    MethodScan scan = new MethodScan(callee, model);
    scan.findLines(code);
    if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
      scan.refuse("is synchronized", NO_LOCKS);
    }
    code.forEach(scan::accept);
    scan.refuseTable(null);
    return scan;
  }

  /** Code that no device can run: where it is, what it is, and what to do instead. */
  Optional<String> refusal() {
    return Optional.ofNullable(first != null ? first : handler);
  }

  /** The methods that this one calls and that are compiled too, with the lines of the calls. */
  Map<Callee, Integer> calls() {
    return calls;
  }

  /** The message about a call that leads back to where the kernel came from. */
  String recursion(Callee callee, int inLine) {
    line = inLine;
    return refused(
        "calls " + callee + ", which leads back to this call",
        "TornadoVM inlines all calls, which is impossible for recursion; write a loop");
  }

  /** Handlers come before all lines, so the lines of their labels are found first. */
  private void findLines(CodeModel code) {
    Set<Label> here = new HashSet<>();
    for (CodeElement element : code) {
      switch (element) {
        case LabelTarget target -> here.add(target.label());
        case LineNumber number -> {
          int now = number.line();
          line = line < 0 ? now : line;
          here.forEach(label -> lines.put(label, now));
          here.clear();
        }
        case Instruction i -> here.clear();
        default -> {}
      }
    }
  }

  private void accept(CodeElement element) {
    switch (element) {
      case LabelTarget target -> {
        labels.add(target.label());
        ends.remove(target.label());
      }
      case LineNumber number -> line = number.line();
      case ExceptionCatch caught when handler == null -> {
        line = lines.getOrDefault(caught.tryStart(), line);
        handler =
            refused(
                "catches exceptions",
                "TornadoVM leaves out handlers, and a device does not throw; test the value that"
                    + " would cause the exception");
      }
      case Instruction instruction -> {
        if (ends.isEmpty()) {
          refuseTable(instruction);
          look(instruction);
        }
        last = instruction;
      }
      default -> {}
    }
  }

  private void look(Instruction instruction) {
    switch (instruction) {
      case BranchInstruction jump -> {
        if (last instanceof FieldInstruction field
            && field.opcode() == Opcode.GETSTATIC
            && field.typeSymbol().equals(ConstantDescs.CD_boolean)
            && !labels.contains(jump.target())) {
          ends.add(jump.target());
        }
      }
      case MonitorInstruction lock -> {
        handler = null; // its own
        refuse("synchronizes", NO_LOCKS);
      }
      case ThrowInstruction thrown -> {
        if (handler == null) {
          refuse(
              "throws",
              "a kernel that can throw does not compile; write a value that means failure");
        }
      }
      case InvokeDynamicInstruction call ->
          refuse(
              "makes a lambda or joins strings",
              "neither compiles for a device; call static methods");
      case NewMultiArrayInstruction made ->
          refuse("makes an array of arrays", "use one array, with index row * width + column");
      case NewReferenceArrayInstruction made ->
          refuse("makes an array of objects", "use one array of numbers for each field");
      case InvokeInstruction call -> look(call);
      default -> {}
    }
  }

  private void look(InvokeInstruction call) {
    ClassDesc owner = call.owner().asSymbol();
    String name = call.name().stringValue();
    String descriptor = call.typeSymbol().descriptorString();
    if (KernelCode.isInlinedFrom(owner)) {
      calls.putIfAbsent(new Callee(InstrumentedClasses.binaryName(owner), name, descriptor), line);
    } else if (owner.isArray() && name.equals("clone")) {
      refuse("clones an array", "it does not compile; copy the elements in a loop");
    } else if (owner.equals(SYSTEM) && name.equals("arraycopy")) {
      refuse("calls System.arraycopy", "it does not compile; copy the elements in a loop");
    } else if (owner.equals(SYSTEM) || owner.equals(THREAD)) {
      refuse(
          "calls %s.%s".formatted(owner.displayName(), name),
          "a device does not have it; pass its value as an argument of the task");
    } else if (owner.packageName().equals(IO)) {
      refuse("prints, reads or writes", "a device cannot; write what you want to see to an array");
    } else if (owner.equals(MATH) || owner.equals(STRICT_MATH)) {
      if (THROWING.contains(name)) {
        refuse("calls Math." + name, "it throws; compute in long, and test the value");
      } else if (name.equals("abs") && (descriptor.equals("(I)I") || descriptor.equals("(J)J"))) {
        refuse("calls Math.abs of an integer", "it does not compile; write v < 0 ? -v : v");
      }
    }
  }

  /** Reports an array in a static field of which more than the length is used. */
  private void refuseTable(@Nullable Instruction next) {
    if (last instanceof FieldInstruction field
        && field.opcode() == Opcode.GETSTATIC
        && field.typeSymbol().isArray()
        && !field.name().equalsString("$VALUES")
        && !(next != null && next.opcode() == Opcode.ARRAYLENGTH)) {
      refuse(
          "uses the array in the static field " + field.name().stringValue(),
          "it does not compile; pass a TornadoVM array as an argument of the task, or choose by ?:"
              + " or switch over ints");
    }
  }

  private void refuse(String what, String advice) {
    if (first == null) {
      first = refused(what, advice);
    }
  }

  private String refused(String what, String advice) {
    return "%s(%s:%s) %s: %s".formatted(place, source, line, what, advice);
  }
}
