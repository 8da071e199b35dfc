package funnel.array;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Says what the names in the message of another exception stand for, which has it among its
 * suppressed ones.
 */
final class NamesException extends RuntimeException {

  /* The line of code that made an array is not recorded: a StackWalker takes 0.9 us to find it, a
   * class alone 0.3 us, and all of a reading of few elements, which has one array or more, 4 us of
   * the same processor. All that is said here is known anyway, and is put into words when a reading
   * has failed.
   */

  private static final long serialVersionUID = 1L;
  private static final int MOST = 8;
  private static final Pattern NAME = Pattern.compile("[A-Za-z]\\w*");

  private NamesException(String message) {
    super(message, null, false, false);
  }

  /**
   * Adds what the names in an exception's message stand for.
   *
   * @param output the name of the chain outside
   * @param names the names of its inputs
   */
  static void explain(
      RuntimeException thrown,
      Chain chain,
      String output,
      List<String> names,
      List<Node.Given> inputs) {
    boolean isKnown = Stream.of(thrown.getSuppressed()).anyMatch(NamesException.class::isInstance);
    if (thrown.getMessage() == null || isKnown) {
      return;
    }
    Map<String, String> texts = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      texts.put(names.get(i), inputs.get(i).toString());
    }
    for (Chain.Link link : chain.links()) {
      String of = String.join(", ", outside(link.of(), output, names));
      texts.put(
          Chain.outside(output, link.name()),
          of.isEmpty() ? link.operation().toString() : "%s of %s".formatted(link.operation(), of));
    }
    Map<String, String> said = said(thrown.getMessage(), texts);
    if (!said.isEmpty()) {
      thrown.addSuppressed(
          new NamesException(
              String.join(
                  "; ",
                  said.entrySet().stream()
                      .map(each -> "%s is %s".formatted(each.getKey(), each.getValue()))
                      .toList())));
    }
  }

  private static List<String> outside(List<String> of, String output, List<String> names) {
    return of.stream()
        .map(
            name -> {
              for (int i = 0; i < names.size(); i++) {
                if (name.equals(Chain.input(i))) {
                  return names.get(i);
                }
              }
              return Chain.outside(output, name);
            })
        .toList();
  }

  /** The texts of the names in a message, then of those in these texts, and so on. */
  private static Map<String, String> said(String message, Map<String, String> texts) {
    Map<String, String> said = new LinkedHashMap<>();
    Deque<String> next = new ArrayDeque<>(List.of(message));
    while (!next.isEmpty() && said.size() < MOST) {
      for (String word :
          NAME.matcher(next.remove()).results().map(MatchResult::group).distinct().toList()) {
        String name = known(word, texts);
        String text = texts.get(name);
        if (text != null && said.putIfAbsent(name, text) == null) {
          next.add(text);
        }
      }
    }
    return said;
  }

  /**
   * The name of an operation whose output a word is: {@code read_runs1} of {@code
   * read_runs1_lengths}.
   */
  private static String known(String word, Map<String, String> texts) {
    int end = word.length();
    while (end > 0 && !texts.containsKey(word.substring(0, end))) {
      end = word.lastIndexOf('_', end - 1);
    }
    return word.substring(0, Math.max(0, end));
  }
}
