package funnel.heat;

import funnel.file.WholeFile;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Pictures of a run in a folder, {@code frame-000000000.png} and so on by step. Each appears when
 * it is complete, replacing one of the same step.
 *
 * {@snippet class="funnel.docs.HeatOutputSnippets" region="frames"}
 */
public final class HeatFrames {

  private final Path folder;

  private HeatFrames(Path folder) {
    this.folder = folder;
  }

  /**
   * Frames in a folder, which is created if it does not exist.
   *
   * @throws HeatOutputException if it cannot be created or written to
   */
  public static HeatFrames in(Path folder) throws IOException {
    Path last = folder.toAbsolutePath();
    while (!Files.exists(last) && last.getParent() != null) {
      last = last.getParent();
    }
    try { // in the last existing folder, before others are created
      WholeFile.create(last.resolve("frames-" + UUID.randomUUID())).close();
      Files.createDirectories(folder);
    } catch (FileSystemException e) {
      throw new HeatOutputException(folder, e);
    }
    return new HeatFrames(folder);
  }

  /**
   * Writes a frame.
   *
   * @return its file
   * @throws IOException if it cannot be written; then nothing has changed
   */
  public Path write(long step, BufferedImage picture) throws IOException {
    Path file = folder.resolve(String.format(Locale.ROOT, "frame-%09d.png", step));
    writePng(file, picture);
    return file;
  }

  /**
   * Writes one picture into a file of its own, which appears when it is complete.
   *
   * @throws IOException if it cannot be written; then nothing has changed
   */
  public static void writePng(Path file, BufferedImage picture) throws IOException {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    /* ImageIO.write to the stream itself would cache in a separate file */
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(png)) {
      if (!ImageIO.write(picture, "png", out)) {
        throw new IOException("the JDK has no PNG writer for " + picture);
      }
    }
    WholeFile.write(file, png.toByteArray());
  }
}
