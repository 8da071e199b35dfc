package funnel.engine.tornado;

import funnel.engine.device.DeviceContext;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Members of TornadoVM's objects that its API does not have. */
final class Members {

  private record Name(Class<?> of, String name, int parameters) {}

  private static final int FIELD = -1;
  private static final String CONSTRUCTOR = "<init>";

  /** What was found in classes: finding takes longer than using. */
  private static final Map<Name, AccessibleObject> FOUND = new ConcurrentHashMap<>();

  private Members() {}

  /** The value of a field, which must not be null. */
  static Object field(Object of, String name) {
    Field field = field(of.getClass(), name);
    return used(of.getClass(), name, () -> Objects.requireNonNull(field.get(of), name));
  }

  /** Sets a field. */
  static void set(Object of, String name, Object value) {
    Field field = field(of.getClass(), name);
    var _ =
        used(
            of.getClass(),
            name,
            () -> {
              field.set(of, value);
              return value;
            });
  }

  /** A field of a class or of one above it. */
  static Field field(Class<?> of, String name) {
    return (Field)
        found(
            new Name(of, name, FIELD),
            type ->
                Stream.of(type.getDeclaredFields()).filter(each -> each.getName().equals(name)));
  }

  /** The result of a method, which must not be null. */
  static Object result(Object of, String name, Object... arguments) {
    return Objects.requireNonNull(call(of, name, arguments), name);
  }

  /** Calls a method, which is found by its name and its number of parameters. */
  static @Nullable Object call(Object of, String name, Object... arguments) {
    Method method = method(of.getClass(), name, arguments.length);
    return used(of.getClass(), name, () -> method.invoke(of, arguments));
  }

  /** Calls a static method. */
  static Object ofClass(Class<?> of, String name, Object... arguments) {
    Method method = method(of, name, arguments.length);
    return used(
        of, name, () -> Objects.requireNonNull(method.invoke(null, arguments), method::toString));
  }

  /** A method of a class or of one above it. */
  static Method method(Class<?> of, String name, int parameters) {
    return (Method)
        found(
            new Name(of, name, parameters),
            type ->
                Stream.of(type.getDeclaredMethods())
                    .filter(each -> each.getName().equals(name) && !each.isBridge())
                    .filter(each -> each.getParameterCount() == parameters));
  }

  /** A new object, by the constructor with that many parameters. */
  static Object made(Class<?> of, Object... arguments) {
    Constructor<?> constructor = constructor(of, arguments.length);
    return used(of, CONSTRUCTOR, () -> constructor.newInstance(arguments));
  }

  /** The constructor of a class with that many parameters. */
  static Constructor<?> constructor(Class<?> of, int parameters) {
    return (Constructor<?>)
        found(
            new Name(of, CONSTRUCTOR, parameters),
            type ->
                Stream.of(type.getDeclaredConstructors())
                    .filter(each -> type == of && each.getParameterCount() == parameters));
  }

  /** A class beside that of an object: of the same loader, in a package below or beside its own. */
  static Class<?> type(Object beside, String name) {
    try {
      return Class.forName(name, true, beside.getClass().getClassLoader());
    } catch (ClassNotFoundException e) {
      throw otherVersion(beside.getClass(), name, e);
    }
  }

  private interface Use<R extends @Nullable Object> {
    R make() throws ReflectiveOperationException;
  }

  /** What a method throws is thrown as it is. */
  private static <R extends @Nullable Object> R used(Class<?> of, String name, Use<R> use) {
    try {
      return use.make();
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      if (e.getCause() instanceof Error thrown) {
        throw thrown;
      }
      throw otherVersion(of, name, e);
    } catch (ReflectiveOperationException e) {
      throw otherVersion(of, name, e);
    }
  }

  /** The first such member of a class or of the classes above it. */
  private static AccessibleObject found(
      Name name, Function<Class<?>, Stream<? extends AccessibleObject>> members) {
    return FOUND.computeIfAbsent(name, _ -> first(name, members));
  }

  private static AccessibleObject first(
      Name name, Function<Class<?>, Stream<? extends AccessibleObject>> members) {
    try {
      for (Class<?> type = name.of; type != null; type = type.getSuperclass()) {
        Optional<? extends AccessibleObject> member = members.apply(type).findFirst();
        if (member.isPresent()) {
          member.get().setAccessible(true);
          return member.get();
        }
      }
      throw new NoSuchFieldException(name.name);
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw otherVersion(name.of, name.name, e);
    }
  }

  /** This TornadoVM lacks a member. */
  static IllegalStateException otherVersion(Class<?> of, String name, @Nullable Exception e) {
    return new IllegalStateException(
        "another version of TornadoVM is needed: %s of %s cannot be used (%s)"
            .formatted(name, of.getName(), e == null ? "there is none" : DeviceContext.reason(e)),
        e);
  }
}
