package funnel.jit;

import funnel.jit.CopyWriter.Body;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The placeholders that static methods of Funnel call, themselves or through others. */
final class ReachedPlaceholders {

  private static final Map<LoadedMethod, Set<String>> REACHED = new ConcurrentHashMap<>();

  private final Access access;

  ReachedPlaceholders(Access access) {
    this.access = access;
  }

  /** The names and descriptors of the placeholders that a method reaches. */
  Set<String> of(LoadedMethod method) {
    if (!method.owner().getName().startsWith("funnel.")) {
      return Set.of();
    }
    Set<String> known = REACHED.get(method);
    if (known == null) {
      known = new HashSet<>();
      collect(method, known, new HashSet<>());
      REACHED.put(method, Set.copyOf(known));
    }
    return known;
  }

  private void collect(LoadedMethod method, Set<String> found, Set<LoadedMethod> seen) {
    MethodModel body = seen.add(method) ? method.find(access.classFile(method.owner())) : null;
    CodeModel code = body == null ? null : body.code().orElse(null);
    if (code == null) {
      return;
    }
    for (CodeElement element : code) {
      switch (element) {
        case InvokeInstruction call when call.opcode() == Opcode.INVOKESTATIC ->
            collect(
                call.owner().asSymbol(),
                call.name().stringValue(),
                call.type().stringValue(),
                method,
                found,
                seen);
        case InvokeDynamicInstruction call -> {
          for (ConstantDesc argument : call.bootstrapArgs()) {
            if (argument instanceof DirectMethodHandleDesc handle
                && LoadedMethod.isStatic(handle)) {
              collect(
                  handle.owner(),
                  handle.methodName(),
                  handle.lookupDescriptor(),
                  method,
                  found,
                  seen);
            }
          }
        }
        default -> {}
      }
    }
  }

  private void collect(
      ClassDesc owner,
      String name,
      String descriptor,
      LoadedMethod from,
      Set<String> found,
      Set<LoadedMethod> seen) {
    if (owner.equals(CopyWriter.PLACEHOLDER)) {
      found.add(name + descriptor);
    } else if (LoadedMethod.binaryName(owner).startsWith("funnel.")) {
      LoadedMethod callee =
          LoadedMethod.resolve(
              Access.load(owner, new Body(from, false)), name, descriptor, access::classFile);
      if (callee != null) {
        collect(callee, found, seen);
      }
    }
  }
}
