package funnel.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.emulator.Emulator;
import funnel.kernel.KernelTask.Grid;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels by name, and their launches by their parameters' names. */
class KernelTest {

  static void add(KernelContext context, IntArray x, int more) {
    x.set(context.globalIdx, x.get(context.globalIdx) + more);
  }

  static void ofTwoTypes(KernelContext context, IntArray x) {}

  static void ofTwoTypes(KernelContext context, FloatArray x) {}

  void ofAnObject(KernelContext context, IntArray x) {}

  static void withoutContext(IntArray x, KernelContext context) {}

  static void withoutParameters() {}

  private static void refused(
      Class<? extends RuntimeException> by, Executable call, String... inMessage) {
    String message = assertThrows(by, call).getMessage();
    for (String part : inMessage) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void argumentsAreBoundByNames_othersAreNotLookedAt() {
    IntArray x = IntArray.fromElements(1, 2, 3, 4);
    Kernel add = Kernel.of(KernelTest.class, "add");
    assertSame(add, Kernel.of(KernelTest.class, "add"));
    assertEquals("KernelTest.add", add.toString());
    KernelTask task = add.task("a", Grid.of(1, 4), Map.of("more", 5, "x", x, "other", "none"));
    assertEquals(2, task.arguments().size());
    Emulator.builder().build().run(task);
    assertArrayEquals(new int[] {6, 7, 8, 9}, x.toHeapArray());
  }

  @Test
  void bitsOfFloatsAreInts_andIntsThemselves() {
    FloatArray one = FloatArray.fromElements(1f);
    IntArray two = IntArray.fromElements(2);
    Kernel add = Kernel.of(KernelTest.class, "add");
    for (Object array : List.of(one, two)) {
      KernelTask task =
          add.task("a", Grid.of(1, 1), Map.of("more", 1, "x", new Kernel.Bits(array)));
      assertSame(array, task.arguments().getFirst());
      Emulator.builder().build().run(task);
    }
    assertEquals(Math.nextUp(1f), one.get(0));
    assertEquals(3, two.get(0));
  }

  static void swap(KernelContext context, LongArray pairs) {
    long pair = pairs.get(context.globalIdx);
    pairs.set(context.globalIdx, (pair << 32) | ((pair >> 32) & 0xffffffffL));
  }

  @Test
  void pairsOfIntsAreLongs() {
    IntArray five = IntArray.fromElements(1, -2, 3, 4, 5);
    Kernel swap = Kernel.of(KernelTest.class, "swap");
    Emulator.builder()
        .build()
        .run(swap.task("a", Grid.of(1, 2), Map.of("pairs", new Kernel.Bits(five))));
    assertArrayEquals(new int[] {-2, 1, 4, 3, 5}, five.toHeapArray());
    assertEquals(5, five.getSegmentWithHeader().get(ValueLayout.JAVA_INT, 0));
  }

  @Test
  void classesWithoutNamesOfParameters() throws IllegalAccessException {
    byte[] file =
        ClassFile.of()
            .build(
                ClassDesc.of("funnel.kernel.Unnamed"),
                type ->
                    type.withMethodBody(
                        "add",
                        MethodTypeDesc.of(
                            ConstantDescs.CD_void,
                            ClassDesc.of(KernelContext.class.getName()),
                            ClassDesc.of(IntArray.class.getName())),
                        ClassFile.ACC_STATIC,
                        CodeBuilder::return_));
    Class<?> unnamed = MethodHandles.lookup().defineClass(file);
    refused(IllegalArgumentException.class, () -> Kernel.of(unnamed, "add"), "-parameters");
  }

  @Test
  void argumentsThatDoNotFit() {
    Kernel add = Kernel.of(KernelTest.class, "add");
    Grid grid = Grid.of(1, 4);
    IntArray x = new IntArray(4);
    refused(
        IllegalArgumentException.class,
        () -> add.task("a", grid, Map.of("x", x)),
        "task a: parameter more of kernel KernelTest.add is of type Integer, its argument is"
            + " missing");
    refused(
        IllegalArgumentException.class,
        () -> add.task("a", grid, Map.of("more", 5L, "x", x)),
        "parameter more",
        "is of type Integer, its argument of Long");
    refused(
        IllegalArgumentException.class,
        () -> add.task("a", grid, Map.of("more", 5, "x", new FloatArray(4))),
        "parameter x",
        "is of type IntArray, its argument of FloatArray");
    refused(
        IllegalArgumentException.class,
        () -> add.task("a", grid, Map.of("more", 5, "x", new Kernel.Bits(new DoubleArray(4)))),
        "parameter x",
        "is of type IntArray, its argument of DoubleArray");
  }

  @Test
  void noKernels() {
    refused(
        NoSuchElementException.class,
        () -> Kernel.of(KernelTest.class, "sub"),
        "funnel.kernel.KernelTest has 0 methods sub");
    refused(
        NoSuchElementException.class,
        () -> Kernel.of(KernelTest.class, "ofTwoTypes"),
        "funnel.kernel.KernelTest has 2 methods ofTwoTypes");
    for (String name : new String[] {"ofAnObject", "withoutContext", "withoutParameters"}) {
      refused(
          IllegalArgumentException.class,
          () -> Kernel.of(KernelTest.class, name),
          name,
          "a kernel is static, and its first parameter is a KernelContext");
    }
  }

  @Test
  void namesOfConstants() {
    assertEquals("nanoseconds", Kernel.nameOf(TimeUnit.NANOSECONDS));
    assertEquals("twoWordsHere", Kernel.nameOf(Words.TWO_WORDS_HERE));
  }

  private enum Words {
    TWO_WORDS_HERE
  }
}
