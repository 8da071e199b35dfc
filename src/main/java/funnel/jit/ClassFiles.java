package funnel.jit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.constant.ClassDesc;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds class files: first those that Funnel made at run time, then those on the class path of a
 * given class loader.
 *
 * {@snippet class="funnel.docs.KernelCopySnippets" region="class-file"}
 */
public final class ClassFiles {

  private static final Map<String, byte[]> MADE = new ConcurrentHashMap<>();

  private static final ClassDesc JSHELL_STOP = ClassDesc.of("REPL.$Cancel$");

  private ClassFiles() {}

  /**
   * Records the class file of a class that was made at run time.
   *
   * @param binaryName its name, such as {@code funnel.reduce.Kernels$1}
   * @param bytes the class file
   */
  public static void register(String binaryName, byte[] bytes) {
    MADE.put(binaryName, bytes.clone());
  }

  /** Whether the class of this binary name was made at run time. */
  public static boolean isMade(String binaryName) {
    return MADE.containsKey(binaryName);
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
    String resource = binaryName.replace('.', '/') + ".class";
    ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    try (InputStream in = from.getResourceAsStream(resource)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + resource, e);
    }
  }
}
