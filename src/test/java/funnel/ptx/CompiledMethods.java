package funnel.ptx;

import funnel.LaunchedKernels;
import funnel.jit.GeneratedClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import uk.ac.manchester.tornado.runtime.ASMClassVisitorProvider;
import uk.ac.manchester.tornado.runtime.common.ParallelAnnotationProvider;

/**
 * Hears of every method that TornadoVM compiles, and so knows which of the kernels that are
 * delivered have been interpreted: names of compiled kernels do not have the class.
 */
public final class CompiledMethods implements ASMClassVisitorProvider {

  /** A file for each process, until the folder goes with the others that the build makes. */
  private static final Path FOLDER = Path.of("target", "interpreted");

  private static final Set<String> METHODS = ConcurrentHashMap.newKeySet();

  private final GeneratedClasses own = new GeneratedClasses();

  /** For TornadoVM, which makes one. */
  public CompiledMethods() {}

  @Override
  public ParallelAnnotationProvider[] getParallelAnnotations(ResolvedJavaMethod method) {
    String descriptor = method.getDeclaringClass().getName(); // as Lfunnel/scan/IntScan$copy1;
    String type = descriptor.substring(1, descriptor.length() - 1).replaceFirst("\\$copy.*", "");
    METHODS.add(type.replace('/', '.') + "." + method.getName());
    return own.getParallelAnnotations(method);
  }

  /**
   * How many of the kernels that are delivered have been interpreted, in this process and in all.
   *
   * @param launched names of compiled kernels
   */
  static String report(Set<String> launched) {
    Set<String> shipped = LaunchedKernels.shipped();
    Set<String> here = new TreeSet<>(METHODS);
    here.retainAll(shipped);
    here.removeIf(method -> launched.stream().noneMatch(name -> isOf(method, name)));
    Set<String> all = new TreeSet<>(here);
    try {
      Files.createDirectories(FOLDER);
      Files.write(FOLDER.resolve(Long.toString(ProcessHandle.current().pid())), here);
      try (DirectoryStream<Path> files = Files.newDirectoryStream(FOLDER)) {
        for (Path file : files) {
          all.addAll(Files.readAllLines(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    all.retainAll(shipped);
    return "%s of the %s kernel methods that are delivered, %s with those of %s"
        .formatted(here.size(), shipped.size(), all.size(), FOLDER);
  }

  private static boolean isOf(String method, String kernel) {
    String name = method.substring(method.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return kernel.contains("_" + name + "_uk_ac_manchester_tornado_api_kernelcontext");
  }
}
