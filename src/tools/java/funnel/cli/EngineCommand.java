package funnel.cli;

import funnel.Funnel;
import funnel.file.Json;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The common part of commands that compute on an engine. */
abstract class EngineCommand extends FunnelCommand {

  @Mixin private EngineOption engine = new EngineOption();

  @Option(
      names = "--json",
      order = 1,
      description = "One line of JSON. NaN and infinities are strings.")
  private boolean json;

  /**
   * Opens the engine.
   *
   * @throws funnel.operation.EngineUnavailableException if it is not available
   */
  final Funnel open() {
    return engine.open();
  }

  final boolean isJson() {
    return json;
  }

  final void printJson(Map<String, Object> line) {
    out().println(Json.of(line));
  }
}
