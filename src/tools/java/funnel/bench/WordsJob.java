package funnel.bench;

import funnel.Funnel;
import funnel.jobs.Words;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@link Words}, and the same by lines and strings. */
final class WordsJob extends Job implements QueriedJob {

  private final Path file;
  private final long length;

  WordsJob(long length, Path file) throws IOException {
    this.length = length;
    this.file = file;
    Words.write(file, length, 1);
  }

  @Override
  public long bytes() {
    return length;
  }

  @Override
  Example byFunnel(Funnel funnel) {
    Step<Record> step = () -> Words.count(funnel, file);
    return new Example(step, () -> step);
  }

  @Override
  boolean mayBeResident() {
    return false;
  }

  @Override
  Record byLoop() throws IOException {
    Map<String, Long> counts = new HashMap<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      String line = lines.readLine();
      while (line != null) {
        StringTokenizer words = new StringTokenizer(line);
        while (words.hasMoreTokens()) {
          counts.merge(words.nextToken(), 1L, Long::sum);
        }
        line = lines.readLine();
      }
    }
    return new Words.Counts(counts);
  }

  @Override
  Record byStream() throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return new Words.Counts(
          lines
              .parallel()
              .flatMap(line -> Arrays.stream(line.split(" ")))
              .filter(word -> !word.isEmpty())
              .collect(Collectors.groupingBy(word -> word, Collectors.counting())));
    }
  }

  @Override
  public void load(Connection database) throws SQLException {
    String query =
        """
        CREATE TABLE lines AS SELECT line FROM read_csv(
          '%s', columns = {'line': 'VARCHAR'}, header = false, delim = '\t', quote = '', escape = '')
        """;
    try (Statement statement = database.createStatement()) {
      var _ = statement.execute(query.formatted(file.toString().replace("'", "''")));
    }
  }

  @Override
  public Record byQuery(Connection database) throws SQLException {
    String query =
        """
        SELECT word, count(*)
        FROM (SELECT unnest(string_split(line, ' ')) AS word FROM lines)
        WHERE word <> '' GROUP BY word
        """;
    try (Statement statement = database.createStatement();
        ResultSet words = statement.executeQuery(query)) {
      Map<String, Long> counts = new HashMap<>();
      while (words.next()) {
        counts.put(words.getString(1), words.getLong(2));
      }
      return new Words.Counts(counts);
    }
  }
}
