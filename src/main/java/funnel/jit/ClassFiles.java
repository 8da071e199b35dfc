package funnel.jit;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.constant.ClassDesc;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds class files: first those that Funnel made at run time, then those on the class path of a
 * given class loader.
 *
 * {@snippet class="funnel.docs.KernelCopySnippets" region="class-file"}
 */
public final class ClassFiles {

  /* TornadoVM 5 asks the JVM for a method's code, later versions the loader of its class for the
   * class file, as a resource. Then an entry is added to the class path whose contents are the class
   * files made at run time: a URL with a handler of our own, so that nothing is written to a disk.
   * tornado-6.argfile opens the package with the list of entries.
   */

  private static final Map<String, byte[]> MADE = new ConcurrentHashMap<>();
  private static final String END = ".class";

  private static final ClassDesc JSHELL_STOP = ClassDesc.of("REPL.$Cancel$");

  private static boolean onClassPath;

  private ClassFiles() {}

  /**
   * Records the class file of a class that was made at run time.
   *
   * @param binaryName its name, such as {@code funnel.reduce.Kernels$1}
   * @param bytes the class file
   * @throws IllegalStateException if TornadoVM would not find it, since java was started without
   *     {@code tornado-6.argfile}, which versions from 6 on need
   */
  public static void register(String binaryName, byte[] bytes) {
    MADE.put(binaryName, bytes.clone());
    if (TornadoCompiler.isOwn()) {
      addToClassPath();
    }
  }

  private static synchronized void addToClassPath() {
    if (onClassPath) {
      return;
    }
    try {
      addToClassPath(ClassLoader.getSystemClassLoader());
      onClassPath = true;
    } catch (ReflectiveOperationException | RuntimeException | IOException e) {
      throw new IllegalStateException(
          "kernels made at run time cannot be compiled: start java with %s (%s)"
              .formatted(TornadoCompiler.argfile(), e),
          e);
    }
  }

  /** Makes class files made at run time, also later, resources of one of the JDK's loaders. */
  static void addToClassPath(ClassLoader loader) throws ReflectiveOperationException, IOException {
    URL made =
        URL.of(
            URI.create("funnel:/"),
            new URLStreamHandler() {
              @Override
              protected URLConnection openConnection(URL url) {
                return new MadeFile(url);
              }
            });
    Field field = Class.forName("jdk.internal.loader.BuiltinClassLoader").getDeclaredField("ucp");
    field.setAccessible(true);
    Object path = field.get(loader);
    Method add = path.getClass().getMethod("addURL", URL.class);
    add.setAccessible(true);
    add.invoke(path, made);
  }

  private static final class MadeFile extends URLConnection {
    MadeFile(URL url) {
      super(url);
    }

    @Override
    public void connect() {}

    @Override
    public InputStream getInputStream() throws IOException {
      String file = url.getPath().substring(1);
      byte[] bytes =
          file.endsWith(END)
              ? MADE.get(file.substring(0, file.length() - END.length()).replace('/', '.'))
              : null;
      if (bytes == null) {
        throw new FileNotFoundException(file);
      }
      return new ByteArrayInputStream(bytes);
    }
  }

  /** Whether the class of this binary name was made at run time. */
  public static boolean isMade(String binaryName) {
    return MADE.containsKey(binaryName);
  }

  /** The names of the classes that were made at run time. */
  public static Set<String> made() {
    return Set.copyOf(MADE.keySet());
  }

  /**
   * Whether a class is the one by which the JDK's local execution engine for jshell stops cells: it
   * inserts calls of a static method of that class, without arguments or result, into methods and
   * loops of cells. Copies of cells' methods leave these calls out, since a device cannot make
   * them.
   */
  public static boolean isJShellStop(ClassDesc owner) {
    return owner.equals(JSHELL_STOP);
  }

  /**
   * The class file of a class, or null if none can be found.
   *
   * @param binaryName the class's name
   * @param loader the loader to ask for classes that were not made at run time; null stands for the
   *     system class loader
   */
  public static byte @Nullable [] read(String binaryName, @Nullable ClassLoader loader) {
    byte[] made = MADE.get(binaryName);
    if (made != null) {
      return made.clone();
    }
    String resource = binaryName.replace('.', '/') + END;
    ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    try (InputStream in = from.getResourceAsStream(resource)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + resource, e);
    }
  }
}
