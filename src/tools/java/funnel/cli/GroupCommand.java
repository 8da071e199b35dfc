package funnel.cli;

import funnel.Results;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.io.ElementFile;
import funnel.io.Npz;
import funnel.io.Npz.Array;
import funnel.io.Source;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel group}. */
@Command(
    name = "group",
    description = {
      "Aggregate the values of each key: their number, sum, minimum, maximum and mean. Keys and"
          + " values are two files with the same number of elements.",
      "",
      "Keys are int32 or int64; the output has them in ascending order. Sums of integers are int64"
          + " and wrap around; sums of floating-point numbers are float64. The minimum and maximum"
          + " of a group with a NaN are NaN.",
      "Files are raw little-endian elements or .npy of any shape, taken in the order of the file."
          + " They are mapped, so both may be larger than the heap, than memory and than the"
          + " device; the groups are on the heap. The result does not depend on the engine. It does"
          + " not depend on --chunk either, except for the rounding of floating-point sums and of"
          + " means if there is more than one chunk.",
      "The output appears under its name when it is complete. If anything fails, or the command"
          + " is interrupted, nothing has changed.",
      ""
    },
    footer = {
      "  funnel group keys.npy",
      "  funnel group keys.npy --values values.npy --count --sum --mean",
      "  funnel group keys.npy --values values.npy --max --csv > largest.csv",
      "  funnel group events.parquet --keys shop --values price --sum --mean",
      "  funnel group k.bin --type int32 --values v.bin --values-type float32 --sum --out sums.npz"
    })
final class GroupCommand extends FileCommand {

  private static final int FEW = 8;
  private static final String KEY = "key";

  @Option(
      names = "--keys",
      paramLabel = "COLUMN",
      description = "In a .csv or .parquet file: the column of keys, like --column.")
  private @Nullable String keys;

  @Option(
      names = "--values",
      paramLabel = "FILE|COLUMN",
      description =
          "The values, as many as keys: a .npy file, or raw little-endian elements; another column"
              + " of a .csv or .parquet file, or array of a .npz.")
  private @Nullable String values;

  @Option(
      names = "--values-type",
      paramLabel = "TYPE",
      description =
          "The type of a raw file of values, or the type to convert a column of values to:"
              + " ${COMPLETION-CANDIDATES}.")
  private @Nullable FileType valuesType;

  @Option(names = "--values-raw", description = "Take a file of values as raw.")
  private boolean valuesRaw;

  @Option(
      names = "--count",
      description = "The number of values; the default if no aggregate is given.")
  private boolean count;

  @Option(names = "--sum", description = "The sum.")
  private boolean sum;

  @Option(names = "--min", description = "The least.")
  private boolean min;

  @Option(names = "--max", description = "The largest.")
  private boolean max;

  @Option(names = "--mean", description = "The mean, as float64.")
  private boolean mean;

  @Option(
      names = "--csv",
      description = "Print all groups as comma-separated values and nothing else.")
  private boolean csv;

  @Option(
      names = "--out",
      paramLabel = "FILE.npz",
      description =
          "Where keys and columns go, as arrays key, count, sum and so on. Without it and --csv,"
              + " groups are counted, and the first few are printed.")
  private @Nullable OutputFile out;

  @Option(names = "--force", description = "Replace an existing output.")
  private boolean force;

  GroupCommand() {
    super(ScanCommand.CHUNK);
  }

  private List<GroupColumn> columns() {
    List<GroupColumn> columns = new ArrayList<>();
    boolean[] asked = {count || !sum && !min && !max && !mean, sum, min, max, mean};
    for (GroupColumn column : GroupColumn.values()) {
      if (asked[column.ordinal()]) {
        columns.add(column);
      }
    }
    return columns;
  }

  @Override
  void requireOptions() throws IOException {
    input().useKeys(keys);
    if (values == null && (sum || min || max || mean)) {
      throw usage("--sum, --min, --max and --mean are of values: name their file with --values");
    }
    if (csv && (isJson() || out != null)) {
      throw usage(
          "--csv prints groups and nothing else: it cannot be combined with --json or --out");
    }
    if (out != null) {
      requireReplaceable("--out", out, force);
      requireSuffix("--out", out, "a .npz", ".npz");
    }
  }

  @Override
  boolean printsAllItself() {
    return csv;
  }

  private @Nullable ElementFile openValues() throws IOException {
    if (values == null) {
      return null;
    }
    if (input().isTable()) {
      return input().openValues(values, "--values-", valuesType, isJson());
    }
    return input().openElements(Path.of(values), valuesRaw, "--values-", valuesType, null);
  }

