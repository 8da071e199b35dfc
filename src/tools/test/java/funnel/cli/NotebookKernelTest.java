package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.Elements;
import funnel.Funnel;
import funnel.Ints;
import funnel.Plan;
import funnel.heat.HeatMovie;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import jdk.jshell.JShell;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** A kernel of the real one's shape, in which both of its races are lost at every start. */
class NotebookKernelTest {

  private static final String PACKAGE = "org.rapaio.jupyter.kernel.";

  private static final Map<String, String> KERNEL =
      Map.of(
          "MainApp",
          """
          public class MainApp {
            public static final Kernel kernel = new Kernel();
            public static class Kernel { private final Engine javaEngine = new Engine(); }
            public static class Engine {
              private final String executionId = "id";
              private final Provider controlProvider = new Provider();
            }
            public static class Provider {
              public static final Control control = new Control();
              public Control getRegisteredControl(String id) {
                return id.equals("id") ? control : null;
              }
            }
            public static class Control {
              public int interrupts;
              public void interrupt() { interrupts++; }
            }
          }
          """,
          "core.ConnectionProperties",
          "public class ConnectionProperties {}",
          "core.Transform",
          """
          public class Transform {
            public static Object fromJson(String text, Class<?> type) {
              return new ConnectionProperties();
            }
          }
          """,
          "channels.LoopThread",
          """
          public class LoopThread extends Thread {
            private volatile boolean running;
            private final long sleep;
            private final Runnable loopBody;
            public LoopThread(String name, long sleep, Runnable loopBody) {
              super(name); this.sleep = sleep; this.loopBody = loopBody;
            }
            @Override public void run() {
              if (running) { loopBody.run(); }
              while (running && Channels.answered.get() < 3) { Thread.onSpinWait(); }
            }
            public void begin(boolean isFlagUp) throws Exception {
              running = isFlagUp; start(); if (!isFlagUp) { join(); running = true; }
            }
          }
          """,
          "channels.Channel",
          """
          public class Channel {
            private LoopThread loopThread;
            synchronized void read() {
              if (Channels.handlers == null) { Channels.unhandled.incrementAndGet(); }
              Channels.answered.incrementAndGet();
            }
            void bind(boolean isFlagUp) throws Exception {
              loopThread = new LoopThread("loop", 1, this::read);
              loopThread.begin(isFlagUp);
            }
            void join() throws Exception { loopThread.join(); }
          }
          """,
          "channels.Channels",
          """
          public class Channels {
            static volatile Object handlers;
            public static final java.util.concurrent.atomic.AtomicInteger unhandled =
                new java.util.concurrent.atomic.AtomicInteger();
            public static final java.util.concurrent.atomic.AtomicInteger answered =
                new java.util.concurrent.atomic.AtomicInteger();
            private final Channel shell = new Channel();
            private final Channel control = new Channel();
            private final Channel heartbeat = new Channel();
            public Channels(org.rapaio.jupyter.kernel.core.ConnectionProperties properties) {}
            public void connect(org.rapaio.jupyter.kernel.MainApp.Kernel kernel) throws Exception {
              shell.bind(true); control.bind(false); heartbeat.bind(false);
              Thread.sleep(100);
              handlers = kernel;
            }
            public void joinUntilClose() throws Exception {
              shell.join(); control.join(); heartbeat.join();
            }
          }
          """,
          "display.DisplayData",
          """
          public record DisplayData(java.util.Map<String, Object> data) {
            public static DisplayData withType(String type, String data) {
              DisplayData made = new DisplayData(new java.util.TreeMap<>());
              made.putData(type, data);
              return made;
            }
            public void putData(String type, Object value) {
              data.put(type, value);
            }
          }
          """,
          "display.DisplayRenderer",
          """
          public interface DisplayRenderer {
            Class<?> rendererClass();
            boolean canRender(String mime);
            DisplayData render(String mime, Object o);
          }
          """,
          "display.DisplaySystem",
          """
          public class DisplaySystem {
            private static final DisplaySystem INST = new DisplaySystem();
            public static DisplaySystem inst() { return INST; }
            public final java.util.List<DisplayRenderer> spiDisplayRenderers =
                new java.util.ArrayList<>();
          }
          """);

  @TempDir Path folder;

