package funnel.cli;

import funnel.Funnel;
import funnel.columns.Columns;
import funnel.columns.Rows;
import funnel.io.ElementFile;
import funnel.io.FileFormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code funnel describe}. */
@Command(
    name = "describe",
    description = {
      "Say what a file holds: for each column of a table, each array of a .npz, or the elements of"
          + " another file, their type, number, extremes, mean and standard deviation.",
      "",
      "Missing values and NaN are counted, and left out of the rest. The standard deviation is that"
          + " of a sample. The columns of a table are summarized by DuckDB, whose sums of"
          + " floating-point numbers can differ in the last digits from run to run.",
      ""
    },
    footer = {
      "  funnel describe data.npy",
      "  funnel describe events.parquet",
      "  funnel describe samples.bin --type float32 --json"
    })
final class DescribeCommand extends EngineCommand {

  private static final List<ReduceOp> OPS =
      List.of(ReduceOp.MIN, ReduceOp.MAX, ReduceOp.MEAN, ReduceOp.SAMPLE_VARIANCE);

  private static final List<String> FACTS =
      List.of("name", "type", "count", "missing", "nan", "min", "max", "mean", "std");

  @Mixin private InputFile input = new InputFile();

  @Override
  public Integer call() throws IOException {
    List<Map<String, Object>> all =
        input.isSqlTable() ? columns() : input.isTable() ? arrays() : List.of(elements());
    if (isJson()) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("file", input.path().toString());
      line.put("columns", all);
      printJson(line);
      return ExitCode.OK;
    }
    List<String> facts =
        FACTS.stream()
            .filter(fact -> all.stream().anyMatch(each -> each.containsKey(fact)))
            .toList();
    PrintedRows.lines(
            facts,
            all.stream()
                .map(each -> facts.stream().map(fact -> text(each.get(fact))).toList())
                .toList())
        .forEach(out()::println);
    return ExitCode.OK;
  }

  private static String text(@Nullable Object fact) {
    return fact == null
        ? ""
        : fact instanceof Number number ? Numbers.text(number) : fact.toString();
  }

  private Map<String, Object> elements() throws IOException {
    try (Funnel funnel = open();
        ElementFile file = input.open(null, isJson())) {
      return facts(funnel, input.path().toString(), file);
    }
  }

  private List<Map<String, Object>> arrays() throws IOException {
    List<Map<String, Object>> all = new ArrayList<>();
    try (Funnel funnel = open()) {
      for (String name : input.chosen()) {
        try (ElementFile file = input.openNamed(name, isJson())) {
          all.add(facts(funnel, name, file));
        } catch (FileFormatException e) {
          all.add(Map.of("name", name, "type", "not read"));
        }
      }
    }
    return all;
  }

  private static Map<String, Object> facts(Funnel funnel, String name, ElementFile file)
      throws IOException {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("name", name);
    facts.put("type", InputFile.stored(file).toString());
    facts.put("count", file.length());
    ElementFile numbers = ElementCopy.numbers(file);
    long nan = file.length() - numbers.length();
    if (nan > 0) {
      facts.put("nan", nan);
    }
    if (numbers.length() > 0) {
      Map<String, Object> values = FileReduction.run(funnel.over(numbers), numbers, OPS);
      for (String extreme : List.of("min", "max", "mean")) {
        facts.put(extreme, values.getOrDefault(extreme, ""));
      }
      double variance = ((Number) values.getOrDefault("sample-variance", 0)).doubleValue();
      facts.put("std", Math.sqrt(variance));
    }
    if (numbers != file) {
      numbers.close();
    }
    return facts;
  }

  private List<Map<String, Object>> columns() throws IOException {
    String table = input.expression(input.names());
    Rows rows =
        Columns.sql(
                "SELECT column_name, column_type, \"count\" AS n, \"min\", \"max\", avg, std"
                    + " FROM (SUMMARIZE SELECT * FROM %s)".formatted(table))
            .read();
    Rows present = Columns.sql("SELECT count(COLUMNS(*)) FROM " + table).read();
    List<Map<String, Object>> all = new ArrayList<>();
    List<String> chosen = input.chosen();
    for (int i = 0; i < rows.length(); i++) {
      String name = rows.strings("column_name").get(i);
      if (chosen.contains(name)) {
        long there = present.longs(present.names().get(i))[0];
        all.add(column(rows, i, name, there));
      }
    }
    return all;
  }

  private static Map<String, Object> column(Rows rows, int at, String name, long there)
      throws IOException {
    Map<String, Object> facts = new LinkedHashMap<>();
    long count = rows.longs("n")[at];
    facts.put("name", name);
    facts.put("type", rows.strings("column_type").get(at).toLowerCase(Locale.ROOT));
    facts.put("count", count);
    if (there < count) {
      facts.put("missing", count - there);
    }
    facts.put("min", rows.strings("min", "").get(at));
    facts.put("max", rows.strings("max", "").get(at));
    facts.put("mean", rows.strings("avg", "").get(at));
    facts.put("std", rows.strings("std", "").get(at));
    return facts;
  }
}
