package funnel.bench;

import funnel.io.Json;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One JSON object on one line. */
final class JsonLine {

  private final StringBuilder text = new StringBuilder("{");

  private JsonLine key(String name) {
    if (text.length() > 1) {
      text.append(',');
    }
    text.append(Json.of(name)).append(':');
    return this;
  }

  JsonLine add(String name, String value) {
    key(name).text.append(Json.of(value));
    return this;
  }

  JsonLine add(String name, long value) {
    key(name).text.append(value);
    return this;
  }

  JsonLine add(String name, boolean value) {
    key(name).text.append(value);
    return this;
  }

  /** A number that is not finite becomes null: JSON has none. */
  JsonLine add(String name, double value) {
    key(name).text.append(Double.isFinite(value) ? number(value) : "null");
    return this;
  }

  JsonLine add(String name, Map<String, String> values) {
    JsonLine inner = new JsonLine();
    values.forEach(inner::add);
    key(name).text.append(inner);
    return this;
  }

  /** Median, deciles and every single time; null where there are none. */
  JsonLine add(String name, @Nullable Timing timing) {
    key(name);
    if (timing == null) {
      text.append("null");
      return this;
    }
    text.append("{\"median\":").append(number(timing.median()));
    text.append(",\"p10\":").append(number(timing.quantile(0.1)));
    text.append(",\"p90\":").append(number(timing.quantile(0.9)));
    text.append(",\"all\":[");
    String separator = "";
    for (double nanos : timing.nanos()) {
      text.append(separator).append(number(nanos));
      separator = ",";
    }
    text.append("]}");
    return this;
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.6g", value);
  }

  @Override
  public String toString() {
    return text + "}";
  }
}
