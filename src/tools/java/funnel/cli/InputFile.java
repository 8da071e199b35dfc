package funnel.cli;

import funnel.columns.ColumnTypeException;
import funnel.columns.Columns;
import funnel.columns.MissingValueException;
import funnel.columns.NoSuchColumnException;
import funnel.io.ElementFile;
import funnel.io.FileFormatException;
import funnel.io.Npz;
import funnel.operator.ElementType;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The file that a command works on, and what its elements are. */
final class InputFile {

  /** The name of standard input or output. */
  static final String STANDARD = "-";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "FILE",
      description =
          "A .npy file, raw little-endian elements, an array of a .npz, or a column of a .csv or"
              + " .parquet file, which DuckDB's driver reads: "
              + Columns.DRIVER
              + ", whose jar is to be in FUNNEL_CLASSPATH. - is standard input.")
  private Path path = Path.of("");

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description =
          "The type of a raw file: ${COMPLETION-CANDIDATES}. A .npy has its type in its header. For"
              + " a column, the type to convert to; default: the smallest type that fits all of its"
              + " numbers; float64 for decimals.")
  private @Nullable FileType type;

  @Option(names = "--raw", description = "Read the file as raw, whatever its name or contents.")
  private boolean raw;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      description =
          "The column of a .csv or .parquet file, or the array of a .npz. Default: the only one.")
  private @Nullable String column;

  @Option(
      names = "--missing",
      paramLabel = "NUMBER",
      description =
          "The value for missing ones in a column; not for keys. Without it such a column is"
              + " refused.")
  private @Nullable String missing;

  private boolean hasKeys;

  /** Copies of what cannot be mapped, with its names. */
  private static final Map<String, String> COPIES = new ConcurrentHashMap<>();

  Path path() {
    return path;
  }

  /** Whether it has columns, or arrays, by names. */
  boolean isTable() {
    return !raw && isTable(path);
  }

  private static boolean isTable(Path file) {
    return isArchive(file) || TableFile.isTable(file);
  }

  private static boolean isArchive(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".npz");
  }

  /** Its name for people. */
  String name() {
    return path.toString().equals(STANDARD) ? "standard input" : String.valueOf(path.getFileName());
  }

  /** Sets the column of keys, in which no value may be missing. */
  void useKeys(@Nullable String name) {
    if (column != null && name != null) {
      throw usage("--keys and --column name the same: give one");
    }
    column = name == null ? column : name;
    hasKeys = true;
  }

  /**
   * Maps the file, or a column of it.
   *
   * @param isQuiet whether no progress is shown
   * @param rawType the default type of a raw file, or null if it must be given
   * @throws ParameterException if its type is not given, or differs from that in its header
   * @throws IOException if it cannot be read or is malformed
   */
  ElementFile open(@Nullable FileType rawType, boolean isQuiet) throws IOException {
    if (isTable()) {
      return openColumn(column == null ? onlyColumn() : column, "--", type, hasKeys, isQuiet);
    }
    if (column != null || missing != null) {
      throw usage("--column and --missing are of .csv, .parquet and .npz files, not of " + path);
    }
    return openElements(path, raw, "--", type, rawType);
  }

  private String onlyColumn() throws IOException {
    List<String> names = names();
    if (names.size() != 1) {
      throw usage(
          "%s has %s: name one with --column, or take it as it is with --raw"
              .formatted(path, names.isEmpty() ? "no columns" : "the columns " + quoted(names)));
    }
    return names.getFirst();
  }

  private List<String> names() throws IOException {
    return isArchive(path) ? Npz.names(path) : TableFile.columns(path).names();
  }

  private static String quoted(List<String> names) {
    return names.stream().map("'%s'"::formatted).collect(Collectors.joining(", "));
  }

  /**
   * Maps a file that is not a table.
   *
   * @param options the beginning of the names of the options that describe it
   * @param type its type, or null
   * @param rawType its default type if it is raw, or null
   */
  ElementFile openElements(
      Path named, boolean raw, String options, @Nullable FileType type, @Nullable FileType rawType)
      throws IOException {
    if (!raw && isTable(named)) {
      throw usage(
          "%s has columns, which go with keys that are columns of it; %sraw takes it as raw"
              .formatted(named, options));
    }
    Path file = mappable(named);
    if (raw || !ElementFile.isNpy(file)) {
      FileType held = type != null ? type : rawType;
      if (held == null) {
        throw usage("%s is raw: give its type with %stype".formatted(named, options));
      }
      return ElementFile.openRaw(file, held.element());
    }
    return requireType(ElementFile.open(file), named, options, type);
  }

  private ElementFile requireType(
      ElementFile file, Path named, String options, @Nullable FileType type) {
    if (type != null && type.element() != file.type()) {
      file.close();
      throw usage(
          "%1$stype %2$s contradicts %3$s, which holds %4$s; %1$sraw takes it as raw"
              .formatted(options, type, named, FileType.of(file.type())));
    }
    return file;
  }

  /* A mapping needs a file of a known size. Files that the system generates when they are read have
   * none, and standard input and pipes are not files: a copy of these is mapped.
   */
  static Path mappable(Path file) throws IOException {
    boolean isStandard = file.toString().equals(STANDARD);
    if (!isStandard && !isPipe(file) && !(Files.isRegularFile(file) && Files.size(file) == 0)) {
      return file;
    }
    Path copy = Files.createTempFile("funnel-input", ".bin");
    copy.toFile().deleteOnExit();
    try (InputStream in = isStandard ? System.in : new FileInputStream(file.toFile())) {
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      FileSystemException failed =
          new FileSystemException(
              isStandard ? "standard input" : file.toString(),
              copy.toString(),
              "cannot be copied: " + e.getMessage());
      failed.initCause(e);
      throw failed;
    }
    if (Files.size(copy) == 0 && Files.isRegularFile(file)) {
      return file;
    }
    COPIES.put(copy.toString(), file.toString());
    return copy;
  }

  /** A message with the names of files instead of those of their copies. */
  static String withoutCopies(String message) {
    String line = message;
    for (Map.Entry<String, String> copy : COPIES.entrySet()) {
      line = line.replace(copy.getKey(), copy.getValue());
    }
    return line;
  }

  private static boolean isPipe(Path file) throws IOException {
    return Files.exists(file)
        && !Files.isRegularFile(file)
        && !Files.isDirectory(file)
        && ((int) Files.getAttribute(file, "unix:mode") & 0xf000) == 0x1000;
  }

  /**
   * Maps a column of the table.
   *
   * @param options the beginning of the names of the options that describe it
   * @param type the type to convert to, or null for its own
   */
  ElementFile openValues(String name, String options, @Nullable FileType type, boolean isQuiet)
      throws IOException {
    return openColumn(name, options, type, false, isQuiet);
  }

  private ElementFile openColumn(
      String name, String options, @Nullable FileType type, boolean isKey, boolean isQuiet)
      throws IOException {
    if (isArchive(path)) {
      List<String> names = Npz.names(path);
      if (!names.contains(name)) {
        throw usage("%s has no array '%s'; there are %s".formatted(path, name, quoted(names)));
      }
      if (missing != null) {
        throw usage("--missing is of .csv and .parquet files: no value of a .npz is missing");
      }
      return requireType(Npz.open(path, name), path, options, type);
    }
    Columns columns = TableFile.columns(path);
    ElementType element = null;
    try {
      element = type == null ? columns.type(name) : type.element();
      if (element == ElementType.BYTE) {
        throw usage("a column becomes no %s: take int32".formatted(FileType.UINT8));
      }
      Number instead = missing == null || isKey ? null : Numbers.parsed(missing, element);
      return type == null && !isKey
          ? TableFile.openWidest(path, name, element, instead, isQuiet)
          : TableFile.open(path, name, element, instead, isQuiet);
    } catch (NumberFormatException | ArithmeticException e) {
      throw usage("--missing %s is no number of the column's type".formatted(missing));
    } catch (NoSuchColumnException e) {
      throw usage(e.problem());
    } catch (MissingValueException e) {
      String advice = isKey ? "a key may not be missing" : "--missing gives one to use instead";
      throw new IOException("%s: %s".formatted(e.problem(), advice), e);
    } catch (ColumnTypeException e) {
      if (element == null || isUnlike(columns, name, element)) {
        throw usage(e.problem() + advice(e, options, isKey));
      }
      throw new IOException(e.problem() + advice(e, options, isKey), e);
    }
  }

  /** Whether a whole column, rather than a value in it, is not of a type. */
  private static boolean isUnlike(Columns columns, String name, ElementType type)
      throws IOException {
    try {
      return columns.type(name).isFloating() && !type.isFloating();
    } catch (ColumnTypeException e) {
      return true;
    }
  }

  private static String advice(ColumnTypeException e, String options, boolean isKey) {
    return e.other()
        .filter(other -> !(isKey && other.isFloating()))
        .map(other -> ": read it with %stype %s".formatted(options, FileType.of(other)))
        .orElse("");
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  static boolean isFortranOrder(ElementFile file) {
    return file.header().map(header -> header.fortranOrder()).orElse(false);
  }

  /** One line about the file. */
  String describe(ElementFile file) {
    return String.format(
        Locale.ROOT,
        "%s: %,d %s elements%s",
        path,
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
  Map<String, Object> asMap(ElementFile file) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("file", path.toString());
    map.put("format", isTable() ? "table" : file.header().isPresent() ? "npy" : "raw");
    map.put("type", FileType.of(file.type()).toString());
    map.put("elements", file.length());
    map.put("shape", file.shape());
    map.put("fortranOrder", isFortranOrder(file));
    return map;
  }
}
