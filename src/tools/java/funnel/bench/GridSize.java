package funnel.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The size of a grid: {@code 14400x14400} on the command line. */
record GridSize(int nx, int ny) {

  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})x(\\d{1,9})");

  int nodes() {
    return nx * ny;
  }

  @Override
  public String toString() {
    return nx + "x" + ny;
  }

  /** Converts one element of a list on the command line. */
  static final class Converter implements ITypeConverter<GridSize> {
    @Override
    public GridSize convert(String text) {
      Matcher matcher = SIZE.matcher(text.strip());
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'%s' is not a size: write 14400x14400 or 1024x1024,300x200".formatted(text));
      }
      int nx = Integer.parseInt(matcher.group(1));
      int ny = Integer.parseInt(matcher.group(2));
      if (nx < 1 || ny < 1 || (long) nx * ny > Integer.MAX_VALUE - 8) {
        throw new TypeConversionException(
            "size %s is out of range: nodes=%s, smallest=1, largest=%s"
                .formatted(text, (long) nx * ny, Integer.MAX_VALUE - 8));
      }
      return new GridSize(nx, ny);
    }
  }

  /** Converts a list. */
  static List<GridSize> list(String text) {
    List<GridSize> sizes = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      sizes.add(new Converter().convert(part));
    }
    return sizes;
  }
}
