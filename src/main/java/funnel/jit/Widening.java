package funnel.jit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * The call of a method by a type whose primitives are wider or narrower than the method's own, and
 * which may have others before them, that the method does not get.
 *
 * @param has the method's own type
 * @param wanted the type by which it is called
 */
record Widening(MethodTypeDesc has, MethodTypeDesc wanted) {

  private int leftOut() {
    return wanted.parameterCount() - has.parameterCount();
  }

  /** Whether arguments and result need no more than what an assignment widens. */
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

  /** Writes the body of a method of the wanted type that calls a static one of the own type. */
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
