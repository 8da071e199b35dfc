package funnel.io;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes JSON: maps in their order, lists, strings, booleans and numbers. Infinities and NaN, which
 * JSON lacks, become the strings "Infinity", "-Infinity" and "NaN".
 *
 * {@snippet class="funnel.docs.WholeFileSnippets" region="json"}
 */
public final class Json {

  private Json() {}

  /** One line of JSON: {@code {"length":4,"ok":true}} of a map of these two. */
  public static String of(Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> quoted(entry.getKey().toString()) + ":" + of(entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list -> list.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
      case Float number when !Float.isFinite(number) -> quoted(number.toString());
      case Double number when !Double.isFinite(number) -> quoted(number.toString());
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      default -> quoted(value.toString());
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
            json.append("\\u%04x".formatted((int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.append('"').toString();
  }
}
