package funnel;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.OperatorInstruction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which of a step's ints a kernel reads one by one: the constants that its code, and that of the
 * methods it calls, adds to {@code shapeAt}.
 */
final class ReadInts {

  private static final Map<String, Set<Integer>> FOUND = new HashMap<>();

  private ReadInts() {}

  /**
   * The constants.
   *
   * @param kernel a class and a method of it, {@code funnel.scan.IntToIntScanKernels.tiles}
   */
  static Set<Integer> of(String kernel) {
    Set<Integer> known = FOUND.get(kernel);
    if (known != null) {
      return known;
    }
    Set<Integer> ints = new TreeSet<>();
    FOUND.put(kernel, ints);
    int dot = kernel.lastIndexOf('.');
    String owner = kernel.substring(0, dot);
    for (MethodModel method : model(owner).methods()) {
      if (method.methodName().equalsString(kernel.substring(dot + 1))) {
        List<CodeElement> code = method.code().orElseThrow().elementList();
        int slot = slot(code);
        code = code.stream().filter(Instruction.class::isInstance).toList();
        for (int i = 0; slot >= 0 && i < code.size(); i++) {
          if (code.get(i) instanceof LoadInstruction load
              && load.slot() == slot
              && code.get(i + 1) instanceof ConstantInstruction constant
              && code.get(i + 2) instanceof OperatorInstruction
              && code.get(i + 3) instanceof InvokeInstruction) { // else where several begin
            ints.add((Integer) constant.constantValue());
          }
          if (code.get(i) instanceof InvokeInstruction call
              && call.owner().asInternalName().startsWith("funnel/")) {
            String called = call.owner().asInternalName().replace('/', '.');
            ints.addAll(of(called + "." + call.name().stringValue()));
          }
        }
      }
    }
    return ints;
  }

  /** Where a method has {@code shapeAt}, or -1. */
  private static int slot(List<CodeElement> code) {
    return code.stream()
        .filter(LocalVariable.class::isInstance)
        .map(LocalVariable.class::cast)
        .filter(variable -> variable.name().equalsString("shapeAt"))
        .mapToInt(LocalVariable::slot)
        .findFirst()
        .orElse(-1);
  }

  private static ClassModel model(String name) {
    String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
    try (InputStream in = Class.forName(name).getResourceAsStream(file)) {
      return ClassFile.of().parse(Objects.requireNonNull(in, name).readAllBytes());
    } catch (IOException | ClassNotFoundException e) {
      throw new AssertionError(name, e);
    }
  }
}
