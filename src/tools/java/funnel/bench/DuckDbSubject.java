package funnel.bench;

import funnel.columns.Columns;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * DuckDB in this process, with its own threads, if its driver is on the class path: a query of a
 * table that is already in memory.
 */
final class DuckDbSubject implements Subject<Job, JobCase, JobCase> {

  static final String NAME = "duckdb";
  static final String URL = "jdbc:duckdb:";

  private static final String LOADED = "of a table that was loaded before, outside the time";
  private static final String NO_DRIVER = "08001";
  private static final String NOT_RUN =
      "NOT RUN: DuckDB's driver is not on the class path; add the jar of %s to FUNNEL_CLASSPATH"
          .formatted(Columns.DRIVER);

  private final String url;

  /** Opens a connection; the driver is found by its URL. */
  DuckDbSubject(String url) {
    this.url = url;
  }

  /** Whether there is no measurement because the driver is missing. */
  static boolean isWithoutDriver(Measurement<JobCase> measurement) {
    return measurement.subject().equals(NAME) && measurement.note().equals(NOT_RUN);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean takes(Job job, JobCase task) {
    return job instanceof QueriedJob;
  }

  @Override
  public Measurement<JobCase> measure(Job job, JobCase task, Effort effort) {
    QueriedJob queried = (QueriedJob) job;
    try (Connection database = DriverManager.getConnection(url)) {
      queried.load(database);
      Record[] result = new Record[1];
      Runnable run = () -> result[0] = JobSubject.done(() -> queried.byQuery(database));
      effort.warmUp(run);
      Timing wall = effort.wall(run);
      Outcome outcome = Outcome.of(JobSubject.done(() -> job.wrong(result[0])));
      return Measurement.taken(NAME, task, null, wall, outcome).noting(LOADED);
    } catch (SQLException e) {
      if (NO_DRIVER.equals(e.getSQLState())) {
        return Measurement.failed(NAME, task, NOT_RUN);
      }
      throw new IllegalStateException("%s of %s: %s".formatted(NAME, task, e.getMessage()), e);
    }
  }
}
