package funnel.cli;

import funnel.columns.Columns;
import funnel.columns.NoSuchColumnException;
import funnel.io.ElementFile;
import funnel.io.FileFormatException;
import funnel.operator.ElementType;
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

  @Parameters(
      paramLabel = "FILE",
      description =
          "A .npy file, raw little-endian elements, or a .csv or .parquet file, which DuckDB's"
              + " driver reads: "
              + Columns.DRIVER
              + ", whose jar is to be in FUNNEL_CLASSPATH.")
  private Path path = Path.of("");

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description =
          "What a raw file holds: ${COMPLETION-CANDIDATES}. A .npy says it itself. Of a column,"
              + " what it becomes: the smallest type that all of its numbers have, unless given.")
  private @Nullable FileType type;

  @Option(names = "--raw", description = "Take the file as raw even if it looks like a .npy.")
  private boolean raw;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      description = "Of a .csv or .parquet file: the column.")
  private @Nullable String column;

  @Option(
      names = "--missing",
      paramLabel = "NUMBER",
      description =
          "What stands where a column has no value; not of keys. Without it such a column is"
              + " refused.")
  private @Nullable String missing;

  private boolean hasKeys;

  Path path() {
    return path;
  }

  /** Whether it is a table, of which columns are read. */
  boolean isTable() {
    return !raw && TableFile.isTable(path);
  }

  /** Has keys read, in which none may be missing; their column may be given otherwise. */
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
   * @param rawType what a raw file holds if nothing is said, or null if it must be said
   * @throws ParameterException if its type is not given, or given otherwise than in its header
   * @throws IOException if it cannot be read or is malformed
   */
  ElementFile open(@Nullable FileType rawType, boolean isQuiet) throws IOException {
    if (isTable()) {
      if (column == null) {
        throw usage(
            "%s has columns: name one with --column, or take it as it is with --raw"
                .formatted(path));
      }
      return openColumn(column, type, hasKeys ? null : missing, isQuiet);
    }
    if (column != null || missing != null) {
      throw usage("--column and --missing are of .csv and .parquet files, not of " + path);
    }
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

  /**
   * Maps a column of the table.
   *
   * @param type what it becomes, or null for what it has
   */
  ElementFile openValues(String name, @Nullable FileType type, boolean isQuiet) throws IOException {
    return openColumn(name, type, missing, isQuiet);
  }

  private ElementFile openColumn(
      String name, @Nullable FileType type, @Nullable String missing, boolean isQuiet)
      throws IOException {
    try {
      ElementType element = type == null ? TableFile.columns(path).type(name) : type.element();
      if (element == ElementType.BYTE) {
        throw usage("a column becomes no %s: take int32".formatted(FileType.UINT8));
      }
      Number instead = missing == null ? null : Numbers.parsed(missing, element);
      return TableFile.open(path, name, element, instead, isQuiet);
    } catch (NumberFormatException | ArithmeticException e) {
      throw usage("--missing %s is no number of the column's type".formatted(missing));
    } catch (NoSuchColumnException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
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
  Map<String, Object> asMap(ElementFile file) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("file", file.path().toString());
    map.put("format", file.header().isPresent() ? "npy" : isTable() ? "table" : "raw");
    map.put("type", FileType.of(file.type()).toString());
    map.put("elements", file.length());
    map.put("shape", file.shape());
    map.put("fortranOrder", isFortranOrder(file));
    return map;
  }
}
