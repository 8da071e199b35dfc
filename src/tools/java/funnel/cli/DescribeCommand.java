package funnel.cli;

import funnel.Funnel;
import funnel.columns.Columns;
import funnel.columns.Rows;
import funnel.io.ElementFile;
import funnel.io.FileFormatException;
import funnel.operator.ElementType;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
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

  /** Types that have a least and a largest, of which some are numbers. */
  private static final Pattern ORDERED =
      Pattern.compile(
          "U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL.*|FLOAT|DOUBLE|VARCHAR|BOOLEAN|"
              + "DATE|TIME.*");

  private static final Pattern NUMBERS =
      Pattern.compile("U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL.*|FLOAT|DOUBLE");

  /** The most characters of a text. */
  private static final int MOST = 40;

  private List<Map<String, Object>> columns() throws IOException {
    String table = input.expression(input.names());
    Rows types =
        Columns.sql(
                "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM %s)".formatted(table))
            .read();
    List<String> names = types.strings("column_name");
    List<String> facts = new ArrayList<>(List.of("count(*) AS n"));
    for (int at = 0; at < names.size(); at++) {
      facts.addAll(facts(at, Columns.quoted(names.get(at)), types.strings("column_type").get(at)));
    }
    Rows found = Columns.sql("SELECT %s FROM %s".formatted(String.join(", ", facts), table)).read();
    List<Map<String, Object>> all = new ArrayList<>();
    for (String name : input.chosen()) {
      int at = names.indexOf(name);
      all.add(column(found, at, name, types.strings("column_type").get(at)));
    }
    return all;
  }

  /** What a query finds of a column; a column of other than numbers has no mean, for example. */
  private static List<String> facts(int at, String column, String type) {
    boolean isFloating = type.equals("FLOAT") || type.equals("DOUBLE");
    String numbers = isFloating ? " FILTER (NOT isnan(%s))".formatted(column) : "";
    boolean isNumber = NUMBERS.matcher(type).matches();
    boolean isOrdered = ORDERED.matcher(type).matches();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("there", "count(%s)".formatted(column));
    facts.put("nan", isFloating ? "count(*) FILTER (isnan(%s))".formatted(column) : "0");
    for (String extreme : List.of("min", "max")) {
      String text = "left(CAST(%s(%s)%s AS VARCHAR), %s)".formatted(extreme, column, numbers, MOST);
      facts.put(extreme, isOrdered ? text : "''");
    }
    facts.put("mean", isNumber ? "avg(%s)%s".formatted(column, numbers) : "0.0");
    facts.put(
        "std",
        isFloating
            ? "CASE WHEN bool_or(isinf(%1$s)) THEN 'nan' ELSE stddev_samp(%1$s) FILTER (isfinite(%1$s)) END"
                .formatted(column)
            : isNumber ? "stddev_samp(%s)".formatted(column) : "0.0");
    return facts.entrySet().stream()
        .map(each -> "%s AS %s%s".formatted(each.getValue(), each.getKey(), at))
        .toList();
  }

  private static Map<String, Object> column(Rows found, int at, String name, String type)
      throws IOException {
    Map<String, Object> facts = new LinkedHashMap<>();
    long count = found.longs("n")[0];
    long there = found.longs("there" + at)[0];
    long nan = found.longs("nan" + at)[0];
    facts.put("name", name);
    facts.put("type", type.toLowerCase(Locale.ROOT));
    facts.put("count", count);
    if (there < count) {
      facts.put("missing", count - there);
    }
    if (nan > 0) {
      facts.put("nan", nan);
    }
    if (there == nan) {
      return facts;
    }
    boolean isNumber = NUMBERS.matcher(type).matches();
    for (String extreme : List.of("min", "max")) {
      String text = found.strings(extreme + at, "").get(0);
      if (!text.isEmpty()) {
        facts.put(extreme, isNumber ? number(text, type) : text);
      }
    }
    if (isNumber) {
      facts.put("mean", found.doubles("mean" + at)[0]);
      facts.put("std", found.doubles("std" + at, Double.NaN)[0]);
    }
    return facts;
  }

  private static Number number(String text, String type) {
    return switch (type) {
      case "FLOAT" -> Numbers.parsed(text, ElementType.FLOAT);
      case "DOUBLE" -> Numbers.parsed(text, ElementType.DOUBLE);
      default -> new BigDecimal(text);
    };
  }
}
