package funnel.cli;

import funnel.cli.TableFile.Read;
import funnel.columns.ColumnTypeException;
import funnel.columns.Columns;
import funnel.columns.MissingValueException;
import funnel.columns.NoSuchColumnException;
import funnel.io.ElementFile;
import funnel.io.FileFormatException;
import funnel.io.Npz;
import funnel.operator.ElementType;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The file that a command works on, and what its elements are. */
final class InputFile {

  /** The name of standard input or output. */
  static final String STANDARD = "-";

  private static final String STANDARD_NAME = "standard input";
  private static final String GZIP = ".gz";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "FILE",
      description =
          "Numbers: a .npy file, an array of a .npz, raw little-endian elements, a text with a"
              + " number on each line, or a column of a .csv, .tsv, .jsonl or .parquet file, which"
              + " DuckDB's driver reads: "
              + Columns.DRIVER
              + ", whose jar is to be in FUNNEL_CLASSPATH. Each may be compressed as .gz. - is"
              + " standard input.")
  private Path path = Path.of("");

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description =
          "The type of a raw file: ${COMPLETION-CANDIDATES}. A .npy has its type in its header. For"
              + " a column or a text, the type to convert to; default: the smallest type that fits"
              + " all of its numbers; float64 for decimals.")
  private @Nullable FileType type;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "The file's format: ${COMPLETION-CANDIDATES}. Default: that of its name, or else of its"
              + " first bytes.")
  private @Nullable FileFormat format;

  @Option(names = "--raw", description = "Read the file as raw, whatever its name or contents.")
  private boolean raw;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      description =
          "The column of a table, or the array of a .npz; the number of a column that has no name,"
              + " from 1. Default: the only one.")
  private @Nullable String column;

  @Option(
      names = "--separator",
      paramLabel = "TEXT",
      description =
          "What is between the fields of a .csv; \\t is a tab. Default: it is detected; a tab for a"
              + " .tsv.")
  private @Nullable String separator;

  @Option(
      names = "--no-header",
      description =
          "The first line of a .csv or .tsv has no names. Default: it has them, except in a file of"
              + " another name whose first line has a number.")
  private boolean noHeader;

  @ArgGroup private Gaps gaps = new Gaps();

  /** What to do where a value is missing: one of two. */
  static final class Gaps {
    @Option(
        names = "--missing",
        paramLabel = "NUMBER",
        description =
            "The value for missing ones in a column; not for keys. Without it and --skip-missing"
                + " such a column is refused.")
    private @Nullable String missing;

    @Option(
        names = "--skip-missing",
        description = "Leave out the rows of a table in which a value that is read is missing.")
    private boolean skip;
  }

  @Option(
      names = "--skip-nan",
      description = "Leave out NaN; of a table the rows in which a value that is read is NaN.")
  private boolean skipNan;

  private @Nullable Local local;
  private @Nullable Columns columns;

  /** Copies of what has no parts to read, with its names. */
  private static final Map<String, String> COPIES = new ConcurrentHashMap<>();

  Path path() {
    return path;
  }

  /**
   * The file as it is read.
   *
   * @param file the file, or a copy of what is no file, or is compressed
   */
  private record Local(Path file, FileFormat format) {}

  /** Whether it has columns, or arrays, by names. */
  boolean isTable() {
    return local != null && (local.format.isTable() || local.format == FileFormat.NPZ);
  }

  /** The same, after finding out what the file is. */
  boolean isTable(@Nullable FileType rawType) throws IOException {
    var _ = local(rawType);
    return isTable();
  }

  /** Whether it has columns that DuckDB's driver reads. */
  boolean isSqlTable() throws IOException {
    return local(null).format.isTable();
  }

  /** Opens an array or column by its name. */
  ElementFile openNamed(String name, boolean isQuiet) throws IOException {
    return openColumns(List.of(new Wanted(name, "--", type, false)), isQuiet).getFirst().elements();
  }

  /** The names of the columns that were asked for and have numbers. */
  List<String> numeric() throws IOException {
    List<String> numeric = new ArrayList<>();
    for (String name : chosen()) {
      try {
        var _ = columns().type(name);
        numeric.add(name);
      } catch (ColumnTypeException e) {
        // texts are no arrays
      }
    }
    return numeric;
  }

  /** The type of its elements, if it was given. */
  @Nullable FileType type() {
    return type;
  }

  /** The columns of keys: those of another option, or the column. */
  @Nullable String keys(@Nullable String names) {
    if (column != null && names != null) {
      throw usage("--keys and --column name the same: give one");
    }
    column = names == null ? column : names;
    return column;
  }

  /**
   * Finds out what the file is.
   *
   * @param rawType the default type of a raw file, or null if there is none
   */
  private Local local(@Nullable FileType rawType) throws IOException {
    if (local == null) {
      String name = unzippedName();
      Path file = raw || name.equals(path.toString()) ? regular(path) : unzipped(path);
      FileFormat found = raw ? FileFormat.RAW : format;
      if (found == null) {
        found = FileFormat.ofName(name).orElse(null);
      }
      local = new Local(file, found == null ? contents(file, rawType) : found);
    }
    return local;
  }

  /* A raw file could look like a text. So a text is only taken for one if nothing says that it is
   * raw, or if it has nothing but numbers.
   */
  private FileFormat contents(Path file, @Nullable FileType rawType) throws IOException {
    FileFormat found = FileFormat.ofContents(file);
    boolean isRaw =
        switch (found) {
          case NPY -> false;
          case TEXT ->
              column == null
                  && (type == FileType.UINT8 || rawType != null && !name().equals(STANDARD_NAME));
          default -> column == null && (type != null || rawType != null);
        };
    return isRaw
        ? FileFormat.RAW
        : found == FileFormat.TEXT && column != null ? FileFormat.CSV : found;
  }

  /** Its name for people. */
  String name() {
    return path.toString().equals(STANDARD) ? STANDARD_NAME : String.valueOf(path.getFileName());
  }

  /**
   * Opens the file, or a column of it.
   *
   * @param isQuiet whether no progress is shown
   * @param rawType the default type of a raw file, or null if it must be given
   * @throws ParameterException if its type is not given, or differs from that in its header
   * @throws IOException if it cannot be read or is malformed
   */
  ElementFile open(@Nullable FileType rawType, boolean isQuiet) throws IOException {
    var _ = local(rawType);
    if (isTable()) {
      String name = column == null ? onlyColumn() : column;
      return openNamed(name, isQuiet);
    }
    return withoutNan(List.of(openWhole(rawType))).getFirst();
  }

  /** Opens the file, which is no table. */
  ElementFile openWhole(@Nullable FileType rawType) throws IOException {
    Local there = local(rawType);
    if (column != null || gaps.missing != null) {
      throw usage("--column and --missing are of tables and .npz files, not of " + path);
    }
    return openElements(path, there.file, there.format, "--", type, rawType);
  }

  /** Leaves out NaN if this was asked for, and then closes the given. */
  List<ElementFile> withoutNan(List<ElementFile> columns) throws IOException {
    if (!skipNan || columns.stream().noneMatch(column -> column.type().isFloating())) {
      return columns;
    }
    try {
      return ElementCopy.withoutNan(columns);
    } finally {
      columns.forEach(ElementFile::close);
    }
  }

  /** The name of the only column or array. */
  String onlyColumn() throws IOException {
    List<String> names = names();
    if (names.size() != 1) {
      throw usage(
          "%s has %s: name one with --column, or take it as it is with --raw"
              .formatted(path, names.isEmpty() ? "no columns" : "the columns " + quoted(names)));
    }
    return names.getFirst();
  }

  /** The names of its columns or arrays. */
  List<String> names() throws IOException {
    Local there = local(null);
    return there.format == FileFormat.NPZ ? Npz.names(there.file) : columns().names();
  }

  /** The columns of a table. */
  private Columns columns() throws IOException {
    if (columns == null) {
      Local there = local(null);
      columns =
          switch (there.format) {
            case PARQUET -> Columns.parquet(there.file);
            case JSONL -> Columns.json(there.file);
            default -> Columns.csv(there.file, separator(), hasNames());
          };
    }
    return columns;
  }

  /** The table as an expression of DuckDB's SQL, without the rows that are to be left out. */
  String expression(List<String> names) throws IOException {
    Columns all = columns();
    return (gaps.skip ? all.present(names.toArray(String[]::new)) : all).expression();
  }

  /** The columns or arrays that were asked for: one, or all. */
  List<String> chosen() throws IOException {
    List<String> names = names();
    if (column == null) {
      return names;
    }
    String name = nameOf(column);
    if (!names.contains(name)) {
      throw usage("%s has no column '%s'; there are %s".formatted(path, name, quoted(names)));
    }
    return List.of(name);
  }

  private String separator() throws IOException {
    return separator != null
        ? separator.replace("\\t", "\t")
        : local(null).format == FileFormat.TSV ? "\t" : "";
  }

  /* A file that is named so has names, as everywhere; of another text nobody has said it. */
  private boolean hasNames() throws IOException {
    if (noHeader || format != null || FileFormat.ofName(unzippedName()).isPresent()) {
      return !noHeader;
    }
    try (BufferedReader in = Files.newBufferedReader(local(null).file)) {
      String fields = String.valueOf(in.readLine());
      fields = separator().isEmpty() ? fields : fields.replace(separator(), " ");
      return Stream.of(fields.strip().split("[,;|\\s]+"))
          .noneMatch(field -> FileFormat.NUMBER.matcher(field).matches());
    }
  }

  private String unzippedName() {
    String name = path.toString();
    return name.toLowerCase(Locale.ROOT).endsWith(GZIP)
        ? name.substring(0, name.length() - GZIP.length())
        : name;
  }

  private static String quoted(List<String> names) {
    return names.stream().map("'%s'"::formatted).collect(Collectors.joining(", "));
  }

  /**
   * Opens another file, which is no table.
   *
   * @param options the beginning of the names of the options that describe it
   * @param type its type, or null
   */
  ElementFile openOther(Path named, boolean raw, String options, @Nullable FileType type)
      throws IOException {
    Path file = regular(named);
    FileFormat found = raw ? FileFormat.RAW : FileFormat.ofName(named.toString()).orElse(null);
    if (found != null && (found.isTable() || found == FileFormat.NPZ)) {
      throw usage(
          "%s has columns, which go with keys that are columns of it; %sraw takes it as raw"
              .formatted(named, options));
    }
    if (found == null) {
      found = FileFormat.ofContents(file);
      found = found == FileFormat.NPY || found == FileFormat.TEXT ? found : FileFormat.RAW;
    }
    return openElements(named, file, found, options, type, null);
  }

  private ElementFile openElements(
      Path named,
      Path file,
      FileFormat found,
      String options,
      @Nullable FileType type,
      @Nullable FileType rawType)
      throws IOException {
    if (found == FileFormat.TEXT) {
      requireElement(type);
      return TextNumbers.open(file, type);
    }
    if (found == FileFormat.NPY || !raw && ElementFile.isNpy(file)) {
      return requireType(ElementFile.open(file), named, options, type);
    }
    FileType held = type != null ? type : rawType;
    if (held == null) {
      throw usage("%s is raw: give its type with %stype".formatted(named, options));
    }
    return ElementFile.openRaw(file, held.storage());
  }

  private void requireElement(@Nullable FileType type) {
    if (type != null && !type.isElement()) {
      throw usage(
          "numbers are not converted to %s: take %s".formatted(type, FileType.of(type.element())));
    }
  }

  private ElementFile requireType(
      ElementFile file, Path named, String options, @Nullable FileType type) {
    FileType held = stored(file);
    if (type != null && type != held && type != FileType.of(file.type())) {
      file.close();
      throw usage(
          "%1$stype %2$s contradicts %3$s, which holds %4$s; %1$sraw takes it as raw"
              .formatted(options, type, named, held));
    }
    return file;
  }

  /** The type of the numbers in the file. */
  static FileType stored(ElementFile file) {
    return file.header()
        .map(header -> FileType.of(header.storage()))
        .orElse(FileType.of(file.type()));
  }

  /* Parts are read of a file of a known size. Files that the system generates when they are read
   * have none, and standard input and pipes are not files: a copy of these is read.
   */
  static Path regular(Path file) throws IOException {
    boolean isStandard = file.toString().equals(STANDARD);
    if (!isStandard && !isPipe(file) && !(Files.isRegularFile(file) && Files.size(file) == 0)) {
      return file;
    }
    Path copy = copyOf(file, isStandard ? System.in : new FileInputStream(file.toFile()));
    if (Files.size(copy) == 0 && Files.isRegularFile(file)) {
      return file;
    }
    return copy;
  }

  private static Path unzipped(Path file) throws IOException {
    try {
      return copyOf(file, new GZIPInputStream(Files.newInputStream(file)));
    } catch (ZipException | EOFException e) {
      throw new IOException("%s: not compressed by gzip: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static Path copyOf(Path file, InputStream from) throws IOException {
    Path copy = Files.createTempFile("funnel-input", ".bin");
    copy.toFile().deleteOnExit();
    try (InputStream in = from) {
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      FileSystemException failed =
          new FileSystemException(
              file.toString().equals(STANDARD) ? STANDARD_NAME : file.toString(),
              copy.toString(),
              "cannot be copied: " + e.getMessage());
      failed.initCause(e);
      throw failed;
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
   * A column to read.
   *
   * @param options the beginning of the names of the options that describe it
   * @param type the type to convert to, or null for its own
   * @param isKey whether it may have texts, and no value may be missing
   */
  record Wanted(String name, String options, @Nullable FileType type, boolean isKey) {}

  /** Opens columns of the table, in one reading. */
  List<Read> openColumns(List<Wanted> wanted, boolean isQuiet) throws IOException {
    List<Read> read = new ArrayList<>();
    if (local(null).format == FileFormat.NPZ) {
      for (Wanted column : wanted) {
        read.add(new Read(openArray(column), List.of()));
      }
    } else {
      read.addAll(openTable(wanted, isQuiet));
    }
    List<ElementFile> elements = withoutNan(read.stream().map(Read::elements).toList());
    return IntStream.range(0, read.size())
        .mapToObj(c -> new Read(elements.get(c), read.get(c).texts()))
        .toList();
  }

  private ElementFile openArray(Wanted column) throws IOException {
    Path file = local(null).file;
    List<String> names = Npz.names(file);
    if (!names.contains(column.name)) {
      throw usage("%s has no array '%s'; there are %s".formatted(path, column.name, quoted(names)));
    }
    if (gaps.missing != null) {
      throw usage("--missing is of tables: no value of a .npz is missing");
    }
    return requireType(Npz.open(file, column.name), path, column.options, column.type);
  }

  private List<Read> openTable(List<Wanted> wanted, boolean isQuiet) throws IOException {
    Columns all = columns();
    List<TableFile.Wanted> columns = new ArrayList<>();
    Wanted at = wanted.getFirst();
    try {
      for (Wanted column : wanted) {
        at = column;
        columns.add(typed(all, column));
      }
      String[] names = columns.stream().map(TableFile.Wanted::name).toArray(String[]::new);
      Columns rows = gaps.skip ? all.present(names) : all;
      return new TableFile(local(null).file, local(null).format, rows).read(columns, isQuiet);
    } catch (NoSuchColumnException e) {
      throw usage(e.problem());
    } catch (MissingValueException e) {
      String advice =
          wanted.getFirst().isKey && !isValue(e, wanted)
              ? "a key may not be missing: --skip-missing leaves such rows out"
              : "--skip-missing leaves such rows out, --missing gives a number to use instead";
      throw new IOException("%s: %s".formatted(e.problem(), advice), e);
    } catch (ColumnTypeException e) {
      String problem = e.problem() + advice(e, at.options, at.isKey);
      if (columns.size() < wanted.size() || isUnlike(all, columns)) {
        throw usage(problem);
      }
      throw new IOException(problem, e);
    }
  }

  /** Whether a message is about a column that is no key. */
  private static boolean isValue(MissingValueException e, List<Wanted> wanted) {
    return wanted.stream()
        .anyMatch(each -> !each.isKey && e.problem().contains("'" + each.name + "'"));
  }

  private TableFile.Wanted typed(Columns all, Wanted column) throws IOException {
    String name = nameOf(column.name);
    requireElement(column.type);
    ElementType element = column.type == null ? null : column.type.element();
    if (element == null) {
      try {
        element = all.type(name);
      } catch (ColumnTypeException e) {
        if (column.isKey) {
          return new TableFile.Wanted(name, null, null, false);
        }
        throw e;
      }
    }
    if (element == ElementType.BYTE) {
      throw usage("a column becomes no %s: take int32".formatted(FileType.UINT8));
    }
    boolean isOwn = column.type == null && !column.isKey;
    if (gaps.missing == null || column.isKey) {
      return new TableFile.Wanted(name, element, null, isOwn);
    }
    try {
      return new TableFile.Wanted(name, element, Numbers.parsed(gaps.missing, element), isOwn);
    } catch (NumberFormatException | ArithmeticException e) {
      if (isOwn && !element.isFloating() && FileFormat.NUMBER.matcher(gaps.missing).matches()) {
        return typed(all, new Wanted(column.name, column.options, FileType.FLOAT64, false));
      }
      throw usage("--missing %s is no number of the column's type".formatted(gaps.missing));
    }
  }

  /** The name of a column that is given by its number, where there are no names. */
  private String nameOf(String given) throws IOException {
    boolean isNumbered =
        local(null).format != FileFormat.PARQUET && local(null).format != FileFormat.JSONL;
    if (isNumbered && given.matches("[1-9]\\d{0,5}") && !hasNames()) {
      List<String> names = names();
      int number = Integer.parseInt(given);
      if (number > names.size()) {
        throw usage("%s has %s columns: there is no %s".formatted(path, names.size(), given));
      }
      return names.get(number - 1);
    }
    return given;
  }

  /** Whether a whole column, rather than a value in it, is not of a type. */
  private static boolean isUnlike(Columns columns, List<TableFile.Wanted> wanted)
      throws IOException {
    for (TableFile.Wanted each : wanted) {
      try {
        if (each.type() != null
            && columns.type(each.name()).isFloating()
            && !each.type().isFloating()) {
          return true;
        }
      } catch (ColumnTypeException e) {
        return each.type() != null;
      }
    }
    return false;
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
        stored(file),
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
    map.put("format", isTable() ? "table" : local == null ? "raw" : local.format.toString());
    map.put("type", stored(file).toString());
    map.put("elements", file.length());
    map.put("shape", file.shape());
    map.put("fortranOrder", isFortranOrder(file));
    return map;
  }
}
