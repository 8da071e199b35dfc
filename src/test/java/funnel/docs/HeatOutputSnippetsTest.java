package funnel.docs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.heat.ColourMap;
import funnel.heat.Heat2D;
import funnel.heat.HeatCheckpoint;
import funnel.heat.HeatFrames;
import funnel.heat.HeatImage;
import funnel.operation.Target;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of pictures, movies and checkpoints do what they say. */
class HeatOutputSnippetsTest {

  private static final HeatImage DRAWING = HeatImage.of(ColourMap.VIRIDIS).range(0, 100);

  @TempDir Path folder;

  private static int rgb(BufferedImage picture, int x, int y) {
    return picture.getRGB(x, y) & 0xffffff;
  }

  @Test
  void colours() {
    BufferedImage legend = HeatOutputSnippets.legend();
    assertEquals(0x440154, rgb(legend, 0, 0));
    assertEquals(0xfde725, rgb(legend, 255, 15));
  }

  @Test
  void image() throws IOException {
    Path file = folder.resolve("plate.png");
    try (Funnel funnel = Funnel.open(Target.JVM);
        Heat2D heat = HeatOutputSnippets.plate(funnel, 16)) {
      BufferedImage picture = HeatOutputSnippets.draw(heat, file);
      assertEquals(ColourMap.INFERNO.colour(1), rgb(picture, 0, 0));
      assertEquals(ColourMap.INFERNO.colour(0), rgb(picture, 255, 0));
      BufferedImage read = ImageIO.read(file.toFile());
      assertEquals(rgb(picture, 0, 0), rgb(read, 0, 0));
      assertEquals(picture.getHeight(), read.getHeight());
    }
  }

  @Test
  void frames() throws IOException {
    Path frames = folder.resolve("frames");
    try (Funnel funnel = Funnel.open(Target.JVM);
        Heat2D heat = HeatOutputSnippets.plate(funnel, 16)) {
      HeatOutputSnippets.frames(heat, DRAWING, frames);
    }
    try (Stream<Path> files = Files.list(frames)) {
      assertEquals(
          List.of("frame-000000000.png", "frame-000000100.png", "frame-000000200.png"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void observe() throws IOException {
    Path frames = folder.resolve("frames");
    Path file = folder.resolve("run.npz");
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      HeatFrames drawn = HeatFrames.in(frames);
      assertEquals("done", HeatOutputSnippets.watched(funnel, DRAWING, drawn, file));
      try (Stream<Path> files = Files.list(frames)) {
        assertEquals(4, files.count());
      }
      assertEquals(400, HeatCheckpoint.read(file).state().step());
      String message =
          HeatOutputSnippets.watched(funnel, DRAWING, drawn, folder.resolve("gone/run.npz"));
      assertTrue(
          message.startsWith("the observer of every=200 steps failed at step=200,"), message);
    }
  }

  @Test
  void movie() throws IOException {
    Path file = folder.resolve("heat.gif");
    try (Funnel funnel = Funnel.open(Target.JVM);
        Heat2D heat = HeatOutputSnippets.plate(funnel, 16)) {
      assertEquals(20, HeatOutputSnippets.movie(heat, DRAWING, file));
    }
    ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
    try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
      reader.setInput(in);
      assertEquals(20, reader.getNumImages(true));
    } finally {
      reader.dispose();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void checkpoint(Target target) throws IOException {
    try (Funnel funnel = Funnel.open(target);
        Heat2D heat = HeatOutputSnippets.plate(funnel, 16)) {
      Path file = folder.resolve("run.npz");
      float[] stopped = HeatOutputSnippets.stopAndGoOn(funnel, file);
      assertArrayEquals(heat.step(200).toFloats(), stopped);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void go_back(Target target) {
    try (Funnel funnel = Funnel.open(target);
        Heat2D heat = HeatOutputSnippets.plate(funnel, 16);
        Heat2D whole = HeatOutputSnippets.plate(funnel, 16)) {
      double now = whole.step(20).totalHeat();
      double later = whole.step(100).totalHeat();
      assertEquals(
          "step 20: %.1f now, %.1f later".formatted(now, later),
          HeatOutputSnippets.lookAhead(heat.step(20)));
      assertArrayEquals(whole.toFloats(), heat.step(100).toFloats());
    }
  }

  @Test
  void checkpoint_refused() throws IOException {
    Path file = folder.resolve("run.npz");
    try (Funnel funnel = Funnel.open(Target.JVM);
        Heat2D small = HeatOutputSnippets.plate(funnel, 8);
        Heat2D other = HeatOutputSnippets.plate(funnel, 8);
        Heat2D heat = HeatOutputSnippets.plate(funnel, 16)) {
      assertEquals("at step 0", HeatOutputSnippets.resume(heat, file));
      small.step(10).checkpoint(file);
      String message = HeatOutputSnippets.resume(heat, file);
      assertEquals(
          "begins anew: %s: checkpoint of another run: ".formatted(file)
              + "expected FLOAT nx=16 ny=16, found FLOAT nx=8 ny=8",
          message);
      assertEquals(0, heat.steps());
      assertEquals("at step 10", HeatOutputSnippets.resume(other, file));
    }
  }

  @Test
  void output() throws IOException {
    Path missing = folder.resolve("films");
    Path file = missing.resolve("heat.gif");
    try (Funnel funnel = Funnel.open(Target.JVM);
        Heat2D heat = HeatOutputSnippets.plate(funnel, 16)) {
      assertEquals(
          "cannot write to %s: there is no folder %s: create it first".formatted(file, missing),
          HeatOutputSnippets.lastPicture(heat, DRAWING, file));
      assertEquals(0, heat.steps());
      Files.createDirectory(missing);
      assertEquals("written at step 1000", HeatOutputSnippets.lastPicture(heat, DRAWING, file));
      assertTrue(Files.exists(file));
    }
  }
}
