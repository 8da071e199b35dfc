package funnel.cli;

import funnel.Funnel;
import funnel.Groups;
import funnel.Plan;
import funnel.Preview;
import funnel.Results;
import funnel.Table;
import funnel.Value;
import funnel.heat.HeatMovie;
import funnel.io.ElementFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.internal.chartpart.Chart;

/** The display of cell values whose own {@code toString} is not useful: lazy ones are computed. */
final class NotebookDisplay {

  private static final int FEW = 10;
  private static final String TEXT = "text/plain";
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
          Groups.class,
          Value.class,
          Funnel.class,
          Plan.class,
          Results.class,
          ElementFile.class,
          HeatMovie.class,
          Chart.class);

  private static volatile CompletableFuture<?> current = new CompletableFuture<>();

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
                    case "render" -> data(method.getReturnType(), shown(arguments[1]));
                    default -> throw new UnsupportedOperationException(method.toString());
                  }));
    }
  }

  /** The kernel's data of all types. */
  private static Object data(Class<?> type, Map<String, String> all)
      throws ReflectiveOperationException {
    Object data = type.getMethod("withType", String.class, String.class).invoke(null, TEXT, "");
    Method put = type.getMethod("putData", String.class, Object.class);
    for (Map.Entry<String, String> each : all.entrySet()) {
      put.invoke(data, each.getKey(), each.getValue());
    }
    return data;
  }

  /**
   * What is shown, by MIME types: tables for what has rows. What is lazy is computed for it, by a
   * thread of its own, so that an {@link #interrupt} is heard.
   */
  static Map<String, String> shown(Object value) {
    CompletableFuture<Map<String, String>> shown = new CompletableFuture<>();
    current = shown;
    Thread.ofPlatform()
        .daemon()
        .name("display")
        .start(
            () -> {
              try {
                shown.complete(computed(value));
              } catch (Throwable e) {
                shown.completeExceptionally(e);
              }
            });
    try {
      return shown.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof RuntimeException thrown ? thrown : e;
    }
  }

  /** Ends the display that is being computed, if there is one, with an error. */
  static void interrupt() {
    current.completeExceptionally(
        new IllegalStateException("interrupted; what computes the value goes on until it is done"));
  }

  private static Map<String, String> computed(Object value) {
    Preview preview =
        switch (value) {
          case funnel.Array<?, ?> array -> array.preview(FEW);
          case Table table -> table.preview(FEW);
          case Groups<?> groups -> groups.preview(FEW);
          case Results results -> results.preview();
          case Record arrays -> components(arrays);
          default -> null;
        };
    if (value instanceof HeatMovie movie && Files.exists(movie.file())) {
      return Map.of("text/html", animated(movie.file()), TEXT, movie.toString());
    }
    return preview == null
        ? Map.of(value instanceof Chart ? "image/png" : TEXT, text(value))
        : Map.of("text/html", preview.html(), TEXT, preview.text());
  }

  private static String text(Object value) {
    return switch (value) {
      case Funnel funnel -> "Funnel on " + funnel.description();
      case Plan plan ->
          String.format(
              Locale.ROOT, "plan %s, %,d bytes on the device", plan.name(), plan.deviceBytes());
      case ElementFile file ->
          String.format(Locale.ROOT, "%s: %,d of %s", file, file.length(), file.type());
      case Chart<?, ?> chart -> picture(chart);
      case Value number -> number.get().toString();
      case Object array when array.getClass().isArray() -> elements(array);
      default -> value.toString();
    };
  }

  private static String animated(Path gif) {
    try {
      return "<img src=\"data:image/gif;base64,%s\">"
          .formatted(Base64.getEncoder().encodeToString(Files.readAllBytes(gif)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String picture(Chart<?, ?> chart) {
    try {
      return Base64.getEncoder()
          .encodeToString(BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A row for each array. */
  private static Preview components(Record arrays) {
    List<List<String>> rows =
        Stream.of(arrays.getClass().getRecordComponents())
            .map(
                each -> {
                  try {
                    return row(
                        each.getName(), (funnel.Array<?, ?>) each.getAccessor().invoke(arrays));
                  } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                  }
                })
            .toList();
    return new Preview(
        List.of("output", "type", "value"), List.of("", "", ""), rows, List.of(), rows.size());
  }

  private static List<String> row(String name, funnel.Array<?, ?> array) {
    Preview some = array.preview(FEW);
    List<List<String>> elements = new ArrayList<>(some.first());
    if (elements.size() + some.last().size() < some.rows()) {
      elements.add(List.of("..."));
    }
    elements.addAll(some.last());
    return List.of(
        name,
        "%s[%s]".formatted(some.types().getFirst(), some.rows()),
        elements.stream().map(List::getFirst).collect(Collectors.joining(", ")));
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
