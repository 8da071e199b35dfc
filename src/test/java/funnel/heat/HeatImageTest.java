package funnel.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operator.ElementType;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeatImageTest {

  private static final int LOWEST = 0x000004; // of inferno
  private static final int HIGHEST = 0xfcffa4;
  private static final int GREY = 0x808080;
  private static final int BELOW = 0x00a0ff;
  private static final int ABOVE = 0xff00ff;
  private static final int WHITE = 0xffffff;

  @TempDir Path folder;

  @AfterEach
  void noPartIsLeft() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      assertEquals(List.of(), files.filter(f -> f.toString().endsWith(".part")).toList());
    }
  }

  private static HeatSnapshot field(int nx, int ny, IntBinaryOperator value) {
    double[] values = new double[nx * ny];
    for (int k = 0; k < values.length; k++) {
      values[k] = value.applyAsInt(k % nx, k / nx);
    }
    return snapshot(nx, ny, values);
  }

  private static HeatSnapshot snapshot(int nx, int ny, double... values) {
    return new HeatSnapshot(ElementType.DOUBLE, nx, ny, 1200, 0.5, MemorySegment.ofArray(values));
  }

  private static int colour(BufferedImage image, int x, int y) {
    return image.getRGB(x, y) & 0xffffff;
  }

  private static HeatImage inferno() {
    return HeatImage.of(ColourMap.INFERNO);
  }

  @Test
  void mapsBeginAndEndAsPublished_andGetLighter() {
    assertEquals(0x440154, ColourMap.VIRIDIS.colour(0));
    assertEquals(0xfde725, ColourMap.VIRIDIS.colour(1));
    assertEquals(0x21918c, ColourMap.VIRIDIS.colour(128 / 255.0));
    assertEquals(LOWEST, ColourMap.INFERNO.colour(-7));
    assertEquals(HIGHEST, ColourMap.INFERNO.colour(7));
    assertEquals(0xbc3754, ColourMap.INFERNO.colour(128 / 255.0));
    for (ColourMap map : ColourMap.values()) {
      double[] luminance =
          IntStream.range(0, 256)
              .map(k -> map.colour(k / 255.0))
              .mapToDouble(
                  rgb -> 0.2126 * (rgb >> 16) + 0.7152 * (rgb >> 8 & 0xff) + 0.0722 * (rgb & 0xff))
              .toArray();
      for (int k = 1; k < 256; k++) {
        assertTrue(luminance[k] > luminance[k - 1] - 1, map + " at " + k);
      }
    }
  }

  @Test
  void aNodeIsASquareOfPixels_xToTheRight_yUpwards() {
    BufferedImage image = inferno().draw(field(4, 3, (i, j) -> i + 10 * j));
    int zoom = 64;
    assertEquals(4 * zoom, image.getWidth());
    assertEquals(3 * zoom + 40, image.getHeight());
    assertEquals(LOWEST, colour(image, 0, 3 * zoom - 1));
    assertEquals(LOWEST, colour(image, zoom - 1, 2 * zoom));
    assertNotEquals(LOWEST, colour(image, zoom, 3 * zoom - 1));
    assertEquals(HIGHEST, colour(image, 3 * zoom, 0));
    assertEquals(HIGHEST, colour(image, 4 * zoom - 1, zoom - 1));
    int expected = ColourMap.INFERNO.colour(Math.round(243 * 12 / 23.0) / 243.0);
    assertEquals(expected, colour(image, 2 * zoom + 5, zoom + 5));
  }

  @Test
  void largeFieldsAreDrawnInMeansOfBlocks() {
    HeatSnapshot field = field(1000, 501, (i, j) -> i < 10 && j < 10 ? (i + j) % 2 * 100 : 50);
    BufferedImage image = inferno().largest(100).range(0, 100).draw(field);
    int zoom = 1;
    assertEquals(198, image.getWidth(), "as wide as the numbers below");
    assertEquals(51 * zoom + 40, image.getHeight());
    int middle = ColourMap.INFERNO.colour(Math.round(243 * 0.5) / 243.0);
    for (int y = 0; y < 51 * zoom; y++) {
      for (int x = 0; x < 100 * zoom; x++) {
        assertEquals(middle, colour(image, x, y), x + ", " + y);
      }
    }
  }

  /** The mean of 0.1, 0.1 and 0.1 is more than 0.1 after rounding. */
  @Test
  void meansAreNotOutsideOfWhatTheyAreMeansOf() {
    double[] values = new double[18];
    for (int j = 0; j < 3; j++) {
      Arrays.fill(values, 6 * j, 6 * j + 3, 0.1);
    }
    assertEquals(HIGHEST, colour(inferno().largest(2).draw(snapshot(6, 3, values)), 0, 0));
  }

  @Test
  void theScaleGoesFromLowToHigh_withNumbersBelow() {
    BufferedImage image = inferno().draw(field(300, 200, (i, j) -> i));
    assertEquals(300, image.getWidth());
    assertEquals(240, image.getHeight());
    assertEquals(LOWEST, colour(image, 0, 205), "as wide as the field");
    assertEquals(HIGHEST, colour(image, 299, 205));
    long ink = 0;
    for (int y = 210; y < 240; y++) {
      for (int x = 0; x < 300; x++) {
        ink += colour(image, x, y) == WHITE ? 0 : 1;
      }
    }
    assertTrue(ink > 300, "dots of letters: " + ink);
    BufferedImage later =
        inferno()
            .draw(
                new HeatSnapshot(
                    ElementType.DOUBLE,
                    300,
                    200,
                    1201,
                    0.5,
                    field(300, 200, (i, j) -> i).values()));
    assertTrue(differ(image, later, 220, 230), "the step is drawn");
    assertFalse(differ(image, later, 0, 220), "and nothing else");
  }

  /** From 293.100 to 293.104, four digits were 293.1 and 293.1. */
  @Test
  void narrowRangesAndValuesOutsideOfThemAreTold() {
    BufferedImage whole = inferno().range(293.1, 293.104).draw(snapshot(2, 1, 293.1, 293.104));
    BufferedImage wider = inferno().range(293.1, 293.103).draw(snapshot(2, 1, 293.1, 293.103));
    int at = whole.getHeight() - 30;
    assertTrue(differ(whole, wider, at, at + 10), "the numbers at the ends of the scale");
    BufferedImage outside = inferno().range(293.1, 293.104).draw(snapshot(2, 1, 293.1, 293.2));
    assertTrue(differ(whole, outside, at, at + 10), "a mark at the end that is passed");
    BufferedImage inside = inferno().range(293.1, 293.104).draw(snapshot(2, 1, 293.1, 293.101));
    assertFalse(differ(whole, inside, at, at + 10));
  }

  @Test
  void axesHaveLengthsATitleAndUnits() {
    HeatSnapshot field = field(300, 200, (i, j) -> i);
    BufferedImage plain = inferno().draw(field);
    BufferedImage image = inferno().axes(0.1, 0.1, "a bar", "m", "s", "K").draw(field);
    int left = 0;
    while (colour(image, left, 20) == WHITE) {
      left++;
    }
    assertTrue(left > 12 && left < 40, "room for lengths: " + left);
    for (int y = 0; y < 200; y++) {
      assertEquals(colour(plain, 150, y), colour(image, left + 150, 13 + y));
    }
    /* at x = 0, 10 and 20 of 29.9, in the middle of a node of one pixel */
    assertEquals(0, colour(image, left, 214));
    assertEquals(0, colour(image, left + 100, 214));
    assertEquals(WHITE, colour(image, left + 150, 213));
    BufferedImage other = inferno().axes(0.1, 0.1, "a rod", "m", "s", "K").draw(field);
    assertTrue(differ(image, other, 0, 13));
    assertFalse(differ(image, other, 13, image.getHeight()));
    assertThrows(IllegalArgumentException.class, () -> inferno().axes(0, 1, ""));
    assertThrows(IllegalArgumentException.class, () -> inferno().axes(1, 1, "", "m"));
    assertTrue(
        inferno().axes(1, 1, "").draw(field(1, 1, (i, j) -> 1)).getWidth() > 198, "one node");
  }

  /** A small field was drawn larger than the limit. */
  @Test
  void theLimitIsOfSmallFieldsToo() {
    assertEquals(WHITE, colour(inferno().largest(50).draw(field(40, 40, (i, j) -> 1)), 50, 10));
  }

  private static boolean differ(BufferedImage one, BufferedImage other, int from, int to) {
    return IntStream.range(from * one.getWidth(), to * one.getWidth())
        .anyMatch(
            k ->
                colour(one, k % one.getWidth(), k / one.getWidth())
                    != colour(other, k % one.getWidth(), k / one.getWidth()));
  }

  @Test
  void whatIsNotFiniteIsGrey_andWhatIsOutsideOfTheRangeToo() {
    double nan = Double.NaN;
    BufferedImage image = inferno().draw(snapshot(4, 1, nan, 1, Double.NEGATIVE_INFINITY, 2));
    assertEquals(GREY, colour(image, 0, 0));
    assertEquals(LOWEST, colour(image, 64, 0));
    assertEquals(GREY, colour(image, 128, 0));
    assertEquals(HIGHEST, colour(image, 192, 0));
    image = inferno().range(0, 1).draw(snapshot(4, 1, -5, 0, 1, 9));
    assertEquals(BELOW, colour(image, 0, 0));
    assertEquals(LOWEST, colour(image, 64, 0));
    assertEquals(HIGHEST, colour(image, 191, 0));
    assertEquals(ABOVE, colour(image, 255, 0));
    assertEquals(BELOW, colour(image, 0, 69), "at the scale's ends as well");
    assertEquals(ABOVE, colour(image, 255, 69));
    image = inferno().range(0, 1).draw(snapshot(4, 1, 0, 0, 1, 1));
    assertEquals(LOWEST, colour(image, 0, 69));
    assertEquals(HIGHEST, colour(image, 255, 69));
    image = inferno().draw(snapshot(2, 1, -Double.MAX_VALUE, Double.MAX_VALUE));
    assertEquals(LOWEST, colour(image, 0, 0));
    assertEquals(HIGHEST, colour(image, 255, 0));
    assertEquals(GREY, colour(inferno().draw(snapshot(1, 1, nan)), 0, 0));
    assertEquals(LOWEST, colour(inferno().draw(snapshot(1, 2, 3, 3)), 0, 0));
  }

  @Test
  void wrongNumbersAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> inferno().largest(0));
    assertThrows(IllegalArgumentException.class, () -> inferno().range(1, 1));
    assertThrows(IllegalArgumentException.class, () -> inferno().range(0, Double.NaN));
    assertFalse(inferno().rangeOf(snapshot(1, 1, 3)).hasRange());
    assertTrue(inferno().rangeOf(snapshot(2, 1, 3, 4)).hasRange());
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> snapshot(2, 2, 1, 2, 3));
    assertTrue(e.getMessage().contains("need bytes=32, given bytes=24"), e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> snapshot(0, 2));
    assertThrows(
        IllegalArgumentException.class,
        () -> new HeatSnapshot(ElementType.INT, 1, 1, 0, 0, MemorySegment.ofArray(new int[1])));
  }

  @Test
  void framesAreReadByImageIo() throws IOException {
    HeatFrames frames = HeatFrames.in(folder.resolve("a/b"));
    BufferedImage drawn = inferno().draw(field(40, 30, (i, j) -> i * j));
    Path file = frames.write(1200, drawn);
    assertEquals(folder.resolve("a/b/frame-000001200.png"), file);
    BufferedImage read = ImageIO.read(file.toFile());
    assertEquals(drawn.getWidth(), read.getWidth());
    assertEquals(drawn.getHeight(), read.getHeight());
    assertFalse(differ(drawn, read, 0, drawn.getHeight()));
  }

  @Test
  void aMovieHasItsPictures_delaysAndLoop() throws IOException {
    Path file = folder.resolve("m.gif");
    HeatImage drawing = inferno().range(0, 5);
    try (HeatMovie movie = HeatMovie.create(file, 70)) {
      for (int k = 0; k < 5; k++) {
        int value = k;
        movie.add(drawing.draw(field(8, 8, (i, j) -> value)));
      }
      assertFalse(Files.exists(file));
      assertThrows(
          IllegalArgumentException.class, () -> movie.add(drawing.draw(field(16, 8, (i, j) -> 1))));
      movie.finish();
    }
    ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
    try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
      reader.setInput(in);
      assertEquals(5, reader.getNumImages(true));
      for (int k = 0; k < 5; k++) {
        int expected = ColourMap.INFERNO.colour(Math.round(250 * k / 5.0) / 250.0);
        assertEquals(expected, colour(reader.read(k), 10, 10));
        var root =
            (IIOMetadataNode) reader.getImageMetadata(k).getAsTree("javax_imageio_gif_image_1.0");
        var control =
            (IIOMetadataNode) root.getElementsByTagName("GraphicControlExtension").item(0);
        assertEquals("7", control.getAttribute("delayTime"));
        assertEquals(k == 0 ? 1 : 0, root.getElementsByTagName("ApplicationExtension").getLength());
      }
    } finally {
      reader.dispose();
    }
  }

  @Test
  void aMovieThatIsNotFinishedLeavesNothing() throws IOException {
    Path file = folder.resolve("m.gif");
    try (HeatMovie movie = HeatMovie.create(file, 70)) {
      assertThrows(IllegalStateException.class, movie::finish);
      movie.add(inferno().draw(field(8, 8, (i, j) -> i)));
      assertEquals(1, movie.count());
    }
    assertFalse(Files.exists(file));
    assertThrows(IllegalArgumentException.class, () -> HeatMovie.create(file, 9));
  }

  @Test
  void placesThatCannotBeWrittenAreNamed() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[1]);
    for (Path wrong : List.of(file, file.resolve("below"), Path.of("/proc/none"))) {
      HeatOutputException e =
          assertThrows(HeatOutputException.class, () -> HeatFrames.in(wrong), wrong.toString());
      String begin = "cannot write to %s: ".formatted(wrong);
      assertTrue(e.getMessage().startsWith(begin), e.getMessage());
      assertTrue(e.getMessage().contains(wrong.startsWith(file) ? file + " is no" : "in /proc ("));
    }
    for (Path wrong : List.of(folder, Path.of("/"))) {
      assertCannotWrite(wrong, "it is not a regular file: name another place");
    }
    Path missing = folder.resolve("no");
    assertCannotWrite(
        missing.resolve("m.gif"), "there is no folder %s: create it first".formatted(missing));
    assertCannotWrite(
        file.resolve("m.gif"), "%s is not a folder: name another place".formatted(file));
  }

  private static void assertCannotWrite(Path movie, String why) {
    HeatOutputException e =
        assertThrows(HeatOutputException.class, () -> HeatMovie.create(movie, 50));
    assertEquals("cannot write to %s: %s".formatted(movie, why), e.getMessage());
  }

  @Test
  void framesMakeTheirFolderAndLeaveNothingElse() throws IOException {
    Path frames = folder.resolve("a/b");
    for (int time = 0; time < 2; time++) {
      HeatFrames.in(frames);
      assertEquals(List.of(folder, folder.resolve("a"), frames), all(folder));
    }
  }

  private static List<Path> all(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted().toList();
    }
  }
}