  private Path compiled() throws Exception {
    List<String> command = new ArrayList<>(List.of("-d", folder.resolve("classes").toString()));
    for (Map.Entry<String, String> type : KERNEL.entrySet()) {
      String name = PACKAGE + type.getKey();
      String text =
          "package %s;%n%s".formatted(name.substring(0, name.lastIndexOf('.')), type.getValue());
      Path file = folder.resolve(name.substring(name.lastIndexOf('.') + 1) + ".java");
      command.add(Files.writeString(file, text).toString());
    }
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new)));
    Files.writeString(folder.resolve("classes/logging.properties"), "");
    return folder.resolve("classes");
  }

  @Test
  void itAnswersWhateverComesFirst() throws Exception {
    Path connection = Files.writeString(folder.resolve("connection.json"), "{}");
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {compiled().toUri().toURL()})) {
      thread.setContextClassLoader(loader);
      NotebookKernel.main(connection.toString());
      Class<?> channels = loader.loadClass(PACKAGE + "channels.Channels");
      assertEquals("0", String.valueOf(channels.getField("unhandled").get(null)));
      assertEquals("3", String.valueOf(channels.getField("answered").get(null)));
      Class<?> system = loader.loadClass(PACKAGE + "display.DisplaySystem");
      List<?> renderers =
          (List<?>)
              system.getField("spiDisplayRenderers").get(system.getMethod("inst").invoke(null));
      Class<?> renderer = loader.loadClass(PACKAGE + "display.DisplayRenderer");
      List<String> shown = new ArrayList<>();
      for (Object each : renderers) {
        assertTrue(Proxy.isProxyClass(each.getClass()));
        if (renderer.getMethod("rendererClass").invoke(each) == int[].class) {
          shown.add(
              String.valueOf(
                  renderer
                      .getMethod("render", String.class, Object.class)
                      .invoke(each, null, new int[] {4, 2})));
        }
      }
      assertEquals(List.of("DisplayData[data={text/plain=int[2] {4, 2}}]"), shown);
      NotebookKernel.interrupt(loader.loadClass(PACKAGE + "MainApp").getField("kernel").get(null));
      Object control = loader.loadClass(PACKAGE + "MainApp$Provider").getField("control").get(null);
      assertEquals(1, control.getClass().getField("interrupts").getInt(control));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Of methods of a class's own, inherited ones, those written for each type, and the JDK's. */
  @Test
  void documentationIsTakenFromSources() throws Exception {
    requireDocumented(built(), Map.of("\"\".strip(", "white space"));
  }

  /** What a bundle has for it, with classes of other packages. */
  @Test
  void documentationIsTakenFromABundle(@TempDir Path bundle) throws Exception {
    Path sources = bundle.resolve("app/sources");
    NotebookSources.main(new String[] {built().toString(), sources.toString()});
    requireDocumented(
        bundle,
        Map.of(
            "funnel.scan.Scan.inclusive(", "inclusive",
            "funnel.operator.Transform.ofFloat(", "function"));
    try (Stream<Path> files = Files.walk(sources)) {
      assertTrue(files.noneMatch(file -> file.toString().endsWith("Kernels.java")));
    }
  }

  private static Path built() {
    Path home = Path.of("").toAbsolutePath();
    assumeTrue(Files.isDirectory(home.resolve("target/generated-sources/twins")), "no sources");
    return home;
  }

  private static void requireDocumented(Path home, Map<String, String> others) throws Exception {
    try (JShell shell = JShell.builder().executionEngine("local").build()) {
      URL classes = Funnel.class.getProtectionDomain().getCodeSource().getLocation();
      shell.addToClasspath(Path.of(classes.toURI()).toString());
      NotebookSources.add(shell.sourceCodeAnalysis(), home);
      shell.eval("import funnel.*;");
      shell.eval("Funnel f = null;");
      Map<String, String> texts =
          new HashMap<>(
              Map.of(
                  "Funnel.open(", "Opens the best engine",
                  "f.sum(new int[1]", "The sum",
                  "f.sum(new float[1]", "The sum",
                  "f.of(new int[1]).map(", "each element",
                  "f.of(new int[1]).sorted(", "in ascending order"));
      texts.putAll(others);
      for (Map.Entry<String, String> each : texts.entrySet()) {
        String code = each.getKey();
        String shown =
            shell.sourceCodeAnalysis().documentation(code, code.length(), true).stream()
                .map(one -> one.signature() + ": " + one.javadoc())
                .collect(Collectors.joining("\n"));
        assertTrue(shown.contains(each.getValue()), () -> code + " gives " + shown);
      }
    }
  }

  /** Jupyter sends a signal: what the kernel does with a request leaves it mute. */
  @Test
  void theKernelspecAsksForSignals() throws Exception {
    try (InputStream template = Kernelspec.class.getResourceAsStream("kernelspec/rapaio.json")) {
      String text = new String(template.readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(text.contains("\"interrupt_mode\": \"signal\""), text);
    }
  }

  private static String text(Object value) {
    return String.valueOf(NotebookDisplay.shown(value).get("text/plain"));
  }

  private static String html(Object value) {
    return String.valueOf(NotebookDisplay.shown(value).get("text/html"));
  }

  @Test
  void valuesAreShownAsWhatTheyAre() {
    assertEquals("float[0] {}", text(new float[0]));
    assertEquals("int[12] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...}", text(new int[12]));
    assertEquals("double[][2] {double[1] {0.0}, null}", text(new double[][] {{0}, null}));
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("mine")
                .input("x", ElementType.INT, 4)
                .add("sum", Reduction.sum(), "x")
                .build()) {
      assertTrue(text(funnel).startsWith("Funnel on JVM"));
      assertTrue(text(plan).startsWith("plan mine, "));
      assertEquals("15", text(funnel.of(4, 4, 7).value(Reduction.sum())));
      assertTrue(
          text(plan.run(Map.of("x", Elements.of(new int[] {4, 7}))))
              .contains("0     sum  Integer     11"));
    }
    XYChart chart = new XYChartBuilder().width(60).height(40).build();
    chart.addSeries("a", new double[] {1, 2});
    String picture = NotebookDisplay.shown(chart).get("image/png");
    byte[] png = Base64.getDecoder().decode(Objects.requireNonNull(picture));
    assertEquals("PNG", new String(png, 1, 3, StandardCharsets.US_ASCII));
  }

  @Test
  void rowsAreShownAsTables() {
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Ints x = funnel.of(4, 4, 7);
      assertEquals("   ints\n0     8\n1     8\n2    14\n3 rows, 1 column", text(x.map(v -> 2 * v)));
      assertTrue(html(x.named("a")).startsWith("<table>\n<tr><th></th><th>a</th></tr>\n"));
      assertTrue(
          text(x.runs()).contains("0   values  ints[2]   4, 7\n1   starts  ints[2]   0, 2\n"));
      String groups = text(x.named("key").groupBy());
      assertEquals(
          "    key  count\n   ints   ints\n0     4      2\n1     7      1\n2 rows, 2 columns",
          groups);
      Ints many = funnel.range(0, 1000);
      String table = text(funnel.table(many.named("i"), many.map(v -> -v).named("minus")));
      assertTrue(table.contains("  4     4     -4\n...   ...    ...\n995   995   -995\n"), table);
      assertTrue(
          text(many.filter(v -> v > 990).runs())
              .contains("991, 992, 993, 994, 995, 996, 997, 998, 999"));
      assertTrue(html(many).contains("<p>1,000 rows, 1 column</p>"));
      assertEquals("  ints\n0 rows, 1 column", text(many.limit(0)));
    }
  }

  @Test
  void aMovieIsShownFromItsFile() throws IOException {
    Path gif = folder.resolve("a.gif");
    try (HeatMovie movie = HeatMovie.create(gif, 80)) {
      assertEquals("null", html(movie));
      movie.add(new BufferedImage(8, 8, BufferedImage.TYPE_BYTE_INDEXED));
      movie.finish();
      assertTrue(html(movie).startsWith("<img src=\"data:image/gif;base64,R0lGOD"), html(movie));
      assertEquals(gif + ", pictures=1", text(movie));
    }
  }

  /** The kernel itself cannot be interrupted while it shows something. */
  @Test
  void anInterruptEndsADisplay() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Object slow =
        new Object() {
          @Override
          public String toString() {
            begun.countDown();
            while (true) {
              LockSupport.park();
            }
          }
        };
    Thread interrupting =
        Thread.startVirtualThread(
            () -> {
              try {
                begun.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              NotebookDisplay.interrupt();
            });
    String message =
        assertThrows(IllegalStateException.class, () -> text(new Object[] {slow})).toString();
    assertTrue(message.contains("goes on until it is done"), message);
    interrupting.join();
    NotebookDisplay.interrupt(); // of nothing
    assertEquals("int[1] {3}", text(new int[] {3}));
  }
}
