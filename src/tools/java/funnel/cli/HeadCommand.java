package funnel.cli;

import funnel.columns.Columns;
import funnel.columns.Rows;
import funnel.io.ElementFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code funnel head}. */
@Command(
    name = "head",
    description = {
      "Print the first rows of a table, or the first elements of a file of numbers.",
      "",
      "A missing value of a table is empty. Elements are one on each line.",
      ""
    },
    footer = {
      "  funnel head events.parquet",
      "  funnel head data.npy -n 3",
      "  funnel head sales.csv.gz --column price --csv"
    })
final class HeadCommand extends FunnelCommand {

  @Mixin private InputFile input = new InputFile();

  @Option(
      names = "-n",
      paramLabel = "NUMBER",
      defaultValue = "10",
      description = "Number of rows or elements. Default: ${DEFAULT-VALUE}.")
  private int most;

  @Option(names = "--csv", description = "Print rows as comma-separated values.")
  private boolean csv;

  @Override
  public Integer call() throws IOException {
    requireRange("-n", most, 0, Integer.MAX_VALUE - 8);
    if (input.isSqlTable()) {
      List<String> names = input.chosen();
      List<List<String>> rows = rows(names);
      if (csv) {
        out().println(PrintedRows.csv(names));
        rows.forEach(row -> out().println(PrintedRows.csv(row)));
      } else {
        PrintedRows.lines(names, rows).forEach(out()::println);
      }
    } else {
      try (ElementFile file = input.open(null, true)) {
        FoundOutput printed = new FoundOutput(null, out(), file.type(), file.length());
        printed.write(0, file.piece(0, Math.min(most, file.length())));
      }
    }
    return ExitCode.OK;
  }

  private List<List<String>> rows(List<String> names) throws IOException {
    String fields =
        names.stream()
            .map(name -> Columns.quoted(name) + "::VARCHAR")
            .collect(Collectors.joining(", "));
    List<String> places = IntStream.range(0, names.size()).mapToObj(i -> "c" + i).toList();
    Rows rows =
        Columns.sql(
                "SELECT * FROM (SELECT %s FROM %s LIMIT %s) t(%s)"
                    .formatted(fields, input.expression(names), most, String.join(", ", places)))
            .read();
    List<List<String>> all = new ArrayList<>();
    List<List<String>> columns = new ArrayList<>();
    for (String place : places) {
      columns.add(rows.strings(place, ""));
    }
    for (int row = 0; row < rows.length(); row++) {
      int at = row;
      all.add(columns.stream().map(column -> column.get(at)).toList());
    }
    return all;
  }
}
