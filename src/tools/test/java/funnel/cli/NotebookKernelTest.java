package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.Ints;
import funnel.Plan;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
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
          "public class MainApp { public static final Object kernel = new Object(); }",
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
            public void connect(Object kernel) throws Exception {
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
          public record DisplayData(String type, String data) {
            public static DisplayData withType(String type, String data) {
              return new DisplayData(type, data);
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
      assertEquals(List.of("DisplayData[type=text/plain, data=int[2] {4, 2}]"), shown);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void valuesAreShownAsWhatTheyAre() {
    assertEquals("float[0] {}", NotebookDisplay.text(new float[0]));
    assertEquals("int[12] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...}", NotebookDisplay.text(new int[12]));
    assertEquals(
        "double[][2] {double[1] {0.0}, null}", NotebookDisplay.text(new double[][] {{0}, null}));
    try (Funnel funnel = Funnel.open(Target.JVM);
        Plan plan =
            funnel
                .plan("mine")
                .input("x", ElementType.INT, 4)
                .add("sum", Reduction.sum(), "x")
                .build()) {
      assertTrue(NotebookDisplay.text(funnel).startsWith("Funnel on JVM"));
      assertTrue(NotebookDisplay.text(plan).startsWith("plan mine, "));
      Ints x = funnel.of(4, 4, 7);
      assertEquals("ints[3]: 4, 4, 7", NotebookDisplay.text(x));
      assertEquals("int[3] {8, 8, 14}", NotebookDisplay.text(x.map(v -> 2 * v)));
      assertEquals(
          "values: int[2] {4, 7}\nstarts: int[2] {0, 2}\nlengths: int[2] {2, 1}",
          NotebookDisplay.text(x.runs()));
      assertEquals("15", NotebookDisplay.text(x.value(Reduction.sum())));
      assertEquals("x\n7", NotebookDisplay.text(funnel.table(x.named("x")).skip(2)));
    }
    XYChart chart = new XYChartBuilder().width(60).height(40).build();
    chart.addSeries("a", new double[] {1, 2});
    assertEquals("image/png", NotebookDisplay.type(chart));
    byte[] png = Base64.getDecoder().decode(NotebookDisplay.text(chart));
    assertEquals("PNG", new String(png, 1, 3, java.nio.charset.StandardCharsets.US_ASCII));
  }
}
