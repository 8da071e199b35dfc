package funnel.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;

/** A job that a database does as well. */
interface QueriedJob {

  /** Makes the table of its data. */
  void load(Connection database) throws SQLException;

  /** Does the job by a query of that table. */
  Record byQuery(Connection database) throws SQLException;

  /** Makes a table of columns of ints. */
  static void load(Connection database, String table, List<String> columns, int[]... data)
      throws SQLException {
    int most = 1 << 16; // ints are passed as objects
    String types = String.join(" INT, ", columns) + " INT";
    String lists = String.join(", ", columns.stream().map(_ -> "unnest(?::INT[])").toList());
    try (Statement create = database.createStatement()) {
      var _ = create.execute("CREATE TABLE %s (%s)".formatted(table, types));
    }
    try (PreparedStatement insert =
        database.prepareStatement("INSERT INTO %s SELECT %s".formatted(table, lists))) {
      for (int from = 0; from < data[0].length; from += most) {
        int end = Math.min(from + most, data[0].length);
        for (int c = 0; c < data.length; c++) {
          Object[] part = Arrays.stream(data[c], from, end).boxed().toArray();
          insert.setObject(c + 1, database.createArrayOf("INTEGER", part));
        }
        var _ = insert.executeUpdate();
      }
    }
  }
}
