package funnel.cli;

import funnel.Array;
import funnel.Funnel;
import funnel.Results;
import funnel.cli.InputFile.Wanted;
import funnel.cli.TableFile.Read;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.io.ElementFile;
import funnel.io.Npz;
import funnel.io.Source;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel group}. */
@Command(
    name = "group",
    description = {
      "Aggregate the values of each key: their number, sum, minimum, maximum, mean and median. Keys"
          + " and values are columns of a table, or files with the same number of elements.",
      "",
      "Keys are integers, or of a table also texts, dates and booleans; the output has them in"
          + " ascending order, and with several keys a group for each combination that there is."
          + " Sums of integers are int64 and wrap around; sums of floating-point numbers are"
          + " float64. The minimum and maximum of a group with a NaN are NaN.",
      "Files without columns are taken in the order of the file. All may be larger than the heap,"
          + " than memory and than the device, but for medians and distinct values, which have all"
          + " rows in memory, at most 2147483639; the groups are on the heap. The result does not"
          + " depend on the engine. It does not depend on --chunk either, except for the rounding"
          + " of floating-point sums, means and variances if there is more than one chunk.",
      "The output appears under its name when it is complete. If anything fails, or the command"
          + " is interrupted, nothing has changed.",
      ""
    },
    footer = {
      "  funnel group keys.npy",
      "  funnel group keys.npy --values values.npy --count --sum --mean",
      "  funnel group keys.npy --values values.npy --median --csv > medians.csv",
      "  funnel group events.parquet --keys shop,day --values price,tax --sum --mean",
      "  funnel group k.bin --type int32 --values v.npy --sum --out sums.npz",
      "  cut -f 2 log.tsv | funnel group - --keys 1 --no-header --csv"
    })
final class GroupCommand extends FileCommand {

  /** A second chunk costs as much as the first: there are two plans, and groups to combine. */
  private static final int CHUNK = 1 << 25;

  private static final int FEW = 20;
  private static final String KEY = "key";

  @Option(
      names = "--keys",
      paramLabel = "COLUMN,...",
      description = "Of a table: the column of keys, like --column, or several columns.")
  private @Nullable String keys;

  @Option(
      names = "--values",
      paramLabel = "FILE|COLUMN,...",
      description =
          "The values, as many as keys: a .npy file, or raw little-endian elements; other columns"
              + " of a table, or arrays of a .npz. Several are separated by commas, and the"
              + " results have their names.")
  private @Nullable String values;

