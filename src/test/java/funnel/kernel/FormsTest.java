package funnel.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each form of a method of the JDK gives what that gives, and those of operations what they do. */
class FormsTest {

  private static final int RANDOM = 4000;

  private static final double[] DOUBLES = {
    0.0,
    -0.0,
    0.5,
    -0.5,
    1,
    -1.5,
    2.5,
    -3,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MIN_NORMAL,
    Double.MAX_VALUE,
    Float.MIN_VALUE,
    -Float.MAX_VALUE,
    0x1p31 - 0.5,
    -0x1p31 - 0.5,
    0x1p52 + 0.5,
    0x1p63,
    -0x1p63,
    0.49999999999999994,
    1 / 3.0
  };

  private static final long[] LONGS = {
    0,
    1,
    -1,
    2,
    -7,
    8,
    255,
    -128,
    32767,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 32,
    -1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1
  };

  private static final SplittableRandom DRAWN = Seed.random("forms");

  /** The JDK's methods by their names and descriptors. */
  private static Map<String, Method> ofTheJdk() {
    Map<String, Method> methods = new HashMap<>();
    for (Class<?> type :
        List.of(Integer.class, Long.class, Float.class, Double.class, Math.class)) {
      for (Method each : type.getMethods()) {
        if (Modifier.isStatic(each.getModifiers())) {
          methods.put(key(each), each);
        }
      }
    }
    return methods;
  }

  private static String key(Method method) {
    return method.getName()
        + MethodType.methodType(method.getReturnType(), method.getParameterTypes());
  }

  @TestFactory
  Stream<DynamicTest> methodsOfTheJdk() {
    Map<String, Method> known = ofTheJdk();
    List<Method> forms =
        Stream.of(Scalars.class, IntegerMethods.class, FloatingMethods.class)
            .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
            .filter(each -> Modifier.isPublic(each.getModifiers()) && known.containsKey(key(each)))
            .toList();
    assertTrue(forms.size() > 40, forms::toString);
    return forms.stream()
        .map(
            form ->
                DynamicTest.dynamicTest(
                    form.getDeclaringClass().getSimpleName() + "." + key(form) + Seed.replay(),
                    () -> compare(form, known.get(key(form)))));
  }

  private static void compare(Method form, Method expected) throws ReflectiveOperationException {
    Class<?>[] types = form.getParameterTypes();
    List<Object[]> all = new ArrayList<>();
    all.add(new Object[types.length]);
    for (int i = 0; i < types.length; i++) {
      List<Object[]> longer = new ArrayList<>();
      for (Object[] begun : all) {
        for (Object value : special(types[i])) {
          Object[] arguments = begun.clone();
          arguments[i] = value;
          longer.add(arguments);
        }
      }
      all = longer;
    }
    for (int i = 0; i < RANDOM; i++) {
      all.add(Stream.of(types).map(FormsTest::random).toArray());
    }
    for (Object[] arguments : all) {
      Object wanted;
      try {
        wanted = expected.invoke(null, arguments);
      } catch (InvocationTargetException e) { // bounds in the wrong order
        continue;
      }
      assertEquals(wanted, form.invoke(null, arguments), () -> Arrays.toString(arguments));
    }
  }

  private static List<Object> special(Class<?> type) {
    return Stream.concat(
            Arrays.stream(LONGS).mapToObj(each -> of(type, each, each)),
            Arrays.stream(DOUBLES).mapToObj(each -> of(type, (long) each, each)))
        .distinct()
        .toList();
  }

  private static Object random(Class<?> type) {
    long bits = DRAWN.nextLong() >> DRAWN.nextInt(64);
    double any = DRAWN.nextBoolean() ? Double.longBitsToDouble(bits) : DRAWN.nextInt(-99, 99) / 8d;
    double number = any == any ? any : Double.NaN; // the JDK's methods of bits see which NaN it is
    return of(type, bits, number);
  }

  private static Object of(Class<?> type, long whole, double number) {
    return switch (type.getName()) {
      case "int" -> (int) whole;
      case "long" -> whole;
      case "float" -> (float) number;
      default -> number;
    };
  }

  @Test
  void remainders() {
    for (double a : DOUBLES) {
      for (double b : DOUBLES) {
        requireRemainder(a, b);
      }
    }
    for (int i = 0; i < RANDOM; i++) {
      requireRemainder((double) random(double.class), (double) random(double.class));
    }
  }

  private static void requireRemainder(double a, double b) {
    assertEquals(a % b, FloatingMethods.remainder(a, b), () -> a + " % " + b + Seed.replay());
    float x = (float) a;
    float y = (float) b;
    assertEquals(x % y, FloatingMethods.remainder(x, y), () -> x + " % " + y + Seed.replay());
  }

  @Test
  void casts_toSmallTypes() {
    for (Object each : special(int.class)) {
      requireCasts((int) each);
    }
    for (int v = -70_000; v < 70_000; v++) {
      requireCasts(v);
    }
  }

  private static void requireCasts(int v) {
    assertEquals((byte) v, Scalars.toByte(v));
    assertEquals((short) v, Scalars.toShort(v));
    assertEquals((char) v, Scalars.toChar(v));
  }

  @Test
  void numbersThemselves() {
    for (Object each : special(long.class)) {
      long v = (long) each;
      assertEquals(v, IntegerMethods.unknown(v));
      assertEquals((int) v, IntegerMethods.unknown((int) v));
      assertFalse(IntegerMethods.isNever(v) | IntegerMethods.isNever((int) v));
    }
    for (double v : DOUBLES) {
      float f = (float) v;
      assertEquals(v, FloatingMethods.unknown(v));
      assertEquals(f, FloatingMethods.unknown(f));
      assertFalse(IntegerMethods.isNever(v) | IntegerMethods.isNever(f));
      assertEquals(Double.doubleToLongBits(v) < 0 ? 1 : 0, FloatingMethods.isNegative(v));
      assertEquals(Float.floatToIntBits(f) < 0 ? 1 : 0, FloatingMethods.isNegative(f));
    }
  }

  @Test
  void constants() {
    assertEquals(Double.POSITIVE_INFINITY, FloatingMethods.infinity(1d));
    assertEquals(Double.NEGATIVE_INFINITY, FloatingMethods.infinity(-1d));
    assertEquals(Float.POSITIVE_INFINITY, FloatingMethods.infinity(1f));
    assertEquals(Float.NEGATIVE_INFINITY, FloatingMethods.infinity(-1f));
    assertEquals(Double.NaN, FloatingMethods.notANumber(1d));
    assertEquals(Float.NaN, FloatingMethods.notANumber(1f));
  }
}
