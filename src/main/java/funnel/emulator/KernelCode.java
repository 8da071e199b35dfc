package funnel.emulator;

import funnel.jit.ClassFiles;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The code that kernels of one class reach, and parts of it that no device can run. */
final class KernelCode {

  /*
   * TornadoVM inlines everything that a kernel calls before anything else, so code that it cannot
   * compile throws wherever a call can lead, even if no thread gets there. Calls are followed
   * to the named class or its superclasses; the actual class of an object is not known here.
   */

  /** A method by its class's binary name, its name and its descriptor. */
  record Callee(String owner, String name, String descriptor) {
    @Override
    public String toString() {
      return owner.substring(owner.lastIndexOf('.') + 1) + "." + name;
    }
  }

  private final @Nullable ClassLoader loader;
  private final Map<Callee, Optional<String>> refusals = new ConcurrentHashMap<>();

  KernelCode(@Nullable ClassLoader loader) {
    this.loader = loader;
  }

  /** Why no device can run a kernel; empty if there is no reason. */
  Optional<String> refusal(String owner, String name, String descriptor) {
    return refusals.computeIfAbsent(
        new Callee(owner, name, descriptor), kernel -> new Walk().refusal(kernel));
  }

  /** One walk over all that a kernel reaches. */
  private final class Walk {
    private final Map<String, Optional<ClassModel>> classes = new HashMap<>();
    private final Set<Callee> seen = new HashSet<>();
    private final Deque<Callee> open = new ArrayDeque<>();

    Optional<String> refusal(Callee callee) {
      for (String owner = callee.owner(); owner != null; ) {
        ClassModel model = classFile(owner);
        if (model == null) {
          break;
        }
        for (MethodModel method : model.methods()) {
          if (method.methodName().equalsString(callee.name())
              && method.methodType().equalsString(callee.descriptor())) {
            return refusal(callee, model, method);
          }
        }
        owner =
            model
                .superclass()
                .map(type -> InstrumentedClasses.binaryName(type.asSymbol()))
                .orElse(null);
      }
      return Optional.empty();
    }

    private Optional<String> refusal(Callee callee, ClassModel model, MethodModel method) {
      CodeModel code = method.code().orElse(null);
      if (code == null || !seen.add(callee)) {
        return Optional.empty();
      }
      MethodScan scan = MethodScan.of(callee, model, method, code);
      if (scan.refusal().isPresent()) {
        return scan.refusal();
      }
      open.push(callee);
      for (Map.Entry<Callee, Integer> call : scan.calls().entrySet()) {
        Optional<String> refusal =
            open.contains(call.getKey())
                ? Optional.of(scan.recursion(call.getKey(), call.getValue()))
                : refusal(call.getKey());
        if (refusal.isPresent()) {
          return refusal;
        }
      }
      open.pop();
      return Optional.empty();
    }

    private @Nullable ClassModel classFile(String name) {
      return classes
          .computeIfAbsent(
              name,
              key ->
                  InstrumentedClasses.isShared(key)
                      ? Optional.empty()
                      : Optional.ofNullable(ClassFiles.read(key, loader))
                          .map(bytes -> ClassFile.of().parse(bytes)))
          .orElse(null);
    }
  }

  /** Whether the walk continues into a class. */
  static boolean isInlinedFrom(ClassDesc owner) {
    return owner.isClassOrInterface()
        && !InstrumentedClasses.isShared(InstrumentedClasses.binaryName(owner));
  }
}
