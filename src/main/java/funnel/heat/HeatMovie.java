package funnel.heat;

import funnel.file.WholeFile;
import java.awt.image.BufferedImage;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Pictures of a run as an animated GIF that repeats forever. It appears under its name with {@link
 * #finish}; until then its pictures are in a hidden file in the same folder.
 *
 * {@snippet class="funnel.docs.HeatOutputSnippets" region="movie"}
 *
 * <p>Used by one thread.
 */
public final class HeatMovie implements AutoCloseable {

  /* Metadata as in the JDK's description of its GIF format, javax_imageio_gif_image_1.0. The
   * NETSCAPE2.0 extension with the count 0 makes viewers repeat forever; it is at the first
   * picture. Pictures have no transparent colour and cover the whole screen, so none is disposed
   * of.
   */

  private static final int MILLIS_A_TICK = 10;
  private static final int MOST_TICKS = 0xffff;

  private final Path name;
  private final WholeFile file;
  private final OutputStream buffer;
  private final MemoryCacheImageOutputStream out;
  private final ImageWriter writer;
  private final int ticks;
  private @Nullable BufferedImage first;
  private int count;

  private HeatMovie(Path name, WholeFile file, int ticks) throws IOException {
    this.name = name;
    this.file = file;
    this.ticks = ticks;
    this.buffer = new BufferedOutputStream(file.stream());
    this.out = new MemoryCacheImageOutputStream(buffer);
    this.writer = ImageIO.getImageWritersByFormatName("gif").next();
    writer.setOutput(out);
    writer.prepareWriteSequence(null);
  }

  /**
   * Begins a movie; an existing file is untouched until {@link #finish}.
   *
   * @param millis how long each picture is shown, in milliseconds, in steps of 10
   * @throws IllegalArgumentException if {@code millis} is not within 10 to 655350
   * @throws HeatOutputException if no file can be created there
   */
  public static HeatMovie create(Path file, int millis) throws IOException {
    if (millis < MILLIS_A_TICK || millis > MOST_TICKS * MILLIS_A_TICK) {
      throw new IllegalArgumentException(
          "millis=%s is out of range: %s to %s"
              .formatted(millis, MILLIS_A_TICK, MOST_TICKS * MILLIS_A_TICK));
    }
    WholeFile whole = begin(file);
    try {
      return new HeatMovie(file, whole, millis / MILLIS_A_TICK);
    } catch (Throwable e) {
      whole.close();
      throw e;
    }
  }

  private static WholeFile begin(Path file) throws IOException {
    try {
      return WholeFile.create(file);
    } catch (FileSystemException e) {
      throw new HeatOutputException(file, e);
    }
  }

  /**
   * Adds a picture.
   *
   * @throws IllegalArgumentException if it has another size than the first
   * @throws IOException if it cannot be written
   */
  public void add(BufferedImage picture) throws IOException {
    BufferedImage one = first == null ? picture : first;
    if (picture.getWidth() != one.getWidth() || picture.getHeight() != one.getHeight()) {
      throw new IllegalArgumentException(
          "the movie is %s x %s, the picture %s x %s"
              .formatted(one.getWidth(), one.getHeight(), picture.getWidth(), picture.getHeight()));
    }
    writer.writeToSequence(new IIOImage(picture, null, metadata(picture)), null);
    out.flush(); // else all pictures would stay in memory
    first = one;
    count++;
  }

  /** The number of pictures added. */
  public int count() {
    return count;
  }

  private IIOMetadata metadata(BufferedImage picture) throws IOException {
    IIOMetadata metadata =
        writer.getDefaultImageMetadata(
            ImageTypeSpecifier.createFromRenderedImage(picture), writer.getDefaultWriteParam());
    String format = metadata.getNativeMetadataFormatName();
    IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(format);
    IIOMetadataNode control = child(root, "GraphicControlExtension");
    control.setAttribute("disposalMethod", "none");
    control.setAttribute("userInputFlag", "FALSE");
    control.setAttribute("transparentColorFlag", "FALSE");
    control.setAttribute("transparentColorIndex", "0");
    control.setAttribute("delayTime", Integer.toString(ticks));
    if (first == null) {
      IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
      loop.setAttribute("applicationID", "NETSCAPE");
      loop.setAttribute("authenticationCode", "2.0");
      loop.setUserObject(new byte[] {1, 0, 0});
      child(root, "ApplicationExtensions").appendChild(loop);
    }
    metadata.setFromTree(format, root);
    return metadata;
  }

  private static IIOMetadataNode child(IIOMetadataNode root, String name) {
    for (int k = 0; k < root.getLength(); k++) {
      if (root.item(k).getNodeName().equals(name)) {
        return (IIOMetadataNode) root.item(k);
      }
    }
    IIOMetadataNode node = new IIOMetadataNode(name);
    root.appendChild(node);
    return node;
  }

  /**
   * Completes the file and gives it its name.
   *
   * @throws IllegalStateException if it has no pictures
   * @throws IOException if it cannot be written
   */
  public void finish() throws IOException {
    if (count == 0) {
      throw new IllegalStateException("a movie needs a picture");
    }
    writer.endWriteSequence();
    out.flush();
    buffer.flush();
    file.commit();
  }

  /** The file, which is there when the movie is finished. */
  public Path file() {
    return name;
  }

  @Override
  public String toString() {
    return "%s, pictures=%s".formatted(name, count);
  }

  /** Deletes what was written, unless it was {@linkplain #finish finished}. */
  @Override
  public void close() throws IOException {
    writer.dispose();
    file.close();
  }
}
