package funnel.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of {@code funnel doctor}.
 *
 * @param name what was checked
 * @param state its state
 * @param found what was found
 * @param todo what to do about it; empty if nothing
 */
record Check(String name, State state, String found, String todo) {

  /** The state of a thing, and the mark that its line begins with. */
  enum State {
    OK("ok"),
    NOT_NEEDED("--"),
    WRONG("!!");

    private final String mark;

    State(String mark) {
      this.mark = mark;
    }
  }

  static Check ok(String name, String found) {
    return new Check(name, State.OK, found, "");
  }

  /** A check of something optional that is missing or not used. */
  static Check notNeeded(String name, String found, String todo) {
    return new Check(name, State.NOT_NEEDED, found, todo);
  }

  static Check wrong(String name, String found, String todo) {
    return new Check(name, State.WRONG, found, todo);
  }

  boolean isOk() {
    return state == State.OK;
  }

  Map<String, Object> asMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", name);
    map.put("ok", isOk());
    map.put("wrong", state == State.WRONG);
    map.put("found", found);
    map.put("todo", todo);
    return map;
  }

  @Override
  public String toString() {
    return "%s  %-20s %s%s".formatted(state.mark, name, found, todo.isEmpty() ? "" : ": " + todo);
  }
}
