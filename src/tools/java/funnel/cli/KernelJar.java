package funnel.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The jar of a Java kernel for Jupyter.
 *
 * @param file the jar
 * @param family the kernel's project
 * @param mainClass the class that is started with the connection file as its argument
 */
record KernelJar(Path file, Family family, String mainClass) {

  /** The kernels for which there are templates. */
  enum Family {
    RAPAIO("rapaio-jupyter-kernel", "rapaio.json", "org.rapaio.jupyter.kernel.MainApp"),
    IJAVA("IJava", "ijava.json", "io.github.spencerpark.ijava.IJava"),
    JJAVA("JJava", "jjava.json", "org.dflib.jjava.JJava");

    private final String title;
    private final String template;
    private final String mainClass;

    Family(String title, String template, String mainClass) {
      this.title = title;
      this.template = template;
      this.mainClass = mainClass;
    }

    /** The project's name. */
    String title() {
      return title;
    }

    /** Its kernelspec, as a resource beside this class. */
    String template() {
      return "kernelspec/" + template;
    }

    private String begin() {
      return mainClass.substring(0, mainClass.lastIndexOf('.') + 1).replace('.', '/');
    }
  }

  /** The class that starts it: for some kernels, a class of Funnel. */
  String startClass() {
    return mainClass.equals(Family.RAPAIO.mainClass) ? NotebookKernel.class.getName() : mainClass;
  }

  /**
   * Reads a jar.
   *
   * @throws KernelJarException if it is not a jar, or contains none of the supported kernels
   */
  static KernelJar read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new KernelJarException(file, "the file does not exist");
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      for (Family family : Family.values()) {
        String mainClass = mainClass(jar, family);
        if (mainClass != null) {
          return new KernelJar(file, family, mainClass);
        }
      }
    } catch (ZipException e) {
      throw new KernelJarException(file, "it is not a jar (%s)".formatted(e.getMessage()));
    }
    throw new KernelJarException(
        file,
        "it contains none of the supported Jupyter kernels: "
            + Arrays.stream(Family.values()).map(Family::title).collect(Collectors.joining(", ")));
  }

  /*
   * A fork may have its main class in another package than the original: the manifest has its name.
   */
  private static @Nullable String mainClass(JarFile jar, Family family) throws IOException {
    if (jar.stream().noneMatch(entry -> entry.getName().startsWith(family.begin()))) {
      return null;
    }
    Manifest manifest = jar.getManifest();
    String named =
        manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
    for (String name : new String[] {named == null ? "" : named, family.mainClass}) {
      if (jar.getEntry(name.replace('.', '/') + ".class") != null) {
        return name;
      }
    }
    return null;
  }
}
