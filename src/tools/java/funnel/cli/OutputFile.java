package funnel.cli;

import funnel.io.ElementOutput;
import funnel.operator.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A file that a command writes, as an option names it.
 *
 * @param file where it is written
 * @param isStandard whether it then goes to standard output, since it is named {@code -}
 */
record OutputFile(Path file, boolean isStandard) {

  /* Outputs are whole files, and a .npy begins with its length: so a file for standard output is
   * written in a folder of its own, and passed on when it is complete.
   */

  /** A placeholder for an option that must be given. */
  static OutputFile none() {
    return new OutputFile(Path.of(""), false);
  }

  /** From the command line. */
  static OutputFile named(String name) throws IOException {
    if (!name.equals(InputFile.STANDARD)) {
      return new OutputFile(Path.of(name), false);
    }
    Path folder = Files.createTempDirectory("funnel");
    Path file = folder.resolve("output");
    folder.toFile().deleteOnExit();
    file.toFile().deleteOnExit(); // before its folder
    return new OutputFile(file, true);
  }

  /** Writes what is in the file to standard output. */
  void pass() throws IOException {
    Files.copy(file, new StandardOutput()); // must not be closed
    Files.delete(file);
  }

  /** Whether the name ends like this, in upper or lower case. */
  boolean hasSuffix(String suffix) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(suffix);
  }

  /** Begins a file of elements: raw if it is a .bin, else a .npy. */
  ElementOutput create(ElementType type, long length) throws IOException {
    return hasSuffix(".bin")
        ? ElementOutput.createRaw(file, type, length)
        : ElementOutput.create(file, type, length);
  }

  @Override
  public String toString() {
    return isStandard ? InputFile.STANDARD : file.toString();
  }
}
