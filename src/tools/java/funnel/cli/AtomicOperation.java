package funnel.cli;

import funnel.engine.tornado.AtomicsProbe.Outcome;
import funnel.suite.JitReport;
import funnel.suite.JitResult;
import funnel.suite.JitRule;
import funnel.suite.JitRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An atomic operation of kernels. Its finding is that of the first of its rules that is not right.
 */
enum AtomicOperation {
  ADD_INT("atomicAdd on IntArray", "atomic-add-int", "atomic-add-int-to-one-element"),
  ADD_LONG("atomicAdd on LongArray", "atomic-add-long", "atomic-add-long-to-one-element"),
  ADD_FLOAT("atomicAdd on FloatArray", "atomic-add-float", "atomic-add-float-to-one-element"),
  ADD_DOUBLE("atomicAdd on DoubleArray", "atomic-add-double", "atomic-add-double-to-one-element"),
  LOCAL_ADD("atomicAdd on local int[]", "atomic-add-local"),
  TICKET("AtomicInteger.getAndIncrement", "ticket-of-thread", "ticket-contended");

  /** The finding about an operation: which rules it keeps, or how it breaks the first one. */
  record Finding(AtomicOperation operation, Outcome outcome, String detail) {}

  private final String label;
  private final List<String> rules;

  AtomicOperation(String label, String... rules) {
    this.label = label;
    this.rules = List.of(rules);
  }

  /** The operation and its operand, in words. */
  String label() {
    return label;
  }

  /** The findings about all operations, by rules that {@code suite} runs. */
  static List<Finding> findings(Function<List<JitRule>, JitReport> suite) {
    Map<String, JitResult> results = new HashMap<>();
    try {
      List<JitRule> rules =
          Stream.of(values()).flatMap(o -> o.rules.stream()).map(JitRules::named).toList();
      suite.apply(rules).results().forEach(result -> results.put(result.rule(), result));
    } catch (RuntimeException | LinkageError e) {
      String failure = "the rules could not be tried: " + e;
      return Stream.of(values()).map(o -> new Finding(o, Outcome.UNSUPPORTED, failure)).toList();
    }
    return Stream.of(values()).map(o -> o.finding(results)).toList();
  }

  private Finding finding(Map<String, JitResult> results) {
    for (String rule : rules) {
      JitResult result = Objects.requireNonNull(results.get(rule));
      if (result.outcome() != JitResult.Outcome.RIGHT) {
        boolean isWrong = result.outcome() == JitResult.Outcome.WRONG;
        return new Finding(
            this,
            isWrong ? Outcome.WRONG : Outcome.UNSUPPORTED,
            "%s: %s".formatted(rule, result.detail()));
      }
    }
    return new Finding(this, Outcome.RIGHT, String.join(", ", rules));
  }
}
