package funnel.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a file is: by its name, else by its first bytes. */
enum FileFormat {
  NPY,
  NPZ,
  RAW,
  /** Numbers with blanks or line feeds between them. */
  TEXT,
  CSV,
  TSV,
  JSONL,
  PARQUET;

  private static final int BEGINNING = 1 << 13;

  private static final Map<String, FileFormat> SUFFIXES =
      Map.ofEntries(
          Map.entry("npy", NPY),
          Map.entry("npz", NPZ),
          Map.entry("bin", RAW),
          Map.entry("csv", CSV),
          Map.entry("tsv", TSV),
          Map.entry("tab", TSV),
          Map.entry("json", JSONL),
          Map.entry("jsonl", JSONL),
          Map.entry("ndjson", JSONL),
          Map.entry("parquet", PARQUET));

  private static final Pattern ARROW = Pattern.compile("(?i).*\\.(arrow|feather|ipc|arrows)");

  /** A number as {@link TextNumbers} reads it. */
  static final Pattern NUMBER =
      Pattern.compile("(?i)[+-]?(\\d+\\.?\\d*(e[+-]?\\d+)?|\\.\\d+(e[+-]?\\d+)?|nan|inf(inity)?)");

  /**
   * The format that a name promises, if it does.
   *
   * @throws IOException if it is one that nobody here reads
   */
  static Optional<FileFormat> ofName(String name) throws IOException {
    if (ARROW.matcher(name).matches()) {
      throw new IOException(
          name
              + ": Arrow's files are not read, since DuckDB's driver does not read them; write"
              + " Parquet, in Python pyarrow.parquet.write_table(pyarrow.feather.read_table("
              + "'x.arrow'), 'x.parquet')");
    }
    String lower = name.toLowerCase(Locale.ROOT);
    int dot = lower.lastIndexOf('.');
    return dot < 0 ? Optional.empty() : Optional.ofNullable(SUFFIXES.get(lower.substring(dot + 1)));
  }

  /** The format that the first bytes have. */
  static FileFormat ofContents(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return NPY; // which says what is wrong
    }
    byte[] begin;
    try (InputStream in = Files.newInputStream(file)) {
      begin = in.readNBytes(BEGINNING);
    }
    if (begins(begin, "\u0093NUMPY")) {
      return NPY;
    }
    if (begins(begin, "PK\u0003\u0004")) {
      return NPZ;
    }
    if (begins(begin, "PAR1")) {
      return PARQUET;
    }
    String text = text(begin);
    if (text.isBlank()) {
      return RAW;
    }
    if (text.stripLeading().startsWith("{")) {
      return JSONL;
    }
    String[] words = text.strip().split("\\s+");
    long whole = begin.length < BEGINNING || words.length == 1 ? words.length : words.length - 1;
    return Stream.of(words).limit(whole).allMatch(word -> NUMBER.matcher(word).matches())
        ? TEXT
        : CSV;
  }

  private static boolean begins(byte[] file, String with) {
    byte[] bytes = with.getBytes(StandardCharsets.ISO_8859_1);
    return Arrays.equals(Arrays.copyOf(file, bytes.length), bytes);
  }

  /** The bytes as text; empty if they are none. */
  private static String text(byte[] bytes) {
    CharBuffer chars = CharBuffer.allocate(bytes.length);
    boolean isText =
        !StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(bytes), chars, false)
            .isMalformed();
    String text = chars.flip().toString();
    return isText && text.chars().allMatch(c -> c >= ' ' && c != 0x7f || Character.isWhitespace(c))
        ? text
        : "";
  }

  /** Whether it has columns that DuckDB's driver reads. */
  boolean isTable() {
    return switch (this) {
      case CSV, TSV, JSONL, PARQUET -> true;
      case NPY, NPZ, RAW, TEXT -> false;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
