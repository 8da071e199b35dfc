package funnel.cli;

/**
 * One line of {@code funnel doctor}.
 *
 * @param name what was looked at
 * @param ok whether it is as it should be
 * @param found what was found
 * @param todo what to do about it; empty where that is nothing
 */
record Check(String name, boolean ok, String found, String todo) {

  static Check ok(String name, String found) {
    return new Check(name, true, found, "");
  }

  static Check missing(String name, String found, String todo) {
    return new Check(name, false, found, todo);
  }

  @Override
  public String toString() {
    return "%s  %-20s %s%s"
        .formatted(ok ? "ok" : "--", name, found, todo.isEmpty() ? "" : ": " + todo);
  }
}
