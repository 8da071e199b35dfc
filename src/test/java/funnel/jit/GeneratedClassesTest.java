package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import funnel.Sdk;
import funnel.operator.Operator;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;
import java.util.Map;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaType;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.annotations.Parallel;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class GeneratedClassesTest {

  private static ResolvedJavaMethod methodOf(String descriptor) {
    ClassLoader loader = GeneratedClassesTest.class.getClassLoader();
    Object type =
        Proxy.newProxyInstance(
            loader, new Class<?>[] {ResolvedJavaType.class}, (p, m, a) -> descriptor);
    return (ResolvedJavaMethod)
        Proxy.newProxyInstance(
            loader,
            new Class<?>[] {ResolvedJavaMethod.class},
            (p, m, a) -> m.getName().equals("hashCode") ? 0 : type);
  }

  private static int annotations(Class<?> type) {
    return new GeneratedClasses().getParallelAnnotations(methodOf(type.descriptorString())).length;
  }

  @Test
  void noneInCopies() {
    Operator.IntCombine sum = Integer::sum;
    Class<?> copy =
        KernelCopies.copy(
            MethodHandles.lookup(),
            CopiedKernels.class,
            Map.of("combine(II)I", new KernelCopies.Body(sum)));
    assertEquals(0, annotations(copy));
  }

  @Test
  void noneInClassesThatAreNotOnTheClassPath() {
    var method = methodOf("LREPL/Cell7;");
    assertEquals(0, new GeneratedClasses().getParallelAnnotations(method).length);
  }

  @Test
  void noneInClassesThatDoNotNameTheAnnotation() {
    assertEquals(0, annotations(CopiedKernels.class));
    assertEquals(0, annotations(String.class));
  }

  private static final class ParallelLoop {
    static void fill(IntArray array) {
      for (@Parallel int i = 0; i < array.getSize(); i++) {
        array.set(i, i);
      }
    }
  }

  @Test
  void othersAreLeftToTornadoVm() {
    assumeFalse(Sdk.isHere(), "TornadoVM is here and takes its own methods only");
    var thrown = assertThrows(IllegalStateException.class, () -> annotations(ParallelLoop.class));
    assertTrue(thrown.getMessage().contains("argfile"), thrown.getMessage());
  }
}
