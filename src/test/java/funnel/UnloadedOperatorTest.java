package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;

import funnel.operation.Target;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operators of a class loader that goes: a web application's, a plug-in's, a notebook's. */
class UnloadedOperatorTest {

  private static final int MOST_COLLECTIONS = 100;

  /** What is loaded by a loader of its own. */
  public static final class Work implements Function<Funnel, Integer> {

    public Work() {}

    @Override
    public Integer apply(Funnel funnel) {
      Operator longest = Operator.ofInt("longest", 0, (a, b) -> a > b ? a : b).commutative();
      int[] values = new int[3000];
      Arrays.setAll(values, i -> i % 1000);
      int most = funnel.reduce(values, longest);
      int[] scanned = funnel.inclusiveScan(values, longest);
      Transform third = Transform.testInt("third", i -> i % 3 == 0);
      Number thirds = funnel.reduce(Elements.of(values), Reduction.countIf(third));
      return most + scanned[2999] + thirds.intValue();
    }
  }

  /** Of this class alone. */
  private static final class Loader extends ClassLoader {
    Loader() {
      super(UnloadedOperatorTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(Work.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in == null ? new byte[0] : in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private static WeakReference<ClassLoader> use(Target target) throws ReflectiveOperationException {
    ClassLoader loader = new Loader();
    Class<?> type = loader.loadClass(Work.class.getName());
    assertNotSame(Work.class, type);
    @SuppressWarnings("unchecked")
    Function<Funnel, Integer> work =
        (Function<Funnel, Integer>) type.getDeclaredConstructor().newInstance();
    try (Funnel funnel = Funnel.open(target)) {
      assertEquals(999 + 999 + 3 * 334, work.apply(funnel));
    }
    return new WeakReference<>(loader);
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void aLoaderIsCollectedAfterTheFunnelWasClosed(Target target)
      throws ReflectiveOperationException {
    WeakReference<ClassLoader> loader = use(target);
    for (int k = 0; k < MOST_COLLECTIONS && loader.get() != null; k++) {
      System.gc();
    }
    assertNull(loader.get());
  }
}
