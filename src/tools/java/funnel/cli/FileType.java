package funnel.cli;

import funnel.operator.ElementType;
import funnel.operator.Storage;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/** Types of numbers by the names that the command line knows, which are NumPy's. */
enum FileType {
  BOOL(Storage.BOOL),
  INT8(Storage.INT8),
  UINT8(Storage.UINT8),
  INT16(Storage.INT16),
  UINT16(Storage.UINT16),
  INT32(Storage.INT32),
  UINT32(Storage.UINT32),
  INT64(Storage.INT64),
  FLOAT16(Storage.FLOAT16),
  FLOAT32(Storage.FLOAT32),
  FLOAT64(Storage.FLOAT64);

  /** NumPy's short names, such as f4 and &lt;f4. */
  private static final Pattern CODE = Pattern.compile("[<=|]?([biuf])([1248])");

  private final Storage<?> storage;

  FileType(Storage<?> storage) {
    this.storage = storage;
  }

  Storage<?> storage() {
    return storage;
  }

  /** The type of elements that numbers are widened to. */
  ElementType element() {
    return storage.elements();
  }

  /** Whether elements are of this type themselves. */
  boolean isElement() {
    return this == of(element());
  }

  /** The type with this name, or this Java name, or this short one. */
  static FileType named(String name) {
    Matcher code = CODE.matcher(name.strip());
    String whole = code.matches() ? whole(code.group(1), code.group(2)) : name.strip();
    return Stream.of(values())
        .filter(
            type ->
                whole.equalsIgnoreCase(type.name())
                    || type.isElement() && whole.equalsIgnoreCase(type.element().name()))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' is none of %s".formatted(name, List.of(values()))));
  }

  private static String whole(String kind, String bytes) {
    int bits = Byte.SIZE * Integer.parseInt(bytes);
    return switch (kind) {
      case "b" -> "bool";
      case "i" -> "int" + bits;
      case "u" -> "uint" + bits;
      default -> "float" + bits;
    };
  }

  static FileType of(ElementType element) {
    return of(Storage.of(element));
  }

  static FileType of(Storage<?> storage) {
    return Stream.of(values()).filter(type -> type.storage == storage).findFirst().orElseThrow();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
