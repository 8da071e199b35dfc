package funnel.jit;

import funnel.jit.LoadedMethod.Refusal;
import funnel.kernel.AtLaunch;
import funnel.kernel.Scalars;
import funnel.operator.OperatorException;
import java.io.Serializable;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Copies kernel classes and replaces calls of {@link Placeholder} by calls of user-defined
 * functions, so that one source of a kernel serves every operator.
 *
 * <p>With a class {@code Sums} that calls {@code Placeholder.combine(a, b)},
 *
 * {@snippet class="funnel.docs.KernelCopySnippets" region="copy"}
 *
 * gives a class {@code Sums$copy} and a number in the same package, which contains the body of
 * {@code gcd} as a private static method and calls it instead of the placeholder. TornadoVM, which
 * inlines static calls, compiles it like a kernel that was written for {@code gcd}, and so does the
 * JVM's own compiler.
 *
 * <p>The static methods that a function calls are copied too, and so are the static methods of
 * Funnel through which the original reaches a placeholder, such as {@link Combine#apply}.
 * Placeholders reached through instance methods or other classes' fields are not found. A copy has
 * static fields of its own. Equal functions and constants give one copy of an original; a copy for
 * a device is one for all functions of equal code, and has the same name in every process. Copies,
 * of some kilobytes each, belong to the original's class loader and are unloaded only with it; they
 * do not keep the functions' classes loaded. Thread-safe.
 */
public final class KernelCopies {

  /** What names of the kernels' parameters for captured arrays begin with. */
  public static final String LOOK_UP = "lookUp";

  /** The name of the kernels' parameter in which look-ups outside arrays are noted. */
  public static final String MISSES = "misses";

  /** Of a kernel: TornadoVM has no tasks with more. */
  private static final int MOST_PARAMETERS = 20;

  /** What names of the kernels' parameters for arrays of arguments begin with. */
  public static final String ARGUMENT = "argument";

  /** The replacement of a placeholder. */
  public sealed interface Replacement {}

  /**
   * A user-defined function.
   *
   * @param function a lambda or method reference, as an object of a serializable interface whose
   *     method has the placeholder's parameters and result; for {@code map} and {@code test}, whose
   *     first argument is an index, it may take only the element
   */
  public record Body(Serializable function) implements Replacement {
    /** Requires non-null components. */
    public Body {
      Objects.requireNonNull(function, "function");
    }

    /** The user's own function. */
    Serializable own() {
      return RowFunction.own(function);
    }

    /** Where its arguments come from, if these are not the placeholder's. */
    List<RowFunction.Argument> arguments() {
      return function instanceof RowFunction row ? row.arguments() : List.of();
    }
  }

  /**
   * A number, for {@link Placeholder#operator} and {@link Placeholder#transform}.
   *
   * @param value the number that the placeholder returns
   */
  public record Constant(int value) implements Replacement {}

  /** The last two are about the code on a device. */
  private record Verdict(
      Optional<String> copyable, Optional<String> device, boolean isFloating, boolean isExact) {
    /** Of a function that runs on no device. */
    static Verdict refused(String reason) {
      return new Verdict(Optional.of(reason), Optional.of(reason), true, false);
    }
  }

  /**
   * A kernel of whose parameters of primitive types some or all are constants in a copy.
   *
   * @param name of the kernel
   * @param numbers the values by the parameters' names, in an order that all processes have
   */
  record Fixed(String name, Map<String, Object> numbers) {
    static final Fixed NONE = new Fixed("", Map.of());
  }

  private record Key(
      Class<?> original, Map<String, Object> replacements, Fixed fixed, boolean forDevice) {}

  /*
   * These two are tied to the class that declares the function, so that a notebook's cell can be
   * unloaded.
   */
  private static final ClassValue<Map<Key, Class<?>>> COPIES =
      new ClassValue<>() {
        @Override
        protected Map<Key, Class<?>> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private static final ClassValue<Map<String, Verdict>> VERDICTS =
      new ClassValue<>() {
        @Override
        protected Map<String, Verdict> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private static volatile boolean isArithmeticInexact;

  private static final Set<String> PLACEHOLDERS =
      Arrays.stream(Placeholder.class.getDeclaredMethods())
          .map(
              m ->
                  m.getName()
                      + MethodType.methodType(m.getReturnType(), m.getParameterTypes())
                          .descriptorString())
          .collect(Collectors.toCollection(TreeSet::new));

  /* A copy is written under a name that ends with zeros, and named by the digest of that. The name is
   * of the same length, so that it replaces the other one in the bytes. So a copy is there already if
   * a class of its name is, and what its code depends on is in the digest of its class file.
   */
  private static final String UNNAMED = "$copy" + "0".repeat(32);

  private KernelCopies() {}

  /**
   * A copy of a class with placeholder calls replaced.
   *
   * @param host a lookup with full access in the original's package
   * @param original the class, whose class file must be on the class path
   * @param replacements the replacements of placeholders, by name and descriptor: {@code
   *     "combine(II)I"}, {@code "test(IF)Z"}, {@code "operator()I"}. Placeholders that are not
   *     named stay unchanged
   * @return the copy, initialized. Functions that captured values or cannot be copied are called in
   *     its objects, see {@link #instance}
   * @throws IllegalArgumentException if there is no placeholder of a name, a replacement does not
   *     fit it, {@code host} is of another package, or the original uses private members of other
   *     classes
   */
  public static Class<?> copy(
      MethodHandles.Lookup host, Class<?> original, Map<String, Replacement> replacements) {
    return copy(host, original, replacements, Fixed.NONE, false);
  }

  /**
   * A copy for TornadoVM: like {@link #copy}, but what TornadoVM 5.2.0 compiles wrongly in
   * user-defined functions has another form.
   *
   * <p>In {@code (a, b) -> a >> 3 < b ? a : b}, {@code a >> 3} becomes {@code Scalars.shiftRight(a,
   * 3)}: so do shifts, divisions, remainders, comparisons, casts and calls of {@code Math} and of
   * the number classes become calls of {@link Scalars}, {@link funnel.kernel.IntegerMethods},
   * {@link funnel.kernel.FloatingMethods} and {@link funnel.math.ElementaryFunctions}, or of copies
   * of the JDK's own code. Each loop gets one exit. Conditions with {@code &&} and {@code ||} whose
   * value is a constant, as in {@code v -> v > 0 && (v < 10 || v == 77)}, get another form too if
   * TornadoVM's cuda backend is present, which loses negations in them; one condition alone, as in
   * {@code v -> v > 2}, stays as it is. The copy does the same as a plain one on the JVM, a little
   * slower.
   *
   * <p>One difference remains: a division of integers by zero, and {@code Math.clamp} with bounds
   * in the wrong order, give an undefined number on a device instead of an exception. A kernel with
   * a user-defined function is checked against the JVM on its first use all the same: on the cuda
   * backend, negations in nested conditions can still get lost where constants merge in a local
   * variable ({@code boolean x = false; if (a) { if (b || c) x = true; }}).
   *
   * @param host a lookup with full access in the original's package
   * @param original the class, whose class file must be on the class path
   * @param replacements the replacements of placeholders, as for {@link #copy}
   * @return the copy, initialized
   * @throws OperatorException if a function cannot be copied, see {@link #whyNotCopyable}
   * @throws IllegalArgumentException as {@link #copy} does
   */
  public static Class<?> copyForDevice(
      MethodHandles.Lookup host, Class<?> original, Map<String, Replacement> replacements) {
    return copy(host, original, replacements, Fixed.NONE, true);
  }

  /**
   * A copy for TornadoVM in which the numbers that a kernel takes are constants, so that it has
   * room for captured arrays among its parameters. What is {@link AtLaunch} stays a parameter as
   * long as there is room.
   *
   * @param numbers the numbers by the kernel's parameters, and others
   */
  static Class<?> copyForDevice(
      MethodHandles.Lookup host,
      Class<?> original,
      Map<String, Replacement> replacements,
      String kernel,
      Map<String, ?> numbers) {
    Map<String, Object> own = new TreeMap<>();
    for (Method method : original.getDeclaredMethods()) {
      if (method.getName().equals(kernel)) {
        Parameter[] all = method.getParameters();
        int arrays = (int) Stream.of(all).filter(each -> !each.getType().isPrimitive()).count();
        int room = MOST_PARAMETERS - arrays - extras(replacements, true).kernelParameters().size();
        for (Parameter each : all) {
          if (each.isAnnotationPresent(AtLaunch.class) && room > 0) {
            room--;
          } else if (each.getType().isPrimitive()
              && numbers.get(each.getName()) instanceof Number number) {
            own.put(each.getName(), number);
          }
        }
      }
    }
    return copy(
        host, original, replacements, new Fixed(kernel, Collections.unmodifiableMap(own)), true);
  }

  private static Class<?> copy(
      MethodHandles.Lookup host,
      Class<?> original,
      Map<String, Replacement> replacements,
      Fixed fixed,
      boolean forDevice) {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(original, "original");
    requireNeighbour(host, original);
    Key key = new Key(original, identities(replacements, forDevice), fixed, forDevice);
    Map<Key, Class<?>> copies = COPIES.get(keeper(key));
    Class<?> known = copies.get(key);
    if (known != null) {
      return known;
    }
    // Not under a lock: reading a final field of the user's class can run the user's code.
    Class<?> made = define(host, original, Map.copyOf(replacements), fixed, forDevice);
    Class<?> first = copies.putIfAbsent(key, made);
    return first == null ? made : first;
  }

  /**
   * Why a function cannot be copied into a kernel: it captures an object, is an instance method,
   * its class file cannot be found, or it uses members of its class that are not public. Empty if
   * it can be copied. A function that cannot be copied can still be called on the JVM.
   *
   * @param function a user-defined lambda or method reference
   */
  public static Optional<String> whyNotCopyable(Serializable function) {
    return verdict(function).copyable();
  }

  /**
   * Why a function cannot be compiled for a device: the reason of {@link #whyNotCopyable}, or
   * objects, exceptions, recursion or fields in its body or in the methods that it calls. Empty if
   * nothing of the kind was found; TornadoVM may still reject it, or JDK methods that it calls.
   *
   * @param function a user-defined lambda or method reference
   */
  public static Optional<String> deviceReason(Serializable function) {
    return verdict(function).device();
  }

  /**
   * Whether a function may give other bits on a device than on the JVM: it computes with
   * floating-point numbers, and calls something of the JDK or uses an operation that devices are
   * not known to compute as Java does.
   *
   * @param function a user-defined lambda or method reference
   */
  public static boolean mayDiffer(Serializable function) {
    Verdict verdict = verdict(function);
    return verdict.isFloating()
        && (isArithmeticInexact
            || !verdict.isExact()
            || JvmFunction.differs(RowFunction.own(function)));
  }

  /**
   * From now on all functions over floating-point numbers may give other bits on a device, since
   * its compiler does not round each operation by itself.
   */
  public static void takeArithmeticAsInexact() {
    isArithmeticInexact = true;
  }

  private static Verdict verdict(Serializable function) {
    try {
      LoadedMethod.Implementation behind =
          LoadedMethod.behind(RowFunction.own(Objects.requireNonNull(function, "function")));
      String name =
          behind.method().name()
              + behind.method().descriptor()
              + behind.calledAs()
              + behind.receiver();
      Map<String, Verdict> verdicts = VERDICTS.get(behind.method().owner());
      Verdict known = verdicts.get(name);
      if (known == null) {
        known = judge(behind);
        verdicts.put(name, known);
      }
      return known;
    } catch (Refusal refusal) {
      return Verdict.refused(refusal.reason());
    }
  }

  private static Verdict judge(LoadedMethod.Implementation behind) {
    CopyWriter writer =
        new CopyWriter(
            KernelCopies.class,
            KernelCopies.class.getName() + "$trial",
            Map.of(),
            new Extras(new TreeMap<>(Map.of("", behind.extras()))),
            Fixed.NONE,
            true);
    try {
      writer.tryOut(behind);
      List<String> reasons = writer.deviceReasons();
      return new Verdict(
          Optional.empty(),
          reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", reasons)),
          writer.isFloating(),
          writer.isExact());
    } catch (Refusal refusal) {
      return Verdict.refused(refusal.reason());
    } catch (IllegalArgumentException e) { // thrown by java.lang.classfile
      return Verdict.refused("its class file cannot be read: %s".formatted(e.getMessage()));
    }
  }

  private static void requireNeighbour(MethodHandles.Lookup host, Class<?> original) {
    Class<?> from = host.lookupClass();
    if (!from.getPackageName().equals(original.getPackageName())
        || from.getClassLoader() != original.getClassLoader()
        || (host.lookupModes() & MethodHandles.Lookup.PACKAGE) == 0) {
      throw new IllegalArgumentException(
          "a copy of %s needs a lookup from its package, this one is %s"
              .formatted(original.getName(), host));
    }
  }

  /**
   * The class with which a copy is kept: of a loader that can be unloaded before the original's, if
   * any.
   */
  private static Class<?> keeper(Key key) {
    for (Object part : key.replacements().values()) {
      Class<?> owner =
          switch (part) {
            case LoadedMethod.Implementation function -> function.method().owner();
            case List<?> row -> ((LoadedMethod.Implementation) row.getFirst()).method().owner();
            case Class<?> ofFunction -> ofFunction;
            default -> key.original();
          };
      if (owner.getClassLoader() != key.original().getClassLoader()) {
        return owner;
      }
    }
    return key.original();
  }

  /** Everything that a copy depends on; also checks the replacements against the placeholders. */
  private static Map<String, Object> identities(
      Map<String, Replacement> replacements, boolean forDevice) {
    Map<String, Object> identities = new TreeMap<>();
    replacements.forEach(
        (placeholder, replacement) -> {
          if (!PLACEHOLDERS.contains(placeholder)) {
            throw new IllegalArgumentException(
                "no placeholder %s, there are %s".formatted(placeholder, PLACEHOLDERS));
          }
          identities.put(placeholder, identity(placeholder, replacement, forDevice));
        });
    return identities;
  }

  private static Object identity(String placeholder, Replacement replacement, boolean forDevice) {
    switch (replacement) {
      case Constant(int value) -> {
        if (!placeholder.endsWith("()I")) {
          throw new IllegalArgumentException(
              "placeholder %s takes arguments: give it a Body, not the constant %s"
                  .formatted(placeholder, value));
        }
        return value;
      }
      case Body(Serializable function) -> {
        if (!forDevice && isCalled(function)) {
          CalledFunction called = CalledFunction.of(function);
          requireFit(placeholder, called.type().descriptorString(), called);
          return function.getClass();
        }
        Optional<String> reason = whyNotCopyable(function);
        if (reason.isPresent()) {
          throw new OperatorException(nameOf(function), reason.get());
        }
        if (function instanceof RowFunction row) {
          return List.of(LoadedMethod.behind(row.function()), row.arguments());
        }
        LoadedMethod.Implementation behind = LoadedMethod.behind(function);
        requireFit(placeholder, behind.calledAs(), behind.method());
        return behind;
      }
    }
  }

  private static void requireFit(String placeholder, String calledAs, Object function) {
    String ofIndexToo = "(I" + calledAs.substring(1);
    boolean leavesIndexOut =
        placeholder.equals("map" + ofIndexToo) || placeholder.equals("test" + ofIndexToo);
    if (!placeholder.endsWith(calledAs) && !leavesIndexOut) {
      throw new IllegalArgumentException(
          "placeholder %s cannot be replaced by a function called as %s (%s)"
              .formatted(placeholder, calledAs, function));
    }
  }

  /** Whether JVM loops call a function as an object, since its body cannot be copied as it is. */
  private static boolean isCalled(Serializable function) {
    return whyNotCopyable(function).isPresent()
        || LoadedMethod.behind(function).receiver() != null
        || !LoadedMethod.behind(function).extras().isEmpty();
  }

  private static Extras extras(Map<String, Replacement> replacements, boolean forDevice) {
    SortedMap<String, List<ClassDesc>> extras = new TreeMap<>();
    replacements.forEach(
        (placeholder, replacement) -> {
          if (replacement instanceof Body body) {
            Serializable function = body.function();
            List<ClassDesc> types =
                forDevice
                    ? Extras.types(LoadedMethod.behind(body.own()), body.arguments())
                    : isCalled(function) ? List.of(CalledFunction.of(function).owner()) : List.of();
            if (!types.isEmpty()) {
              extras.put(placeholder, types);
            }
          }
        });
    return new Extras(extras);
  }

  /**
   * A new object of a copy of a class, in which functions that captured values or cannot be copied
   * are called.
   */
  public static Object instance(
      MethodHandles.Lookup host, Class<?> original, Map<String, Replacement> replacements) {
    Class<?> copy = copy(host, original, replacements);
    Object[] functions =
        new TreeMap<>(replacements)
            .values().stream()
                .filter(Body.class::isInstance)
                .map(body -> ((Body) body).function())
                .filter(KernelCopies::isCalled)
                .map(JvmFunction::of)
                .toArray();
    return Extras.make(copy, functions);
  }

  /** Whether these values may change for the same functions, as variables of a notebook do. */
  static boolean mayChange(Map<String, Replacement> replacements) {
    return replacements.values().stream()
        .anyMatch(each -> each instanceof Body body && LoadedMethod.mayChange(body.own()));
  }

  /**
   * The values that functions captured, as ints that kernels read before the step's own ints; in
   * the order of the placeholders.
   */
  static int[] captured(Map<String, Replacement> replacements) {
    return new TreeMap<>(replacements)
        .values().stream()
            .filter(Body.class::isInstance)
            .flatMap(body -> LoadedMethod.extras(((Body) body).own()).stream())
            .flatMapToInt(value -> IntStream.of(Extras.ints(value)))
            .toArray();
  }

  /** The arrays that functions captured, in the order of their numbers. */
  static List<LookUp> lookUps(Map<String, Replacement> replacements) {
    return new TreeMap<>(replacements)
        .values().stream()
            .filter(Body.class::isInstance)
            .flatMap(body -> LoadedMethod.lookUps(((Body) body).own()).stream())
            .toList();
  }

  private static String nameOf(Serializable function) {
    try {
      return LoadedMethod.behind(RowFunction.own(function)).method().toString();
    } catch (Refusal refusal) {
      return function.getClass().getName();
    }
  }

  private static Class<?> define(
      MethodHandles.Lookup host,
      Class<?> original,
      Map<String, Replacement> replacements,
      Fixed fixed,
      boolean forDevice) {
    String numbers = forDevice || !fixed.equals(Fixed.NONE) ? "" : numbers(replacements);
    String name = original.getName() + (numbers.isEmpty() ? UNNAMED : "$copy" + numbers);
    Class<?> kept = numbers.isEmpty() ? null : find(name, original);
    if (kept != null) {
      return kept;
    }
    try {
      byte[] bytes =
          new CopyWriter(
                  original, name, replacements, extras(replacements, forDevice), fixed, forDevice)
              .copy();
      if (numbers.isEmpty()) {
        String digits = CodeDigest.hex(bytes).substring(0, UNNAMED.length() - "$copy".length());
        replace(UNNAMED, "$copy" + digits, bytes);
        name = original.getName() + "$copy" + digits;
      }
      return define(host, original, name, bytes);
    } catch (Refusal refusal) {
      throw new IllegalArgumentException(
          "%s cannot be copied: %s".formatted(original.getName(), refusal.reason()), refusal);
    } catch (IllegalAccessException | LinkageError e) {
      throw new IllegalStateException(
          "the copy %s with %s is not accepted by the JVM".formatted(name, replacements), e);
    }
  }

  private static Class<?> define(
      MethodHandles.Lookup host, Class<?> original, String name, byte[] bytes)
      throws IllegalAccessException {
    Class<?> known = ClassFiles.isMade(name) ? find(name, original) : null;
    if (known != null) {
      return known;
    }
    try {
      Class<?> copy = host.defineClass(bytes);
      ClassFiles.register(name, bytes);
      // Links it too, so that a verification error occurs here and not in the middle of a run.
      host.ensureInitialized(copy);
      return copy;
    } catch (LinkageError e) {
      Class<?> first = find(name, original); // another thread's
      if (first == null) {
        throw e;
      }
      ClassFiles.register(name, bytes);
      return first;
    }
  }

  /** Replaces all occurrences of a text by one of the same length. */
  private static void replace(String text, String by, byte[] bytes) {
    byte[] from = text.getBytes(StandardCharsets.US_ASCII);
    byte[] to = by.getBytes(StandardCharsets.US_ASCII);
    for (int at = 0; at + from.length <= bytes.length; at++) {
      if (bytes[at] == from[0]
          && Arrays.equals(bytes, at, at + from.length, from, 0, from.length)) {
        System.arraycopy(to, 0, bytes, at, to.length);
      }
    }
  }

  private static @Nullable Class<?> find(String copy, Class<?> original) {
    try {
      return Class.forName(copy, true, original.getClassLoader());
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /**
   * The end of the name of a copy that depends on numbers alone, such as the loops over our own
   * operators: it may be among the classes that the command starts with. Empty for others.
   */
  private static String numbers(Map<String, Replacement> replacements) {
    StringBuilder numbers = new StringBuilder();
    for (Map.Entry<String, Replacement> each : new TreeMap<>(replacements).entrySet()) {
      if (!(each.getValue() instanceof Constant(int value))) {
        return "";
      }
      String placeholder = each.getKey();
      numbers.append('_').append(placeholder, 0, placeholder.indexOf('(')).append(value);
    }
    return numbers.toString();
  }
}
