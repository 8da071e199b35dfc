package funnel.columns;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** DuckDB's driver, which a build has for its tests, and a bundle has not. */
public final class DuckDb {

  static final String URL = "jdbc:duckdb:";

  private DuckDb() {}

  /** Leaves the test out where the driver may be missing. */
  public static void require() {
    boolean isThere = DriverManager.drivers().anyMatch(DuckDb::isIt);
    if (Files.exists(Path.of("pom.xml"))) {
      assertTrue(isThere, "the build has no driver of DuckDB");
    }
    assumeTrue(isThere, "DuckDB's driver is not on the class path");
  }

  static boolean isIt(Driver driver) {
    try {
      return driver.acceptsURL(URL);
    } catch (SQLException e) {
      return false;
    }
  }

  /** Runs a statement in a database of its own. */
  public static void run(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(URL);
        Statement statement = connection.createStatement()) {
      var _ = statement.execute(sql);
    }
  }
}
