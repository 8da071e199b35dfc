package funnel.jit;

import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the twin of a master, see {@link Twins}, over other types: {@code FloatToDoubleTotals} from
 * {@code IntToIntTotals}.
 *
 * {@snippet class="funnel.docs.KernelCopySnippets" region="twin"}
 *
 * <p>The master is its own twin over ints, and any twin can be passed instead of the master.
 * Thread-safe.
 */
public final class TwinClass {

  private static final String TYPES =
      Arrays.stream(ElementType.values())
          .map(TwinClass::prefix)
          .collect(Collectors.joining("|", "(?:", ")"));

  private static final Pattern NAME =
      Pattern.compile("(.*[.$]|)" + TYPES + "(To" + TYPES + "|)(\\p{Upper}\\w*)");

  private TwinClass() {}

  /**
   * The twin of a class with an element type only.
   *
   * @param lookup with access in the master's package
   * @param master the master, or any of its twins
   * @param element the twin's element type
   * @throws IllegalArgumentException if there is none, the class is not named like a master with an
   *     element type only, or the lookup has no access to the twin
   */
  public static Class<?> of(MethodHandles.Lookup lookup, Class<?> master, ElementType element) {
    return find(lookup, master, prefix(element), false)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s has no twin for %s elements".formatted(master.getName(), element)));
  }

  /**
   * The twin of a class with an element type and an accumulator type.
   *
   * @param lookup with access in the master's package
   * @param master the master, or any of its twins
   * @param element the twin's element type
   * @param accumulator its accumulator type
   * @throws IllegalArgumentException if there is none, or as {@link #find} does
   */
  public static Class<?> of(
      MethodHandles.Lookup lookup, Class<?> master, ElementType element, ElementType accumulator) {
    return find(lookup, master, element, accumulator)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s has no twin for %s elements to %s"
                        .formatted(master.getName(), element, accumulator)));
  }

  /**
   * The twin of a class with an element type and an accumulator type, if there is one.
   *
   * @param lookup with access in the master's package
   * @param master the master, or any of its twins
   * @param element the twin's element type
   * @param accumulator its accumulator type
   * @throws IllegalArgumentException if the class is not named like a master with two types, or the
   *     lookup has no access to the twin
   */
  public static Optional<Class<?>> find(
      MethodHandles.Lookup lookup, Class<?> master, ElementType element, ElementType accumulator) {
    return find(lookup, master, prefix(element) + "To" + prefix(accumulator), true);
  }

  /**
   * The twin of a class over one or two types, in a package that is open to this one.
   *
   * @throws IllegalArgumentException if there is none, or as {@link #find} does
   */
  public static Class<?> of(Class<?> master, ElementType... types) {
    return switch (types.length) {
      case 0 -> master;
      case 1 -> of(lookup(master), master, types[0]);
      default -> of(lookup(master), master, types[0], types[1]);
    };
  }

  /**
   * A lookup with full access to a class in a package that is open to this one.
   *
   * @throws IllegalArgumentException if it is not open
   */
  public static MethodHandles.Lookup lookup(Class<?> of) {
    try {
      return MethodHandles.privateLookupIn(of, MethodHandles.lookup());
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException(
          "%s is in a package that is not open to %s"
              .formatted(of.getName(), TwinClass.class.getModule()),
          e);
    }
  }

  private static Optional<Class<?>> find(
      MethodHandles.Lookup lookup, Class<?> master, String prefix, boolean twoTypes) {
    Objects.requireNonNull(lookup, "lookup");
    Matcher name = NAME.matcher(master.getName());
    if (!name.matches() || twoTypes == name.group(2).isEmpty()) {
      throw new IllegalArgumentException(
          "%s is not a master or twin: its name must begin with %s"
              .formatted(master.getName(), twoTypes ? "XToA, such as IntToInt" : "X, such as Int"));
    }
    String twin = name.group(1) + prefix + name.group(3);
    try {
      return Optional.of(lookup.findClass(twin));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException(
          "%s has no access to %s: give a lookup of its package".formatted(lookup, twin), e);
    }
  }

  private static String prefix(ElementType type) {
    return type.name().charAt(0) + type.name().substring(1).toLowerCase(Locale.ROOT);
  }
}
