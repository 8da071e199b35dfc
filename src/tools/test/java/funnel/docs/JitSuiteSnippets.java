package funnel.docs;

import funnel.emulator.Emulator;
import funnel.kernel.KernelTask;
import funnel.kernel.KernelTask.Grid;
import funnel.suite.JitReport;
import funnel.suite.JitResult;
import funnel.suite.JitResult.Outcome;
import funnel.suite.JitRule;
import funnel.suite.JitRule.Kind;
import funnel.suite.JitRules;
import funnel.suite.JitSuite;
import funnel.suite.JitTrial;
import funnel.suite.JitTrial.Launch;
import funnel.suite.Output;
import funnel.suite.UnknownRuleException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The examples of the JIT suite. */
final class JitSuiteSnippets {

  private JitSuiteSnippets() {}

  // @start region="suite"
  /** What is to be said about the default device: of all rules, JitRules.all(), or of some. */
  static String verdict(List<JitRule> rules) {
    try {
      JitReport report = JitSuite.run(rules);
      return report.passed() ? "Funnel can trust " + report.device() : report.toTable();
    } catch (IllegalStateException e) { // no device, or TornadoVM was started otherwise
      return "the suite cannot be run: " + e.getMessage();
    }
  }

  // @end

  // @start region="unknown"
  /** Runs the rules that other processes know, and lists the others. */
  static JitReport apart(List<JitRule> rules, List<String> others) {
    try {
      return JitSuite.runApart(rules);
    } catch (UnknownRuleException e) {
      others.addAll(e.rules());
      return JitSuite.runApart(
          rules.stream().filter(rule -> !others.contains(rule.name())).toList());
    }
  }

  // @end

  // @start region="report"
  /** Keeps the results, and says whether the device will do. */
  static boolean keep(JitReport report, Path folder) throws IOException {
    Files.writeString(folder.resolve("jit.jsonl"), report.toJsonLines()); // for programs
    Files.writeString(folder.resolve("jit.txt"), report.toTable()); // for people
    return report.passed();
  }

  // @end

  // @start region="result"
  /** Which workarounds an upgrade of TornadoVM has made needless. */
  static List<String> mended(JitReport report) {
    return report.results().stream()
        .filter(result -> result.kind() == Kind.WORKED_AROUND)
        .filter(result -> result.outcome() == Outcome.RIGHT)
        .map(JitResult::rule)
        .toList();
  }

  // @end

  static String named() {
    // @start region="rules"
    JitRule rule = JitRules.named("signed-shift-right-int");
    String says = rule.says(); // v >> k fills an int with copies of its sign
    Kind kind = rule.kind(); // WORKED_AROUND: by Scalars.shiftRight
    boolean avoided = JitRules.of(Kind.WORKED_AROUND).contains(rule); // true
    // @end
    return "%s: %s, %s".formatted(says, kind, avoided);
  }

  // @start region="trial"
  /** Whether the emulator keeps a rule: the first difference, empty if it does. */
  static Optional<String> inEmulator(JitRule rule) {
    Emulator emulator = Emulator.builder().build();
    JitTrial trial = rule.newTrial();
    emulator.run(trial.tasks());
    for (Runnable change : trial.changes()) {
      change.run();
      emulator.run(trial.tasks());
    }
    return trial.verify();
  }

  // @end

  // @start region="output"
  /** An output array that must hold its own indices. */
  record Indices(IntArray array) implements Output {
    @Override
    public Optional<String> firstDifference() {
      return IntStream.range(0, array.getSize())
          .filter(i -> array.get(i) != i)
          .mapToObj(i -> "out[%s]: expected %s, got %s".formatted(i, i, array.get(i)))
          .findFirst();
    }
  }

  // @end

  // @start region="rule"
  static void indices(KernelContext context, IntArray out) {
    out.set(context.globalIdx, context.groupIdx * context.localGroupSizeX + context.localIdx);
  }

  static JitTrial indicesOfTwoBlocks() {
    IntArray out = new IntArray(128);
    out.init(-1);
    KernelTask task = KernelTask.of("indices", Grid.of(2, 64), JitSuiteSnippets::indices, out);
    return new JitTrial(List.of(task), List.of(new Indices(out)), Launch.STATED, List.of());
  }

  static final JitRule COUNTED_ON =
      new JitRule(
          "global-index",
          "globalIdx counts the threads of all blocks",
          Kind.RELIED_ON,
          false, // cannot take the process down
          JitSuiteSnippets::indicesOfTwoBlocks);
  // @end
}
