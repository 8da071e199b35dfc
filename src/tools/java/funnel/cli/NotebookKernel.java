package funnel.cli;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.logging.LogManager;
import jdk.jshell.JShell;
import org.jline.utils.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts rapaio-jupyter-kernel without its startup races, with interrupts that it survives, with
 * displays for Funnel's objects and with documentation of its classes.
 */
final class NotebookKernel {

  /*
   * Does the same as the kernel's own main method, without three faults of versions up to 3.0.4.
   * First, its channels read requests before their handlers are set, and such a request ends the
   * channel: so the monitors for reading are held until the handlers are set. Second, a channel's
   * thread ends immediately if it runs before start() has set the flag of its loop: a thread that
   * has ended is replaced by one whose flag is set. Third, a request to interrupt ends the executor
   * of all later cells, and its channel takes the parent and the closing actions of the cell that
   * runs, whose reply is lost: so the kernelspec asks Jupyter for a signal instead, which cancels
   * the cell and nothing else. All by reflection, since the kernel is not a dependency of Funnel;
   * its classes are on the class path.
   */

  private static final Logger LOG = LoggerFactory.getLogger(NotebookKernel.class);
  private static final String PACKAGE = "org.rapaio.jupyter.kernel.";

  private NotebookKernel() {}

  /** As the kernel's own main method: the argument is Jupyter's connection file. */
  public static void main(String... arguments) throws Exception {
    NotebookDisplay.register(type("display.DisplaySystem"), type("display.DisplayRenderer"));
    Class<?> app = type("MainApp");
    LogManager.getLogManager()
        .readConfiguration(app.getClassLoader().getResourceAsStream("logging.properties"));
    Object kernel = Objects.requireNonNull(app.getField("kernel").get(null), "kernel");
    Signals.register("INT", () -> interrupt(kernel));
    document(kernel);
    Class<?> properties = type("core.ConnectionProperties");
    Object connection =
        type("core.Transform")
            .getMethod("fromJson", String.class, Class.class)
            .invoke(null, Files.readString(Path.of(arguments[0])), properties);
    Object channels = type("channels.Channels").getConstructor(properties).newInstance(connection);
    Object shell = get(channels, "shell");
    Object control = get(channels, "control");
    synchronized (shell) {
      synchronized (control) {
        channels.getClass().getMethod("connect", kernel.getClass()).invoke(channels, kernel);
      }
    }
    for (Object channel : new Object[] {shell, control, get(channels, "heartbeat")}) {
      revive(channel);
    }
    channels.getClass().getMethod("joinUntilClose").invoke(channels);
  }

  /** Lets the kernel show documentation of Funnel's classes, where their sources are. */
  private static void document(Object kernel) {
    try {
      JShell shell = (JShell) get(get(kernel, "javaEngine"), "shell");
      NotebookSources.add(
          shell.sourceCodeAnalysis(), Path.of(System.getProperty("funnel.home", "")));
    } catch (ReflectiveOperationException | IOException | RuntimeException e) {
      LOG.warn("Funnel's classes are shown without documentation", e);
    }
  }

  /** Cancels the cell that runs, if there is one, or the display of its value. */
  static void interrupt(Object kernel) {
    NotebookDisplay.interrupt();
    try {
      Object engine = get(kernel, "javaEngine");
      Object provider = get(engine, "controlProvider");
      Object control =
          provider
              .getClass()
              .getMethod("getRegisteredControl", String.class)
              .invoke(provider, get(engine, "executionId"));
      control.getClass().getMethod("interrupt").invoke(control);
    } catch (ReflectiveOperationException e) {
      LOG.error("the cell cannot be interrupted: restart the kernel", e);
    }
  }

  private static void revive(Object channel) throws ReflectiveOperationException {
    Thread ended = (Thread) get(channel, "loopThread");
    if (ended.isAlive()) {
      return;
    }
    Constructor<?> constructor =
        ended.getClass().getConstructor(String.class, long.class, Runnable.class);
    Thread again =
        (Thread)
            constructor.newInstance(ended.getName(), get(ended, "sleep"), get(ended, "loopBody"));
    field(again, "running").setBoolean(again, true);
    field(channel, "loopThread").set(channel, again);
    again.start();
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(PACKAGE + name, true, Thread.currentThread().getContextClassLoader());
  }

  private static Object get(Object object, String name) throws ReflectiveOperationException {
    return Objects.requireNonNull(field(object, name).get(object), name);
  }

  private static Field field(Object object, String name) throws ReflectiveOperationException {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
