package funnel.array;

import funnel.Elements;
import funnel.io.Source;
import funnel.operator.ElementType;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Texts of arrays, which are made at once and whatever has become of the array's memory. */
final class Shown {

  private static final int ENDS = 4;

  private Shown() {}

  /** What elements of a type are called: {@code ints}. */
  static String type(ElementType type) {
    return type.name().toLowerCase(Locale.ROOT) + "s";
  }

  /** A source: {@code ints[7] of a source}. */
  static String of(Source source, String name) {
    return orElse(
        "elements of a source",
        source,
        of -> "%s[%s]%s of a source".formatted(type(of.type()), of.length(), before(name)));
  }

  /** An array: {@code ints[2] paid, kept: 3, 1}. */
  static String of(ElementType type, int length, String name, String more, String elements) {
    return "%s[%s]%s%s: %s".formatted(type(type), length, before(name), more, elements);
  }

  static String before(String name) {
    return name.isEmpty() ? "" : " " + name;
  }

  /** The first and last elements: {@code 0, 1, 2, 3, ..., 96, 97, 98, 99}. */
  static String ends(Elements all) {
    return ends(all.length(), all::range);
  }

  /** What gives the elements from one index up to another. */
  interface Range {
    Elements range(int from, int to);
  }

  /** The first and last of so many elements. */
  static String ends(int length, Range of) {
    return orElse(
        "memory that cannot be read now",
        of,
        all ->
            length <= 2 * ENDS
                ? words(all.range(0, length))
                : "%s, ..., %s"
                    .formatted(words(all.range(0, ENDS)), words(all.range(length - ENDS, length))));
  }

  private static String words(Elements some) {
    Elements copy = Elements.allocate(some.type(), some.length());
    copy.segment().copyFrom(some.segment());
    Object array = copy.segment().heapBase().orElseThrow();
    return IntStream.range(0, some.length())
        .mapToObj(
            i ->
                array instanceof byte[] bytes
                    ? String.valueOf(bytes[i] & 0xff)
                    : String.valueOf(java.lang.reflect.Array.get(array, i)))
        .collect(Collectors.joining(", "));
  }

  /** A closed arena, a thread that may not read, a file that became shorter, a user's source. */
  private static <T> String orElse(String otherwise, T of, Function<T, String> text) {
    try {
      return text.apply(of);
    } catch (RuntimeException | InternalError e) {
      return otherwise;
    }
  }
}
