package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.io.ElementFile;
import funnel.io.NpyWriter;
import funnel.io.Npz;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inputs that are no files of elements, and outputs that are no files. */
class InputFileTest {

  @TempDir Path folder;

  /** A shell's script, whose arguments are a command in another JVM. */
  private Run shell(String script, String... arguments) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell here");
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", script, "sh"));
    command.addAll(OtherJvm.command(Main.class, arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    int exitCode =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start()
            .waitFor();
    return new Run(exitCode, Files.readString(out), Files.readString(err));
  }

  private Path npy(int... elements) throws IOException {
    Path file = folder.resolve("in.npy");
    NpyWriter.write(file, ElementType.INT, MemorySegment.ofArray(elements), elements.length);
    return file;
  }

  @Test
  void standardInputAndOutput() throws IOException, InterruptedException {
    Path sums = folder.resolve("sums.npy");
    Run run =
        shell(
            "cat '%s' | \"$@\" | cat >'%s'".formatted(npy(3, 1, 4), sums),
            "scan",
            "-",
            "--out=-",
            "--engine=jvm");
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("-: 3 int32 elements, shape [3]", run.err().lines().findFirst().orElse(""));
    try (ElementFile file = ElementFile.open(sums)) {
      assertArrayEquals(new int[] {3, 4, 8}, file.piece(0, 3).toArray(ValueLayout.JAVA_INT));
    }
    Run twice = Run.of("unique", npy(1).toString(), "--out=-", "--counts=-");
    assertEquals(ExitCode.USAGE, twice.exitCode());
    assertTrue(twice.err().contains("--counts -: another output is - already"), twice.err());
  }

  @Test
  void nothingIsSaidWhereNobodyReads() throws IOException, InterruptedException {
    Run run = shell("{ \"$@\"; echo $? >&2; } | true", "--help");
    assertEquals(ExitCode.BROKEN_PIPE + "\n", run.err());
  }

  /** Which have no size. */
  @Test
  void filesThatTheSystemMakesUpAreRead() {
    Path file = Path.of("/proc/cpuinfo");
    assumeTrue(Files.isReadable(file), "no such file here");
    Run run = Run.of("histogram", file.toString(), "--letters", "--engine=jvm", "--json");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertTrue(run.out().startsWith("{\"file\":\"/proc/cpuinfo\",\"format\":\"raw\""), run.out());
    assertTrue(run.out().matches("(?s).*\"elements\":[1-9].*"), run.out());
  }

  @Test
  void arraysOfAnArchiveAreColumns() throws IOException {
    Path file = folder.resolve("a.npz");
    SequencedMap<String, Npz.Array> arrays = new LinkedHashMap<>();
    arrays.put("k", array(7, 2, 7));
    arrays.put("v", array(1, 2, 3));
    arrays.put("w", array(1, 2));
    Npz.write(file, arrays);
    assertEquals(
        "key,sum\n2,2\n7,4\n",
        done("group", file.toString(), "--keys=k", "--values=v", "--sum", "--csv"));
    assertTrue(done("reduce", file.toString(), "--column=v", "--op=sum", "--json").contains(":6}"));
    refused("has columns: name one with --column", "reduce", file.toString());
    refused("no array 'x': there are [k, v, w]", "reduce", file.toString(), "--column=x");
    refused("--type float32 contra", "reduce", file.toString(), "--column=k", "--type=float32");
    refused("as many values", "group", file.toString(), "--keys=k", "--values=w", "--sum");
  }

  private static void refused(String part, String... arguments) {
    Run run = Run.of(arguments);
    assertEquals(ExitCode.USAGE, run.exitCode());
    assertTrue(run.err().contains(part), run.err());
  }

  private static Npz.Array array(int... elements) {
    return new Npz.Array(
        ElementType.INT, List.of((long) elements.length), MemorySegment.ofArray(elements));
  }

  private static String done(String... arguments) {
    List<String> words = new ArrayList<>(List.of(arguments));
    words.add("--engine=jvm");
    Run run = Run.of(words.toArray(String[]::new));
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    return run.out();
  }
}
