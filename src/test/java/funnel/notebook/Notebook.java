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
 * @param outputs what its code cells show as it is stored, one for each that shows something
 * @param executions the numbers by which the code cells that were executed came
 */
record Notebook(
    List<String> code, List<String> text, List<String> outputs, List<Integer> executions) {

  static Notebook read(Path file) throws IOException {
    List<String> code = new ArrayList<>();
    List<String> text = new ArrayList<>();
    List<String> outputs = new ArrayList<>();
    List<Integer> executions = new ArrayList<>();
    JsonObject notebook = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    for (JsonElement element : notebook.getAsJsonArray("cells")) {
      JsonObject cell = element.getAsJsonObject();
      (cell.get("cell_type").getAsString().equals("code") ? code : text).add(source(cell));
      if (cell.has("outputs") && !cell.getAsJsonArray("outputs").isEmpty()) {
        outputs.add(cell.get("outputs").toString());
      }
      if (cell.has("execution_count") && !cell.get("execution_count").isJsonNull()) {
        executions.add(cell.get("execution_count").getAsInt());
      }
    }
    return new Notebook(code, text, outputs, executions);
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
