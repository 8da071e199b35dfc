package funnel.suite;

import funnel.suite.JitResult.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs the rules of {@link JitRules} on TornadoVM's default device and reports which ones it keeps.
 *
 * <p>{@code JitSuite.run(JitRules.all())} compiles and runs one or a few tiny kernels per rule,
 * some tenths of a second each. Its report {@linkplain JitReport#passed() passes} if every rule
 * that Funnel relies on is kept; rules that Funnel works around may be broken, and the report names
 * those that are not.
 *
 * <p>TornadoVM must have been started with {@code -Dtornado.recover.bailout=False}: otherwise it
 * runs a kernel that it cannot compile as plain Java, which the suite could not detect.
 *
 * {@snippet class="funnel.docs.JitSuiteSnippets" region="suite"}
 */
public final class JitSuite {

  /* Rules run in this process, one after the other. After each one that is not right the device's
   * pulse is checked: if there is none, the rule was a fault, this process cannot continue, and the
   * remaining rules go to a new process; that one may end in the same way. Rules that are known to
   * be dangerous get a process each from the start.
   */

  static final String CHILD = "--child";

  private static final String BAILOUT = "tornado.recover.bailout";
  static final int REFUSED = 2;

  private final Device device;
  private final Processes processes;

  JitSuite(Device device, Processes processes) {
    this.device = device;
    this.processes = processes;
  }

  /**
   * Runs rules in this process, and in other processes like it those that are {@linkplain
   * JitRule#dangerous dangerous}, each in a process of its own, and those that come after one that
   * brought down the device.
   *
   * <p>Another process knows only the rules of {@link JitRules}. Your own rule can be run in this
   * process if it is not dangerous; if another rule brought down the device before, it is not run,
   * and its result is {@link Outcome#FAULT} with a detail that says so.
   *
   * @param rules the rules to run; may be empty
   * @return one result per rule, in the rules' order
   * @throws UnknownRuleException if a rule is dangerous and not in {@link JitRules}; then none was
   *     run
   * @throws IllegalStateException if TornadoVM would run kernels as plain Java, if there is no
   *     device, or if it cannot run the simplest kernel
   * @throws UncheckedIOException if a process is needed and none can be started
   */
  public static JitReport run(List<JitRule> rules) {
    requireNoBailout();
    try (Device device = new DefaultDevice()) {
      return new JitSuite(device, new Processes()).report(rules);
    }
  }

  /**
   * Runs rules only in other processes like this one, so that whatever happens there does not
   * affect this process and its TornadoVM, and nothing is printed here.
   *
   * <p>A process like this one takes a second or two to start. If a rule's process ends before it
   * has a result, or is too slow, the result is {@link Outcome#FAULT}, and the next rule gets a new
   * process; if no process can use the device, all results are FAULT.
   *
   * @param rules the rules to run, all from {@link JitRules}, since another process knows no
   *     others; may be empty
   * @return one result per rule, in the rules' order
   * @throws UnknownRuleException if a rule is not in {@link JitRules}; then none was run
   * @throws IllegalStateException if this process finds no device, which it checks with TornadoVM
   *     before it starts any other process
   * @throws UncheckedIOException if no process can be started
   */
  public static JitReport runApart(List<JitRule> rules) {
    try (Device device = new DefaultDevice()) {
      Processes likeThis = new Processes("-D%s=False".formatted(BAILOUT));
      return new JitSuite(device, likeThis).reportApart(rules);
    }
  }

  /**
   * Compiles the kernels of rules without running them, for which a driver without a device
   * suffices.
   *
   * @param rules the rules to run; may be empty
   * @return one result per rule, {@link Outcome#COMPILES} or {@link Outcome#DOES_NOT_COMPILE}
   * @throws IllegalStateException if TornadoVM would run kernels as plain Java, or has no driver
   */
  public static JitReport compile(List<JitRule> rules) {
    requireNoBailout();
    try (Device device = new DefaultDevice()) {
      return new JitSuite(device, new Processes()).compiled(rules);
    }
  }

  /**
   * The suite as a program: {@code JitSuite [--json] [--compile] [rule...]}, all rules if none is
   * named. Its exit code is 0 if the report passes, 1 if not, 2 if the suite could not be run.
   */
  public static void main(String[] arguments) {
    List<String> names = new ArrayList<>(List.of(arguments));
    try {
      if (!names.isEmpty() && names.getFirst().equals(CHILD)) {
        child(Path.of(names.get(1)), names.subList(2, names.size()));
        System.exit(0);
      }
      boolean json = names.remove("--json");
      boolean compile = names.remove("--compile");
      List<JitRule> rules =
          names.isEmpty() ? JitRules.all() : names.stream().map(JitRules::named).toList();
      JitReport report = compile ? compile(rules) : run(rules);
      System.out.print(json ? report.toJsonLines() : report.toTable());
      System.exit(report.passed() ? 0 : 1);
    } catch (IllegalStateException | IllegalArgumentException e) {
      System.err.println("jit suite: " + e.getMessage());
      System.exit(REFUSED);
    }
  }

  private static void child(Path results, List<String> names) {
    requireNoBailout();
    JitSuite suite = new JitSuite(new DefaultDevice(), new Processes());
    suite.runUntilFault(
        names.stream().map(JitRules::named).toList(),
        result -> {
          try {
            Files.writeString(results, Processes.format(result) + "\n", StandardOpenOption.APPEND);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static void requireNoBailout() {
    String value = System.getProperty(BAILOUT, "unset");
    if (!value.equalsIgnoreCase("false")) {
      throw new IllegalStateException(
          "%s=%s: TornadoVM would run what it cannot compile as plain Java; start with -D%s=False"
              .formatted(BAILOUT, value, BAILOUT));
    }
  }

  JitReport report(List<JitRule> rules) {
    requireKnown(rules.stream().filter(JitRule::dangerous).toList());
    String name = deviceName();
    Map<String, JitResult> results = new HashMap<>();
    Consumer<JitResult> keep = result -> results.put(result.rule(), result);
    List<JitRule> calm = rules.stream().filter(rule -> !rule.dangerous()).toList();
    if (!calm.isEmpty()) {
      int done = runUntilFault(calm, keep);
      List<JitRule> rest = calm.subList(done, calm.size());
      rest.stream()
          .filter(rule -> !processes.know(rule))
          .forEach(rule -> keep.accept(notRun(rule, calm.get(done - 1))));
      runElsewhere(rest.stream().filter(processes::know).toList(), keep);
    }
    for (JitRule rule : rules) {
      if (rule.dangerous()) {
        runElsewhere(List.of(rule), keep);
      }
    }
    return new JitReport(name, rules.stream().map(rule -> results.get(rule.name())).toList());
  }

  JitReport reportApart(List<JitRule> rules) {
    requireKnown(rules);
    String name = deviceName();
    List<JitResult> results = new ArrayList<>();
    runElsewhere(rules, results::add);
    return new JitReport(name, results);
  }

  JitReport compiled(List<JitRule> rules) {
    return new JitReport(deviceName(), rules.stream().map(this::compiled).toList());
  }

  private void requireKnown(List<JitRule> rules) {
    List<String> unknown =
        rules.stream().filter(rule -> !processes.know(rule)).map(JitRule::name).toList();
    if (!unknown.isEmpty()) {
      throw new UnknownRuleException(unknown);
    }
  }

  private String deviceName() {
    try {
      return device.name();
    } catch (RuntimeException | LinkageError e) {
      throw new IllegalStateException(
          "no device through TornadoVM: %s (funnel doctor says what is missing)"
              .formatted(message(e)),
          e);
    }
  }

  private static JitResult notRun(JitRule rule, JitRule fault) {
    return new JitResult(
        rule.name(),
        rule.kind(),
        Outcome.FAULT,
        "not run: rule %s took the device down, and other processes know the rules of JitRules only; run it without that rule"
            .formatted(fault),
        0);
  }

  /** Runs rules in this process up to the first fault, and returns how many it ran. */
  int runUntilFault(List<JitRule> rules, Consumer<JitResult> keep) {
    Optional<String> trouble = device.trouble();
    if (trouble.isPresent()) {
      throw new IllegalStateException("the device does not work: " + trouble.get());
    }
    int done = 0;
    boolean alive = true;
    while (alive && done < rules.size()) {
      JitResult result = tried(rules.get(done));
      keep.accept(result);
      alive = result.outcome() != Outcome.FAULT;
      done++;
    }
    return done;
  }

  private void runElsewhere(List<JitRule> rules, Consumer<JitResult> keep) {
    int done = 0;
    while (done < rules.size()) {
      try {
        List<JitResult> results = processes.run(rules.subList(done, rules.size()));
        results.forEach(keep);
        done += results.size();
      } catch (IOException e) {
        throw new UncheckedIOException("starting a process for the rules " + rules, e);
      }
    }
  }

  private JitResult tried(JitRule rule) {
    long started = System.nanoTime();
    Outcome outcome;
    String detail;
    try {
      JitTrial trial = rule.newTrial();
      device.run(trial);
      detail = trial.verify().orElse("");
      outcome = detail.isEmpty() ? Outcome.RIGHT : Outcome.WRONG;
    } catch (Throwable e) {
      outcome = Outcome.DOES_NOT_COMPILE;
      detail = message(e);
    }
    if (outcome != Outcome.RIGHT) {
      Optional<String> trouble = device.trouble();
      if (trouble.isPresent()) {
        outcome = Outcome.FAULT;
        detail = "%s; after it, %s".formatted(detail, trouble.get());
      }
    }
    return result(rule, outcome, detail, started);
  }

  private JitResult compiled(JitRule rule) {
    long started = System.nanoTime();
    try {
      device.compile(rule.newTrial());
      return result(rule, Outcome.COMPILES, "", started);
    } catch (Throwable e) {
      return result(rule, Outcome.DOES_NOT_COMPILE, message(e), started);
    }
  }

  private static JitResult result(JitRule rule, Outcome outcome, String detail, long started) {
    long millis = (System.nanoTime() - started) / 1_000_000;
    return new JitResult(rule.name(), rule.kind(), outcome, detail, millis);
  }

  /** The messages of an error and its first cause on one line, without escape sequences. */
  private static String message(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String text = root == e ? e.toString() : e + " caused by " + root;
    return text.replaceAll("\u001b\\[[0-9;]*m", "").replaceAll("\\s+", " ").strip();
  }
}
