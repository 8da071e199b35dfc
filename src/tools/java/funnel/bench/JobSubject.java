package funnel.bench;

import funnel.Funnel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;

/** One of the ways to do a job, from arrays or a file to its result. */
final class JobSubject extends HeapSubject<Job, JobCase, JobCase> {

  private static final String RESIDENT = "funnel, resident";

  private final Way way;

  /** A way to do a job. */
  interface Way {
    /** Prepares the work, outside the time. */
    Job.Step<Record> of(Job job);
  }

  private JobSubject(String name, Way way) {
    super(name, 0);
    this.way = way;
  }

  /** The examples. */
  static JobSubject funnel(Funnel funnel) {
    return new JobSubject("funnel", job -> job.byFunnel(funnel).fromHost());
  }

  /** The examples, over data on the device. */
  static JobSubject resident(Funnel funnel) {
    return new JobSubject(RESIDENT, job -> done(job.byFunnel(funnel).resident()));
  }

  /** A plain loop. */
  static JobSubject loop() {
    return new JobSubject("jvm-loop", job -> job::byLoop);
  }

  /** Parallel streams. */
  static JobSubject stream() {
    return new JobSubject("jdk-stream", job -> job::byStream);
  }

  /** Does the work, where no checked exception is expected. */
  static <T> T done(Job.Step<T> step) {
    try {
      return step.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean takes(Job job, JobCase task) {
    return !name().equals(RESIDENT) || job.mayBeResident();
  }

  @Override
  JobCase what(Job job, JobCase task) {
    return task;
  }

  @Override
  Loop loop(Job job, JobCase task) {
    Job.Step<Record> step = way.of(job);
    Record[] result = new Record[1];
    return new Loop(
        () -> {}, () -> result[0] = done(step), () -> Outcome.of(done(() -> job.wrong(result[0]))));
  }
}
