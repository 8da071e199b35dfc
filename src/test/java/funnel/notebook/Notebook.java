package funnel.notebook;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A notebook.
 *
 * @param code the source of its code cells
 * @param text the source of all other cells
 */
record Notebook(List<String> code, List<String> text) {

  static Notebook read(Path file) throws IOException {
    List<String> code = new ArrayList<>();
    List<String> text = new ArrayList<>();
    JsonObject notebook = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    for (JsonElement element : notebook.getAsJsonArray("cells")) {
      JsonObject cell = element.getAsJsonObject();
      (cell.get("cell_type").getAsString().equals("code") ? code : text).add(source(cell));
    }
    return new Notebook(code, text);
  }

  /* A string, or a list of lines. */
  private static String source(JsonObject cell) {
    JsonElement source = cell.get("source");
    if (source.isJsonPrimitive()) {
      return source.getAsString();
    }
    StringBuilder text = new StringBuilder();
    source.getAsJsonArray().forEach(line -> text.append(line.getAsString()));
    return text.toString();
  }
}
