package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.kernel.AtLaunch;
import funnel.operator.Operator;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Which numbers are parameters of a kernel whose function reads captured arrays. */
class LookUpCopiesTest {

  /** Kernels with numbers of both kinds in turn. */
  static final class Kernels {
    private Kernels() {}

    static void combine(
        KernelContext context,
        IntArray values,
        IntArray shape,
        int add,
        @AtLaunch int shapeAt,
        long factor,
        @AtLaunch int from,
        int to) {
      int combined = Combine.apply(7, values.get(from), values.get(from + 1));
      values.set(to, (combined + add) * (int) factor + shape.get(shapeAt));
    }

    static void crowded(
        KernelContext context,
        IntArray values,
        IntArray shape,
        IntArray a,
        IntArray b,
        IntArray c,
        IntArray d,
        IntArray e,
        IntArray f,
        IntArray g,
        IntArray h,
        IntArray i,
        IntArray j,
        IntArray k,
        IntArray l,
        @AtLaunch int shapeAt,
        @AtLaunch int from) {
      values.set(shape.get(shapeAt), Combine.apply(7, values.get(from), a.get(0)));
    }
  }

  private static Method copied(
      Operator.IntCombine function, String kernel, Map<String, ? extends Number> numbers) {
    Class<?> copy =
        KernelCopies.copyForDevice(
            MethodHandles.lookup(),
            Kernels.class,
            Map.of("combine(II)I", new KernelCopies.Body(function)),
            kernel,
            numbers);
    return Stream.of(copy.getDeclaredMethods())
        .filter(method -> method.getName().equals(kernel))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> numbers(Method kernel) {
    return Stream.of(kernel.getParameters())
        .filter(parameter -> parameter.getType().isPrimitive())
        .map(Parameter::getName)
        .toList();
  }

  private static Operator.IntCombine lookingUp(int[] table) {
    return (a, b) -> table[a] + b;
  }

  @Test
  void placesAreParameters_andTheOthersConstants() throws ReflectiveOperationException {
    Map<String, Number> numbers =
        Map.of("add", 5, "shapeAt", 2, "factor", 1000L, "from", 1, "to", 0);
    Method kernel = copied(lookingUp(new int[] {10, 20}), "combine", numbers);
    assertEquals(List.of("shapeAt", "from"), numbers(kernel));
    for (Parameter parameter : kernel.getParameters()) {
      assertEquals(
          parameter.getType() == int.class,
          parameter.isAnnotationPresent(AtLaunch.class),
          parameter.getName());
    }
    for (int from = 1; from < 3; from++) {
      IntArray values = IntArray.fromElements(0, 1, 0, 7);
      IntArray shape = IntArray.fromElements(2, 0, 3); // a length, the place of misses, its own
      LongArray misses = new LongArray(1);
      kernel.setAccessible(true);
      kernel.invoke(
          null, new KernelContext(), values, shape, 2, from, IntArray.fromElements(10, 20), misses);
      int combined = from == 1 ? 20 : 10 + 7;
      assertArrayEquals(
          new int[] {(combined + 5) * 1000 + 3, 1, 0, 7}, values.toHeapArray(), "from=" + from);
      assertEquals(0, misses.get(0));
    }
    Map<String, Number> elsewhere =
        Map.of("add", 5, "shapeAt", 22, "factor", 1000L, "from", 9, "to", 0);
    assertSame(
        kernel.getDeclaringClass(),
        copied(lookingUp(new int[9]), "combine", elsewhere).getDeclaringClass());
    Map<String, Number> another =
        Map.of("add", 6, "shapeAt", 2, "factor", 1000L, "from", 1, "to", 0);
    assertNotSame(
        kernel.getDeclaringClass(),
        copied(lookingUp(new int[2]), "combine", another).getDeclaringClass());
  }

  @Test
  void withoutRoom_placesAreConstants() {
    int[] a = {1};
    int[] b = {2};
    int[] c = {3};
    int[] d = {4};
    Map<String, Integer> numbers = Map.of("shapeAt", 2, "from", 1);
    Map<Operator.IntCombine, List<String>> kept =
        Map.of(
            (x, y) -> a[x] + b[y], List.of("shapeAt", "from"),
            (x, y) -> a[x] + b[y] + c[x], List.of("shapeAt"),
            (x, y) -> a[x] + b[y] + c[x] + d[y], List.of());
    kept.forEach(
        (function, names) -> {
          Method kernel = copied(function, "crowded", numbers);
          assertEquals(names, numbers(kernel));
          assertTrue(kernel.getParameterCount() <= 20, kernel::toString);
        });
  }
}
