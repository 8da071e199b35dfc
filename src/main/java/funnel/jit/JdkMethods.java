package funnel.jit;

import funnel.kernel.FloatingMethods;
import funnel.kernel.IntegerMethods;
import funnel.kernel.Scalars;
import funnel.math.ElementaryFunctions;
import funnel.math.PowersOfTwo;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a user-defined function calls in place of static methods of the JDK. */
final class JdkMethods {

  /* Three kinds of methods, of the classes in COMPUTING. The elementary functions, which Java leaves
   * open to the last place, are Funnel's on every engine. So are those that depend on the bits of a
   * NaN. Others have a form for devices, a method with the same name and parameters. The rest is
   * copied from the JDK, with forms for its operations: Java's definition in Java's own words. Copies
   * refuse what throws or makes objects there as in the user's own methods.
   */

  private static final Logger LOG = LoggerFactory.getLogger(JdkMethods.class);

  private static final String PROPERTY = "funnel.math";

  /** Whether elementary functions are the JDK's and the device's own. */
  private static final boolean IS_PLATFORM = isPlatform(System.getProperty(PROPERTY, "funnel"));

  private static boolean isPlatform(String property) {
    switch (property) {
      case "funnel" -> {
        return false;
      }
      case "platform" -> {
        LOG.warn(
            "elementary functions are those of the JVM and of the device ({}={}): results may"
                + " differ in their last digits",
            PROPERTY,
            property);
        return true;
      }
      default ->
          throw new IllegalArgumentException(
              "-D%s=%s is neither funnel nor platform".formatted(PROPERTY, property));
    }
  }

  private static final Set<ClassDesc> COMPUTING =
      Stream.of(
              Math.class,
              StrictMath.class,
              Integer.class,
              Long.class,
              Short.class,
              Byte.class,
              Character.class,
              Boolean.class,
              Float.class,
              Double.class)
          .map(JdkMethods::desc)
          .collect(Collectors.toSet());

  private static final ClassDesc POWERS = desc(PowersOfTwo.class);

  private static final Map<String, Class<?>> FORMS =
      methods(name -> true, Scalars.class, FloatingMethods.class, IntegerMethods.class);

  /** Methods of Math that devices compute as Java does. */
  private static final Set<String> AS_THEY_ARE =
      Set.of("abs(F)F", "abs(D)D", "sqrt(D)D", "fma(FFF)F", "fma(DDD)D");

  private static final Map<String, Class<?>> EVERYWHERE =
      methods(
          Set.of("copySign", "floatToRawIntBits", "doubleToRawLongBits")::contains,
          ElementaryFunctions.class,
          FloatingMethods.class);

  private static final Set<String> ELEMENTARY =
      methods(name -> false, ElementaryFunctions.class).keySet();

  private JdkMethods() {}

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /**
   * The classes of methods by their names and descriptors, of several the last.
   *
   * @param ofOthers which methods of other classes than the first
   */
  private static Map<String, Class<?>> methods(
      Predicate<String> ofOthers, Class<?> first, Class<?>... others) {
    Map<String, Class<?>> methods = new HashMap<>();
    for (Class<?> type : Stream.concat(Stream.of(first), Stream.of(others)).toList()) {
      for (Method each : type.getDeclaredMethods()) {
        if (Modifier.isPublic(each.getModifiers())
            && (type == first || ofOthers.test(each.getName()))) {
          MethodType of = MethodType.methodType(each.getReturnType(), each.getParameterTypes());
          methods.put(each.getName() + of.descriptorString(), type);
        }
      }
    }
    return methods;
  }

  /** Whether a class has methods of numbers, of which devices compute those that they can. */
  static boolean isComputing(ClassDesc owner) {
    return COMPUTING.contains(owner);
  }

  /** Whether devices have static methods of a class of the JDK or of TornadoVM. */
  static boolean isOnDevices(ClassDesc owner) {
    return isComputing(owner) || owner.packageName().startsWith("uk.ac.manchester.");
  }

  /** Whether a class has forms of methods and operations, which nothing replaces. */
  static boolean hasForms(ClassDesc owner) {
    return DeviceForms.OWNERS.contains(owner);
  }

  /** Whether a class has elementary functions. */
  static boolean isOwn(ClassDesc owner) {
    return owner.packageName().equals(POWERS.packageName());
  }

  /** Funnel's class with a method that all engines call instead; null if they call this one. */
  static @Nullable Class<?> everywhere(ClassDesc owner, String name, MethodTypeDesc type) {
    String key = name + type.descriptorString();
    return isComputing(owner) && !(IS_PLATFORM && ELEMENTARY.contains(key))
        ? EVERYWHERE.get(key)
        : null;
  }

  /** The class with the form that devices have of a method; null if its own code is taken. */
  static @Nullable Class<?> form(ClassDesc owner, String name, MethodTypeDesc type) {
    String key = name + type.descriptorString();
    if (isComputing(owner) && AS_THEY_ARE.contains(key)) {
      return Math.class;
    }
    return isComputing(owner) || owner.equals(POWERS) ? FORMS.get(key) : null;
  }

  /** Whether a method of the JDK or of TornadoVM may give other bits on a device. */
  static boolean mayDiffer(ClassDesc owner, String name, MethodTypeDesc type) {
    return !isComputing(owner)
        || IS_PLATFORM && ELEMENTARY.contains(name + type.descriptorString());
  }
}
