package funnel.cli;

import funnel.cli.InputFile.Wanted;
import funnel.columns.Columns;
import funnel.file.WholeFile;
import funnel.io.ElementFile;
import funnel.io.ElementOutput;
import funnel.io.Npz;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code funnel convert}. */
@Command(
    name = "convert",
    description = {
      "Write a file in another format, or its numbers as another type.",
      "",
      "A .npy or .bin takes the elements of one column, array or file; a .txt takes them as text,"
          + " one on each line; a .npz takes the columns of a table that have numbers. A .csv,"
          + " .tsv, .jsonl or .parquet takes the columns of a table, which DuckDB writes.",
      "A number that the type cannot hold is an error; float32 and float16 round fractions.",
      "The output appears under its name when it is complete. If anything fails, or the command"
          + " is interrupted, nothing has changed.",
      ""
    },
    footer = {
      "  funnel convert sales.csv --column price --out price.npy",
      "  funnel convert data.npy --to float32 --out data.bin",
      "  funnel convert events.jsonl.gz --out events.parquet",
      "  seq 9 | funnel convert - --out nine.npy"
    })
final class ConvertCommand extends FunnelCommand {

  private static final int PIECE = 1 << 20;

  @Mixin private InputFile input = new InputFile();

  @Option(
      names = "--to",
      paramLabel = "TYPE",
      description = "The type of the numbers in a .npy or .bin: ${COMPLETION-CANDIDATES}.")
  private @Nullable FileType to;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "Where the numbers or the table go, in the format of the name.")
  private OutputFile out = OutputFile.none();

  @Option(names = "--force", description = "Replace an existing output.")
  private boolean force;

  @Override
  public Integer call() throws IOException {
    requireReplaceable("--out", out, force);
    boolean isTable = input.isSqlTable();
    if (out.isStandard() || out.hasSuffix(".npy") || out.hasSuffix(".bin")) {
      writeElements();
    } else if (out.hasSuffix(".txt")) {
      writeText();
    } else if (isTable && out.hasSuffix(".npz")) {
      writeArchive();
    } else if (isTable) {
      writeTable();
    } else {
      throw usage("--out %s: name a .npy, .bin or .txt; other formats take a table", out);
    }
    passOutput();
    return ExitCode.OK;
  }

  private void writeElements() throws IOException {
    try (ElementFile file = input.open(null, false)) {
      FileType type = to == null ? InputFile.stored(file) : to;
      boolean isTable = file.shape().size() != 1 && !InputFile.isFortranOrder(file);
      long[] shape =
          isTable
              ? file.shape().stream().mapToLong(length -> length).toArray()
              : new long[] {file.length()};
      try (ElementOutput output =
          out.hasSuffix(".bin")
              ? ElementOutput.createRaw(out.file(), type.storage(), file.length())
              : ElementOutput.create(out.file(), type.storage(), shape)) {
        for (long from = 0; from < file.length(); from += PIECE) {
          long end = Math.min(file.length(), from + PIECE);
          output.append(as(type, file.piece(from, end), file.type(), from));
        }
        output.commit(force);
      } catch (FileAlreadyExistsException e) {
        throw exists("--out", out);
      } catch (ArithmeticException e) {
        throw new IOException("%s: %s".formatted(input.path(), e.getMessage()), e);
      }
    }
  }

  /** Elements as others; throws for a number that is none of these. */
  private static MemorySegment as(FileType type, MemorySegment x, ElementType from, long first) {
    ElementType to = type.element();
    if (to == from && type.isElement()) {
      return x;
    }
    long length = x.byteSize() / from.bytes();
    MemorySegment all = MemorySegment.ofArray(new long[(int) length]);
    for (int i = 0; i < length; i++) {
      Number number = FoundOutput.number(x, from, i);
      double value = number.doubleValue();
      long whole = number.longValue();
      boolean isHeld =
          switch (to) {
            case BYTE -> value == whole && whole == (whole & 0xff);
            case INT -> value == whole && whole == (int) whole;
            case LONG -> !from.isFloating() || isWhole(value, whole);
            case FLOAT ->
                from.isFloating()
                    ? !Double.isFinite(value) || Math.abs(value) < end(type)
                    : isWhole((float) whole, whole) && Math.abs(value) < end(type);
            case DOUBLE -> from.isFloating() || isWhole(value, whole);
          };
      if (!isHeld) {
        throw new ArithmeticException(
            "element %s is %s, which is no %s".formatted(first + i, Numbers.text(number), type));
      }
      switch (to) {
        case BYTE -> all.set(ValueLayout.JAVA_BYTE, i, (byte) whole);
        case INT -> all.setAtIndex(ValueLayout.JAVA_INT, i, (int) whole);
        case LONG -> all.setAtIndex(ValueLayout.JAVA_LONG, i, whole);
        case FLOAT -> all.setAtIndex(ValueLayout.JAVA_FLOAT, i, number.floatValue());
        case DOUBLE -> all.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
      }
    }
    return all.asSlice(0, length * to.bytes());
  }

  private static boolean isWhole(double value, long whole) {
    return value == whole && (long) value == whole && value < 0x1p63;
  }

  /** From here on numbers would become infinite. */
  private static double end(FileType floats) {
    return floats == FileType.FLOAT16 ? 65520 : 0x1.ffffffp127;
  }

  private void writeText() throws IOException {
    try (ElementFile file = input.open(null, false);
        WholeFile whole = WholeFile.create(out.file());
        PrintWriter text = new PrintWriter(whole.stream(), false, StandardCharsets.UTF_8)) {
      FoundOutput printed = new FoundOutput(null, text, file.type(), file.length());
      for (long from = 0; from < file.length(); from += PIECE) {
        printed.write(from, file.piece(from, Math.min(file.length(), from + PIECE)));
      }
      text.flush();
      whole.commit();
    }
  }

  private void writeArchive() throws IOException {
    List<Wanted> wanted =
        input.numeric().stream().map(name -> new Wanted(name, "--", null, false)).toList();
    if (wanted.isEmpty()) {
      throw usage("%s has no columns of numbers", input.path());
    }
    SequencedMap<String, Npz.Array> arrays = new LinkedHashMap<>();
    List<TableFile.Read> read = input.openColumns(wanted, false);
    for (int c = 0; c < wanted.size(); c++) {
      ElementFile file = read.get(c).elements();
      MemorySegment all = file.piece(0, file.length());
      arrays.put(wanted.get(c).name(), new Npz.Array(file.type(), List.of(file.length()), all));
    }
    Npz.write(out.file(), arrays);
    read.forEach(each -> each.elements().close());
  }

  private void writeTable() throws IOException {
    String name = out.toString();
    String format =
        switch (FileFormat.ofName(name).orElse(FileFormat.RAW)) {
          case CSV -> "FORMAT csv, HEADER";
          case TSV -> "FORMAT csv, HEADER, DELIMITER '\t'";
          case JSONL -> "FORMAT json";
          case PARQUET -> "FORMAT parquet";
          default ->
              throw usage("--out %s: name a .csv, .tsv, .jsonl, .parquet, .npz or .npy", name);
        };
    List<String> names = input.chosen();
    String columns = names.stream().map(Columns::quoted).collect(Collectors.joining(", "));
    Path made = Files.createTempFile("funnel-table", "");
    try (WholeFile whole = WholeFile.create(out.file())) {
      var _ =
          Columns.sql(
                  "COPY (SELECT %s FROM %s) TO '%s' (%s)"
                      .formatted(
                          columns,
                          input.expression(names),
                          made.toString().replace("'", "''"),
                          format))
              .read();
      Files.copy(made, whole.stream());
      whole.commit();
    } finally {
      Files.deleteIfExists(made);
    }
  }
}