  @Override
  Job job(ElementFile file) throws IOException {
    if (file.type() != ElementType.INT && file.type() != ElementType.LONG) {
      throw usage("keys are int32 or int64: %s holds %s", path(), FileType.of(file.type()));
    }
    return streams -> {
      try (ElementFile ofValues = openValues()) {
        if (ofValues != null && ofValues.length() != file.length()) {
          throw usage(
              "as many values as keys: %s has %,d, %s has %,d",
              values, ofValues.length(), path(), file.length());
        }
        List<GroupColumn> columns = columns();
        GroupBy groupBy =
            GroupBy.of(columns.stream().map(GroupColumn::aggregate).toArray(Aggregate[]::new));
        Source[] sources = ofValues == null ? new Source[0] : new Source[] {ofValues};
        Results groups = streams.over(file).groupBy(groupBy, sources);
        List<Column> all = new ArrayList<>();
        all.add(new Column(KEY, file.type(), GroupColumn.wide(groups, "result", file.type())));
        for (int c = 0; c < columns.size(); c++) {
          ElementType type =
              columns.get(c).type(ofValues == null ? ElementType.INT : ofValues.type());
          Object elements = GroupColumn.wide(groups, "result_" + (c + 1), type);
          all.add(new Column(columns.get(c).toString(), type, elements));
        }
        if (out != null) {
          write(all, out.file());
        }
        return outcome(groups.length("result"), all);
      }
    };
  }

  /**
   * Keys, or an aggregate of their groups.
   *
   * @param type in a file
   * @param elements longs or doubles
   */
  private record Column(String name, ElementType type, Object elements) {

    Number get(int i) {
      return switch (type) {
        case FLOAT -> (float) ((double[]) elements)[i];
        case DOUBLE -> ((double[]) elements)[i];
        default -> ((long[]) elements)[i];
      };
    }

    List<Number> first(int most) {
      return IntStream.range(0, most).mapToObj(this::get).toList();
    }

    Array array() {
      MemorySegment data =
          switch (type) {
            case BYTE, INT ->
                MemorySegment.ofArray(
                    Arrays.stream((long[]) elements).mapToInt(Math::toIntExact).toArray());
            case LONG -> MemorySegment.ofArray((long[]) elements);
            case FLOAT -> {
              double[] doubles = (double[]) elements;
              float[] floats = new float[doubles.length];
              for (int i = 0; i < floats.length; i++) {
                floats[i] = (float) doubles[i];
              }
              yield MemorySegment.ofArray(floats);
            }
            case DOUBLE -> MemorySegment.ofArray((double[]) elements);
          };
      return new Array(type, List.of(data.byteSize() / type.bytes()), data);
    }
  }

  private static void write(List<Column> columns, Path file) throws IOException {
    SequencedMap<String, Array> arrays = new LinkedHashMap<>();
    columns.forEach(column -> arrays.put(column.name(), column.array()));
    Npz.write(file, arrays);
  }

  private Outcome outcome(int groups, List<Column> columns) {
    int few = Math.min(FEW, groups);
    return new Outcome() {
      @Override
      public void describe(Map<String, Object> line) {
        line.put("groups", groups);
        Map<String, Object> first = new LinkedHashMap<>();
        columns.forEach(column -> first.put(column.name(), column.first(few)));
        line.put("first", first);
        if (out != null) {
          line.put("out", out.toString());
        }
      }

      @Override
      public void print(PrintWriter writer) {
        if (csv) {
          writer.println(row(columns.stream().map(Column::name).toList(), ","));
          for (int i = 0; i < groups; i++) {
            int at = i;
            writer.println(row(columns.stream().map(column -> column.get(at)).toList(), ","));
          }
          return;
        }
        if (out != null) {
          writer.println(
              columns.stream()
                  .map(column -> "%s as %s".formatted(column.name(), FileType.of(column.type())))
                  .collect(Collectors.joining(", ", out + ": ", "")));
        }
        writer.println(String.format(Locale.ROOT, "groups %,d", groups));
        for (Column column : columns) {
          String more = groups > few ? ", ..." : "";
          writer.println("%-6s %s%s".formatted(column.name(), row(column.first(few), ", "), more));
        }
      }
    };
  }

  private static String row(List<?> cells, String between) {
    return cells.stream().map(Object::toString).collect(Collectors.joining(between));
  }
}
