package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Graphs;
import funnel.docs.KernelCopySnippets.Fold;
import funnel.docs.KernelCopySnippets.IntFold;
import funnel.docs.KernelCopySnippets.Sums;
import funnel.emulator.Emulator;
import funnel.jit.FunctionCopies;
import funnel.operator.Operator;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;
import java.util.List;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of copies do what they say. */
class KernelCopySnippetsTest {

  private static final Operator GCD = Operator.ofInt("gcd", 0, KernelCopySnippets::gcd);

  @Test
  void copy() {
    assertEquals(6, KernelCopySnippets.gcds().of(12, 18, 30));
    String name = KernelCopySnippets.gcds().getClass().getName();
    assertTrue(name.startsWith("funnel.docs.KernelCopySnippets$Sums$copy"), name);
  }

  @Test
  void placeholder_givesItsFirstArgumentOutsideOfACopy() {
    assertEquals(12, new Sums().of(12, 18, 30));
  }

  @Test
  void pairs_inTheEmulator() {
    IntArray in = IntArray.fromElements(12, 18, 35, 21);
    IntArray out = new IntArray(2);
    Emulator emulator = Emulator.builder().build();
    emulator.run(KernelCopySnippets.pairs(Operator.SUM, in, out));
    assertArrayEquals(new int[] {30, 56}, out.toHeapArray());
    emulator.run(KernelCopySnippets.pairs(GCD, in, out));
    assertArrayEquals(new int[] {6, 7}, out.toHeapArray());
  }

  @Tag("gpu")
  @Test
  void pairs_onDevice() throws Exception {
    IntArray in = IntArray.fromElements(12, 18, 35, 21);
    IntArray out = new IntArray(2);
    Graphs.run(KernelCopySnippets.pairs(GCD, in, out), in, out);
    assertArrayEquals(new int[] {6, 7}, out.toHeapArray());
  }

  private static int fold(Operator operator, int... values) {
    Fold fold = FunctionCopies.loops(MethodHandles.lookup(), Fold.class, IntFold.class, operator);
    return fold.of(values);
  }

  @Test
  void loops() {
    assertEquals(8, KernelCopySnippets.sumModulo(10, 5, 6, 7));
    assertEquals(6, fold(GCD, 12, 18, 30));
    assertEquals(18, fold(Operator.SUM, 5, 6, 7));
  }

  @Test
  void twin() {
    assertEquals(KernelCopySnippets.DoubleFold.class, KernelCopySnippets.doubles());
  }

  @Test
  void classFile() {
    assertEquals(List.of("<init>", "of"), KernelCopySnippets.methods(Sums.class));
    assertEquals(
        List.of("<init>", "of", "ofFunctions$", "KernelCopySnippets$gcd"),
        KernelCopySnippets.methods(KernelCopySnippets.gcds().getClass()));
    Class<?> hidden = ((Runnable) () -> {}).getClass();
    assertThrows(IllegalArgumentException.class, () -> KernelCopySnippets.methods(hidden));
  }

  @Test
  void digest() {
    IntArray array = new IntArray(2);
    String gcds = KernelCopySnippets.file(KernelCopySnippets.pairs(GCD, array, array)).orElse("");
    String sums =
        KernelCopySnippets.file(KernelCopySnippets.pairs(Operator.SUM, array, array)).orElse("");
    assertTrue(gcds.matches("combine-[0-9a-f]{64}"), gcds);
    assertTrue(sums.matches("combine-[0-9a-f]{64}"), sums);
    assertNotEquals(gcds, sums);
  }

  @Test
  void provider() {
    ClassLoader loader = getClass().getClassLoader();
    String descriptor = KernelCopySnippets.gcds().getClass().descriptorString();
    Object type =
        Proxy.newProxyInstance(
            loader, new Class<?>[] {ResolvedJavaType.class}, (p, m, a) -> descriptor);
    Object method =
        Proxy.newProxyInstance(
            loader, new Class<?>[] {ResolvedJavaMethod.class}, (p, m, a) -> type);
    assertEquals(0, KernelCopySnippets.parallelLoops((ResolvedJavaMethod) method));
  }
}
