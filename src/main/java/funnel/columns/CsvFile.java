package funnel.columns;

import funnel.columns.Column.Header;
import funnel.operator.ElementType;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A CSV file, whose numbers are read without loss. */
final class CsvFile {

  /* DuckDB infers columns' types from the first lines. In later ones it rounds 2.5 to an integer
   * without a word, it reads 1e400 as infinity everywhere, and writes dates in another form. So all
   * fields are read as text. Numbers are cast in the query, and what such a cast would change is
   * null there. A second column has a flag for such fields, since a column of texts costs as much as
   * all the rest, even if there are none. If there are some, the query is repeated, with texts.
   *
   * Quotes are always expected, also if the first lines have none.
   */

  private static final String OPTIONS =
      "header = %s, skip = 0, comment = '', allow_quoted_nulls = false, hive_partitioning = false";

  private static final String DIALECT =
      "SELECT Delimiter, Quote, Escape, c.name, c.type FROM"
          + " (SELECT *, unnest(Columns) AS c FROM sniff_csv(%s, %s))";

  private static final String NO_QUOTE = "(empty)";

  /** All integers of a field c whose cast is v; fractions and exponents have other characters. */
  private static final String INTEGER =
      "CASE WHEN NOT (contains(c%1$s, '.') OR contains(c%1$s, 'e') OR contains(c%1$s, 'E'))"
          + " OR regexp_full_match(c%1$s, '\\s*0[xX].*') THEN v%1$s END";

  /** Numbers, except those too large, which become an infinity; 0x is for integers alone. */
  private static final String FRACTION =
      "CASE WHEN isfinite(v%1$s) OR c%1$s ILIKE '%%inf%%' OR c%1$s ILIKE '%%nan%%' THEN v%1$s"
          + " ELSE CAST(TRY_CAST(c%1$s AS BIGINT) AS %2$s) END";

  /** The same, for a query that fails where a value is none of these. */
  private static final String WHOLE_INTEGER =
      "CASE WHEN NOT (contains(%1$s, '.') OR contains(%1$s, 'e') OR contains(%1$s, 'E'))"
          + " THEN CAST(%1$s AS BIGINT) WHEN %1$s IS NOT NULL THEN error(%1$s) END AS v%2$s";

  /** The number of a text, by our function and the number of its column. */
  static final String TEXT =
      "CASE WHEN %1$s IS NOT NULL THEN "
          + DuckDbScan.TEXT
          + "("
          + DuckDbScan.SCAN
          + ", %2$s, %1$s) END";

  private static final String WHOLE_FRACTION =
      "CASE WHEN isinf(%1$s) THEN error('infinite') ELSE %1$s END AS v%2$s";

  private static final Pattern LINE = Pattern.compile("CSV Error on Line: (\\d+)\\R.*\\R(.*)");
  private static final Pattern FIELDS =
      Pattern.compile("Expected Number of Columns: (\\d+) Found: (\\d+)");
  private static final Pattern STACK = Pattern.compile("(?s)\\s*Stack Trace:.*");

  /** Milliseconds: a file that is as new may change again without another time. */
  private static final int RECENT = 2000;

  private static final String SEPARATORS = ",;\t|";
  private static final String MARK = "\u00ef\u00bb\u00bf"; // of UTF-8

  private final Path file;
  private final String literal;
  private final boolean hasNames;
  private final String options;
  private final String detected;
  private volatile @Nullable Dialect last;

  /**
   * A file.
   *
   * @param literal its name as a literal of SQL
   * @param separator what is between fields; empty if it is to be detected
   * @param hasNames whether the first line has the columns' names
   */
  CsvFile(Path file, String literal, String separator, boolean hasNames) {
    this.file = file;
    this.literal = literal;
    this.hasNames = hasNames;
    this.options = OPTIONS.formatted(hasNames);
    this.detected =
        options + (separator.isEmpty() ? "" : ", delim = %s".formatted(literal(separator)));
  }

  /**
   * A query, and the headers of its columns.
   *
   * @param whole the query for the values alone, which fails if some cannot be represented
   */
  record Reading(String sql, List<Header> headers, String whole) {}

  /** What runs a query whose columns are texts. */
  interface Query {
    /** The rows of the query. */
    List<List<String>> texts(String sql, int columns) throws SQLException;
  }

