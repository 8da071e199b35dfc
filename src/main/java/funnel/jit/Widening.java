package funnel.jit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The call of a method through a descriptor whose primitive types are wider or narrower than the
 * method's own, and which may have additional leading parameters that are not passed to the method.
 *
 * @param has the method's own descriptor; values that it captured come first
 * @param wanted the descriptor of the call without these
 * @param captures the number of these
 */
record Widening(MethodTypeDesc has, MethodTypeDesc wanted, int captures) {

  private int leftOut() {
    return wanted.parameterCount() - (has.parameterCount() - captures);
  }

  /** Whether assignment conversions suffice for the arguments and the result. */
  boolean fits() {
    boolean fits = leftOut() >= 0 && widens(has.returnType(), wanted.returnType());
    for (int i = captures; fits && i < has.parameterCount(); i++) {
      fits = widens(wanted.parameterType(leftOut() + i - captures), has.parameterType(i));
    }
    return fits;
  }

  private static boolean widens(ClassDesc narrow, ClassDesc wide) {
    if (narrow.equals(wide)) {
      return true;
    }
    String order = "BSIJFD"; // and C like S, but not from B
    int to = order.indexOf(wide.descriptorString());
    int from = order.indexOf(narrow.descriptorString().replace('C', 'S'));
    return narrow.isPrimitive() && wide.isPrimitive() && from >= 0 && to > from;
  }

  /** Loads an argument from a parameter of a method that is called as wanted; returns its type. */
  ClassDesc loadArgument(CodeBuilder code, int argument) {
    ClassDesc type = wanted.parameterType(leftOut() + argument);
    code.loadLocal(TypeKind.from(type), code.parameterSlot(leftOut() + argument));
    return type;
  }

  /**
   * Writes the body of a method with some parameters, then {@code more}, that calls a static method
   * with its own.
   *
   * @param at the index in {@code more} of the first captured value
   * @param firstArray the number of the first captured array, which stands for it
   * @param handsOn whether the method takes all of {@code more} after its own parameters
   * @param argument loads an argument, and returns its type
   */
  void write(
      CodeBuilder code,
      ClassDesc owner,
      String name,
      boolean isInterface,
      List<ClassDesc> parameters,
      List<ClassDesc> more,
      int at,
      int firstArray,
      boolean handsOn,
      IntFunction<ClassDesc> argument) {
    int own = parameters.size();
    for (int i = 0; i < own + more.size(); i++) {
      code.localVariable(
          code.parameterSlot(i),
          "p" + i,
          i < own ? parameters.get(i) : more.get(i - own),
          code.startLabel(),
          code.endLabel());
    }
    int array = firstArray;
    for (int i = 0; i < has.parameterCount(); i++) {
      ClassDesc type = has.parameterType(i);
      if (i >= captures) {
        ClassDesc given = argument.apply(i - captures);
        code.conversion(TypeKind.from(given), TypeKind.from(type));
      } else if (LoadedMethod.isTable(type)) {
        code.loadConstant(array++);
      } else {
        code.loadLocal(TypeKind.from(type), code.parameterSlot(own + at + i));
      }
    }
    for (int i = 0; i < more.size() && handsOn; i++) {
      code.loadLocal(TypeKind.from(more.get(i)), code.parameterSlot(own + i));
    }
    code.invokestatic(
        owner, name, handsOn ? Extras.after(Extras.numbers(has), more) : has, isInterface);
    code.conversion(
        TypeKind.from(has.returnType()).asLoadable(),
        TypeKind.from(wanted.returnType()).asLoadable());
    code.return_(TypeKind.from(wanted.returnType()).asLoadable());
  }
}
