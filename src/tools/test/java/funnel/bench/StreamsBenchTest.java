package funnel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.io.Sink;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.sort.Sort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class StreamsBenchTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;

  private int streams(String... arguments) {
    return new CommandLine(new BenchCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(
            Stream.concat(Stream.of("streams", "--quick"), Stream.of(arguments))
                .toArray(String[]::new));
  }

  /** More than a block of the same ints, in several pieces. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allTasksAreMeasuredAndRight(boolean isFile) throws IOException {
    Path json = folder.resolve("streams.json");
    Path png = folder.resolve("streams.png");
    int code =
        streams(
            "--engine=jvm",
            "--size=9M",
            "--piece=700000",
            isFile ? "--file=" + folder : "--peers=loop",
            "--json=" + json,
            "--png=" + png);
    assertEquals(0, code, () -> out + "" + err);
    List<String> lines = Files.readAllLines(json);
    assertEquals(1 + StreamsTask.values().length * 2, lines.size(), "tasks, subjects");
    for (String line : lines.subList(1, lines.size())) {
      assertTrue(line.contains("\"right\":true"), line);
      assertTrue(line.contains("\"bytes\":9437184"), line);
      assertTrue(line.contains(isFile ? "\"from\":\"file\"" : "\"from\":\"memory\""), line);
      assertFalse(line.contains("\"of_plain\":null"), line);
      assertTrue(line.contains("\"of_link\":null"), line);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count(), "the file of the ints is gone");
    }
  }

  @Test
  void anotherResultIsSeen() throws IOException {
    StreamsInput input = new StreamsInput(4L * (StreamsInput.BLOCK + 5), null, true);
    for (StreamsTask task : StreamsTask.values()) {
      Object wrong = task == StreamsTask.SELECT ? (Object) 7L : 7;
      assertFalse(
          input
              .outcome(task, task.toString().startsWith("histogram") ? new long[256] : wrong)
              .wrong()
              .isEmpty(),
          task.toString());
    }
    int[] total = {0};
    input.with(
        StreamsTask.SCAN.type(),
        source -> {
          for (long i = 0; i < source.length(); i++) {
            total[0] +=
                source
                    .piece(i, i + 1, (bytes, alignment) -> input.sink())
                    .get(ValueLayout.JAVA_INT, 0);
            input.sink().setAtIndex(ValueLayout.JAVA_INT, i, total[0]);
          }
        });
    assertEquals("", input.outcome(StreamsTask.SCAN, total[0]).wrong());
    input.sink().setAtIndex(ValueLayout.JAVA_INT, StreamsInput.BLOCK + 3L, 0);
    assertEquals("different sums", input.outcome(StreamsTask.SCAN, total[0]).wrong());
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      Sink sink = Sink.of(input.sink(), ElementType.INT);
      input.with(ElementType.INT, source -> funnel.over(source).sort(Sort.ascending(), sink));
    }
    assertEquals("", input.outcome(StreamsTask.SORT, "").wrong());
    input.sink().setAtIndex(ValueLayout.JAVA_INT, 7, 0);
    assertEquals("different order", input.outcome(StreamsTask.SORT, "").wrong());
  }

  @Tag("gpu")
  @Test
  void theLinkIsMeasuredOnADevice() {
    int code = streams("--engine=tornado", "--size=600M");
    assertEquals(0, code, () -> out + "" + err);
    assertTrue(out.toString().contains("\nlink "), out::toString);
  }

  @Test
  void wrongUsageIsSaid() {
    for (String wrong : List.of("1T", "10", "0", "-4", "K")) {
      assertEquals(2, streams("--engine=jvm", "--size=" + wrong), wrong);
    }
    assertEquals(2, streams("--engine=jvm", "--piece=0"));
    assertEquals(2, streams("--engine=jvm", "--tasks=dishes"));
    assertEquals(2, streams("--engine=jvm", "--file=" + folder.resolve("missing")));
    assertTrue(err.toString().contains("not a writable folder"), err::toString);
  }
}
