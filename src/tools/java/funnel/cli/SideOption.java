package funnel.cli;

import funnel.heat.HeatSnapshot;
import funnel.heat.Side;
import funnel.io.ElementFile;
import funnel.io.FileFormatException;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A side of a field as the command line has it.
 *
 * @param side what holds there; with a file, of any number
 * @param file a .npy with a number for each node, or null
 */
record SideOption(Side side, @Nullable Path file) {

  /**
   * What holds there.
   *
   * @throws IllegalArgumentException if the file is of another shape or type
   * @throws IOException if it is malformed, or cannot be read
   */
  Side read() throws IOException {
    if (file == null) {
      return side;
    }
    double[] profile = profile(file);
    return switch (side.kind()) {
      case DIRICHLET -> Side.dirichlet(profile);
      case NEUMANN -> Side.neumann(profile);
      case WALL -> Side.wall(profile);
      case ROBIN -> Side.robin(side.transfer(), profile);
      case PERIODIC -> side;
    };
  }

  private static double[] profile(Path path) throws IOException {
    try (ElementFile file = ElementFile.open(InputFile.regular(path))) {
      ElementType type = file.type();
      if (!type.isFloating() || file.shape().size() != 1) {
        throw new IllegalArgumentException(
            "%s: float32 or float64 of one dimension expected, found %s %s"
                .formatted(path, FileType.of(type), FileFormatException.excerpt(file.shape())));
      }
      MemorySegment data = Arena.ofAuto().allocate(file.length() * type.bytes());
      file.read(0, data);
      file.requireUnchanged();
      return IntStream.range(0, Math.toIntExact(file.length()))
          .mapToDouble(
              at ->
                  type == ElementType.FLOAT
                      ? data.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, at)
                      : data.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, at))
          .toArray();
    }
  }

  /**
   * Whether all nodes of a Dirichlet side but its corners, which others may own, have its values.
   */
  static boolean isOf(Side side, HeatSnapshot field, int place) {
    double[] values = side.values();
    if (side.kind() != Side.Kind.DIRICHLET || values.length == 0) {
      return true;
    }
    boolean isColumn = place < 2;
    int length = isColumn ? field.ny() : field.nx();
    int across = place % 2 == 0 ? 0 : (isColumn ? field.nx() : field.ny()) - 1;
    if (side.isProfile() && values.length != length) {
      return false;
    }
    return IntStream.range(1, length - 1)
        .allMatch(
            at -> {
              double value = values[side.isProfile() ? at : 0];
              double wanted = field.type() == ElementType.FLOAT ? (float) value : value;
              return wanted == (isColumn ? field.at(across, at) : field.at(at, across));
            });
  }

  /** A side as options have it. */
  static String text(Side side) {
    double[] values = side.values();
    String kind = side.kind().name().toLowerCase(Locale.ROOT);
    String numbers = side.kind() == Side.Kind.ROBIN ? side.transfer() + "," : "";
    numbers += side.isProfile() ? values.length + " values" : values.length > 0 ? values[0] : "";
    return numbers.isEmpty() ? kind : kind + ":" + numbers;
  }

  @Override
  public String toString() {
    return file == null ? text(side) : text(side).replaceFirst("[^:,]*$", file.toString());
  }

  /** From the command line. */
  static final class Converter implements ITypeConverter<SideOption> {
    private static final Pattern SIDE =
        Pattern.compile("(?i)(dirichlet|neumann|wall|robin|periodic)(?::(.+))?");

    @Override
    public SideOption convert(String text) {
      Matcher matcher = SIDE.matcher(text);
      if (!matcher.matches()) {
        throw wrong(text, "none of");
      }
      Side.Kind kind = Side.Kind.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
      String last = matcher.group(2);
      double transfer = 0;
      if (kind == Side.Kind.ROBIN) {
        int comma = last == null ? -1 : last.indexOf(',');
        if (last == null || comma < 0) {
          throw wrong(text, "not as in");
        }
        transfer = number(text, last.substring(0, comma));
        last = last.substring(comma + 1);
      }
      if (kind == Side.Kind.PERIODIC && last != null || kind == Side.Kind.WALL && last == null) {
        throw wrong(text, "not as in");
      }
      boolean isFile = last != null && isFile(text, last);
      double value = last == null || isFile ? 0 : number(text, last);
      try {
        Side side =
            switch (kind) {
              case DIRICHLET -> last == null ? Side.dirichlet() : Side.dirichlet(value);
              case NEUMANN -> Side.neumann(value);
              case WALL -> Side.wall(value);
              case ROBIN -> Side.robin(transfer, value);
              case PERIODIC -> Side.periodic();
            };
        return new SideOption(side, isFile ? Path.of(String.valueOf(last)) : null);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'%s': %s".formatted(text, e.getMessage()));
      }
    }

    private static TypeConversionException wrong(String text, String how) {
      return new TypeConversionException(
          "'%s' is %s dirichlet[:VALUE], neumann[:FLUX], wall:VALUE, robin:TRANSFER,OUTSIDE, periodic"
              .formatted(text, how));
    }

    /** Whether it is no number; then there is a file of that name. */
    private static boolean isFile(String text, String value) {
      try {
        var _ = Double.parseDouble(value);
        return false;
      } catch (NumberFormatException e) {
        if (!Files.exists(Path.of(value))) {
          throw new TypeConversionException(
              "'%s': '%s' is neither a number nor a file".formatted(text, value));
        }
        return true;
      }
    }

    private static double number(String text, String number) {
      try {
        return Double.parseDouble(number);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'%s': '%s' is not a number".formatted(text, number));
      }
    }
  }
}
