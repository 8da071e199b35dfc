package funnel.bench;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Constants by their names on the command line, in any case.
 *
 * @param <T> the constants
 */
class Named<T> implements ITypeConverter<T> {

  private final Map<String, T> byName;

  /** With names in lower case. */
  Named(Map<String, T> byName) {
    this.byName = byName;
  }

  Named(Collection<T> things, Function<? super T, String> name) {
    this(new LinkedHashMap<>());
    things.forEach(thing -> byName.put(name.apply(thing), thing));
  }

  /** A constant's name: lower case, hyphens. */
  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All of them. */
  final List<T> all() {
    return List.copyOf(byName.values());
  }

  @Override
  public T convert(String name) {
    T thing = byName.get(name.strip().toLowerCase(Locale.ROOT));
    if (thing == null) {
      throw new TypeConversionException(
          "'%s' is none of %s".formatted(name, String.join(", ", byName.keySet())));
    }
    return thing;
  }
}
