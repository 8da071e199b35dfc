package funnel.bench;

import funnel.Funnel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;

/** One of the ways to do a job, from arrays or a file to its result. */
final class JobSubject extends HeapSubject<Job, JobCase, JobCase> {

  private final Way way;

  /** A way to do a job. */
  interface Way {
    /** Does it. */
    Record run(Job job) throws IOException;
  }

  private JobSubject(String name, Way way) {
    super(name, 0);
    this.way = way;
  }

  /** The examples. */
  static JobSubject funnel(Funnel funnel) {
    return new JobSubject("funnel", job -> job.byFunnel(funnel));
  }

  /** A plain loop. */
  static JobSubject loop() {
    return new JobSubject("jvm-loop", Job::byLoop);
  }

  /** Parallel streams. */
  static JobSubject stream() {
    return new JobSubject("jdk-stream", Job::byStream);
  }

  /** What may throw what is checked. */
  interface Step<T> {
    /** Does it. */
    T run() throws IOException, SQLException;
  }

  /** Does it, where nothing that is checked may be thrown. */
  static <T> T done(Step<T> step) {
    try {
      return step.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  JobCase what(Job job, JobCase task) {
    return task;
  }

  @Override
  Loop loop(Job job, JobCase task) {
    Record[] result = new Record[1];
    return new Loop(
        () -> {},
        () -> result[0] = done(() -> way.run(job)),
        () -> Outcome.of(done(() -> job.wrong(result[0]))));
  }
}
