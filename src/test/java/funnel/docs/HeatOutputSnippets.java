package funnel.docs;

import funnel.Funnel;
import funnel.heat.ColourMap;
import funnel.heat.Heat2D;
import funnel.heat.HeatCheckpoint;
import funnel.heat.HeatCheckpointException;
import funnel.heat.HeatFrames;
import funnel.heat.HeatImage;
import funnel.heat.HeatMovie;
import funnel.heat.HeatOutputException;
import funnel.heat.HeatProblem;
import funnel.heat.Side;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Examples of what becomes of fields: pictures, movies and checkpoints. */
final class HeatOutputSnippets {

  private HeatOutputSnippets() {}

  /** A square plate that is warmed at its left. */
  static Heat2D plate(Funnel funnel, int nodes) {
    return HeatProblem.builder(nodes, nodes).left(Side.dirichlet(100)).build().open(funnel);
  }

  /** A legend from the lowest colour to the highest. */
  static BufferedImage legend() {
    // @start region="colours"
    ColourMap map = ColourMap.VIRIDIS;
    BufferedImage legend = new BufferedImage(256, 16, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < 256; x++) {
      int colour = map.colour(x / 255.0); // 0x440154, violet, to 0xfde725, yellow
      for (int y = 0; y < 16; y++) {
        legend.setRGB(x, y, colour);
      }
    }
    // @end
    return legend;
  }

  /** Draws the field. */
  static BufferedImage draw(Heat2D heat, Path file) throws IOException {
    // @start region="image"
    HeatImage drawing = HeatImage.of(ColourMap.INFERNO).range(0, 100);
    BufferedImage picture = drawing.draw(heat.snapshot());
    HeatFrames.writePng(file, picture);
    // @end
    return picture;
  }

  /** Draws the field now and then. */
  static void frames(Heat2D heat, HeatImage drawing, Path folder) throws IOException {
    // @start region="frames"
    HeatFrames frames = HeatFrames.in(folder);
    while (heat.steps() <= 200) {
      frames.write(heat.steps(), drawing.draw(heat.snapshot()));
      heat.step(100);
    } // frame-000000000.png, frame-000000100.png, frame-000000200.png
    // @end
  }

  /** Shows how a plate becomes warm. */
  static int movie(Heat2D heat, HeatImage drawing, Path file) throws IOException {
    // @start region="movie"
    try (HeatMovie movie = HeatMovie.create(file, 50)) { // milliseconds a picture
      while (movie.count() < 20) {
        movie.add(drawing.draw(heat.snapshot()));
        heat.step(10);
      }
      movie.finish(); // from here on the file is there
      return movie.count(); // 20
    }
    // @end
  }

  /** Draws and saves while it steps. */
  static String watched(Funnel funnel, HeatImage drawing, HeatFrames frames, Path file) {
    // @start region="observe"
    HeatProblem plate = HeatProblem.builder(16, 16).left(Side.dirichlet(100)).build();
    try (Heat2D heat = plate.open(funnel)) {
      heat.observe(100, h -> frames.write(h.steps(), drawing.draw(h.snapshot())))
          .observe(200, h -> h.checkpoint(file))
          .step(400); // four frames and two checkpoints
      return "done";
    } catch (UncheckedIOException e) { // the disk is full, or the folder is gone
      return e.getMessage(); // the observer of every=200 steps failed at step=200, ...
    }
    // @end
  }

  /** Stops after 100 steps, and makes 100 more in another solver. */
  static float[] stopAndGoOn(Funnel funnel, Path file) throws IOException {
    // @start region="checkpoint"
    try (Heat2D heat = plate(funnel, 16)) { // a method of yours that builds it
      HeatCheckpoint checkpoint = heat.step(100).checkpoint();
      checkpoint.write(file);
    }
    HeatCheckpoint same = HeatCheckpoint.read(file);
    long left = 200 - same.state().step(); // 100
    try (Heat2D heat = plate(funnel, 16)) { // in another process, say
      heat.resume(file);
      return heat.step(left).toFloats(); // the bits of 200 steps without a stop
    }
    // @end
  }

  /** Looks 100 steps ahead of a step, and goes on from that step. */
  static String lookAhead(Heat2D heat) {
    // @start region="go-back"
    HeatCheckpoint here = heat.checkpoint();
    double later = heat.step(100).totalHeat();
    heat.resume(here); // as if the 100 steps had not been made
    double now = heat.totalHeat();
    // @end
    return "step %s: %.1f now, %.1f later".formatted(heat.steps(), now, later);
  }

  /** Goes on from a checkpoint if it can. */
  static String resume(Heat2D heat, Path file) throws IOException {
    // @start region="checkpoint-refused"
    if (Files.exists(file)) {
      try {
        heat.resume(file);
      } catch (HeatCheckpointException e) { // nothing has changed
        return "begins anew: " + e.getMessage();
        // ... checkpoint of another run: expected FLOAT nx=16 ny=16, found FLOAT nx=8 ny=8
      }
    }
    return "at step " + heat.steps();
    // @end
  }

  /** Begins a movie before anything is computed for it. */
  static String lastPicture(Heat2D heat, HeatImage drawing, Path file) throws IOException {
    // @start region="output"
    try (HeatMovie movie = HeatMovie.create(file, 50)) { // before hours of steps
      movie.add(drawing.draw(heat.step(1000).snapshot()));
      movie.finish();
      return "written at step " + heat.steps();
    } catch (HeatOutputException e) { // no step was made
      return e.getMessage();
      // cannot write to films/heat.gif: there is no folder /home/ada/films: create it first
    }
    // @end
  }
}
