package funnel.cli;

import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a name, ignoring case.
 *
 * @param <T> the type of the named values
 */
class NamedConverter<T> implements ITypeConverter<T> {

  private final List<T> things;
  private final Function<T, String> name;

  NamedConverter(List<T> things, Function<T, String> name) {
    this.things = things;
    this.name = name;
  }

  @Override
  public T convert(String text) {
    return things.stream()
        .filter(thing -> name.apply(thing).equalsIgnoreCase(text.strip()))
        .findFirst()
        .orElseThrow(
            () -> {
              List<String> names = things.stream().map(name).toList();
              String similar = Similar.to(text.strip(), names);
              return new TypeConversionException(
                  "'%s' is none of %s%s"
                      .formatted(
                          text,
                          String.join(", ", names),
                          similar.isEmpty() ? "" : "; similar: " + similar));
            });
  }
}
