package funnel.docs;

import funnel.jit.ClassFiles;
import funnel.jit.CodeDigest;
import funnel.jit.Combine;
import funnel.jit.FunctionCopies;
import funnel.jit.GeneratedClasses;
import funnel.jit.KernelCopies;
import funnel.jit.Placeholder;
import funnel.jit.TwinClass;
import funnel.kernel.Kernel;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import java.lang.classfile.ClassFile;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.runtime.ASMClassVisitorProvider;

/** The examples of what brings a user's operator into kernels and loops. */
final class KernelCopySnippets {

  private KernelCopySnippets() {}

  // @start region="sums"
  /** What copies of {@link Sums} are called through. */
  interface Totals {
    int of(int... values);
  }

  /** The one source: in a copy, a user's operator takes the placeholder's place. */
  static final class Sums implements Totals {
    @Override
    public int of(int... values) {
      int sum = values[0];
      for (int i = 1; i < values.length; i++) {
        sum = Placeholder.combine(sum, values[i]);
      }
      return sum;
    }
  }

  // @end

  static int gcd(int a, int b) {
    while (b != 0) {
      int rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  static Totals gcds() {
    // @start region="copy"
    Operator.IntCombine gcd = KernelCopySnippets::gcd;
    Class<?> copy =
        KernelCopies.copy(
            MethodHandles.lookup(), Sums.class, Map.of("combine(II)I", new KernelCopies.Body(gcd)));
    Totals gcds = FunctionCopies.instance(MethodHandles.lookup(), Totals.class, copy);
    // gcds.of(12, 18, 30) is 6
    // @end
    return gcds;
  }

  // @start region="pairs"
  /** Combines each two neighbours: one thread a pair. */
  static final class PairKernels {
    private PairKernels() {}

    static void combine(KernelContext context, IntArray in, IntArray out, int operator) {
      int i = context.globalIdx;
      if (i < out.getSize()) {
        out.set(i, Combine.apply(operator, in.get(2 * i), in.get(2 * i + 1)));
      }
    }
  }

  // @end

  // @start region="kernels"
  /** 12, 18, 35, 21 are combined to 30, 56 by Operator.SUM, to 6, 7 by a user's gcd. */
  static KernelTask pairs(Operator operator, IntArray in, IntArray out) {
    Class<?> kernels =
        FunctionCopies.kernels(MethodHandles.lookup(), PairKernels.class, operator, List.of());
    Grid grid = Grid.of(Math.ceilDiv(out.getSize(), 64), 64);
    return Kernel.of(kernels, "combine")
        .task("pairs", grid, Map.of("in", in, "out", out, "operator", operator.code()));
  }

  // @end

  /** What copies of {@link IntFold} are called through. */
  interface Fold {
    int of(int... values);
  }

  // @start region="loops"
  /** A loop over any operator, whose code is a constant in each copy. */
  static final class IntFold implements Fold {
    @Override
    public int of(int... values) {
      int folded = values[0];
      for (int i = 1; i < values.length; i++) {
        folded = Combine.apply(Placeholder.operator(), folded, values[i]);
      }
      return folded;
    }
  }

  static int sumModulo(int modulus, int... values) { // modulo 10, of 5, 6, 7 it is 8
    Operator sum = Operator.ofInt("sum", 0, (a, b) -> (a + b) % modulus); // captures modulus
    Fold fold = FunctionCopies.loops(MethodHandles.lookup(), Fold.class, IntFold.class, sum);
    return fold.of(values);
  }

  // @end

  // @start region="twin"
  /** A master's twin over doubles, as the build writes it; {@link IntFold} is its master. */
  static final class DoubleFold {}

  static Class<?> doubles() { // DoubleFold
    return TwinClass.of(MethodHandles.lookup(), IntFold.class, ElementType.DOUBLE);
  }

  // @end

  // @start region="class-file"
  /** Names of a class's methods, be it from the class path or made at run time. */
  static List<String> methods(Class<?> type) {
    byte[] bytes = ClassFiles.read(type.getName(), type.getClassLoader());
    if (bytes == null) {
      throw new IllegalArgumentException("no class file of " + type);
    }
    return ClassFile.of().parse(bytes).methods().stream()
        .map(method -> method.methodName().stringValue())
        .toList();
  }

  // @end

  // @start region="digest"
  /** A file for what is compiled from a task; empty if it would be wrong in another process. */
  static Optional<String> file(KernelTask task) { // such as combine-5f0c... for the task above
    return task.method()
        .flatMap(
            kernel ->
                CodeDigest.of(kernel.getDeclaringClass())
                    .map(digest -> kernel.getName() + "-" + digest));
  }

  // @end

  // @start region="provider"
  // java -Dtornado.load.annotation.implementation=funnel.jit.GeneratedClasses ...
  static int parallelLoops(ResolvedJavaMethod method) { // which TornadoVM is about to compile
    ASMClassVisitorProvider provider = new GeneratedClasses();
    return provider.getParallelAnnotations(method).length; // 0 in a copy
  }
  // @end
}
