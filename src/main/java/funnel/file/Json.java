package funnel.file;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON: maps in their order, by the strings of their keys; lists and arrays, strings,
 * booleans, numbers, and null for what is not there. Infinities and NaN, which JSON lacks, become
 * the strings "Infinity", "-Infinity" and "NaN": they are results, and null would mean that there
 * is none. Other objects throw: the caller converts them.
 *
 * {@snippet class="funnel.docs.WholeFileSnippets" region="json"}
 */
public final class Json {

  private Json() {}

  /**
   * One line of JSON, such as {@code {"length":4,"ok":true}}.
   *
   * @throws IllegalArgumentException if {@code value}, or something in it, is not a map, list,
   *     array, string, boolean, number or null
   */
  public static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> quoted(entry.getKey().toString()) + ":" + of(entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list -> list.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
      case Float number when !Float.isFinite(number) -> quoted(number.toString());
      case Double number when !Double.isFinite(number) -> quoted(number.toString());
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      case String text -> quoted(text);
      case Object array when array.getClass().isArray() ->
          IntStream.range(0, Array.getLength(array))
              .mapToObj(i -> of(Array.get(array, i)))
              .collect(Collectors.joining(",", "[", "]"));
      default ->
          throw new IllegalArgumentException(
              "no JSON for %s of %s: give a map, list, array, string, boolean or number, such as its toString()"
                  .formatted(value, value.getClass()));
    };
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> json.append('\\').append(c);
        case '\n' -> json.append("\\n");
        case '\t' -> json.append("\\t");
        default -> {
          if (c < ' ' || Character.isSurrogate(c)) {
            json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.append('"').toString();
  }
}
