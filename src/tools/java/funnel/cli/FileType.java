package funnel.cli;

import funnel.operator.ElementType;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/** Element types by the names that the command line knows. */
enum FileType {
  UINT8(ElementType.BYTE),
  INT32(ElementType.INT),
  INT64(ElementType.LONG),
  FLOAT32(ElementType.FLOAT),
  FLOAT64(ElementType.DOUBLE);

  private final ElementType element;

  FileType(ElementType element) {
    this.element = element;
  }

  ElementType element() {
    return element;
  }

  /** The type with this name, or this Java name. */
  static FileType named(String name) {
    return Stream.of(values())
        .filter(
            type ->
                name.equalsIgnoreCase(type.name()) || name.equalsIgnoreCase(type.element.name()))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' is none of %s".formatted(name, List.of(values()))));
  }

  static FileType of(ElementType element) {
    return switch (element) {
      case BYTE -> UINT8;
      case INT -> INT32;
      case LONG -> INT64;
      case FLOAT -> FLOAT32;
      case DOUBLE -> FLOAT64;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
