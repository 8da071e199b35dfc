package funnel.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Elements;
import funnel.Funnel;
import funnel.engine.tornado.AtomicsProbe;
import funnel.histogram.Histogram;
import funnel.histogram.HistogramMethod;
import funnel.histogram.Uncounted;
import funnel.operation.Device;
import funnel.operation.Input;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The library runs where the suite of compiler rules is missing. */
class WithoutSuiteTest {

  /** Loads Funnel's classes anew, except for those of the suite, which it does not find. */
  private static final class Loader extends ClassLoader {
    Loader() {
      super(WithoutSuiteTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("funnel.")) {
        return super.loadClass(name, resolve);
      }
      if (name.startsWith("funnel.suite.")) {
        throw new ClassNotFoundException(name);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? defined(name) : loaded;
      }
    }

    private Class<?> defined(String name) throws ClassNotFoundException {
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (file == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = file.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** Calls of the library, by whatever has loaded this class. */
  public static final class Calls implements Callable<List<String>> {
    @Override
    public List<String> call() {
      Histogram histogram = Histogram.ofKeys(257);
      List<Primitive.Slot> chosen = slots(histogram);
      List<HistogramMethod> method =
          Stream.of(HistogramMethod.PASSES, HistogramMethod.SECTIONED, HistogramMethod.STRIDED)
              .filter(each -> slots(histogram.by(each)).equals(chosen))
              .toList();
      return List.of(calls(Target.JVM), calls(Target.EMULATOR), method.toString(), probed());
    }

    /** Methods have arrays of different lengths. */
    private static List<Primitive.Slot> slots(Histogram histogram) {
      Input x = new Input("x", ElementType.INT, 1 << 24);
      Primitive primitive = histogram.expand("y", List.of(x)).primitives().getFirst();
      return primitive.in(Setting.on(new Device("NVIDIA H200", "cuda"))).layout().slots();
    }

    /** What no call has asked for has not been probed. */
    private static String probed() {
      try {
        Field found = AtomicsProbe.class.getDeclaredField("found");
        found.setAccessible(true);
        return "probed: " + found.get(null);
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }

    private static String calls(Target target) {
      try (Funnel funnel = Funnel.open(target)) {
        int[] values = {3, 1, 2, 1};
        Operator or = Operator.ofInt("or", 0, (a, b) -> a | b);
        int[] scanned = new int[4];
        Number _ =
            funnel.scan(Elements.of(values), Scan.inclusive(Operator.SUM), Elements.of(scanned));
        int[] counts = new int[4];
        Uncounted _ =
            funnel.histogram(Elements.of(values), Histogram.ofKeys(4), Elements.of(counts));
        return "%s %s %s %s"
            .formatted(
                funnel.sum(values),
                funnel.reduce(values, or),
                Arrays.toString(scanned),
                Arrays.toString(counts));
      }
    }
  }

  @Test
  void theLibraryRunsWithoutIt() throws Exception {
    Class<?> calls = new Loader().loadClass(Calls.class.getName());
    String right = "7 3 [3, 4, 6, 7] [0, 2, 1, 1]";
    assertEquals(
        List.of(right, right, "[PASSES]", "probed: null"),
        ((Callable<?>) calls.getConstructor().newInstance()).call());
  }
}
