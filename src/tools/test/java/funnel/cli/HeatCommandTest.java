package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.heat.Heat2D;
import funnel.heat.HeatCheckpoint;
import funnel.heat.HeatProblem;
import funnel.heat.Side;
import funnel.io.ElementFile;
import funnel.io.NpyWriter;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeatCommandTest {

  private static final long SEED = 4;
  private static final String[] MIXED = {
    "--nx=37",
    "--ny=23",
    "--dx=0.5",
    "--dy=0.7",
    "--alpha=0.3",
    "--left=dirichlet:1",
    "--right=neumann:0.2",
    "--bottom=periodic",
    "--top=periodic",
    "--init=gradient"
  };

  @TempDir Path folder;

  /** Whatever happened, nothing half-written may stay. */
  @AfterEach
  void noPartIsLeft() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      assertEquals(List.of(), files.filter(f -> f.toString().endsWith(".part")).toList());
    }
  }

  private static Run heat(String... arguments) {
    List<String> all = new ArrayList<>(List.of("heat"));
    all.addAll(List.of(arguments));
    if (Arrays.stream(arguments).noneMatch(argument -> argument.startsWith("--engine"))) {
      all.add("--engine=jvm");
    }
    return Run.of(all.toArray(String[]::new));
  }

  private static Run heatIsFine(String... arguments) {
    Run run = heat(arguments);
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertEquals("", run.err());
    return run;
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }

  private String at(String name) {
    return folder.resolve(name).toString();
  }

  private byte[] field(String name) throws IOException {
    try (ElementFile file = ElementFile.open(folder.resolve(name))) {
      return file.piece(0, file.length()).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Test
  void allOutputsAreWritten() throws IOException {
    Run run =
        heatIsFine(
            "--nx=60",
            "--ny=40",
            "--steps=100",
            "--every=30",
            "--frames=" + at("frames/of/heat"),
            "--gif=" + at("m.gif"),
            "--npy=" + at("u.npy"),
            "--checkpoint=" + at("run.npz"));
    try (Stream<Path> frames = Files.list(folder.resolve("frames/of/heat"))) {
      assertEquals(
          List.of(
              "frame-000000000.png",
              "frame-000000030.png",
              "frame-000000060.png",
              "frame-000000090.png",
              "frame-000000100.png"),
          frames.map(file -> file.getFileName().toString()).sorted().toList());
    }
    BufferedImage first =
        ImageIO.read(folder.resolve("frames/of/heat/frame-000000000.png").toFile());
    assertEquals(240 + 36, first.getWidth());
    assertEquals(200 + 26, first.getHeight());
    assertEquals(0xfcffa4, first.getRGB(18 + 118, 13 + 80) & 0xffffff, "hot in the middle");
    assertEquals(0x000004, first.getRGB(18 + 2, 13 + 2) & 0xffffff, "cold in the corner");
    ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
    try (ImageInputStream in = ImageIO.createImageInputStream(folder.resolve("m.gif").toFile())) {
      reader.setInput(in);
      assertEquals(5, reader.getNumImages(true));
    } finally {
      reader.dispose();
    }
    HeatCheckpoint saved = HeatCheckpoint.read(folder.resolve("run.npz"));
    assertEquals(100, saved.state().step());
    assertArrayEquals(field("u.npy"), saved.state().values().toArray(ValueLayout.JAVA_BYTE));
    try (ElementFile file = ElementFile.open(folder.resolve("u.npy"))) {
      assertEquals(List.of(40L, 60L), file.shape());
      assertEquals(ElementType.FLOAT, file.type());
    }
    for (String line :
        List.of(
            "frames      ",
            "gif         ",
            "npy         ",
            "checkpoint  ",
            "steps       0 to 100")) {
      assertTrue(run.out().contains(line), run.out());
    }
  }

  /** In pieces or as one, on the JVM and by the kernels of a device: always the same bits. */
  @ParameterizedTest
  @CsvSource({"float32, jvm", "float64, jvm", "float32, emulator"})
  void aResumedRunHasTheBitsOfOneThatNeverStopped(String type, String engine) throws IOException {
    String[] common =
        Arrays.stream(MIXED).filter(o -> !o.startsWith("--init")).toArray(String[]::new);
    common = with(common, "--type=" + type);
    String[] begin = with(common, "--init=gradient");
    heatIsFine(with(begin, "--steps=137", "--npy=" + at("whole.npy")));
    heatIsFine(with(begin, "--steps=50", "--checkpoint=" + at("run.npz")));
    String resume = "--resume=" + at("run.npz");
    String checkpoint = "--checkpoint=" + at("run.npz");
    heatIsFine(with(common, resume, checkpoint, "--steps=51", "--engine=" + engine));
    heatIsFine(resume, checkpoint, "--steps=120", "--every=7", "--engine=" + engine);
    Run run = heatIsFine(resume, "--steps=137", "--npy=" + at("parts.npy"), "--json");
    assertArrayEquals(field("whole.npy"), field("parts.npy"));
    assertTrue(run.out().contains("\"from\":120,\"step\":137"), run.out());
    assertTrue(
        run.out().contains("\"sides\":[\"dirichlet\",\"neumann:0.2\",\"periodic\",\"periodic\"]"),
        run.out());
    HeatCheckpoint saved = HeatCheckpoint.read(folder.resolve("run.npz"));
    assertEquals(120, saved.state().step());
    assertEquals(120 * saved.dt(), saved.state().time(), 1e-12 * saved.state().time());
  }

  @Test
  void aSteadyGradientStays_andTheToleranceStopsIt() {
    Run run =
        heatIsFine(
            "--nx=17",
            "--ny=9",
            "--init=gradient",
            "--left=dirichlet",
            "--right=dirichlet",
            "--tolerance=1e-7",
            "--json");
    assertTrue(run.out().contains("\"ended\":\"tolerance\""), run.out());
    assertTrue(run.out().contains("\"step\":100,"), run.out());
    assertTrue(run.out().contains("\"min\":0.0,\"max\":1.0,"), run.out());
    assertEquals(1, run.out().lines().count());
  }

  @Test
  void fieldsAreReadFromNpy() throws IOException {
    double[] values = new Random(SEED).doubles(12 * 7).toArray();
    NpyWriter.write(
        folder.resolve("u.npy"), ElementType.DOUBLE, MemorySegment.ofArray(values), 7, 12);
    String init = "--init=" + at("u.npy");
    Run run = heatIsFine(init, "--steps=0", "--npy=" + at("same.npy"), "--json");
    assertTrue(run.out().contains("\"nx\":12,\"ny\":7,\"type\":\"float64\""), run.out());
    assertArrayEquals(field("u.npy"), field("same.npy"));
    refused(ExitCode.USAGE, "found float64 nx=12 ny=7", init, "--nx=7");
    refused(ExitCode.USAGE, "found float64 nx=12 ny=7", init, "--type=float32");
    NpyWriter.write(
        folder.resolve("flat.npy"), ElementType.DOUBLE, MemorySegment.ofArray(values), 84);
    refused(ExitCode.USAGE, "of shape (ny, nx)", "--init=" + at("flat.npy"));
    values[13] = Double.NaN;
    NpyWriter.write(
        folder.resolve("nan.npy"), ElementType.DOUBLE, MemorySegment.ofArray(values), 7, 12);
    refused(ExitCode.FAILURE, "initial field at node (1, 1) is NaN", "--init=" + at("nan.npy"));
    Files.write(folder.resolve("no.npy"), new byte[100]);
    refused(ExitCode.FAILURE, "not a .npy file", "--init=" + at("no.npy"));
  }

  private String numbers(String name, int count, long... shape) throws IOException {
    double[] values = new Random(SEED).doubles(count).toArray();
    NpyWriter.write(folder.resolve(name), ElementType.DOUBLE, MemorySegment.ofArray(values), shape);
    return at(name);
  }

  /** Sources, diffusivities and profiles from files, as of the library's solver. */
  @Test
  void sidesSourcesAndDiffusivitiesComeFromFiles() throws IOException {
    String[] options = {
      "--nx=12",
      "--ny=7",
      "--type=float64",
      "--init=gradient",
      "--diffusivity=" + numbers("a.npy", 84, 7, 12),
      "--source=" + numbers("s.npy", 84, 7, 12),
      "--left=wall:" + numbers("left.npy", 7, 7),
      "--right=robin:0.5," + numbers("right.npy", 7, 7),
      "--bottom=neumann:" + numbers("bottom.npy", 12, 12),
      "--top=dirichlet:" + numbers("top.npy", 12, 12),
    };
    Run run = heatIsFine(with(options, "--steps=40", "--npy=" + at("u.npy"), "--json"));
    assertTrue(
        run.out()
            .contains(
                "\"sides\":[\"wall:7 values\",\"robin:0.5,7 values\",\"neumann:12"
                    + " values\",\"dirichlet:12 values\"]"),
        run.out());
    double[] profile = new Random(SEED).doubles(12).toArray();
    double[] shorter = new Random(SEED).doubles(7).toArray();
    double[] all = new Random(SEED).doubles(84).toArray();
    try (Funnel funnel = Funnel.open(Target.JVM);
        Heat2D heat =
            HeatProblem.builder(12, 7)
                .type(ElementType.DOUBLE)
                .initial((x, y) -> x / 11)
                .diffusivity(all)
                .source(all)
                .left(Side.wall(shorter))
                .right(Side.robin(0.5, shorter))
                .bottom(Side.neumann(profile))
                .top(Side.dirichlet(profile))
                .build()
                .open(funnel)) {
      MemorySegment expected = heat.step(40).snapshot().values();
      assertArrayEquals(expected.toArray(ValueLayout.JAVA_BYTE), field("u.npy"));
    }
    heatIsFine(with(options, "--steps=13", "--checkpoint=" + at("run.npz")));
    String[] again =
        Arrays.stream(options)
            .filter(option -> !option.startsWith("--init"))
            .toArray(String[]::new);
    String resume = "--resume=" + at("run.npz");
    heatIsFine(with(again, resume, "--steps=40", "--npy=" + at("parts.npy")));
    assertArrayEquals(field("u.npy"), field("parts.npy"));
    refused(ExitCode.USAGE, "give the --diffusivity of its first run", resume);
    String diffusivity = "--diffusivity=" + at("a.npy");
    refused(ExitCode.FAILURE, "checksums of source", resume, diffusivity);
    refused(ExitCode.FAILURE, "checksums of source", resume, diffusivity, "--source=2");
    refused(ExitCode.USAGE, "--left wall:0.5 contradicts", resume, diffusivity, "--left=wall:0.5");
    heatIsFine("--nx=12", "--steps=5", "--source=2", "--checkpoint=" + at("number.npz"));
    heatIsFine("--resume=" + at("number.npz"), "--steps=6", "--source=2");
    refused(
        ExitCode.USAGE,
        "does not allow --diffusivity",
        "--resume=" + at("number.npz"),
        diffusivity);
    refused(ExitCode.USAGE, "length=7, nodes=12", "--nx=12", "--top=wall:" + at("left.npy"));
    refused(ExitCode.USAGE, "of one dimension expected", "--nx=12", "--top=wall:" + at("a.npy"));
    refused(ExitCode.USAGE, "source in", "--nx=13", "--source=" + at("s.npy"));
  }

  /** No output but one line on standard error, and the exit code. */
  private static void refused(int exitCode, String message, String... arguments) {
    Run run = heat(arguments);
    assertEquals(exitCode, run.exitCode(), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().startsWith("funnel heat: "), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void wrongCommandLinesAreRefused() throws IOException {
    int usage = ExitCode.USAGE;
    refused(usage, "--nx=0 is out of range", "--nx=0");
    refused(usage, "no such grid: nx=100000, ny=100000", "--nx=100000");
    refused(usage, "--steps=-1", "--steps=-1");
    refused(usage, "--every=0", "--every=0");
    refused(usage, "--tolerance=-1.0", "--tolerance=-1");
    refused(usage, "--type int32", "--type=int32");
    refused(usage, "mutually exclusive", "--dt=0.1", "--safety=0.5");
    refused(usage, "dt=0.3", "--dt=0.3");
    refused(usage, "0.25", "--dt=0.3");
    refused(usage, "--left", "--left=robin");
    refused(usage, "robin:TRANSFER,OUTSIDE", "--left=robin:3");
    refused(usage, "transfer of a side is negative", "--left=robin:-3,4");
    refused(usage, "wall:VALUE", "--left=wall");
    refused(usage, "'x' is neither a number nor a file", "--left=wall:x");
    refused(usage, "not as in", "--left=periodic:1");
    refused(usage, "is not finite: NaN", "--left=dirichlet:NaN");
    refused(usage, "give only one of them", "--alpha=1", "--diffusivity=a.npy");
    refused(ExitCode.FAILURE, "no such file", "--diffusivity=none.npy");
    refused(ExitCode.FAILURE, "no such file", "--source=none.npy");
    refused(ExitCode.FAILURE, "source at node (0, 0) is NaN", "--source=NaN");
    refused(usage, "periodic", "--left=periodic");
    refused(usage, "unknown method '7'", "--method=7");
    refused(usage, "'nowhere' is none of hot-spot, gradient", "--init=nowhere");
    refused(usage, "LOW,HIGH", "--range=3");
    refused(usage, "low=3.0, high=1.0", "--range=3,1");
    refused(usage, "largest=0", "--size=0");
    refused(usage, "diffusivity is negative", "--alpha=-1");
    refused(usage, "dx", "--dx=0");
    refused(
        usage, "--npy and --checkpoint are both", "--npy=" + at("x"), "--checkpoint=" + at("x"));
    String[] wild = {"--nx=32", "--dt=3", "--unstable", "--steps=1000", "--npy=" + at("x")};
    refused(ExitCode.FAILURE, "the field has blown up: total=NaN at step=1000", wild);
    assertFalse(Files.exists(folder.resolve("x")));
    refused(ExitCode.FAILURE, "no such file", "--init=none.npy");
    refused(ExitCode.FAILURE, "no such file", "--resume=none.npz");
    heatIsFine("--dt=0.3", "--unstable", "--steps=1", "--nx=8");
  }

  @Test
  void placesThatCannotBeWrittenAreRefusedBeforeAnythingElse() throws IOException {
    Files.write(folder.resolve("file"), new byte[1]);
    int failure = ExitCode.FAILURE;
    String[] large = {"--nx=20000", "--ny=2000", "--steps=1000000"};
    for (String option : List.of("--gif", "--npy", "--checkpoint")) {
      refused(
          ExitCode.USAGE,
          "%s: there is no folder %s".formatted(at("no/f"), at("no")),
          with(large, option + "=" + at("no/f")));
      refused(
          ExitCode.USAGE, "exists: --force replaces it", with(large, option + "=" + at("file")));
      refused(ExitCode.USAGE, "not a regular file", with(large, option + "=" + folder, "--force"));
    }
    refused(
        failure,
        "cannot write to %1$s: %1$s is not a folder".formatted(at("file")),
        with(large, "--frames=" + at("file")));
    heatIsFine("--nx=8", "--steps=1", "--gif=" + at("file"), "--force");
  }

  @Test
  void checkpointsOfOtherRunsAreRefused() throws IOException {
    heatIsFine(with(MIXED, "--steps=5", "--checkpoint=" + at("run.npz")));
    String resume = "--resume=" + at("run.npz");
    refused(
        ExitCode.FAILURE,
        "expected float32 nx=38 ny=23, found float32 nx=37 ny=23",
        resume,
        "--nx=38");
    refused(ExitCode.FAILURE, "expected float64 nx=37", resume, "--type=float64");
    refused(ExitCode.USAGE, "--alpha 1.0 contradicts", resume, "--alpha=1");
    refused(ExitCode.USAGE, "--dx 0.6 contradicts", resume, "--dx=0.6");
    refused(ExitCode.USAGE, "--dt 0.1 contradicts", resume, "--dt=0.1");
    refused(ExitCode.USAGE, "which has neumann:0.2", resume, "--right=neumann:0.3");
    refused(ExitCode.USAGE, "--left dirichlet:2.0 contradicts", resume, "--left=dirichlet:2");
    heatIsFine(resume, "--left=dirichlet:1", "--steps=6");
    refused(ExitCode.USAGE, "which has periodic", resume, "--top=dirichlet:0");
    refused(ExitCode.USAGE, "does not allow --init and --safety", resume, "--safety=0.5");
    refused(ExitCode.USAGE, "is already at step 5: --steps=4", resume, "--steps=4");
    byte[] bytes = Files.readAllBytes(folder.resolve("run.npz"));
    Files.write(folder.resolve("cut.npz"), Arrays.copyOf(bytes, bytes.length - 100));
    refused(ExitCode.FAILURE, "cut.npz", "--resume=" + at("cut.npz"));
    HeatCheckpoint saved = HeatCheckpoint.read(folder.resolve("run.npz"));
    saved.state().values().setAtIndex(ValueLayout.JAVA_INT, 38, 0x7fc00123);
    saved.write(folder.resolve("nan.npz"));
    refused(
        ExitCode.FAILURE, "checkpoint's field at node (1, 1) is NaN", "--resume=" + at("nan.npz"));
    bytes[bytes.length / 2] ^= 4;
    Files.write(folder.resolve("bad.npz"), bytes);
    refused(ExitCode.FAILURE, "CRC-32 expected", "--resume=" + at("bad.npz"));
  }

  /** The signal that Ctrl-C sends differs from this one in its number only. */
  @Test
  void aSignalLeavesCompleteFilesFromWhichTheRunGoesOn() throws Exception {
    List<String> command =
        OtherJvm.command(
            Main.class,
            "heat",
            "--engine=jvm",
            "--nx=64",
            "--steps=2000000000",
            "--every=1000",
            "--safety=0.5",
            "--type=float64",
            "--frames=" + at("frames"),
            "--gif=" + at("m.gif"),
            "--checkpoint=" + at("run.npz"));
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      File second = folder.resolve("frames/frame-000001000.png").toFile();
      long started = System.nanoTime();
      while (!second.exists() && process.isAlive()) {
        assertFalse(process.waitFor(20, TimeUnit.MILLISECONDS), () -> text(log));
        assertTrue(System.nanoTime() - started < 60e9, () -> "no frame: " + text(log));
      }
      process.destroy();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> text(log));
    } finally {
      process.destroyForcibly();
    }
    assertEquals(128 + 15, process.exitValue(), () -> text(log));
    HeatCheckpoint saved = HeatCheckpoint.read(folder.resolve("run.npz"));
    long step = saved.state().step();
    assertTrue(step >= 1000 && step < 2_000_000_000, "step " + step);
    try (Stream<Path> frames = Files.list(folder.resolve("frames"))) {
      for (Path frame : frames.toList()) {
        assertEquals(256 + 36, ImageIO.read(frame.toFile()).getWidth(), frame.toString());
      }
    }
    assertTrue(
        Files.exists(folder.resolve(String.format(Locale.ROOT, "frames/frame-%09d.png", step))),
        text(log));
    assertTrue(Files.exists(folder.resolve("m.gif")));
    long until = step + 10;
    heatIsFine("--resume=" + at("run.npz"), "--steps=" + until, "--npy=" + at("resumed.npy"));
    heatIsFine(
        "--nx=64",
        "--safety=0.5",
        "--type=float64",
        "--steps=" + until,
        "--npy=" + at("whole.npy"));
    assertArrayEquals(field("whole.npy"), field("resumed.npy"));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