  /**
   * What DuckDB detects.
   *
   * @param size the file's when it did
   * @param time the file's
   * @param options of read_csv
   */
  private record Dialect(long size, FileTime time, List<Header> headers, String options) {}

  /** Detects it, unless the file is as it was at the last time. */
  private Dialect dialect(Query sniffing) throws SQLException, IOException {
    long size = Files.size(file);
    FileTime time = Files.getLastModifiedTime(file);
    Dialect known = last;
    if (known != null && known.size == size && known.time.equals(time)) {
      return known;
    }
    List<Header> all = new ArrayList<>();
    String dialect = "";
    for (List<String> row : sniffing.texts(DIALECT.formatted(literal, detected), 5)) {
      all.add(header(row.get(3), row.get(4), row.get(4), 0, false, true));
      dialect =
          ", delim = %s, quote = %s, escape = %s"
              .formatted(
                  literal(row.get(0)),
                  literal(row.get(1).replace(NO_QUOTE, "\"")),
                  literal(row.get(2).replace(NO_QUOTE, "\"")));
    }
    known = new Dialect(size, time, List.copyOf(all), dialect);
    if (time.toMillis() + RECENT < System.currentTimeMillis()) {
      last = known;
    }
    return known;
  }

  /** The table, for a query, with more options. */
  String table(String more) {
    return "read_csv(%s, %s%s)".formatted(literal, detected, more);
  }

  /**
   * The query for some columns.
   *
   * @param sniffing runs a query for the file's dialect
   * @param from the first row
   * @param hasTexts whether a column that follows a column of numbers has the texts of fields that
   *     are no such numbers, or only marks them
   * @param as DuckDB's type for their values; null for their own
   * @param present the condition on rows, or nothing
   * @param wanted the names of the columns; all if there are none
   */
  Reading reading(
      Query sniffing,
      long from,
      boolean hasTexts,
      @Nullable String as,
      String present,
      String... wanted)
      throws SQLException, IOException {
    if (Files.size(file) == 0) {
      throw new ColumnException(
          "%s is empty%s".formatted(file, hasNames ? ": its first line has no names" : ""), null);
    }
    Dialect found = dialect(sniffing);
    List<Header> all = found.headers();
    String dialect = found.options();
    List<String> casts = new ArrayList<>();
    List<String> values = new ArrayList<>();
    List<String> results = new ArrayList<>();
    List<String> whole = new ArrayList<>();
    List<String> types = new ArrayList<>();
    List<Header> headers = new ArrayList<>();
    for (Header header : wanted.length == 0 ? all : chosen(all, wanted)) {
      int i = headers.size();
      String name = Columns.quoted(header.name());
      String type = as == null || header.type() == null ? header.of() : as;
      headers.add(
          header(header.name(), header.of(), type, 2 * i + 1, all.size() == 1, present.isEmpty()));
      ElementType numbers = headers.getLast().type();
      casts.add(
          (numbers == null
                  ? "%1$s AS v%2$s, NULL AS c%2$s"
                  : "TRY_CAST(%1$s AS %3$s) AS v%2$s, %1$s AS c%2$s")
              .formatted(name, i, type));
      String value = numbers == null ? "v%s" : numbers.isFloating() ? FRACTION : INTEGER;
      values.add((value + " AS v%1$s, c%1$s").formatted(i, type));
      boolean isFraction = numbers != null && numbers.isFloating();
      whole.add(
          (numbers == null ? TEXT + " AS v%2$s" : isFraction ? WHOLE_FRACTION : WHOLE_INTEGER)
              .formatted(name, i));
      types.add("%s: '%s'".formatted(literal(header.name()), isFraction ? type : "VARCHAR"));
      results.add(
          (hasTexts
                  ? "v%1$s, CASE WHEN v%1$s IS NULL THEN c%1$s END"
                  : "v%1$s, CASE WHEN v%1$s IS NULL AND c%1$s IS NOT NULL THEN true END")
              .formatted(i));
    }
    String sql =
        "SELECT %s FROM (SELECT %s FROM (SELECT %s FROM read_csv(%s, %s%s, all_varchar = true)%s))%s"
            .formatted(
                String.join(", ", results),
                String.join(", ", values),
                String.join(", ", casts),
                literal,
                options,
                dialect,
                present,
                from == 0 ? "" : " OFFSET " + from);
    String typed =
        "SELECT %s FROM read_csv(%s, %s%s, types = {%s})%s"
            .formatted(
                String.join(", ", whole),
                literal,
                options,
                dialect,
                String.join(", ", types),
                present);
    return new Reading(sql, headers, typed);
  }

