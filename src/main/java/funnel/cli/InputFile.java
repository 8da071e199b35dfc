package funnel.cli;

import funnel.io.ElementFile;
import funnel.io.FileFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The file that a command works on, and what its elements are. */
final class InputFile {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "A .npy file, or raw little-endian elements.")
  private Path path = Path.of("");

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "What a raw file holds: ${COMPLETION-CANDIDATES}. A .npy says it itself.")
  private @Nullable FileType type;

  @Option(names = "--raw", description = "Take the file as raw even if it looks like a .npy.")
  private boolean raw;

  Path path() {
    return path;
  }

  /**
   * Maps the file.
   *
   * @throws ParameterException if its type is not given, or given otherwise than in its header
   * @throws IOException if it cannot be read or is malformed
   */
  ElementFile open() throws IOException {
    return open(null);
  }

  /**
   * Maps the file.
   *
   * @param rawType what a raw file holds if nothing is said, or null if it must be said
   * @throws ParameterException if its type is not given, or given otherwise than in its header
   * @throws IOException if it cannot be read or is malformed
   */
  ElementFile open(@Nullable FileType rawType) throws IOException {
    boolean npy = !raw && ElementFile.isNpy(path);
    if (!npy) {
      FileType held = type != null ? type : rawType;
      if (held == null) {
        throw usage("%s is raw: say what it holds with --type".formatted(path));
      }
      return ElementFile.openRaw(path, held.element());
    }
    ElementFile file = ElementFile.open(path);
    if (type != null && type.element() != file.type()) {
      file.close();
      throw usage(
          "--type %s contradicts %s, which holds %s; --raw takes it as raw"
              .formatted(type, path, FileType.of(file.type())));
    }
    return file;
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  static boolean isFortranOrder(ElementFile file) {
    return file.header().map(header -> header.fortranOrder()).orElse(false);
  }

  /** One line about the file. */
  static String describe(ElementFile file) {
    return "%s: %,d %s elements%s"
        .formatted(
            file.path(),
            file.length(),
            FileType.of(file.type()),
            file.header().isEmpty()
                ? ""
                : ", shape %s%s"
                    .formatted(
                        FileFormatException.excerpt(file.shape()),
                        isFortranOrder(file) ? " in Fortran order" : ""));
  }

  /** The file as fields of a line of JSON. */
  static Map<String, Object> asMap(ElementFile file) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("file", file.path().toString());
    map.put("format", file.header().isPresent() ? "npy" : "raw");
    map.put("type", FileType.of(file.type()).toString());
    map.put("elements", file.length());
    map.put("shape", file.shape());
    map.put("fortranOrder", isFortranOrder(file));
    return map;
  }
}
