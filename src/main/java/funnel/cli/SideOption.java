package funnel.cli;

import funnel.heat.HeatSnapshot;
import funnel.operator.ElementType;
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
 * @param kind what holds there
 * @param value the value of a Dirichlet side, null for the initial field's; the flux of a Neumann
 *     side
 */
record SideOption(Kind kind, @Nullable Double value) {

  /** Kinds in the order of their numbers in checkpoints. */
  enum Kind {
    DIRICHLET,
    NEUMANN,
    PERIODIC
  }

  /** No heat passes. */
  static final SideOption DEFAULT = new SideOption(Kind.NEUMANN, 0.0);

  /** Of a checkpoint. */
  static SideOption of(int kind, double flux) {
    Kind named = Kind.values()[kind];
    return new SideOption(named, named == Kind.NEUMANN ? Double.valueOf(flux) : null);
  }

  double flux() {
    return kind == Kind.NEUMANN && value != null ? value : 0;
  }

  /**
   * Whether all nodes of a Dirichlet side but its corners, which others may own, have its value.
   */
  boolean isOf(HeatSnapshot field, int place) {
    if (kind != Kind.DIRICHLET || value == null) {
      return true;
    }
    double wanted = field.type() == ElementType.FLOAT ? value.floatValue() : value;
    boolean isColumn = place < 2;
    int length = isColumn ? field.ny() : field.nx();
    int across = place % 2 == 0 ? 0 : (isColumn ? field.nx() : field.ny()) - 1;
    return IntStream.range(1, length - 1)
        .mapToDouble(at -> isColumn ? field.at(across, at) : field.at(at, across))
        .allMatch(found -> found == wanted);
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT) + (value == null ? "" : ":" + value);
  }

  /** From the command line. */
  static final class Converter implements ITypeConverter<SideOption> {
    private static final Pattern SIDE =
        Pattern.compile("(?i)(dirichlet|neumann|periodic)(?::(.+))?");

    @Override
    public SideOption convert(String text) {
      Matcher matcher = SIDE.matcher(text);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'%s' is none of dirichlet[:VALUE], neumann[:FLUX], periodic".formatted(text));
      }
      Kind kind = Kind.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
      String number = matcher.group(2);
      if (number == null) {
        return new SideOption(kind, kind == Kind.NEUMANN ? Double.valueOf(0) : null);
      }
      if (kind == Kind.PERIODIC) {
        throw new TypeConversionException("'%s': a periodic side has no value".formatted(text));
      }
      double value;
      try {
        value = Double.parseDouble(number);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'%s': '%s' is no number".formatted(text, number));
      }
      if (!Double.isFinite(value)) {
        throw new TypeConversionException("'%s': '%s' is not finite".formatted(text, number));
      }
      return new SideOption(kind, value);
    }
  }
}
