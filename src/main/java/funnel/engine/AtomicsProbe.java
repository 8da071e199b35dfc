package funnel.engine;

import funnel.jit.suite.JitReport;
import funnel.jit.suite.JitResult;
import funnel.jit.suite.JitRule;
import funnel.jit.suite.JitRules;
import funnel.jit.suite.JitSuite;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which atomic operations give right results on TornadoVM's device when many threads want
 * the same element.
 *
 * <p>{@code AtomicsProbe.localAdd().outcome() == Outcome.RIGHT} says that kernels may count in
 * local memory. With TornadoVM 5.2.0 it is UNSUPPORTED on backend {@code ptx}, whose module does
 * not load, and WRONG on {@code cuda}, where every update goes to element 0; a version that repairs
 * it is used at once.
 *
 * <p>The probe is made once a process, by the first call, and takes some seconds. A probe that
 * finds no mistake proves nothing; one that finds one does.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="atomics"}
 */
public final class AtomicsProbe {

  /* The kernels are those of rules of the JIT suite, and run in a process of their own:
   *
   *   a fault would take this process's context with it, and every array on the device
   *   on the cuda backend, closing a plan unpins host memory under copies of other threads
   *   the driver's complaint about a module that does not load goes to standard output
   *
   * An operation is as right as its first rule that is not. Whatever keeps a rule from running, the
   * want of a second process among it, makes the operation unsupported: nobody then uses it.
   */

  private static final Logger LOG = LoggerFactory.getLogger(AtomicsProbe.class);
  private static final String EMULATOR = "emulator";

  /** What an atomic operation was found to be. */
  public enum Outcome {
    /** Every update arrived, and nothing else. */
    RIGHT,
    /** Updates were lost or went elsewhere. */
    WRONG,
    /** The kernel cannot be compiled, loaded or run there, or that could not be found out. */
    UNSUPPORTED
  }

  /** An atomic operation of kernels, as they state it. */
  public enum Operation {
    /** {@code context.atomicAdd} on an {@code IntArray}. */
    ADD_INT("atomicAdd on IntArray", "atomic-add-int", "atomic-add-int-to-one-element"),
    /** {@code context.atomicAdd} on a {@code LongArray}. */
    ADD_LONG("atomicAdd on LongArray", "atomic-add-long", "atomic-add-long-to-one-element"),
    /** {@code context.atomicAdd} on a {@code FloatArray}. */
    ADD_FLOAT("atomicAdd on FloatArray", "atomic-add-float", "atomic-add-float-to-one-element"),
    /** {@code context.atomicAdd} on a {@code DoubleArray}. */
    ADD_DOUBLE("atomicAdd on DoubleArray", "atomic-add-double", "atomic-add-double-to-one-element"),
    /** {@code context.atomicAdd} on a local {@code int[]}, at an index of run time. */
    LOCAL_ADD("atomicAdd on local int[]", "atomic-add-local", "atomic-add-local-contended"),
    /** {@code AtomicInteger.getAndIncrement}, which returns the old value. */
    TICKET("AtomicInteger.getAndIncrement", "ticket-of-thread", "ticket-contended");

    private final String label;
    private final List<String> rules;

    Operation(String label, String... rules) {
      this.label = label;
      this.rules = List.of(rules);
    }

    /** What is called on what, such as {@code "atomicAdd on IntArray"}. */
    public String label() {
      return label;
    }

    /** The rules of the JIT suite that are tried. */
    List<JitRule> rules() {
      return rules.stream().map(JitRules::named).toList();
    }
  }

  /**
   * What the probe found about one operation.
   *
   * @param operation the operation
   * @param outcome the finding
   * @param detail what was tried, or the first mistake
   */
  public record Finding(Operation operation, Outcome outcome, String detail)
      implements Serializable {}

  /** The default device's findings, made when they are first asked for. */
  private static final class Found {
    static final List<Finding> ON_DEFAULT_DEVICE = probed(JitSuite::runApart);
  }

  private AtomicsProbe() {}

  /**
   * The findings about TornadoVM's default device, one for each operation, in their order; from the
   * first call on, the same ones. Where there is no device, all are {@link Outcome#UNSUPPORTED}.
   */
  public static List<Finding> report() {
    return Found.ON_DEFAULT_DEVICE;
  }

  /**
   * The findings about what a program runs on: in the emulator every operation is right, without a
   * probe; any other device is TornadoVM's.
   */
  public static List<Finding> report(Device device) {
    return device.backend().equals(EMULATOR) ? inEmulator() : report();
  }

  /** What {@link #report()} says about {@code atomicAdd} on a local array. */
  public static Finding localAdd() {
    return finding(report(), Operation.LOCAL_ADD);
  }

  /** What {@link #report(Device)} says about {@code atomicAdd} on a local array. */
  public static Finding localAdd(Device device) {
    return finding(report(device), Operation.LOCAL_ADD);
  }

  private static Finding finding(List<Finding> findings, Operation operation) {
    return findings.get(operation.ordinal());
  }

  private static List<Finding> inEmulator() {
    return Stream.of(Operation.values())
        .map(o -> new Finding(o, Outcome.RIGHT, "by construction of the emulator"))
        .toList();
  }

  /** What rules say, run by {@code suite}. */
  static List<Finding> probed(Function<List<JitRule>, JitReport> suite) {
    List<JitRule> rules =
        Stream.of(Operation.values()).flatMap(operation -> operation.rules().stream()).toList();
    Map<String, JitResult> results = new HashMap<>();
    String failure = "";
    try {
      suite.apply(rules).results().forEach(result -> results.put(result.rule(), result));
    } catch (Exception | LinkageError e) {
      failure = "the probe could not be made: " + e;
    }
    List<Finding> findings = new ArrayList<>();
    for (Operation operation : Operation.values()) {
      findings.add(finding(operation, results, failure));
    }
    LOG.info(
        "atomics: {}",
        findings.stream()
            .map(f -> "%s %s".formatted(f.operation().label(), f.outcome()))
            .collect(Collectors.joining(", ")));
    return List.copyOf(findings);
  }

  private static Finding finding(
      Operation operation, Map<String, JitResult> results, String failure) {
    for (JitRule rule : operation.rules()) {
      @Nullable JitResult result = results.get(rule.name());
      if (result == null) {
        return new Finding(operation, Outcome.UNSUPPORTED, failure);
      }
      switch (result.outcome()) {
        case RIGHT -> {}
        case WRONG -> {
          return new Finding(
              operation, Outcome.WRONG, "%s: %s".formatted(rule.name(), result.detail()));
        }
        case DOES_NOT_COMPILE, FAULT, COMPILES -> {
          return new Finding(
              operation, Outcome.UNSUPPORTED, "%s: %s".formatted(rule.name(), result.detail()));
        }
      }
    }
    return new Finding(
        operation,
        Outcome.RIGHT,
        operation.rules().stream().map(JitRule::name).collect(Collectors.joining(", ")));
  }
}
