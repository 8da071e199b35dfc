package funnel.heat;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.font.FontRenderContext;
import java.awt.image.BufferedImage;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Letters on a picture of bytes: of the machine's sans-serif font; if java.awt has no font, as on
 * machines without any, of five by seven dots.
 *
 * @param pixels of the picture
 * @param width of the picture
 * @param ink the value of a dot
 * @param greys the value of the lightest of the {@link #GREYS} greys between paper and ink
 * @param scale pixels of a dot's side
 */
record Letters(byte[] pixels, int width, byte ink, byte greys, int scale) {

  /** The number of greys. */
  static final int GREYS = 7;

  private static final float SIZE = 9.5f;
  private static final FontRenderContext SMOOTH = new FontRenderContext(null, true, true);
  private static final @Nullable Font FONT = font();

  private static @Nullable Font font() {
    try {
      Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 1);
      return font.getStringBounds("0", SMOOTH).isEmpty() ? null : font;
    } catch (RuntimeException
        | Error e) { // of many kinds, where a library or all fonts are missing
      return null;
    }
  }

  /** From the left side of a letter to that of the next, in dots. */
  static final int ADVANCE = 6;

  private static final char FIRST = ' ';
  private static final int COLUMNS = 5;
  private static final int ROWS = 7;

  /** The printable letters of ASCII, five columns each from left to right, lowest bit on top. */
  private static final byte[] DOTS =
      HexFormat.of()
          .parseHex(
              "000000000000005f00000007000700147f147f14242a7f2a12231308646236495620500008070300"
                  + "001c2241000041221c002a1c7f1c2a08083e08080050300000080808080800606000002010080402"
                  + "3e5149453e00427f400042615149462141454b311814127f1027454545393c4a4949300171090503"
                  + "3649494936064949291e003636000000563600000008142241141414141400412214080201590906"
                  + "3e415d594e7c1211127c7f494949363e414141227f4141413e7f494949417f090909013e41415173"
                  + "7f0808087f00417f41002040413f017f081422417f404040407f021c027f7f0408107f3e4141413e"
                  + "7f090909063e4151215e7f09192946264949493203017f01033f4040403f1f2040201f3f4038403f"
                  + "631408146303047804036159494d43007f41410002040810200041417f0004020102044040404040"
                  + "000307080020545454787f284444383844444428384444287f3854545418087e090102085454543c"
                  + "7f0804047800447d40002040443d007f1028440000417f40007c041804787c080404783844444438"
                  + "7c14141408081414187c7c080404084854545420043f4440203c4040207c1c2040201c3c4030403c"
                  + "44281028440c5050503c4464544c440008364100000077000000413608000201020402");

  /** Writes a text, whose capitals begin at this place. */
  void write(int x, int y, String text) {
    if (FONT == null) {
      writeDots(x, y, text);
      return;
    }
    int rows = ROWS + 3;
    BufferedImage image =
        new BufferedImage(across(text) + scale, rows * scale, BufferedImage.TYPE_BYTE_GRAY);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setRenderingHint(
        RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
    graphics.setFont(FONT.deriveFont(SIZE * scale));
    graphics.drawString(text, 0, ROWS * scale);
    graphics.dispose();
    for (int row = 0; row < image.getHeight(); row++) {
      for (int column = 0; column < image.getWidth(); column++) {
        int share = image.getRaster().getSample(column, row, 0) * (GREYS + 1) / 255;
        int at = (y + row) * width + x + column;
        if (share > 0 && x + column >= 0 && x + column < width && at >= 0 && at < pixels.length) {
          pixels[at] = share > GREYS ? ink : (byte) (greys + share - 1);
        }
      }
    }
  }

  private void writeDots(int x, int y, String text) {
    for (int k = 0; k < text.length(); k++) {
      int letter = COLUMNS * (text.charAt(k) - FIRST);
      for (int column = 0; 0 <= letter && letter < DOTS.length && column < COLUMNS; column++) {
        for (int row = 0; row < ROWS; row++) {
          if ((DOTS[letter + column] >> row & 1) != 0) {
            fill(x + (k * ADVANCE + column) * scale, y + row * scale, scale, scale);
          }
        }
      }
    }
  }

  /** A rectangle, clipped to the picture. */
  void fill(int x, int y, int across, int down) {
    for (int at = Math.max(0, y); at < Math.min(pixels.length / width, y + down); at++) {
      for (int k = Math.max(0, x); k < Math.min(width, x + across); k++) {
        pixels[at * width + k] = ink;
      }
    }
  }

  /** The width of a text in pixels. */
  int across(String text) {
    return FONT == null || text.isEmpty()
        ? text.length() * ADVANCE * scale
        : (int) Math.ceil(FONT.deriveFont(SIZE * scale).getStringBounds(text, SMOOTH).getWidth());
  }
}
