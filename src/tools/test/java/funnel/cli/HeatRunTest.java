package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.heat.ColourMap;
import funnel.heat.HeatCheckpoint;
import funnel.heat.HeatImage;
import funnel.heat.HeatSnapshot;
import funnel.heat.Side;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The loop around a solver, with one that only counts. */
class HeatRunTest {

  @TempDir Path folder;

  /** Its field is its step, and its change falls by one half with each. */
  private static final class Counting implements HeatRun.Solver {
    private long step;
    private final long failAt;
    private long blownUpAt = Long.MAX_VALUE;

    Counting(long from, long failAt) {
      this.step = from;
      this.failAt = failAt;
    }

    @Override
    public long step() {
      return step;
    }

    @Override
    public void advance(long steps) {
      assertTrue(steps > 0);
      step += steps;
      if (step >= failAt) {
        throw new IllegalStateException("the device is gone");
      }
    }

    @Override
    public HeatSnapshot snapshot() {
      float[] field = {0, step, step, 0};
      return new HeatSnapshot(ElementType.FLOAT, 2, 2, step, step, MemorySegment.ofArray(field));
    }

    @Override
    public HeatCheckpoint checkpoint() {
      return new HeatCheckpoint(
          snapshot(), 1, 1, 1, 1, Collections.nCopies(4, Side.dirichlet()), List.of());
    }

    @Override
    public double total() {
      return step < blownUpAt ? step : Double.NaN;
    }

    @Override
    public double change() {
      return Math.scalb(1.0, -(int) step);
    }
  }

  private HeatRun open() throws IOException {
    return HeatRun.open(
        HeatImage.of(ColourMap.VIRIDIS),
        folder.resolve("frames"),
        folder.resolve("m.gif"),
        50,
        folder.resolve("c.npz"));
  }

  private List<String> frames() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("frames"))) {
      return files
          .map(file -> file.getFileName().toString().replaceAll("frame-0*(\\d+).png", "$1"))
          .sorted((a, b) -> Long.compare(Long.parseLong(a), Long.parseLong(b)))
          .toList();
    }
  }

  private int pictures() throws IOException {
    ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
    try (ImageInputStream in = ImageIO.createImageInputStream(folder.resolve("m.gif").toFile())) {
      reader.setInput(in);
      return reader.getNumImages(true);
    } finally {
      reader.dispose();
    }
  }

  private long saved() throws IOException {
    return HeatCheckpoint.read(folder.resolve("c.npz")).state().step();
  }

  @Test
  void picturesAreAtMultiplesAndAtTheEnds() throws IOException {
    List<Long> done = new ArrayList<>();
    try (HeatRun run = open()) {
      HeatRun.End end =
          run.run(
              new Counting(3, Long.MAX_VALUE),
              new HeatRun.Request(25, 10, true, 100, -1),
              () -> false,
              done::add);
      assertEquals(HeatRun.End.STEPS, end);
    }
    assertEquals(List.of("3", "10", "20", "25"), frames());
    assertEquals(4, pictures());
    assertEquals(25, saved());
    assertEquals(22, done.stream().mapToLong(Long::longValue).sum());
  }

  @Test
  void nothingToDoIsAPictureAndACheckpoint() throws IOException {
    try (HeatRun run = open()) {
      assertEquals(
          HeatRun.End.STEPS,
          run.run(
              new Counting(7, Long.MAX_VALUE),
              new HeatRun.Request(7, 10, false, 100, 0),
              () -> true,
              steps -> {}));
    }
    assertEquals(List.of("7"), frames());
    assertEquals(7, saved());
  }

  @Test
  void theToleranceIsLookedAtAtMultiplesOnly() throws IOException {
    try (HeatRun run = open()) {
      HeatRun.End end =
          run.run(
              new Counting(0, Long.MAX_VALUE),
              new HeatRun.Request(1000, 1000, false, 8, Math.scalb(1.0, -17)),
              () -> false,
              steps -> {});
      assertEquals(HeatRun.End.TOLERANCE, end);
    }
    assertEquals(List.of("0", "24"), frames());
    assertEquals(24, saved());
  }

  @Test
  void anInterruptionLeavesTheStepAtHand() throws IOException {
    int[] asked = {0};
    Counting solver = new Counting(0, Long.MAX_VALUE);
    try (HeatRun run = open()) {
      HeatRun.End end =
          run.run(
              solver,
              new HeatRun.Request(Long.MAX_VALUE, 5, false, 100, -1),
              () -> ++asked[0] > 3,
              steps -> {});
      assertEquals(HeatRun.End.INTERRUPTED, end);
    }
    assertEquals(solver.step(), saved());
    assertEquals(Long.toString(solver.step()), frames().getLast());
    assertEquals(frames().size(), pictures());
  }

  @Test
  void aFailureLeavesTheLastOnes() throws IOException {
    try (HeatRun run = open()) {
      assertThrows(
          IllegalStateException.class,
          () ->
              run.run(
                  new Counting(0, 30),
                  new HeatRun.Request(100, 10, true, 100, -1),
                  () -> false,
                  steps -> {}));
    }
    assertEquals(List.of("0", "10", "20"), frames());
    assertEquals(20, saved());
    assertFalse(Files.exists(folder.resolve("m.gif")));
    try (Stream<Path> files = Files.walk(folder)) {
      assertEquals(List.of(), files.filter(f -> f.toString().endsWith(".part")).toList());
    }
  }

  @Test
  void aFieldThatBlowsUpIsDrawnAndTakesTheCheckpointsPlaceNever() throws IOException {
    Counting solver = new Counting(0, Long.MAX_VALUE);
    solver.blownUpAt = 25;
    try (HeatRun run = open()) {
      ArithmeticException e =
          assertThrows(
              ArithmeticException.class,
              () ->
                  run.run(
                      solver,
                      new HeatRun.Request(30, 10, true, 100, -1),
                      () -> false,
                      steps -> {}));
      assertEquals(
          "the field has blown up: total=NaN at step=30; use a smaller time step", e.getMessage());
    }
    assertEquals(List.of("0", "10", "20", "30"), frames());
    assertEquals(20, saved());
  }

  @Test
  void sidesAreReadFromTheCommandLine() throws Exception {
    SideOption.Converter converter = new SideOption.Converter();
    assertEquals("dirichlet:1.5", converter.convert("Dirichlet:1.5").toString());
    assertEquals("dirichlet", converter.convert("dirichlet").toString());
    assertEquals("neumann:0.0", converter.convert("neumann").toString());
    assertEquals(Side.neumann(-2), converter.convert("neumann:-2").side());
    assertEquals(Side.wall(3), converter.convert("wall:3").side());
    assertEquals("robin:0.5,20.0", converter.convert("robin:0.5,20").toString());
    String file = folder.toString(); // any that is there
    assertEquals("robin:0.5," + file, converter.convert("robin:0.5," + file).toString());
    assertEquals("periodic", converter.convert("PERIODIC").toString());
    for (String wrong :
        List.of(
            "",
            "robin",
            "dirichlet:",
            "dirichlet:x",
            "neumann:NaN",
            "periodic:1",
            "wall",
            "robin:1",
            "robin:x,1")) {
      assertThrows(
          picocli.CommandLine.TypeConversionException.class, () -> converter.convert(wrong), wrong);
    }
  }
}
