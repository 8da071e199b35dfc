package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.io.ElementFile;
import funnel.io.NpyWriter;
import funnel.io.Npz;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
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
            "--to=int32",
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
    refused("has the columns 'k', 'v', 'w': name one with", "reduce", file.toString());
    refused("no array 'x'; there are 'k', 'v', 'w'", "reduce", file.toString(), "--column=x");
    refused("--type float32 contra", "reduce", file.toString(), "--column=k", "--type=float32");
    refused("as many values", "group", file.toString(), "--keys=k", "--values=w", "--sum");
  }

  private byte[] npyText(String before, String after, int... elements) throws IOException {
    Path file = folder.resolve("t.npy");
    NpyWriter.write(file, ElementType.INT, MemorySegment.ofArray(elements), 2, elements.length / 2);
    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    return text.replace(before, after).getBytes(StandardCharsets.ISO_8859_1);
  }

  private Path zip(Map<String, byte[]> entries) throws IOException {
    Path file = folder.resolve("z.npz");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
      }
    }
    return file;
  }

  /** Texts, and what is no array at all; tables in Fortran order are like those of a .npy. */
  @Test
  void onlyTheNamedArrayMatters() throws IOException {
    String file =
        zip(Map.of(
                "x.npy", npyText("", "", 3, 1, 4, 1),
                "s.npy", npyText("<i4", "<U1", 3, 1, 4, 1),
                "f.npy", npyText("False", "True ", 3, 1, 4, 1),
                "note.txt", new byte[3]))
            .toString();
    assertTrue(done("reduce", file, "--column=x", "--op=sum", "--json").contains("\"sum\":9"));
    String json =
        done(
            "scan", file, "--column=f", "--out=" + folder.resolve("f.npy"), "--json", "--to=int32");
    assertTrue(json.contains("\"fortranOrder\":true") && json.contains("[2,2]"), json);
    assertTrue(json.contains("\"format\":\"table\""), json);
    try (ElementFile sums = ElementFile.open(folder.resolve("f.npy"))) {
      assertArrayEquals(new int[] {3, 4, 8, 9}, sums.piece(0, 4).toArray(ValueLayout.JAVA_INT));
    }
    Run run = Run.of("reduce", file, "--column=s", "--engine=jvm");
    assertEquals(ExitCode.FAILURE, run.exitCode());
    assertTrue(run.err().contains("entry 's.npy'") && run.err().contains("'<U1'"), run.err());
    refused("--missing is of tables", "reduce", file, "--column=x", "--missing=1");
    String only = zip(Map.of("x.npy", npyText("", "", 3, 1))).toString();
    assertTrue(done("reduce", only, "--op=sum", "--json").contains("\"sum\":4"));
  }

  @Test
  void errorsNameWhatWasGiven() throws IOException, InterruptedException {
    Run run = shell("printf 'ab\\0cde' | \"$@\"", "reduce", "-", "--type=int32", "--engine=jvm");
    assertEquals(ExitCode.FAILURE, run.exitCode());
    assertTrue(run.err().startsWith("funnel reduce: -: not a whole number of 4-byte"), run.err());
    run =
        shell("echo 1 2 3 | \"$@\"", "histogram", "-", "--type=uint8", "--bins=3", "--engine=jvm");
    assertFalse(run.err().contains("funnel-input"), run.err());
  }

  /** No file has another format than its name says. */
  @Test
  void formatsOfOutputs() throws IOException {
    String in = npy(3, 1, 4).toString();
    Path raw = folder.resolve("SUMS.BIN");
    done("scan", in, "--out=" + raw, "--to=int32");
    done("sort", in, "--out=" + folder.resolve("sorted.bin"));
    try (ElementFile sums = ElementFile.openRaw(raw, ElementType.INT);
        ElementFile sorted = ElementFile.openRaw(folder.resolve("sorted.bin"), ElementType.INT)) {
      assertArrayEquals(new int[] {3, 4, 8}, sums.piece(0, 3).toArray(ValueLayout.JAVA_INT));
      assertArrayEquals(new int[] {1, 3, 4}, sorted.piece(0, 3).toArray(ValueLayout.JAVA_INT));
    }
    for (String name : List.of("s.npz", "s", "s.csv", "npy")) {
      String out = "--out=" + folder.resolve(name);
      String message = name + ": name a .npy, or a .bin for raw elements";
      refused(message, "scan", in, out);
      refused(message, "sort", in, out);
      refused(message, "unique", in, out);
      refused(message, "unique", in, out.replace("out", "counts"));
      refused(message, "top", in, out);
      refused(message, "select", in, "--where=> 1", out);
    }
    refused("s.npy: name a .npz", "group", in, "--out=" + folder.resolve("s.npy"));
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
