package funnel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.jobs.Events;
import funnel.jobs.MonteCarlo;
import funnel.operation.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class JobsBenchTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;

  private int jobs(Path files, String... arguments) {
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(
            Stream.concat(Stream.of("jobs", "--quick", "--folder=" + files), Stream.of(arguments))
                .toArray(String[]::new));
  }

  private void jobsEqualPlainLoops(Target target, JobTask task) throws IOException {
    try (Funnel funnel = Funnel.open(target)) {
      for (int size : new int[] {2, 3001}) {
        Job job = task.job(size, folder);
        Job.Example example = job.byFunnel(funnel);
        assertEquals("", job.wrong(JobSubject.done(example.fromHost())), task + " of " + size);
        Record resident = JobSubject.done(JobSubject.done(example.resident()));
        assertEquals("", job.wrong(resident), task + " of " + size);
        assertEquals("", job.wrong(job.byStream()), task + " of " + size);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void jobsEqualPlainLoops(JobTask task) throws IOException {
    jobsEqualPlainLoops(Target.JVM, task);
    jobsEqualPlainLoops(Target.EMULATOR, task);
  }

  @Tag("gpu")
  @ParameterizedTest
  @EnumSource
  void jobsEqualPlainLoops_onDevice(JobTask task) throws IOException {
    jobsEqualPlainLoops(Target.TORNADO, task);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MONTE_CARLO")
  void queriesEqualPlainLoops(JobTask task) throws IOException, SQLException {
    for (int size : new int[] {2, 70_001}) {
      Job job = task.job(size, folder);
      try (Connection database = DriverManager.getConnection(DuckDbSubject.URL)) {
        QueriedJob queried = (QueriedJob) job;
        queried.load(database);
        assertEquals("", job.wrong(queried.byQuery(database)), task + " of " + size);
      }
    }
  }

  @Test
  void withoutItsDriverDuckDbIsSaidNotToHaveRun() {
    JobCase what = new JobCase(JobTask.EVENTS, 100);
    Measurement<JobCase> none =
        new DuckDbSubject("jdbc:nobody:")
            .measure(JobTask.EVENTS.job(100, folder), what, new Effort(0, 0, 1, 1));
    assertFalse(none.isMeasured());
    assertTrue(DuckDbSubject.isWithoutDriver(none));
    JobReport report = new JobReport("jobs", "none", Map.of());
    report.add(none);
    assertTrue(report.table().contains("NOT RUN: DuckDB's driver"), report::table);
  }

  @Test
  void anotherResultIsSeen() throws IOException {
    Job events = JobTask.EVENTS.job(100, folder);
    Events.Summary right = (Events.Summary) events.byLoop();
    right.sums()[7]++;
    assertEquals("sums differs from the loop's", events.wrong(right));
    Job pi = JobTask.MONTE_CARLO.job(100, folder);
    MonteCarlo.Estimate estimate = (MonteCarlo.Estimate) pi.byLoop();
    assertEquals(
        "mean differs from the loop's",
        pi.wrong(
            new MonteCarlo.Estimate(
                estimate.mean() * (1 + 1e-9), estimate.error(), estimate.heights())));
  }

  @Test
  void tableJsonAndPlotAreWritten() throws IOException {
    Path json = folder.resolve("jobs.json");
    Path png = folder.resolve("jobs.png");
    int code = jobs(folder, "--engine=jvm", "--sizes=2000", "--json=" + json, "--png=" + png);
    assertEquals(0, code, () -> out + "" + err);
    List<String> lines = Files.readAllLines(json);
    assertEquals(1 + 5 * 3 + 4, lines.size()); // jobs, subjects; DuckDB has no random numbers
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.contains("\"right\":true"), line);
      assertTrue(line.contains("\"size\":2000"), line);
    }
    assertTrue(
        lines.stream()
            .filter(line -> line.contains("\"subject\":\"jvm-loop\""))
            .allMatch(line -> line.contains("\"of_loop\":1")),
        lines::toString);
    assertTrue(out.toString().contains("loaded before, outside the time"), out::toString);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count(), "the files of the data are gone");
    }
  }

  @Test
  void wrongUsageIsSaid() {
    assertEquals(2, jobs(folder, "--engine=jvm", "--jobs=dishes"));
    assertEquals(2, jobs(folder, "--engine=jvm", "--peers=cuda"));
    assertEquals(2, jobs(folder.resolve("missing"), "--engine=jvm"));
    assertTrue(err.toString().contains("not a writable folder"), err::toString);
  }
}
