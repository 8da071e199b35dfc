package funnel.cli;

import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.Table;
import funnel.Value;
import funnel.io.ElementFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.internal.chartpart.Chart;

/** The display of cell values whose own {@code toString} is not useful: lazy ones are computed. */
final class NotebookDisplay {

  private static final int FEW = 10;
  private static final List<Class<?>> SHOWN =
      List.of(
          boolean[].class,
          byte[].class,
          short[].class,
          char[].class,
          int[].class,
          long[].class,
          float[].class,
          double[].class,
          Object[].class,
          funnel.Array.class,
          funnel.Array.Found.class,
          funnel.Array.Pairs.class,
          funnel.Array.Parts.class,
          funnel.Array.Runs.class,
          funnel.Array.Top.class,
          Table.class,
          Value.class,
          Funnel.class,
          Plan.class,
          Results.class,
          ElementFile.class,
          Chart.class);

  private NotebookDisplay() {}

  /** Adds a renderer of each class to the kernel's list, before its own. */
  static void register(Class<?> system, Class<?> renderer) throws ReflectiveOperationException {
    Field field = system.getDeclaredField("spiDisplayRenderers");
    field.setAccessible(true);
    @SuppressWarnings("unchecked")
    List<Object> renderers = (List<Object>) field.get(system.getMethod("inst").invoke(null));
    for (Class<?> shown : SHOWN) {
      renderers.add(
          Proxy.newProxyInstance(
              renderer.getClassLoader(),
              new Class<?>[] {renderer},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "rendererClass" -> shown;
                    case "canRender" -> true;
                    case "render" ->
                        method
                            .getReturnType()
                            .getMethod("withType", String.class, String.class)
                            .invoke(null, type(arguments[1]), text(arguments[1]));
                    default -> throw new UnsupportedOperationException(method.toString());
                  }));
    }
  }

  /** The MIME type of the text. */
  static String type(Object value) {
    return value instanceof Chart ? "image/png" : "text/plain";
  }

  /** The text to show; for a chart its picture, as text. */
  static String text(Object value) {
    return switch (value) {
      case Funnel funnel -> "Funnel on " + funnel.description();
      case Plan plan ->
          String.format(
              Locale.ROOT, "plan %s, %,d bytes on the device", plan.name(), plan.deviceBytes());
      case ElementFile file ->
          String.format(Locale.ROOT, "%s: %,d of %s", file, file.length(), file.type());
      case Chart<?, ?> chart -> picture(chart);
      case funnel.Array<?, ?> array -> computed(array);
      case Table table -> table.text(FEW);
      case Value number -> number.get().toString();
      case Record arrays -> components(arrays);
      case Object array when array.getClass().isArray() -> elements(array);
      default -> value.toString();
    };
  }

  private static String picture(Chart<?, ?> chart) {
    try {
      return Base64.getEncoder()
          .encodeToString(BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An array that is there says so itself, without its elements between the ends. */
  private static String computed(funnel.Array<?, ?> array) {
    String text = array.toString();
    return text.endsWith("not computed") ? elements(array.toArray()) : text;
  }

  private static String components(Record arrays) {
    return Stream.of(arrays.getClass().getRecordComponents())
        .map(
            each -> {
              try {
                return "%s: %s".formatted(each.getName(), text(each.getAccessor().invoke(arrays)));
              } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
              }
            })
        .collect(Collectors.joining("\n"));
  }

  private static String elements(Object array) {
    int length = Array.getLength(array);
    return IntStream.range(0, Math.min(FEW, length))
        .mapToObj(i -> Array.get(array, i))
        .map(each -> each != null && each.getClass().isArray() ? elements(each) : "" + each)
        .collect(
            Collectors.joining(
                ", ",
                "%s[%s] {".formatted(array.getClass().componentType().getSimpleName(), length),
                length > FEW ? ", ...}" : "}"));
  }
}
