package funnel.bench;

import funnel.Funnel;
import java.io.IOException;
import java.io.UncheckedIOException;

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

  @Override
  JobCase what(Job job, JobCase task) {
    return task;
  }

  @Override
  Loop loop(Job job, JobCase task) {
    Record[] result = new Record[1];
    return new Loop(
        () -> {},
        () -> {
          try {
            result[0] = way.run(job);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        () -> {
          try {
            return Outcome.of(job.wrong(result[0]));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
