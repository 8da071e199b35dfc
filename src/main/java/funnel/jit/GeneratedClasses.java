package funnel.jit;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.annotations.Parallel;
import uk.ac.manchester.tornado.runtime.ASMClassVisitorProvider;
import uk.ac.manchester.tornado.runtime.common.ParallelAnnotationProvider;

/**
 * Lets TornadoVM compile kernels whose class file is not on the class path: copies made by {@link
 * KernelCopies}, and classes of notebooks.
 *
 * <p>TornadoVM looks for {@code @Parallel} loop variables in the class file of every method that it
 * compiles, and fails if the system class loader has no such file. It gets this class by {@code
 * -Dtornado.load.annotation.implementation=funnel.jit.GeneratedClasses} and then finds no such
 * variables in these classes: they must be kernels over a {@code KernelContext}. TornadoVM's own
 * implementation parses the whole file again for every method of every kernel, a fifth of the time
 * until the first one is compiled. So it is asked only for classes in whose file the annotation's
 * name occurs, such as TornadoVM's arrays, and once for each method.
 *
 * {@snippet class="funnel.docs.KernelCopySnippets" region="provider"}
 */
public final class GeneratedClasses implements ASMClassVisitorProvider {

  private static final String TORNADOS_OWN = "uk.ac.manchester.tornado.annotation.ASMClassVisitor";

  private static final String PARALLEL = Parallel.class.descriptorString();

  /** Whether the annotation's name occurs in a class file, by the class's internal name. */
  private final Map<String, Boolean> named = new ConcurrentHashMap<>();

  /** What TornadoVM's own implementation found in methods of such classes. */
  private final Map<ResolvedJavaMethod, ParallelAnnotationProvider[]> found =
      new ConcurrentHashMap<>();

  private @Nullable ASMClassVisitorProvider own;

  /** For TornadoVM, which creates one. */
  public GeneratedClasses() {}

  @Override
  public ParallelAnnotationProvider[] getParallelAnnotations(ResolvedJavaMethod method) {
    String descriptor = method.getDeclaringClass().getName();
    String internalName = descriptor.substring(1, descriptor.length() - 1);
    if (ClassFiles.isMade(internalName.replace('/', '.'))
        || !named.computeIfAbsent(internalName, GeneratedClasses::isNamed)) {
      return new ParallelAnnotationProvider[0];
    }
    return found.computeIfAbsent(method, each -> own().getParallelAnnotations(each));
  }

  private static boolean isNamed(String internalName) {
    byte[] file = ClassFiles.read(internalName.replace('/', '.'), null);
    return file != null && new String(file, StandardCharsets.ISO_8859_1).contains(PARALLEL);
  }

  private synchronized ASMClassVisitorProvider own() {
    ASMClassVisitorProvider known = own;
    if (known == null) {
      try {
        known =
            (ASMClassVisitorProvider) Class.forName(TORNADOS_OWN).getConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(
            "%s is not there: start with the SDK's argfile".formatted(TORNADOS_OWN), e);
      }
      own = known;
    }
    return known;
  }
}
