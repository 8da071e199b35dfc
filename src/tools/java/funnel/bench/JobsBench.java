package funnel.bench;

import funnel.Funnel;
import funnel.operation.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code funnel bench jobs}. */
@Command(
    name = "jobs",
    description = {
      "The jobs of examples/jobs, from arrays or a mapped file to their results, with a plain"
          + " loop and parallel streams over the same data, and DuckDB over a table of it, if its"
          + " driver is on the class path; on a device also over resident data.",
      "Results are compared with the loop's, outside the times.",
      "",
      "Jobs:",
      "  events       count, sum, minimum, maximum, mean by key, and the ten largest keys",
      "  latencies    exact quantiles, ends and mean of a mapped file",
      "  rows         filtered, sorted by a column, without duplicates, run-length encoded",
      "  monte-carlo  random numbers, a mean with its error, a histogram",
      "  words        how often each word occurs in a text file",
      ""
    },
    footer = {
      "  funnel bench jobs --quick",
      "  funnel bench jobs --json jobs.json --png jobs.png",
      "  funnel bench jobs --jobs events,rows --sizes 2^20,2^24 --engine jvm"
    })
final class JobsBench extends Benchmark<Job, JobCase, JobCase> {

  private static final int FEWEST = 3;

  @Option(
      names = "--jobs",
      split = ",",
      paramLabel = "JOB",
      converter = JobName.class,
      defaultValue = "events,latencies,rows,monte-carlo,words",
      description = "Which.")
  private List<JobTask> jobs = List.of();

  @Option(
      names = "--sizes",
      paramLabel = "LENGTHS",
      converter = Lengths.class,
      description =
          "Events, ints, rows, samples, bytes of text: 1000,2^20 or a range in steps of 4. Default:"
              + " 20 million, of latencies 50 million, of text 10^9.")
  private @Nullable List<Integer> sizes;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description =
          "The folder for the files of latencies and words, which are deleted after the run.")
  private Path folder = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description = "loop, stream, duckdb, or none; default: all.")
  private @Nullable List<String> peers;

  @Mixin private EffortOption effort = new EffortOption();

  private Path files = folder;

  @Override
  public Integer call() throws IOException {
    if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw wrongUsage("--folder %s: not a writable folder".formatted(folder));
    }
    files = Files.createTempDirectory(folder, "funnel-jobs");
    try {
      return super.call();
    } finally {
      for (JobTask task : JobTask.values()) {
        Files.deleteIfExists(task.file(files));
      }
      Files.delete(files);
    }
  }

  @Override
  void requireOptions() {}

  @Override
  JobReport report(String command, Funnel funnel) {
    return new JobReport(command, funnel.description(), funnel.details());
  }

  @Override
  boolean mayFail(Measurement<JobCase> measurement) {
    return DuckDbSubject.isWithoutDriver(measurement);
  }

  @Override
  Effort effort() {
    return effort.effort(isQuick(), FEWEST);
  }

  @Override
  Set<Peer> peers(Target engine) {
    return peers(peers, engine, EnumSet.of(Peer.LOOP, Peer.STREAM, Peer.DUCKDB));
  }

  @Override
  List<Subject<Job, JobCase, JobCase>> subjects(
      Funnel funnel, Funnel jvm, Set<Peer> peers, Report<JobCase> report) {
    List<Subject<Job, JobCase, JobCase>> subjects =
        new ArrayList<>(List.of(JobSubject.funnel(funnel)));
    if (funnel.target() != Target.JVM) {
      subjects.add(JobSubject.resident(funnel));
    }
    if (peers.contains(Peer.LOOP)) {
      subjects.add(JobSubject.loop());
    }
    if (peers.contains(Peer.STREAM)) {
      subjects.add(JobSubject.stream());
    }
    if (peers.contains(Peer.DUCKDB)) {
      subjects.add(new DuckDbSubject(DuckDbSubject.URL));
    }
    return subjects;
  }

  @Override
  List<Round<Job, JobCase>> rounds() {
    List<Round<Job, JobCase>> rounds = new ArrayList<>();
    for (JobTask task : jobs) {
      for (int size : sizes != null ? sizes : List.of(task.size(isQuick()))) {
        JobCase what = new JobCase(task, size);
        rounds.add(new Round<>(() -> task.job(size, files), List.of(what)));
      }
    }
    return rounds;
  }

  @Override
  CudaProgram cuda() {
    throw new UnsupportedOperationException("no job has a peer in CUDA C++");
  }

  @Override
  Map<String, Object> key(Job job, JobCase task) {
    throw new UnsupportedOperationException("no job has a peer in CUDA C++");
  }

  @Override
  Measurement<JobCase> measurement(Map<String, String> line, Job job, JobCase task) {
    throw new UnsupportedOperationException("no job has a peer in CUDA C++");
  }

  /** Names of jobs on the command line. */
  static final class JobName extends Named<JobTask> {
    JobName() {
      super(List.of(JobTask.values()), JobTask::toString);
    }
  }
}
