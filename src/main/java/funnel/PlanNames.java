package funnel;

import funnel.operation.Input;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks the names in a plan: that they are well-formed and unique. */
final class PlanNames {

  private static final int LONGEST = 100;
  private static final Pattern FORM = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  private final String plan;
  private final Set<String> taken = new HashSet<>();

  PlanNames(String plan) {
    this.plan = plan;
  }

  /** Refuses a name that a user gave if it is too long or malformed. */
  static String require(String name) {
    int length = Objects.requireNonNull(name, "name").length();
    if (length > LONGEST) {
      throw new IllegalArgumentException(
          "name '%s...' is too long: characters=%d, most=%d"
              .formatted(name.substring(0, LONGEST / 2), length, LONGEST));
    }
    requireForm(name);
    return name;
  }

  private static void requireForm(String name) {
    if (!FORM.matcher(name).matches() || name.contains("__")) {
      throw new IllegalArgumentException(
          "name '%s' is not a letter followed by letters, digits and single underscores"
              .formatted(name));
    }
  }

  /** Takes all of these names, or refuses them all; they may be longer than a user's names. */
  void take(List<String> wanted) {
    Set<String> more = new LinkedHashSet<>();
    for (String name : wanted) {
      requireForm(name);
      if (taken.contains(name) || !more.add(name)) {
        throw new IllegalArgumentException("name '%s' is taken in plan %s".formatted(name, plan));
      }
    }
    taken.addAll(more);
  }

  /** The inputs in {@code there} that have these names, in the order of the names. */
  List<Input> chosen(List<Input> there, String... names) {
    return Stream.of(Objects.requireNonNull(names, "of")).map(name -> chosen(there, name)).toList();
  }

  private Input chosen(List<Input> there, String name) {
    return there.stream()
        .filter(input -> input.name().equals(Objects.requireNonNull(name, "of")))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no input '%s' in plan %s; there are %s"
                        .formatted(name, plan, there.stream().map(Input::name).toList())));
  }
}
