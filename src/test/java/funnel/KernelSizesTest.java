package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.KernelContext;

/**
 * No kernel is larger than those that TornadoVM was seen to compile. It inlines all calls, and
 * gives up over some 20,000 nodes of its graph; instructions are what can be counted without it.
 */
class KernelSizesTest {

  /** One of 14,260 compiles, on both backends; one of 15,006 does not. */
  private static final int MOST = 14_300;

  private final Map<String, ClassModel> classes = new HashMap<>();
  private final Map<String, Integer> sizes = new HashMap<>();

  private final Path folder = folder();

  private static Path folder() {
    try {
      Path file = Path.of(Funnel.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Files.isDirectory(file) ? file : FileSystems.newFileSystem(file).getPath("/");
    } catch (URISyntaxException | IOException e) {
      throw new AssertionError(e);
    }
  }

  private ClassModel read(String name) {
    return classes.computeIfAbsent(
        name,
        _ -> {
          try {
            return ClassFile.of().parse(folder.resolve(name + ".class"));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Instructions of a method with those of the methods of ours that it calls. */
  private int size(String owner, String name, String type) {
    String key = owner + "." + name + type;
    Integer known = sizes.get(key);
    if (known != null) {
      return known;
    }
    int size = 0;
    for (MethodModel method : read(owner).methods()) {
      if (method.methodName().equalsString(name) && method.methodType().equalsString(type)) {
        size +=
            method.code().stream().flatMap(code -> code.elementStream()).mapToInt(this::size).sum();
      }
    }
    sizes.put(key, size);
    return size;
  }

  private int size(CodeElement element) {
    if (element instanceof InvokeInstruction call
        && call.owner().asInternalName().startsWith("funnel/")) {
      return size(
          call.owner().asInternalName(), call.name().stringValue(), call.type().stringValue());
    }
    return element instanceof Instruction ? 1 : 0;
  }

  @Test
  void kernelsAreNotTooLarge() throws IOException {
    String context = KernelContext.class.descriptorString();
    Map<String, Integer> tooLarge = new TreeMap<>();
    int kernels = 0;
    List<String> names;
    try (Stream<Path> files = Files.walk(folder)) {
      names =
          files
              .map(file -> folder.relativize(file).toString().replace('\\', '/'))
              .filter(file -> file.endsWith("Kernels.class"))
              .map(file -> file.substring(0, file.length() - ".class".length()))
              .toList();
    }
    for (String name : names) {
      for (MethodModel method : read(name).methods()) {
        if (method.methodType().stringValue().startsWith("(" + context)) {
          kernels++;
          int size =
              size(name, method.methodName().stringValue(), method.methodType().stringValue());
          if (size > MOST) {
            tooLarge.put(name + "." + method.methodName(), size);
          }
        }
      }
    }
    assertTrue(kernels > 300, kernels + " kernels");
    assertEquals(Map.of(), tooLarge, "instructions, at most " + MOST);
  }
}
