package funnel.heat;

import funnel.operation.ParallelRows;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.awt.image.IndexColorModel;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * Draws fields: the field in the colours of a {@link ColourMap}, x to the right and y upwards, and
 * below it the scale with the numbers at its ends, the step, the time, and the field's least and
 * largest value.
 *
 * {@snippet class="funnel.docs.HeatOutputSnippets" region="image"}
 *
 * <p>A field with more nodes along a side than the {@linkplain #largest largest picture} has pixels
 * is drawn in means of square blocks of nodes, those at the right and the upper end being smaller;
 * least and largest value are still those of all nodes. A small field has a square of pixels for
 * each node. Values outside of the range have its ends' colours; nodes that are NaN or infinite,
 * and blocks with such a node, are grey.
 *
 * <p>Immutable. Equal snapshots give equal pictures on every machine.
 */
public final class HeatImage {

  /* A picture has a palette of 256 colours, which GIF needs and which keeps PNG small: 252 levels of
   * the map and a few of its own. Letters are five by seven dots: fonts differ from machine to
   * machine, and java.awt fails where there are none. Columns from left to right, lowest bit on top.
   */

  private static final int LEVELS = 252;
  private static final byte PAPER = (byte) LEVELS;
  private static final byte INK = (byte) (LEVELS + 1);
  private static final byte MISSING = (byte) (LEVELS + 2);
  private static final int PAPER_COLOUR = 0xffffff;
  private static final int INK_COLOUR = 0x000000;
  private static final int MISSING_COLOUR = 0x808080;

  private static final int LARGEST = 1024;
  private static final int SMALLEST_FIELD = 256;
  private static final int LINE = 10;
  private static final int ADVANCE = 6;
  private static final int MARGIN = 3;
  private static final int LETTERS = 32;
  private static final int NARROWEST = LETTERS * ADVANCE + 2 * MARGIN;
  private static final int PIXELS_A_SCALE = 480;

  private static final String SIGNS = "0123456789.-+aefimnpstxN";
  private static final long[] DOTS = {
    0x3E5149453EL, 0x00427F4000L, 0x4261514946L, 0x2141454B31L, 0x1814127F10L, 0x2745454539L,
    0x3C4A494930L, 0x0171090503L, 0x3649494936L, 0x064949291EL, 0x0060600000L, 0x0808080808L,
    0x08083E0808L, 0x2054545478L, 0x3854545418L, 0x087E090102L, 0x00447D4000L, 0x7C04180478L,
    0x7C08040478L, 0x7C14141408L, 0x4854545420L, 0x043F444020L, 0x4428102844L, 0x7F0408107FL
  };

  private final ColourMap map;
  private final int largest;
  private final double low;
  private final double high;

  private HeatImage(ColourMap map, int largest, double low, double high) {
    this.map = map;
    this.largest = largest;
    this.low = low;
    this.high = high;
  }

  /** Pictures of at most 1024 pixels a side, each over its own range of values. */
  public static HeatImage of(ColourMap map) {
    return new HeatImage(Objects.requireNonNull(map, "map"), LARGEST, Double.NaN, Double.NaN);
  }

  /**
   * With another limit to the pixels of the field's longer side.
   *
   * @param pixels 1 to 16384
   * @throws IllegalArgumentException if it is not
   */
  public HeatImage largest(int pixels) {
    if (pixels < 1 || pixels > 1 << 14) {
      throw new IllegalArgumentException(
          "largest=%d is out of range: 1 to %d".formatted(pixels, 1 << 14));
    }
    return new HeatImage(map, pixels, low, high);
  }

  /**
   * Over the same range of values in all pictures, as an animation needs.
   *
   * @throws IllegalArgumentException if one is not finite, or the first is not below the second
   */
  public HeatImage range(double from, double to) {
    if (!(Double.isFinite(from) && Double.isFinite(to) && from < to)) {
      throw new IllegalArgumentException("no range of values: low=%s, high=%s".formatted(from, to));
    }
    return new HeatImage(map, largest, from, to);
  }

  /** Whether a range was given. */
  public boolean hasRange() {
    return !Double.isNaN(low);
  }

  /**
   * Over the range of a field's finite values, from now on in all pictures; unchanged if all are
   * equal.
   */
  public HeatImage rangeOf(HeatSnapshot snapshot) {
    Reduced reduced = reduce(snapshot);
    return reduced.min < reduced.max ? range(reduced.min, reduced.max) : this;
  }

  /** Means of blocks, row after row from j = 0 on, and the least and largest of all nodes. */
  private record Reduced(int width, int height, double[] means, double min, double max) {}

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
            means[row * width + c] /= (double) columns * (to - row * block);
          }
          least[row] = min;
          most[row] = max;
        });
    return new Reduced(
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
    int zoom = Math.max(1, SMALLEST_FIELD / Math.max(reduced.width, reduced.height));
    int fieldWidth = reduced.width * zoom;
    int fieldHeight = reduced.height * zoom;
    int width = Math.max(fieldWidth, NARROWEST);
    int text = Math.max(1, width / PIXELS_A_SCALE);
    int line = LINE * text;
    int height = fieldHeight + 4 * line;
    double from = hasRange() ? low : reduced.min;
    double to = hasRange() ? high : reduced.max;

    BufferedImage image =
        new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, palette());
    byte[] pixels = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
    Arrays.fill(pixels, PAPER);
    for (int y = 0; y < fieldHeight; y++) {
      int row = reduced.height - 1 - y / zoom;
      for (int x = 0; x < fieldWidth; x++) {
        pixels[y * width + x] = level(reduced.means[row * reduced.width + x / zoom], from, to);
      }
    }
    int barAt = fieldHeight + line / 4;
    int barWidth = width - 2 * MARGIN * text;
    for (int y = barAt; y < fieldHeight + line; y++) {
      for (int x = 0; x < barWidth; x++) {
        pixels[y * width + MARGIN * text + x] =
            (byte) Math.round((LEVELS - 1.0) * x / Math.max(1, barWidth - 1));
      }
    }
    Lettering letters = new Lettering(pixels, width, text);
    letters.write(MARGIN * text, fieldHeight + line + text, number(from));
    String end = number(to);
    letters.write(width - (MARGIN + ADVANCE * end.length()) * text, fieldHeight + line + text, end);
    letters.write(
        MARGIN * text,
        fieldHeight + 2 * line + text,
        "step %d t %s".formatted(snapshot.step(), number(snapshot.time())));
    letters.write(
        MARGIN * text,
        fieldHeight + 3 * line + text,
        "min %s max %s".formatted(number(reduced.min), number(reduced.max)));
    return image;
  }

  /** Halves, since the difference of two large numbers may be infinite. */
  private static byte level(double value, double from, double to) {
    if (!Double.isFinite(value)) {
      return MISSING;
    }
    if (!(from < to)) {
      return 0;
    }
    double share = (value / 2 - from / 2) / (to / 2 - from / 2);
    return (byte) (int) Math.round(Math.clamp(share, 0, 1) * (LEVELS - 1));
  }

  private IndexColorModel palette() {
    int[] colours = new int[LEVELS + 4];
    for (int k = 0; k < LEVELS; k++) {
      colours[k] = map.colour(k / (LEVELS - 1.0));
    }
    colours[LEVELS] = PAPER_COLOUR;
    colours[LEVELS + 1] = INK_COLOUR;
    colours[LEVELS + 2] = MISSING_COLOUR;
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

  private static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    return Double.isNaN(value) ? "NaN" : String.format(Locale.ROOT, "%.4g", value);
  }

  /** Letters on a picture. */
  private record Lettering(byte[] pixels, int width, int scale) {

    void write(int x, int y, String text) {
      for (int k = 0; k < text.length(); k++) {
        int sign = SIGNS.indexOf(text.charAt(k));
        if (sign >= 0) {
          write(x + k * ADVANCE * scale, y, DOTS[sign]);
        }
      }
    }

    private void write(int x, int y, long dots) {
      for (int column = 0; column < 5; column++) {
        long bits = dots >> (8 * (4 - column)) & 0x7f;
        for (int row = 0; row < 7; row++) {
          if ((bits >> row & 1) != 0) {
            dot(x + column * scale, y + row * scale);
          }
        }
      }
    }

    private void dot(int x, int y) {
      for (int dy = 0; dy < scale; dy++) {
        for (int dx = 0; dx < scale && x + dx < width; dx++) {
          pixels[(y + dy) * width + x + dx] = INK;
        }
      }
    }
  }
}