  @Option(
      names = "--values-type",
      paramLabel = "TYPE",
      description =
          "The type of a raw file of values, or the type to convert columns of values to:"
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

  @Option(names = "--variance", description = "The variance, as float64.")
  private boolean variance;

  @Option(
      names = "--sample-variance",
      description = "The variance of a sample, which divides by n - 1, as float64.")
  private boolean sampleVariance;

  @Option(names = "--median", description = "The median, of an even number the lower of two.")
  private boolean median;

  @Option(
      names = "--interpolated-median",
      description = "The median, of an even number the mean of two, as float64.")
  private boolean interpolatedMedian;

  @Option(names = "--count-distinct", description = "The number of distinct values.")
  private boolean countDistinct;

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

  private final List<String> keyNames = new ArrayList<>();
  private final List<String> valueNames = new ArrayList<>();
  private final List<Read> inputs = new ArrayList<>();

  GroupCommand() {
    super(CHUNK);
  }

  private List<GroupColumn> aggregates() {
    Map<GroupColumn, Boolean> asked =
        Map.of(
            GroupColumn.COUNT, count,
            GroupColumn.SUM, sum,
            GroupColumn.MIN, min,
            GroupColumn.MAX, max,
            GroupColumn.MEAN, mean,
            GroupColumn.VARIANCE, variance,
            GroupColumn.SAMPLE_VARIANCE, sampleVariance,
            GroupColumn.MEDIAN, median,
            GroupColumn.INTERPOLATED_MEDIAN, interpolatedMedian,
            GroupColumn.COUNT_DISTINCT, countDistinct);
    List<GroupColumn> all = Stream.of(GroupColumn.values()).filter(asked::get).toList();
    return all.isEmpty() ? List.of(GroupColumn.COUNT) : all;
  }

  @Override
  void requireOptions() throws IOException {
    if (values == null && aggregates().stream().anyMatch(each -> each != GroupColumn.COUNT)) {
      throw usage("all aggregates but --count are of values: name their file with --values");
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

  @Override
  ElementFile openInput() throws IOException {
    String names = input().keys(keys);
    if (input().isTable(rawType())) {
      List<String> there = input().names();
      keyNames.addAll(
          names == null ? List.of(input().onlyColumn()) : split(names, there::contains));
      if (values != null) {
        valueNames.addAll(split(values, there::contains));
      }
      FileType type = input().type();
      Stream<Wanted> wanted =
          Stream.concat(
              keyNames.stream().map(name -> new Wanted(name, "--", type, true)),
              valueNames.stream().map(name -> new Wanted(name, "--values-", valuesType, false)));
      inputs.addAll(input().openColumns(wanted.toList(), isJson()));
    } else {
      keyNames.add(KEY);
      openFiles();
    }
    return inputs.getFirst().elements();
  }

  private void openFiles() throws IOException {
    List<ElementFile> files = new ArrayList<>();
    files.add(input().openWhole(rawType()));
    if (values != null) {
      for (String name : split(values, each -> Files.exists(Path.of(each)))) {
        valueNames.add(name);
        files.add(input().openOther(Path.of(name), valuesRaw, "--values-", valuesType));
      }
    }
    requireEqualLengths(files);
    input().withoutNan(files).forEach(file -> inputs.add(new Read(file, List.of())));
  }

  /** Names with commas between them, or one name that has commas itself. */
  private static List<String> split(String names, Function<String, Boolean> isThere) {
    return isThere.apply(names) ? List.of(names) : List.of(names.split(","));
  }

  private void requireEqualLengths(List<ElementFile> files) {
    for (int v = 0; v + 1 < files.size(); v++) {
      if (files.get(v + 1).length() != files.getFirst().length()) {
        throw usage(
            "as many values as keys: %s has %,d, %s has %,d",
            valueNames.get(v), files.get(v + 1).length(), path(), files.getFirst().length());
      }
    }
  }

  @Override
  void closeInput() {
    inputs.stream()
        .skip(1)
        .forEach(input -> input.elements().close()); // the first is closed as any
  }

  /** Bytes, of which keys are not made, as ints. */
  private Source key(ElementFile file) {
    if (file.type().isFloating()) {
      throw usage("keys are int32 or int64: %s holds %s", path(), FileType.of(file.type()));
    }
    return file.type() == ElementType.BYTE ? ComputedElements.unsigned(file) : file;
  }

  @Override
  Job job(ElementFile file) throws IOException {
    int keyCount = keyNames.size();
    requireEqualLengths(inputs.stream().skip(keyCount - 1L).map(Read::elements).toList());
    List<Source> sources = new ArrayList<>();
    inputs.stream().limit(keyCount).forEach(input -> sources.add(key(input.elements())));
    inputs.stream().skip(keyCount).forEach(input -> sources.add(input.elements()));
    if (out != null && inputs.stream().anyMatch(input -> !input.texts().isEmpty())) {
      throw usage("--out has arrays of numbers, and a key is a text: take --csv");
    }
    List<Column> columns = new ArrayList<>();
    List<Aggregate> aggregates = new ArrayList<>();
    for (int k = 0; k < keyCount; k++) {
      String result = k == 0 ? "result" : "result_key_" + (k + 1);
      String name = keyCount == 1 ? KEY : keyNames.get(k);
      List<String> texts = inputs.get(k).texts();
      columns.add(
          new Column(name, sources.get(k).type(), result, true, texts, GroupColumn.COUNT, 0));
    }
    int valueCount = Math.max(1, valueNames.size());
    for (int v = 0; v < valueCount; v++) {
      for (GroupColumn each : aggregates()) {
        if (each == GroupColumn.COUNT && v > 0) {
          continue;
        }
        if (!each.isOfWholeGroups()) {
          aggregates.add(each.aggregate(v + 1));
        }
        ElementType type =
            each.type(valueNames.isEmpty() ? ElementType.INT : sources.get(keyCount + v).type());
        String name =
            valueCount == 1 || each == GroupColumn.COUNT
                ? each.toString()
                : "%s_%s".formatted(valueNames.get(v), each);
        String result = "result_" + aggregates.size();
        columns.add(new Column(name, type, result, false, List.of(), each, keyCount + v));
      }
    }
    if (columns.stream().anyMatch(Column::isWhole) && file.length() > Integer.MAX_VALUE - 8) {
      throw usage(
          "medians and distinct values have all rows in memory, at most %,d: %s has %,d",
          Integer.MAX_VALUE - 8, path(), file.length());
    }
    return streams -> {
      GroupBy groupBy = GroupBy.of(aggregates.toArray(Aggregate[]::new)).keys(keyCount);
      Source[] others = sources.stream().skip(1).toArray(Source[]::new);
      Results groups = streams.over(sources.getFirst()).groupBy(groupBy, others);
      Groups all = new Groups(columns, groups, whole(columns, sources, streams.funnel()));
      if (out != null) {
        all.write(out.file());
      }
      return outcome(all);
    };
  }

  /** The columns of whole groups, as longs or doubles. */
  private Map<Column, Object> whole(List<Column> columns, List<Source> sources, Funnel funnel)
      throws IOException {
    List<Column> wanted = columns.stream().filter(Column::isWhole).toList();
    if (wanted.isEmpty()) {
      return Map.of();
    }
    try (Arena arena = Arena.ofShared()) {
      WholeGroups groups = new WholeGroups(funnel, sources, keyNames.size(), arena);
      Map<Column, Array<?, ?>> computed = new LinkedHashMap<>();
      wanted.forEach(each -> computed.put(each, groups.get(each.aggregate(), each.of())));
      return groups.read(computed);
    }
  }

  /**
   * Keys, or an aggregate of their groups.
   *
   * @param type in a file
   * @param result its name among the results of a stream
   * @param isKey whether it has keys
   * @param texts the texts that keys stand for, if any
   * @param aggregate of the column {@code of}
   */
  private record Column(
      String name,
      ElementType type,
      String result,
      boolean isKey,
      List<String> texts,
      GroupColumn aggregate,
      int of) {

    boolean isWhole() {
      return !isKey && aggregate.isOfWholeGroups();
    }
  }

  /** The groups, by ascending keys: those of texts have been numbered as the texts came. */
  private static final class Groups {
    private final List<Column> columns;
    private final List<Object> elements; // longs or doubles
    private final int[] order;

    Groups(List<Column> columns, Results results, Map<Column, Object> whole) {
      this.columns = columns;
      elements =
          columns.stream()
              .map(
                  column ->
                      column.isWhole()
                          ? Objects.requireNonNull(whole.get(column))
                          : GroupColumn.wide(results, column.result(), column.type()))
              .toList();
      Comparator<Integer> byKeys = (one, other) -> 0;
      for (int c = 0; c < columns.size(); c++) {
        int at = c;
        if (columns.get(c).isKey()) {
          byKeys = byKeys.thenComparing((one, other) -> compare(at, one, other));
        }
      }
      IntStream rows = IntStream.range(0, results.length("result"));
      boolean isSorted = columns.stream().allMatch(column -> column.texts().isEmpty());
      order =
          isSorted ? rows.toArray() : rows.boxed().sorted(byKeys).mapToInt(row -> row).toArray();
    }

    private int compare(int column, int one, int other) {
      long[] keys = (long[]) elements.get(column);
      List<String> texts = columns.get(column).texts();
      return texts.isEmpty()
          ? Long.compare(keys[one], keys[other])
          : texts.get((int) keys[one]).compareTo(texts.get((int) keys[other]));
    }

    int count() {
      return order.length;
    }

    Object get(int column, int group) {
      Column of = columns.get(column);
      int at = order[group];
      return switch (elements.get(column)) {
        case long[] x when of.texts().isEmpty() -> x[at];
        case long[] x -> of.texts().get((int) x[at]);
        case double[] x when of.type() == ElementType.FLOAT -> (float) x[at];
        case double[] x -> x[at];
        default -> throw new AssertionError(of);
      };
    }

    private String text(int column, int group) {
      return get(column, group) instanceof Number number
          ? Numbers.text(number)
          : String.valueOf(get(column, group));
    }

    List<String> names() {
      return columns.stream().map(Column::name).toList();
    }

    List<String> row(int group) {
      return IntStream.range(0, columns.size()).mapToObj(c -> text(c, group)).toList();
    }

    Map<String, Object> first(int most) {
      Map<String, Object> first = new LinkedHashMap<>();
      for (int c = 0; c < columns.size(); c++) {
        int column = c;
        first.put(
            columns.get(c).name(),
            IntStream.range(0, most).mapToObj(group -> get(column, group)).toList());
      }
      return first;
    }

    void write(Path file) throws IOException {
      SequencedMap<String, Npz.Array> arrays = new LinkedHashMap<>();
      for (int c = 0; c < columns.size(); c++) {
        arrays.put(columns.get(c).name(), array(columns.get(c).type(), elements.get(c)));
      }
      Npz.write(file, arrays);
    }

    private static Npz.Array array(ElementType type, Object elements) {
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
      return new Npz.Array(type, List.of(data.byteSize() / type.bytes()), data);
    }
  }

  private Outcome outcome(Groups groups) {
    return new Outcome() {
      @Override
      public void describe(Map<String, Object> line) {
        line.put("groups", groups.count());
        if (out == null) {
          line.put("columns", groups.first(groups.count()));
        } else {
          line.put("first", groups.first(Math.min(FEW, groups.count())));
          line.put("out", out.toString());
        }
      }

      @Override
      public void printPlain(PrintWriter writer) {
        for (int group = 0; group < groups.count(); group++) {
          writer.println(String.join("\t", groups.row(group)));
        }
      }

      @Override
      public void print(PrintWriter writer) {
        if (csv) {
          writer.println(PrintedRows.csv(groups.names()));
          for (int group = 0; group < groups.count(); group++) {
            writer.println(PrintedRows.csv(groups.row(group)));
          }
          return;
        }
        if (out != null) {
          writer.println(
              groups.columns.stream()
                  .map(column -> "%s as %s".formatted(column.name(), FileType.of(column.type())))
                  .collect(Collectors.joining(", ", out + ": ", "")));
        }
        int shown = Math.min(FEW, groups.count());
        PrintedRows.lines(groups.names(), IntStream.range(0, shown).mapToObj(groups::row).toList())
            .forEach(writer::println);
        if (shown < groups.count()) {
          writer.println("...");
        }
        writer.println(
            String.format(
                Locale.ROOT,
                "groups %,d%s",
                groups.count(),
                shown < groups.count() ? ": --csv prints all" : ""));
      }
    };
  }
}
