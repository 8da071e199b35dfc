package funnel.engine.tornado;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import funnel.kernel.AtLaunch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Keys change with what the code of a kernel depends on, and with nothing else. */
class KernelKeyTest {

  /** Kernels that ask for elements alone. */
  static final class Kernels {
    private Kernels() {}

    static void put(KernelContext context, IntArray values, int number, @AtLaunch int at) {
      values.set(at, number);
    }

    static void same(KernelContext context, IntArray values, int number, @AtLaunch int at) {
      values.set(at, number);
    }
  }

  /** As the other class. */
  static final class Others {
    private Others() {}

    static void put(KernelContext context, IntArray values, int number, @AtLaunch int at) {
      values.set(at, number);
    }
  }

  /** A kernel that asks for a length, which TornadoVM compiles in. */
  static final class Asking {
    private Asking() {}

    static void put(KernelContext context, IntArray values, int number, @AtLaunch int at) {
      values.set(at, values.getSize());
    }
  }

  /** A kernel whose code depends on what no class file says. */
  static final class Unknown {
    private Unknown() {}

    static int changes = 1;

    static void put(KernelContext context, IntArray values, int number, @AtLaunch int at) {
      values.set(at, changes);
    }
  }

  private static final KernelKey KEYS = new KernelKey(List.of("sm_90", "driver"));

  private static Method kernel(Class<?> of, String name) {
    return Stream.of(of.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static @Nullable String key(KernelKey keys, Class<?> of, String name, Object... more) {
    List<Object> arguments = new ArrayList<>(List.of(new KernelContext()));
    arguments.addAll(List.of(more));
    return keys.of(kernel(of, name), arguments);
  }

  private static @Nullable String key(Object... arguments) {
    return key(KEYS, Kernels.class, "put", arguments);
  }

  private static final Object X = new IntArray(3);

  @Test
  void otherArraysLengthsAndNumbersAtLaunch_haveTheSameKey() {
    String key = key(X, 7, 0);
    assertNotNull(key);
    assertEquals(key, key(new IntArray(3), 7, 0));
    assertEquals(key, key(new IntArray(1000), 7, 0));
    assertEquals(key, key(X, 7, 123));
    assertEquals(
        key, key(new KernelKey(List.of("sm_90", "driver")), Kernels.class, "put", X, 7, 0));
  }

  /** Each of which is another kernel. */
  @Test
  void everythingElse_hasAnother() {
    List<@Nullable String> keys = new ArrayList<>();
    keys.add(key(X, 7, 0));
    keys.add(key(X, 8, 0));
    keys.add(key(X, 7L, 0));
    keys.add(key(X, (short) 7, 0));
    keys.add(key(X, (byte) 7, 0));
    keys.add(key(X, 7, 0L));
    keys.add(key(new FloatArray(3), 7, 0));
    keys.add(key(X, 7));
    keys.add(key(KEYS, Kernels.class, "same", X, 7, 0));
    keys.add(key(KEYS, Others.class, "put", X, 7, 0));
    keys.add(key(new KernelKey(List.of("sm_80", "driver")), Kernels.class, "put", X, 7, 0));
    keys.add(key(new KernelKey(List.of("sm_9", "0driver")), Kernels.class, "put", X, 7, 0));
    requireAllDiffer(keys);
  }

  /** What another process does. */
  public static void main(String[] arguments) {
    System.out.println("key " + key(X, 7, 0));
  }

  private static String keyWith(String option) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of(option, "-cp", System.getProperty("java.class.path")));
    command.add(KernelKeyTest.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), lines);
    return lines.lines().filter(line -> line.startsWith("key ")).findFirst().orElse(lines);
  }

  /** TornadoVM compiles in where elements begin. */
  @Test
  void anotherLayoutOfObjects_hasAnother() throws Exception {
    List<@Nullable String> keys = new ArrayList<>();
    keys.add(keyWith("-Xmx1g"));
    assertEquals(keys.getFirst(), keyWith("-Xmx2g"));
    for (String option : List.of("-XX:-UseCompressedOops", "-XX:+UseCompactObjectHeaders")) {
      keys.add(keyWith(option));
    }
    requireAllDiffer(keys);
  }

  /** So do other class files of what emits kernels. */
  @Test
  void classFiles_haveADigest() {
    String emits = KernelKey.ofClasses(Emission.class);
    assertEquals(emits, KernelKey.ofClasses(Emission.class));
    requireAllDiffer(
        Arrays.asList(
            emits,
            KernelKey.ofClasses(Assembler.class),
            KernelKey.ofClasses(Emission.class, Assembler.class)));
  }

  @Test
  void floatingPointNumbers_countByTheirBits() {
    List<@Nullable String> keys = new ArrayList<>();
    for (int bits : new int[] {0, 1 << 31, 1, 0x7fc00000, 0x7fc00001, 0xffc00000, 0x7f800000}) {
      keys.add(key(X, Float.intBitsToFloat(bits), 0));
    }
    for (long bits :
        new long[] {0, 1L << 63, 1, 0x7ff8000000000000L, 0x7ff8000000000001L, -1L, 0x7ffL << 52}) {
      keys.add(key(X, Double.longBitsToDouble(bits), 0));
    }
    requireAllDiffer(keys);
    assertEquals(key(X, Float.NaN, 0), key(X, Float.NaN, 0));
  }

  private static void requireAllDiffer(List<@Nullable String> keys) {
    Set<@Nullable String> different = new HashSet<>(keys);
    different.remove(null);
    assertEquals(keys.size(), different.size(), keys::toString);
  }

  @Test
  void lengths_countWhereAKernelAsksForThem() {
    String key = key(KEYS, Asking.class, "put", X, 7, 0);
    assertNotNull(key);
    assertEquals(key, key(KEYS, Asking.class, "put", new IntArray(3), 7, 0));
    assertNotEquals(key, key(KEYS, Asking.class, "put", new IntArray(4), 7, 0));
  }

  static Stream<Object> unknown() {
    return Stream.of(
        new int[3], "text", true, 'c', new AtomicInteger(7), BigInteger.TWO, List.of(7));
  }

  @ParameterizedTest
  @MethodSource("unknown")
  void argumentsOfUnknownKinds_haveNone(Object argument) {
    assertNull(key(X, argument, 0));
  }

  @Test
  void codeThatCannotBeKnown_hasNone() {
    assertNull(key(KEYS, Unknown.class, "put", X, 7, 0));
  }

  /** TornadoVM reads some each time, so also those that are set after the start. */
  @Test
  void propertiesCount_unlessTheyAreKnownNotTo() {
    String before = key(X, 7, 0);
    assertNotEquals(before, with("tornado.experimental.partial.unroll", "true"));
    assertNotEquals(before, with("tornado.notThoughtOf", "1"));
    assertNotEquals(with("graal.notThoughtOf", "1"), with("graal.notThoughtOf", "2"));
    assertEquals(before, with("tornado.max.events", "77"));
    assertEquals(before, with("mine", "1"));
    assertEquals(before, key(X, 7, 0));
  }

  private static @Nullable String with(String property, String value) {
    String before = System.getProperty(property);
    System.setProperty(property, value);
    try {
      return key(X, 7, 0);
    } finally {
      if (before == null) {
        System.clearProperty(property);
      } else {
        System.setProperty(property, before);
      }
    }
  }
}