  /** The type of a column's numbers. */
  ElementType type(Connection open, String column) throws SQLException, IOException {
    Header header = reading(Columns.on(open), 0, false, null, "", column).headers().getFirst();
    if (header.type() == null) {
      requireNoFields(column); // it may be all of a ragged line
    }
    return header.requireNumbers();
  }

  private Header header(
      String name, String of, String type, int at, boolean isOnly, boolean isPlaced) {
    return new Header(
        file.toString(),
        name,
        of,
        switch (type) {
          case "BIGINT", "HUGEINT" -> ElementType.LONG;
          case "FLOAT" -> ElementType.FLOAT;
          case "DOUBLE" -> ElementType.DOUBLE;
          default -> null;
        },
        type.equals("HUGEINT"),
        at,
        at + 1,
        (row, value) -> isPlaced ? place(isOnly, row, String.valueOf(value)) : "");
  }

  private List<Header> chosen(List<Header> all, String... wanted) throws IOException {
    List<Header> chosen = new ArrayList<>();
    for (String name : wanted) {
      if (all.size() == 1 && !all.getFirst().name().equals(name)) {
        requireNoFields(all.getFirst().name());
      }
      chosen.add(all.get(Header.indexOf(name, file.toString(), all)));
    }
    return chosen;
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** What is wrong in the file, according to an exception of the driver. */
  static String reason(SQLException e) {
    String message = String.valueOf(e.getMessage());
    Matcher line = LINE.matcher(message);
    if (!line.find()) {
      return STACK.matcher(message).replaceFirst("").strip();
    }
    Matcher fields = FIELDS.matcher(message);
    return fields.find()
        ? fields(Long.parseLong(line.group(1)), fields.group(2), fields.group(1))
        : "line %s: %s".formatted(line.group(1), line.group(2).strip());
  }

  private static String fields(long line, String found, String expected) {
    return "line %s has %s %s, not %s"
        .formatted(line, found, found.equals("1") ? "field" : "fields", expected);
  }

  /**
   * Throws if there is a line with more or fewer fields than the first, for which DuckDB sees one
   * column.
   */
  private void requireNoFields(String name) throws IOException {
    for (int separator : SEPARATORS.chars().filter(each -> name.indexOf(each) >= 0).toArray()) {
      try (Lines lines = new Lines(separator)) {
        if (!lines.next() || !lines.text.replace(MARK, "").equals(asRead(name))) {
          continue; // the name is quoted, or not all of the line
        }
        int fields = lines.fields;
        while (lines.next()) {
          if (lines.fields != fields && !lines.text.isEmpty()) {
            throw new ColumnException(
                "%s: %s"
                    .formatted(
                        file,
                        fields(lines.begin, String.valueOf(lines.fields), String.valueOf(fields))),
                null);
          }
        }
      }
    }
  }

  /** Where a row's value is, if it is found there: {@code ", line 2"}. */
  private String place(boolean isOnly, long row, String value) {
    try (Lines lines = new Lines(0)) {
      for (long i = hasNames ? -1 : 0; lines.next(); ) {
        if (lines.text.isEmpty() && !isOnly) {
          continue; // no row for DuckDB
        }
        if (i++ == row) {
          String text = value.lines().findFirst().orElse("");
          return lines.text.contains(asRead(text)) ? ", line " + lines.begin : "";
        }
      }
      return "";
    } catch (IOException e) {
      return "";
    }
  }

  private static String asRead(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** Its records, which have several lines if there are line feeds within quotes. */
  private final class Lines implements AutoCloseable {
    private final BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1);
    private final int separator;
    private long line;

    /** The number of a record's first line, from 1. */
    long begin;

    /** Its first line. */
    String text = "";

    /** The number of its fields. */
    int fields;

    Lines(int separator) throws IOException {
      this.separator = separator;
    }

    boolean next() throws IOException {
      begin = line + 1;
      fields = 1;
      boolean isQuoted = false;
      do {
        String next = in.readLine();
        if (next == null) {
          return line >= begin;
        }
        text = ++line == begin ? next : text;
        for (int i = 0; i < next.length(); i++) {
          char c = next.charAt(i);
          isQuoted ^= c == '"';
          fields += c == separator && !isQuoted ? 1 : 0;
        }
      } while (isQuoted);
      return true;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
