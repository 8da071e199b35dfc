package funnel.jit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * The call of a method through a descriptor whose primitive types are wider or narrower than the
 * method's own, and which may have additional leading parameters that are not passed to the method.
 *
 * @param has the method's own descriptor
 * @param wanted the descriptor of the call
 */
record Widening(MethodTypeDesc has, MethodTypeDesc wanted) {

  private int leftOut() {
    return wanted.parameterCount() - has.parameterCount();
  }

  /** Whether assignment conversions suffice for the arguments and the result. */
  boolean fits() {
    boolean fits = leftOut() >= 0 && widens(has.returnType(), wanted.returnType());
    for (int i = 0; fits && i < has.parameterCount(); i++) {
      fits = widens(wanted.parameterType(leftOut() + i), has.parameterType(i));
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

  /**
   * Writes the body of a method with the wanted descriptor that calls a static method with its own.
   */
  void write(CodeBuilder code, ClassDesc owner, String name, boolean isInterface) {
    for (int i = 0; i < wanted.parameterCount(); i++) {
      TypeKind kind = TypeKind.from(wanted.parameterType(i));
      code.localVariable(
          code.parameterSlot(i),
          "p" + i,
          wanted.parameterType(i),
          code.startLabel(),
          code.endLabel());
      if (i >= leftOut()) {
        code.loadLocal(kind, code.parameterSlot(i));
        code.conversion(kind, TypeKind.from(has.parameterType(i - leftOut())));
      }
    }
    code.invokestatic(owner, name, has, isInterface);
    code.conversion(
        TypeKind.from(has.returnType()).asLoadable(),
        TypeKind.from(wanted.returnType()).asLoadable());
    code.return_(TypeKind.from(wanted.returnType()));
  }
}
