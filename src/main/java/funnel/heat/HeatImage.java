package funnel.heat;

import funnel.operation.ParallelRows;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.awt.image.IndexColorModel;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Draws fields: the field in the colours of a {@link ColourMap}, x to the right and y upwards, and
 * below it the scale with the numbers at its ends, the step, the time, and the field's least and
 * largest value; with {@linkplain #axes axes} also lengths, a title and units.
 *
 * {@snippet class="funnel.docs.HeatOutputSnippets" region="image"}
 *
 * <p>A field with more nodes along a side than the {@linkplain #largest largest picture} has pixels
 * is drawn as means of square blocks of nodes, which are smaller at the right and upper end; the
 * least and largest value are still those of all nodes. A small field has a square of pixels for
 * each node. Values below the range are azure, those above it magenta; if there are any, the scale
 * has that colour and a mark ({@code <} or {@code >}) at that end. Nodes that are NaN or infinite,
 * and blocks with such a node, are grey.
 *
 * <p>Immutable. Equal snapshots give equal pictures, but for the letters, which are of the
 * machine's sans-serif font.
 */
public final class HeatImage {

  /* A picture has a palette of 256 colours, which GIF needs and which keeps PNG files small: 244
   * levels of the map, some special colours, and greys at the edges of letters.
   */

  private static final int LEVELS = 251 - Letters.GREYS;
  private static final byte PAPER = (byte) LEVELS;
  private static final byte INK = (byte) (LEVELS + 1);
  private static final byte MISSING = (byte) (LEVELS + 2);
  private static final byte BELOW = (byte) (LEVELS + 3);
  private static final byte ABOVE = (byte) (LEVELS + 4);
  private static final byte GREYS = (byte) (LEVELS + 5);
  private static final int PAPER_COLOUR = 0xffffff;
  private static final int INK_COLOUR = 0x000000;
  private static final int MISSING_COLOUR = 0x808080;
  private static final int BELOW_COLOUR = 0x00a0ff;
  private static final int ABOVE_COLOUR = 0xff00ff;

  private static final int LARGEST = 1024;
  private static final int SMALLEST_FIELD = 256;
  private static final int LINE = 10;
  private static final int MARGIN = 3;
  private static final int LETTERS = 32;
  private static final int NARROWEST = LETTERS * Letters.ADVANCE + 2 * MARGIN;
  private static final int DIGITS = 4;
  private static final int TICKS = 10 * Letters.ADVANCE;
  private static final int PIXELS_A_SCALE = 256;

  private final ColourMap map;
  private final int largest;
  private final double low;
  private final double high;
  private final Axes axes;

  private HeatImage(ColourMap map, int largest, double low, double high, Axes axes) {
    this.map = map;
    this.largest = largest;
    this.low = low;
    this.high = high;
    this.axes = axes;
  }

  /** The surroundings of a field; dx is NaN if there are none. */
  private record Axes(double dx, double dy, String title, List<String> units) {

    static final Axes NONE = new Axes(Double.NaN, Double.NaN, "", List.of("", "", ""));

    boolean isDrawn() {
      return !Double.isNaN(dx);
    }

    /** A length, time or value with its unit. */
    String with(String number, int unit) {
      return (number + " " + units.get(unit)).strip();
    }
  }

  /** Pictures of at most 1024 pixels a side, each with its own range of values. */
  public static HeatImage of(ColourMap map) {
    return new HeatImage(
        Objects.requireNonNull(map, "map"), LARGEST, Double.NaN, Double.NaN, Axes.NONE);
  }

  /**
   * These pictures with another limit for the pixels of the field's longer side.
   *
   * @param pixels 1 to 16384
   * @throws IllegalArgumentException if {@code pixels} is out of range
   */
  public HeatImage largest(int pixels) {
    if (pixels < 1 || pixels > 1 << 14) {
      throw new IllegalArgumentException(
          "largest=%s is out of range: 1 to %s".formatted(pixels, 1 << 14));
    }
    return new HeatImage(map, pixels, low, high, axes);
  }

  /**
   * These pictures with one range of values for all, as an animation needs.
   *
   * @throws IllegalArgumentException if one is not finite, or the first is not below the second
   */
  public HeatImage range(double from, double to) {
    if (!(Double.isFinite(from) && Double.isFinite(to) && from < to)) {
      throw new IllegalArgumentException(
          "not a range of values: low=%s, high=%s".formatted(from, to));
    }
    return new HeatImage(map, largest, from, to, axes);
  }

  /**
   * These pictures with a title above the field, and axes of lengths from node (0, 0) on.
   *
   * @param dx distance of nodes along x
   * @param dy distance of nodes along y
   * @param title in ASCII, cut off at the picture's edge
   * @param units of lengths, times and values, such as {@code "m", "s", "K"}; or none
   * @throws IllegalArgumentException if a distance is not positive and finite, or there are neither
   *     three units nor none
   */
  public HeatImage axes(double dx, double dy, String title, String... units) {
    if (!(dx > 0 && dy > 0 && Double.isFinite(dx + dy)) || units.length % 3 != 0) {
      throw new IllegalArgumentException(
          "dx=%s and dy=%s must be positive and finite, and units=%s three or none"
              .formatted(dx, dy, List.of(units)));
    }
    List<String> named = units.length == 0 ? Axes.NONE.units : List.of(units);
    return new HeatImage(map, largest, low, high, new Axes(dx, dy, title, named));
  }

  /** Whether {@link #range} has set a range. */
  public boolean hasRange() {
    return !Double.isNaN(low);
  }

  /** These pictures with the range of a field's finite values; unchanged if all are equal. */
  public HeatImage rangeOf(HeatSnapshot snapshot) {
    Reduced reduced = reduce(snapshot);
    return reduced.min < reduced.max ? range(reduced.min, reduced.max) : this;
  }

  /** Means of blocks, row after row from j = 0 on, and the least and largest value of all nodes. */
  private record Reduced(
      int block, int width, int height, double[] means, double min, double max) {}

  private Reduced reduce(HeatSnapshot field) {
    int block = Math.ceilDiv(Math.max(field.nx(), field.ny()), largest);
    int width = Math.ceilDiv(field.nx(), block);
    int height = Math.ceilDiv(field.ny(), block);
    double[] means = new double[width * height];
    double[] least = new double[height];
    double[] most = new double[height];
    ParallelRows.deal(
        height,
        row -> {
          int to = Math.min(field.ny(), (row + 1) * block);
          double min = Double.NaN;
          double max = Double.NaN;
          for (int j = row * block; j < to; j++) {
            for (int c = 0; c < width; c++) {
              long end = (long) j * field.nx() + Math.min(field.nx(), (c + 1) * block);
              double sum = 0;
              for (long at = (long) j * field.nx() + c * block; at < end; at++) {
                double value = field.at(at);
                sum += value;
                if (Double.isFinite(value)) {
                  min = min <= value ? min : value;
                  max = max >= value ? max : value;
                }
              }
              means[row * width + c] += sum;
            }
          }
          for (int c = 0; c < width; c++) {
            int columns = Math.min(block, field.nx() - c * block);
            double mean = means[row * width + c] / ((double) columns * (to - row * block));
            boolean isRounded = Double.isFinite(mean) && (mean < min || mean > max);
            means[row * width + c] = isRounded ? Math.clamp(mean, min, max) : mean;
          }
          least[row] = min;
          most[row] = max;
        });
    return new Reduced(
        block,
        width,
        height,
        means,
        Arrays.stream(least).filter(Double::isFinite).min().orElse(Double.NaN),
        Arrays.stream(most).filter(Double::isFinite).max().orElse(Double.NaN));
  }

  /**
   * Draws a field.
   *
   * @return a picture with a palette, of the same size for all fields of one shape
   */
  public BufferedImage draw(HeatSnapshot snapshot) {
    Reduced reduced = reduce(snapshot);
    int zoom =
        Math.max(1, Math.min(SMALLEST_FIELD, largest) / Math.max(reduced.width, reduced.height));
    int fieldWidth = reduced.width * zoom;
    int fieldHeight = reduced.height * zoom;
    int text = Math.max(1, Math.max(fieldWidth, NARROWEST) / PIXELS_A_SCALE);
    int line = LINE * text;
    double[] across = ticks((snapshot.nx() - 1) * axes.dx, fieldWidth / (TICKS * text));
    double[] up = ticks((snapshot.ny() - 1) * axes.dy, fieldHeight / (TICKS * text));
    int letter = Letters.ADVANCE * text;
    int longest = Arrays.stream(up).mapToInt(y -> label(y).length()).max().orElse(0);
    int left = axes.isDrawn() ? longest * letter + 2 * MARGIN * text : 0;
    int top = axes.isDrawn() ? line + MARGIN * text : 0;
    int end = top + fieldHeight;
    int scaleAt = end + (axes.isDrawn() ? line + MARGIN * text : 0);
    int width = Math.max(left + fieldWidth + (axes.isDrawn() ? 3 * letter : 0), NARROWEST);
    double from = hasRange() ? low : reduced.min;
    double to = hasRange() ? high : reduced.max;

    BufferedImage image =
        new BufferedImage(width, scaleAt + 4 * line, BufferedImage.TYPE_BYTE_INDEXED, palette());
    byte[] pixels = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
    Arrays.fill(pixels, PAPER);
    for (int y = 0; y < fieldHeight; y++) {
      int row = reduced.height - 1 - y / zoom;
      for (int x = 0; x < fieldWidth; x++) {
        pixels[(top + y) * width + left + x] =
            level(reduced.means[row * reduced.width + x / zoom], from, to);
      }
    }
    Letters letters = new Letters(pixels, width, INK, GREYS, text);
    if (axes.isDrawn()) {
      double pixelsOfNode = zoom / (double) reduced.block;
      for (double x : across) {
        int at = left + (int) ((x / axes.dx + 0.5) * pixelsOfNode);
        letters.fill(at, end, text, MARGIN * text);
        letters.write(at - letters.across(label(x)) / 2, end + (MARGIN + 1) * text, label(x));
      }
      for (double y : up) {
        int at = end - 1 - (int) ((y / axes.dy + 0.5) * pixelsOfNode);
        letters.fill(left - MARGIN * text, at, MARGIN * text, text);
        letters.write(
            left - (MARGIN + 1) * text - letters.across(label(y)), at - MARGIN * text, label(y));
      }
      letters.write(left + fieldWidth + text, end - line, axes.with("x", 0));
      String y = axes.with("y", 0);
      letters.write(MARGIN * text, text, y);
      int middle = left + (fieldWidth - letters.across(axes.title)) / 2;
      letters.write(Math.max(middle, MARGIN * text + letters.across(y + "  ")), text, axes.title);
    }
    int bar = Math.max(fieldWidth, NARROWEST - left - MARGIN * text);
    writeScale(letters, left, bar, scaleAt, from, to, reduced, snapshot);
    return image;
  }

  private void writeScale(
      Letters letters,
      int left,
      int barWidth,
      int at,
      double from,
      double to,
      Reduced reduced,
      HeatSnapshot snapshot) {
    int text = letters.scale();
    int line = LINE * text;
    for (int y = at + line / 4; y < at + line; y++) {
      for (int x = 0; x < barWidth; x++) {
        byte level = (byte) Math.round((LEVELS - 1.0) * x / Math.max(1, barWidth - 1));
        level = x < line && reduced.min < from ? BELOW : level;
        level = x >= barWidth - line && reduced.max > to ? ABOVE : level;
        letters.pixels()[y * letters.width() + left + x] = level;
      }
    }
    int digits = digits(from, to);
    String first = (reduced.min < from ? "<" : "") + number(from, digits);
    letters.write(left, at + line + text, first);
    String last = axes.with(number(to, digits), 2) + (reduced.max > to ? ">" : "");
    letters.write(left + barWidth - letters.across(last), at + line + text, last);
    String middle = number(from / 2 + to / 2, digits);
    int most = letters.across(first) + letters.across(last) + 2 * letters.across(middle);
    if (from < to && most < barWidth) {
      int across = letters.across(middle);
      letters.fill(left + barWidth / 2, at + line, text, text);
      letters.write(left + (barWidth - across) / 2, at + line + text, middle);
    }
    letters.write(
        left,
        at + 2 * line + text,
        "step %s t %s".formatted(snapshot.step(), axes.with(number(snapshot.time(), DIGITS), 1)));
    letters.write(
        left,
        at + 3 * line + text,
        "min %s max %s".formatted(number(reduced.min, digits), number(reduced.max, digits)));
  }

  /** The number of digits that shows a hundredth of the range. */
  private static int digits(double from, double to) {
    double ends = Math.max(Math.abs(from), Math.abs(to));
    double needed = Math.ceil(Math.log10(ends / (to - from))) + 2;
    return Double.isFinite(needed) ? Math.clamp((int) needed, DIGITS, 17) : DIGITS;
  }

  /** Round numbers from 0 up to a length; none if it is NaN. */
  private static double[] ticks(double length, int most) {
    if (!(length > 0)) {
      return length == 0 ? new double[1] : new double[0];
    }
    double least = length / Math.max(1, most);
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    double step =
        power * IntStream.of(1, 2, 5, 10).filter(k -> k * power >= least).findFirst().orElse(10);
    return IntStream.rangeClosed(0, (int) (length / step * (1 + 1e-9)))
        .mapToDouble(k -> k * step)
        .toArray();
  }

  private static String label(double length) {
    return number(length, DIGITS)
        .replaceAll("(\\.\\d*?)0+(e|$)", "$1$2")
        .replaceAll("\\.(e|$)", "$1");
  }

  /** Uses halves, since the difference of two large numbers may be infinite. */
  private static byte level(double value, double from, double to) {
    if (!Double.isFinite(value)) {
      return MISSING;
    }
    if (!(from < to)) {
      return 0;
    }
    if (value < from || value > to) {
      return value < from ? BELOW : ABOVE;
    }
    double share = (value / 2 - from / 2) / (to / 2 - from / 2);
    return (byte) (int) Math.round(Math.clamp(share, 0, 1) * (LEVELS - 1));
  }

  private IndexColorModel palette() {
    int[] colours = new int[LEVELS + 5 + Letters.GREYS];
    for (int k = 0; k < LEVELS; k++) {
      colours[k] = map.colour(k / (LEVELS - 1.0));
    }
    colours[LEVELS] = PAPER_COLOUR;
    colours[LEVELS + 1] = INK_COLOUR;
    colours[LEVELS + 2] = MISSING_COLOUR;
    colours[LEVELS + 3] = BELOW_COLOUR;
    colours[LEVELS + 4] = ABOVE_COLOUR;
    for (int k = 0; k < Letters.GREYS; k++) {
      colours[LEVELS + 5 + k] = 0x010101 * (255 - 255 * (k + 1) / (Letters.GREYS + 1));
    }
    byte[] red = new byte[colours.length];
    byte[] green = new byte[colours.length];
    byte[] blue = new byte[colours.length];
    for (int k = 0; k < colours.length; k++) {
      red[k] = (byte) (colours[k] >> 16);
      green[k] = (byte) (colours[k] >> 8);
      blue[k] = (byte) colours[k];
    }
    return new IndexColorModel(Byte.SIZE, colours.length, red, green, blue);
  }

  private static String number(double value, int digits) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    return Double.isNaN(value) ? "NaN" : String.format(Locale.ROOT, "%." + digits + "g", value);
  }
}
