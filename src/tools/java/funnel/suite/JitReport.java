package funnel.suite;

import funnel.suite.JitResult.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The suite's results on one device.
 *
 * {@snippet class="funnel.docs.JitSuiteSnippets" region="report"}
 *
 * @param device backend and name of the device
 * @param results one result per rule
 */
public record JitReport(String device, List<JitResult> results) {

  private static final int DETAIL = 110;

  /** Copies the list. */
  public JitReport {
    results = List.copyOf(results);
  }

  /** Whether every rule that Funnel relies on is kept. */
  public boolean passed() {
    return results.stream().allMatch(JitResult::passed);
  }

  /** A table for people: rule, kind, outcome, verdict, detail; a summary below it. */
  public String toTable() {
    int width = results.stream().mapToInt(r -> r.rule().length()).max().orElse(4);
    String row = "%-" + width + "s  %-13s  %-16s  %s%s%n";
    StringBuilder table = new StringBuilder("JIT suite on %s%n%n".formatted(device));
    table.append(String.format(Locale.ROOT, row, "rule", "kind", "outcome", "verdict", ""));
    for (JitResult result : results) {
      table.append(
          String.format(
              Locale.ROOT,
              row,
              result.rule(),
              words(result.kind()),
              words(result.outcome()),
              result.verdict(),
              result.detail().isEmpty() ? "" : ": " + shortened(result.detail())));
    }
    return table.append(System.lineSeparator()).append(summary()).toString();
  }

  /** One line of JSON for each rule. */
  public String toJsonLines() {
    return results.stream()
        .map(
            r ->
                """
                {"suite":"jit","device":%s,"rule":%s,"kind":%s,"outcome":%s,"passed":%s,\
                "verdict":%s,"detail":%s,"millis":%s}\
                """
                    .formatted(
                        quoted(device),
                        quoted(r.rule()),
                        quoted(r.kind().name()),
                        quoted(r.outcome().name()),
                        r.passed(),
                        quoted(r.verdict()),
                        quoted(r.detail()),
                        r.millis()))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private String summary() {
    double seconds = results.stream().mapToLong(JitResult::millis).sum() / 1000.0;
    long broken = results.stream().filter(r -> !r.passed()).count();
    long compiled = count(Outcome.COMPILES);
    if (compiled > 0) {
      return String.format(
          Locale.ROOT,
          "%s rules in %.1f s, only compiled: %s compile, %s that Funnel relies on do not.%n",
          results.size(),
          seconds,
          compiled,
          broken);
    }
    long mended =
        results.stream()
            .filter(r -> r.kind() == JitRule.Kind.WORKED_AROUND && r.outcome() == Outcome.RIGHT)
            .count();
    String verdict =
        broken == 0
            ? "every rule that Funnel relies on is kept"
            : "of the rules that Funnel relies on, %s are broken: do not trust this device"
                .formatted(broken);
    return String.format(
        Locale.ROOT,
        "%s rules in %.1f s: %s; %s workarounds may go.%n",
        results.size(),
        seconds,
        verdict,
        mended);
  }

  private long count(Outcome outcome) {
    return results.stream().filter(r -> r.outcome() == outcome).count();
  }

  private static String words(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String shortened(String detail) {
    String line = detail.replaceAll("\\s+", " ").strip();
    return line.length() <= DETAIL ? line : line.substring(0, DETAIL - 3) + "...";
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
              } else if (c < ' ') {
                json.append(String.format(Locale.ROOT, "\\u%04x", c));
              } else {
                json.append((char) c);
              }
            });
    return json.append('"').toString();
  }
}
