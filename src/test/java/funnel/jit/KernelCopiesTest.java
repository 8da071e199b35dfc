package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.emulator.Emulator;
import funnel.kernel.KernelTask;
import funnel.operator.Operator;
import funnel.operator.OperatorException;
import funnel.operator.Transform;
import java.io.Serializable;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class KernelCopiesTest {

  private static Class<?> copy(Map<String, KernelCopies.Replacement> replacements) {
    return KernelCopies.copy(MethodHandles.lookup(), CopiedKernels.class, replacements);
  }

  private static PlaceholderCalls instance(Class<?> copy) {
    try {
      return (PlaceholderCalls)
          MethodHandles.lookup().findConstructor(copy, MethodType.methodType(void.class)).invoke();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static PlaceholderCalls with(String placeholder, Serializable function) {
    return instance(copy(Map.of(placeholder, new KernelCopies.Body(function))));
  }

  private static PlaceholderCalls combining(Operator.IntCombine function) {
    return with("combine(II)I", function);
  }

  @Test
  void lambdasOverAllTypes() {
    Operator.IntCombine ints = (a, b) -> 2 * a + b;
    Operator.LongCombine longs = (a, b) -> 2 * a + b;
    Operator.FloatCombine floats = (a, b) -> 2 * a + b;
    Operator.DoubleCombine doubles = (a, b) -> 2 * a + b;
    PlaceholderCalls copy =
        instance(
            copy(
                Map.of(
                    "combine(II)I", new KernelCopies.Body(ints),
                    "combine(JJ)J", new KernelCopies.Body(longs),
                    "combine(FF)F", new KernelCopies.Body(floats),
                    "combine(DD)D", new KernelCopies.Body(doubles))));
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      int a = random.nextInt();
      int b = random.nextInt();
      assertEquals(2 * a + b, copy.combine(a, b), "seed " + seed);
      assertEquals(2L * a + b, copy.combine((long) a, (long) b), "seed " + seed);
      assertEquals(2f * a + b, copy.combine((float) a, (float) b), "seed " + seed);
      assertEquals(2d * a + b, copy.combine((double) a, (double) b), "seed " + seed);
    }
  }

  @Test
  void mapsAndTestsOverAllTypes() {
    Transform.IntTest ints = v -> v > 1;
    Transform.LongTest longs = v -> v > 2;
    Transform.FloatTest floats = v -> v > 3;
    Transform.DoubleTest doubles = v -> v > 4;
    PlaceholderCalls tests =
        instance(
            copy(
                Map.of(
                    "test(II)Z", new KernelCopies.Body(ints),
                    "test(IJ)Z", new KernelCopies.Body(longs),
                    "test(IF)Z", new KernelCopies.Body(floats),
                    "test(ID)Z", new KernelCopies.Body(doubles))));
    assertTrue(tests.testAll(2, 3, 4, 5));
    assertFalse(tests.testAll(1, 3, 4, 5));
    assertFalse(tests.testAll(2, 2, 4, 5));
    assertFalse(tests.testAll(2, 3, 3, 5));
    assertFalse(tests.testAll(2, 3, 4, 4));

    Transform.LongMap squares = v -> v * v;
    assertEquals(49L, with("map(IJ)J", squares).map(7L));
    Transform.FloatMap half = UserFunctions.Mixed::half;
    assertEquals(3.5f, with("map(IF)F", half).map(7f));
    assertEquals(22d, with("map(ID)D", UserFunctions.INHERITED).map(7d));
    Transform.IndexedLongMap indexed = (i, v) -> 10 * i + v; // the index is -1
    assertEquals(-3L, with("map(IJ)J", indexed).map(7L));
  }

  @Test
  void staticMethodWithItsPrivateCallees() {
    PlaceholderCalls copy = combining(UserFunctions::gcd);
    assertEquals(6, copy.combine(-12, 18));
    assertEquals(7, copy.combine(0, -7));
  }

  @Test
  void privateMethodOfTheCallersOwn() {
    assertEquals(13, combining(KernelCopiesTest::own).combine(3, 4));
  }

  private static int own(int a, int b) {
    return 3 * a + b;
  }

  @Test
  void functionOfTheOriginalItself() {
    assertEquals(304, combining(CopiedKernels.OWN).combine(3, 4));
  }

  @Test
  void methodsOfTheJdkAreCalledWhereTheyAre() {
    assertEquals(9, combining(Math::max).combine(9, -9));
    assertEquals(0, combining(Integer::sum).combine(9, -9));
    Operator.DoubleCombine hypot = Math::hypot;
    assertEquals(5d, with("combine(DD)D", hypot).combine(3d, 4d));
  }

  @Test
  void staticFinalScalarsBecomeConstants() {
    assertEquals(
        Math.floorMod(300 * 400, 10007), combining(UserFunctions::modular).combine(300, 400));
  }

  @Test
  void widerParametersAndNarrowerResults() {
    Operator.LongCombine comparing = UserFunctions::comparing;
    PlaceholderCalls copy = with("combine(JJ)J", comparing);
    assertEquals(-1L, copy.combine(Long.MIN_VALUE, Long.MAX_VALUE));
    assertEquals(0L, copy.combine(5L, 5L));
    Transform.IntTest finite = Double::isFinite;
    assertTrue(
        instance(
                copy(
                    Map.of(
                        "test(II)Z", new KernelCopies.Body(finite),
                        "test(IJ)Z", new KernelCopies.Body((Transform.LongTest) v -> true),
                        "test(IF)Z", new KernelCopies.Body((Transform.FloatTest) Float::isFinite),
                        "test(ID)Z", new KernelCopies.Body((Transform.DoubleTest) v -> v != 0))))
            .testAll(1, 1, 1, 1));
  }

  @Test
  void lambdaInsideTheFunction() {
    assertEquals(12, combining(UserFunctions::withLambda).combine(-5, 7));
  }

  @Test
  void exceptionsOfTheFunctionArriveWithItsName() {
    PlaceholderCalls copy = combining(UserFunctions::throwing);
    assertEquals(5, copy.combine(2, 3));
    var thrown = assertThrows(IllegalStateException.class, () -> copy.combine(3, 2));
    assertEquals("a=3, b=2", thrown.getMessage());
    assertEquals("UserFunctions$throwing", thrown.getStackTrace()[0].getMethodName());
  }

  @Test
  void placeholdersInsideTheFunctionStayAsTheyAre() {
    assertEquals(3 + 7, combining(UserFunctions::combinedByFunnel).combine(3, 4));
  }

  @Test
  void placeholdersBehindMethodsOfFunnel() {
    PlaceholderCalls copy = combining((a, b) -> 10 * a + b);
    assertEquals(34, copy.combineByCode(7, 3, 4));
    assertEquals(7, copy.combineByCode(0, 3, 4));

    Transform.IntMap negated = v -> -v;
    PlaceholderCalls mapping = with("map(II)I", negated);
    assertEquals(-6 * 3 - 6, mapping.map(5));
    assertEquals(-5 + (-6 * 3 - 6), mapping.mapInStream(5));
    assertEquals(-5 * 3 - 5, mapping.mapInAnonymousLoop(5));
  }

  @Test
  void constants() {
    PlaceholderCalls copy =
        instance(
            copy(
                Map.of(
                    "operator()I", new KernelCopies.Constant(1_000_000),
                    "transform()I", new KernelCopies.Constant(-77))));
    assertEquals("a million -77", copy.codes());
    ClassModel model = classFile(copy.getClass());
    assertFalse(mentions(model, "transform"), "no call of a placeholder is left");
  }

  @Test
  void withoutReplacementsPlaceholdersStay() {
    PlaceholderCalls copy = instance(copy(Map.of()));
    assertEquals(3, copy.combine(3, 4));
    assertEquals("none -1", copy.codes());
    assertFalse(copy.testAll(1, 1, 1, 1));
    assertEquals(2.5, copy.map(2.5));
  }

  @Test
  void theOriginalIsUntouched() {
    combining((a, b) -> a * b);
    assertEquals(3, new CopiedKernels().combine(3, 4));
  }

  @Test
  void aCopyMeansItself() {
    PlaceholderCalls copy = combining((a, b) -> a - b);
    assertSame(copy.getClass(), copy.named());
    assertSame(copy.getClass(), copy.another().getClass());
    assertEquals(-1, copy.another().combine(3, 4));
    PlaceholderCalls other = combining((a, b) -> b - a);
    assertEquals(List.of(1, 2, 1, 3), List.of(copy.next(), copy.next(), other.next(), copy.next()));
    assertSame(CopiedKernels.class.getPackage(), copy.getClass().getPackage());
    assertSame(CopiedKernels.class.getClassLoader(), copy.getClass().getClassLoader());
  }

  @Test
  void tasksRunTheCopysKernel() throws ReflectiveOperationException {
    PlaceholderCalls copy = combining((a, b) -> 10 * a + b);
    IntArray values = IntArray.fromElements(1, 2, 3, 4);
    IntArray result = new IntArray(1);
    KernelTask task = copy.task(values, result, 4);
    Emulator.builder().build().run(task);
    assertEquals(1234, result.get(0));
    Method writeReplace = task.code().getClass().getDeclaredMethod("writeReplace");
    writeReplace.setAccessible(true);
    SerializedLambda lambda = (SerializedLambda) writeReplace.invoke(task.code());
    assertEquals(copy.getClass().getName().replace('.', '/'), lambda.getImplClass());
  }

  @Test
  void theClassFileIsRegisteredAndKeepsItsTables() {
    Class<?> copy = combining((a, b) -> a ^ b).getClass();
    assertTrue(ClassFiles.isMade(copy.getName()));
    ClassModel original = classFile(CopiedKernels.class);
    ClassModel made = classFile(copy);
    assertEquals(original.majorVersion(), made.majorVersion());
    assertEquals(original.flags().flagsMask(), made.flags().flagsMask());
    assertEquals(
        original.findAttribute(Attributes.sourceFile()).orElseThrow().sourceFile().stringValue(),
        made.findAttribute(Attributes.sourceFile()).orElseThrow().sourceFile().stringValue());
    assertFalse(mentions(made, "$deserializeLambda$"));
    for (MethodModel method : original.methods()) {
      String name = method.methodName().stringValue();
      if (!name.equals("$deserializeLambda$")) {
        assertEquals(
            tables(method)
                .replace("funnel/jit/CopiedKernels;", made.thisClass().asInternalName() + ";"),
            tables(method(made, method)),
            name);
      }
    }
    assertTrue(
        tables(method(made, method(original, "combine", "(II)I")))
            .contains("this L" + made.thisClass().asInternalName()));
  }

  private static MethodModel method(ClassModel model, MethodModel like) {
    return method(model, like.methodName().stringValue(), like.methodType().stringValue());
  }

  private static MethodModel method(ClassModel model, String name, String descriptor) {
    return model.methods().stream()
        .filter(m -> m.methodName().equalsString(name) && m.methodType().equalsString(descriptor))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + descriptor));
  }

  private static String tables(MethodModel method) {
    StringBuilder tables = new StringBuilder();
    method
        .code()
        .ifPresent(
            code -> {
              code.findAttribute(Attributes.lineNumberTable())
                  .ifPresent(
                      t -> t.lineNumbers().forEach(l -> tables.append(l.lineNumber()).append(' ')));
              code.findAttribute(Attributes.localVariableTable())
                  .ifPresent(
                      t ->
                          t.localVariables()
                              .forEach(
                                  v ->
                                      tables
                                          .append(v.slot())
                                          .append(' ')
                                          .append(v.name().stringValue())
                                          .append(' ')
                                          .append(v.type().stringValue())
                                          .append('\n')));
            });
    return tables.toString();
  }

  private static ClassModel classFile(Class<?> type) {
    return ClassFile.of()
        .parse(Objects.requireNonNull(ClassFiles.read(type.getName(), type.getClassLoader())));
  }

  private static boolean mentions(ClassModel model, String method) {
    for (var entry : model.constantPool()) {
      if (entry instanceof java.lang.classfile.constantpool.Utf8Entry text
          && text.equalsString(method)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void sameFunctionSameCopy() throws Exception {
    List<Callable<Class<?>>> calls = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      calls.add(
          () -> {
            Operator.IntCombine function = UserFunctions::gcd;
            return copy(Map.of("combine(II)I", new KernelCopies.Body(function)));
          });
    }
    Set<Class<?>> copies = new HashSet<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (Future<Class<?>> copy : threads.invokeAll(calls)) {
        copies.add(copy.get());
      }
    }
    assertEquals(1, copies.size(), copies.toString());
    assertNotSame(combining((a, b) -> a).getClass(), combining((a, b) -> a).getClass());
    assertNotSame(
        copy(Map.of("operator()I", new KernelCopies.Constant(1))),
        copy(Map.of("operator()I", new KernelCopies.Constant(2))));
    assertEquals( // so that the command finds those of a rehearsal
        CopiedKernels.class.getName() + "$copy_operator2",
        copy(Map.of("operator()I", new KernelCopies.Constant(2))).getName());
    assertSame(
        copy(Map.of("operator()I", new KernelCopies.Constant(1))),
        copy(Map.of("operator()I", new KernelCopies.Constant(1))));
  }

  // What cannot be copied

  private static PlaceholderCalls calling(String placeholder, Serializable function) {
    return (PlaceholderCalls)
        KernelCopies.instance(
            MethodHandles.lookup(),
            CopiedKernels.class,
            Map.of(placeholder, new KernelCopies.Body(function)));
  }

  /** A device refuses the function; the JVM, which calls it, does not. */
  private static PlaceholderCalls refused(
      String reason, Serializable function, String placeholder) {
    String said = KernelCopies.whyNotCopyable(function).orElse("nothing");
    assertTrue(said.contains(reason), said);
    assertEquals(said, KernelCopies.deviceReason(function).orElse("nothing"));
    OperatorException thrown =
        assertThrows(
            OperatorException.class,
            () ->
                KernelCopies.copyForDevice(
                    MethodHandles.lookup(),
                    CopiedKernels.class,
                    Map.of(placeholder, new KernelCopies.Body(function))));
    assertEquals(said, thrown.reason());
    assertTrue(thrown.getMessage().contains(said), thrown.getMessage());
    return calling(placeholder, function);
  }

  private static void refused(String reason, Operator.IntCombine function) {
    PlaceholderCalls calls = refused(reason, function, "combine(II)I");
    assertEquals(function.applyAsInt(3, 4), calls.combine(3, 4));
    assertEquals(function.applyAsInt(3, 4), calls.combineByCode(7, 3, 4));
  }

  /** A kernel that has the array of lengths, where copies find captured values. */
  static final class ShapedKernels {
    private ShapedKernels() {}

    static void combine(KernelContext context, IntArray values, IntArray shape, int shapeAt) {
      values.set(shape.get(shapeAt), Combine.apply(7, values.get(0), values.get(1)));
    }
  }

  @Test
  void capturedNumbers() throws ReflectiveOperationException {
    Set<Class<?>> copies = new HashSet<>();
    for (int k = 0; k < 2; k++) {
      Operator.IntCombine function = UserFunctions.capturing(3 * k, -4L);
      assertEquals("", KernelCopies.deviceReason(function).orElse(""));
      PlaceholderCalls calls = calling("combine(II)I", function);
      assertEquals(3 + 4 + 3 * k - 4, calls.combine(3, 4));
      copies.add(calls.getClass());

      Map<String, KernelCopies.Replacement> bodies =
          Map.of("combine(II)I", new KernelCopies.Body(function));
      Class<?> kernels =
          KernelCopies.copyForDevice(MethodHandles.lookup(), ShapedKernels.class, bodies);
      copies.add(kernels);
      int[] captured = KernelCopies.captured(bodies);
      IntArray shape = IntArray.fromArray(Arrays.copyOf(captured, captured.length + 1));
      shape.set(captured.length, 2); // the step's own
      IntArray values = IntArray.fromElements(3, 4, 0);
      kernels
          .getDeclaredMethod(
              "combine", KernelContext.class, IntArray.class, IntArray.class, int.class)
          .invoke(null, new KernelContext(), values, shape, captured.length);
      assertArrayEquals(new int[] {3, 4, 3 + 4 + 3 * k - 4}, values.toHeapArray());

      var thrown =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  KernelCopies.copyForDevice(MethodHandles.lookup(), CopiedKernels.class, bodies));
      assertTrue(thrown.getMessage().contains("shape and shapeAt"), thrown.getMessage());
    }
    assertEquals(2, copies.size(), "one for the JVM, one for devices, for all values");
    float factor = 3.5f;
    Transform.FloatMap times = v -> v * factor;
    assertEquals(7f, calling("map(IF)F", times).map(2f));
    assertEquals(8, combining(new UserFunctions(3).withinAnObject()).combine(3, 4));
  }

  @Test
  void capturedObjects() {
    refused("it captures an object of type int[][]: ", UserFunctions.capturing(new int[][] {{3}}));
    refused("it captures an object of type String: ", UserFunctions.capturing("text"));
    List<Float> factors = List.of(3.5f);
    Transform.FloatMap times = v -> v * factors.getFirst();
    PlaceholderCalls calls = refused("it captures an object of type List: ", times, "map(IF)F");
    assertEquals(7f, calls.map(2f));
    UserFunctions object = new UserFunctions(3);
    refused("compares objects", object.comparingThis());
    refused("keeps an object in a variable", object.keepingThis());
    refused("passes an object to offsetOf", object.passingThis());
    refused("is a method of an object", object.callingAnother((a, b) -> a + b));
    for (Operator.IntCombine ofObject :
        List.of(new UserFunctions(3).capturingThis(), new UserFunctions(3)::shifted)) {
      assertEquals(10, calling("combine(II)I", ofObject).combine(3, 4));
      assertEquals("", KernelCopies.deviceReason(ofObject).orElse(""));
    }
  }

  @Test
  void otherObjects() {
    refused("object of class funnel.jit.UserFunctions$OwnClass", new UserFunctions.OwnClass());
  }

  @Test
  void partsOfTheUsersClassThatAreNotPublic() {
    Operator.LongCombine fromTable = UserFunctions::fromTable;
    PlaceholderCalls calls =
        refused("reads the array funnel.jit.UserFunctions.", fromTable, "combine(JJ)J");
    assertEquals(3 * 2 + 1, calls.combine(2L, 1L));
    refused("uses funnel.jit.UserFunctions.", UserFunctions::counting);
  }

  @Test
  void locksAndBoxes() {
    refused("UserFunctions.locked is synchronized", UserFunctions::locked);
    refused("kernels do not box values", UserFunctions::boxed);
  }

  @Test
  void classFileThatIsNowhere() throws Throwable {
    Class<?> hidden =
        MethodHandles.lookup()
            .defineHiddenClass(
                ClassFiles.read(HiddenAway.class.getName(), HiddenAway.class.getClassLoader()),
                true)
            .lookupClass();
    Serializable function = (Serializable) hidden.getDeclaredMethod("function").invoke(null);
    String said = KernelCopies.whyNotCopyable(function).orElse("nothing");
    assertTrue(said.contains("HiddenAway"), said);
  }

  /** Becomes a hidden class, which has no name to find its class file by. */
  static final class HiddenAway {
    static Operator.IntCombine function() {
      return (a, b) -> a + b;
    }
  }

  @Test
  void nothingToSay() {
    Operator.IntCombine sum = Integer::sum;
    Operator.IntCombine gcd = UserFunctions::gcd;
    Operator.IntCombine modular = UserFunctions::modular;
    for (Operator.IntCombine function : List.of(sum, gcd, modular)) {
      assertEquals("", KernelCopies.whyNotCopyable(function).orElse(""));
      assertEquals("", KernelCopies.deviceReason(function).orElse(""));
    }
  }

  @Test
  void whatADeviceCannot() {
    Operator.IntCombine throwing = UserFunctions::throwing;
    Operator.IntCombine recursive = UserFunctions::recursiveGcd;
    Operator.IntCombine lambda = UserFunctions::withLambda;
    Map<Operator.IntCombine, String> reasons =
        Map.of(throwing, "throws", recursive, "recursive", lambda, "makes a lambda");
    reasons.forEach(
        (function, reason) -> {
          assertTrue(KernelCopies.whyNotCopyable(function).isEmpty());
          String said = KernelCopies.deviceReason(function).orElse("nothing");
          assertTrue(said.contains(reason), said);
        });
    assertEquals(6, combining(recursive).combine(12, 18));
  }

  // Wrong calls

  @ParameterizedTest
  @ValueSource(strings = {"combine", "combine(II)J", "combine(BB)B", "", "reduce(II)I"})
  void unknownPlaceholder(String placeholder) {
    Operator.IntCombine sum = Integer::sum;
    var thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> copy(Map.of(placeholder, new KernelCopies.Body(sum))));
    assertTrue(thrown.getMessage().contains("combine(II)I"), thrown.getMessage());
  }

  @Test
  void replacementThatDoesNotFit() {
    Operator.IntCombine sum = Integer::sum;
    assertThrows(
        IllegalArgumentException.class,
        () -> copy(Map.of("combine(JJ)J", new KernelCopies.Body(sum))));
    assertThrows(
        IllegalArgumentException.class,
        () -> copy(Map.of("combine(JJ)J", new KernelCopies.Constant(3))));
    assertThrows(
        IllegalArgumentException.class,
        () -> copy(Map.of("operator()I", new KernelCopies.Body(sum))));
  }

  @Test
  void lookupFromElsewhere() {
    for (MethodHandles.Lookup host :
        List.of(MethodHandles.publicLookup(), MethodHandles.lookup().in(Operator.class))) {
      var thrown =
          assertThrows(
              IllegalArgumentException.class,
              () -> KernelCopies.copy(host, CopiedKernels.class, Map.of()));
      assertTrue(thrown.getMessage().contains("CopiedKernels"), thrown.getMessage());
    }
  }

  /** Uses a private part of a class around it, which a copy cannot. */
  static final class Nosy {
    static int nosy() {
      return secret(Placeholder.map(-1, 3));
    }
  }

  private static int secret(int value) {
    return value * counter++;
  }

  private static int counter = 5;

  @Test
  void originalThatUsesPrivateFieldsOfItsNest() {
    var thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> KernelCopies.copy(MethodHandles.lookup(), Nosy.class, Map.of()));
    assertTrue(thrown.getMessage().contains("counter, which is not public"), thrown.getMessage());
    assertNotEquals(0, Nosy.nosy());
  }
}
