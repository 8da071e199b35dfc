package funnel.jit;

import funnel.operator.Transform;
import java.io.Serializable;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The interface through which a function is called on the JVM.
 *
 * @param owner the interface
 * @param name of its method
 * @param type of its method
 */
record CalledFunction(ClassDesc owner, String name, MethodTypeDesc type) {

  /** The interface of operators, transforms or comparisons that a function implements. */
  static CalledFunction of(Serializable function) {
    for (Class<?> type = function.getClass(); type != null; type = type.getSuperclass()) {
      for (Class<?> each : type.getInterfaces()) {
        CalledFunction found = in(each);
        if (found != null) {
          return found;
        }
      }
    }
    throw new IllegalArgumentException(
        "%s is no function of an operator, transform or comparison".formatted(function.getClass()));
  }

  private static @Nullable CalledFunction in(Class<?> type) {
    List<Method> methods =
        Arrays.stream(type.getMethods())
            .filter(method -> Modifier.isAbstract(method.getModifiers()))
            .toList();
    if (type.getPackage() == Transform.class.getPackage() && methods.size() == 1) {
      Method method = methods.getFirst();
      return new CalledFunction(
          type.describeConstable().orElseThrow(),
          method.getName(),
          MethodType.methodType(method.getReturnType(), method.getParameterTypes())
              .describeConstable()
              .orElseThrow());
    }
    for (Class<?> each : type.getInterfaces()) {
      CalledFunction found = in(each);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /**
   * Writes the body of a method with a placeholder's parameters, and the function among later ones.
   *
   * @param function the index of the parameter that is the function
   */
  void write(CodeBuilder code, MethodTypeDesc placeholder, int function) {
    code.aload(code.parameterSlot(function));
    int leftOut = placeholder.parameterCount() - type.parameterCount();
    for (int i = leftOut; i < placeholder.parameterCount(); i++) {
      code.loadLocal(TypeKind.from(placeholder.parameterType(i)), code.parameterSlot(i));
    }
    code.invokeinterface(owner, name, type);
    code.return_(TypeKind.from(type.returnType()));
  }
}
