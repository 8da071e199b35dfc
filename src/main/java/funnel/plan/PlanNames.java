package funnel.plan;

import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks the names in a plan: that they are well-formed and unique. */
public final class PlanNames {

  private static final int LONGEST = 100;
  private static final Pattern FORM = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  private final String plan;
  private final Map<String, String> taken = new HashMap<>();

  public PlanNames(String plan) {
    this.plan = plan;
  }

  /** Requires a well-formed name, not too long, from a user. */
  public static String require(String name) {
    int length = Objects.requireNonNull(name, "name").length();
    if (length > LONGEST) {
      throw new IllegalArgumentException(
          "name '%s...' is too long: characters=%s, most=%s"
              .formatted(name.substring(0, LONGEST / 2), length, LONGEST));
    }
    requireForm(name);
    return name;
  }

  /** A name that is not taken: a word with the first number after {@code past} for which it is. */
  public String free(String word, int past) {
    int number = past + 1;
    while (taken.containsKey(word + number)) {
      number++;
    }
    return word + number;
  }

  private static void requireForm(String name) {
    if (!FORM.matcher(name).matches() || name.contains("__")) {
      throw new IllegalArgumentException(
          "name '%s' is not a letter followed by letters, digits and single underscores"
              .formatted(name));
    }
  }

  /**
   * Takes all of these names, or throws and takes none; they may be longer than a user's names.
   *
   * @param by an operation, or that it is an input, for messages
   */
  public void take(List<String> wanted, String by) {
    Map<String, String> more = new HashMap<>();
    for (String name : wanted) {
      if (name.contains(".")) {
        throw new IllegalArgumentException(
            "%s shows its array %s: a Composite of its primitives hides arrays whose names have a dot"
                .formatted(by, name));
      }
      requireForm(name);
      String owner = taken.getOrDefault(name, more.get(name));
      if (owner != null) {
        throw new IllegalArgumentException(
            "name '%s' is taken in plan %s by %s".formatted(name, plan, owner));
      }
      more.put(name, by);
    }
    taken.putAll(more);
  }

  /**
   * The inputs in {@code there} that have these names, in the order of the names.
   *
   * @param values single values of earlier operations
   * @param taker the operation that takes them
   */
  public List<Input> chosen(
      List<Input> there, Map<String, Output> values, Operation taker, String... names) {
    return Stream.of(Objects.requireNonNull(names, "of"))
        .map(name -> chosen(there, values.get(Objects.requireNonNull(name, "of")), taker, name))
        .toList();
  }

  private Input chosen(List<Input> there, @Nullable Output value, Operation taker, String name) {
    if (value != null) {
      if (!taker.takesValues()) {
        throw new IllegalArgumentException(
            "'%s' is a single value in plan %s, not an array: give it to a function of Elementwise.of, or read it from the results and pass it to the next run in an array"
                .formatted(name, plan));
      }
      if (!(value.finish() instanceof Output.OnDevice)) {
        throw new IllegalArgumentException(
            "'%s' is computed on the host when a run of plan %s has ended: read it from the results, and let the function of the next run capture it"
                .formatted(name, plan));
      }
      return new Input(name, value.type(), 1, value);
    }
    return there.stream()
        .filter(input -> input.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no input '%s' in plan %s; there are %s"
                        .formatted(name, plan, there.stream().map(Input::name).toList())));
  }
}
