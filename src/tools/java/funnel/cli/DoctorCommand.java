package funnel.cli;

import funnel.Funnel;
import funnel.cli.AtomicOperation.Finding;
import funnel.compiled.KernelFolder;
import funnel.compiled.KernelUse;
import funnel.engine.tornado.AtomicsProbe.Outcome;
import funnel.engine.tornado.TornadoEngine;
import funnel.file.Json;
import funnel.operation.Device;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Target;
import funnel.suite.JitReport;
import funnel.suite.JitRules;
import funnel.suite.JitSuite;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel doctor}. */
@Command(
    name = "doctor",
    description = {
      "Say what works on this machine, and what to do about the rest.",
      "",
      "A line begins with 'ok'; with '--' if something optional is missing or not used; or with"
          + " '!!' if something is wrong, and then ends with what to do. Every available engine"
          + " reduces a small array with Funnel's operators and with user-defined operators,"
          + " checked against a plain loop. A missing GPU is not a failure. On a device, atomic"
          + " operations are tried in a process of their own; Funnel does not use those that are"
          + " wrong.",
      ""
    },
    footer = {
      "  funnel doctor",
      "  funnel doctor --require-device      for scripts on a GPU machine",
      "  funnel doctor --jit                 after an upgrade of TornadoVM",
      "  funnel doctor --json"
    })
final class DoctorCommand extends FunnelCommand {

  private static final String KERNELS = "compiled kernels";

  @Option(names = "--require-device", description = "Fail unless a device works.")
  private boolean requireDevice;

  @Option(
      names = "--jit",
      description = "Also run the suite of known errors of TornadoVM's compiler; takes a minute.")
  private boolean jit;

  @Option(
      names = "--json",
      description = "One line of JSON; with --jit one more for each of its rules.")
  private boolean json;

  private final List<Check> checks = new ArrayList<>();
  private List<Finding> findings = List.of();
  private boolean wrong;
  private boolean device;
  private boolean isWanted;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = out();
    Surroundings surroundings = new Surroundings(System.getenv(), System.getProperties());
    surroundings.checks().forEach(this::add);
    selfTest(Target.JVM);
    selfTest(Target.EMULATOR);
    isWanted = surroundings.sdk().isOk();
    selfTest(Target.TORNADO);
    compiledKernels();
    if (device) {
      surroundings.properties().forEach(this::add);
      Funnel.devices().forEach(this::realDevice);
      findings = AtomicOperation.findings(JitSuite::runApart);
      checks(findings).forEach(this::add);
      wrong |= findings.stream().anyMatch(DoctorCommand::isBroken);
    }
    boolean works = !wrong && (device || !requireDevice);
    if (json) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("ok", works);
      line.put("device", device);
      line.put("checks", checks.stream().map(Check::asMap).toList());
      line.put("atomics", findings.stream().map(DoctorCommand::asMap).toList());
      out.println(Json.of(line));
    }
    if (!device && (requireDevice || jit)) {
      throw new EngineUnavailableException("no device: see the lines of the doctor above", null);
    }
    return runJitSuite(out) && works ? ExitCode.OK : ExitCode.FAILURE;
  }

  private boolean runJitSuite(PrintWriter out) {
    if (!jit) {
      return true;
    }
    JitReport report = JitSuite.run(JitRules.all());
    out.print(json ? report.toJsonLines() : report.toTable());
    return report.passed();
  }

  private void add(Check check) {
    checks.add(check);
    if (!json) {
      out().println(check);
    }
  }

  /** Checks that a device does its own work, and computes correctly. */
  private void realDevice(Device each) {
    String name = "device " + each.index();
    String found =
        String.format(
            Locale.ROOT, "%s, %s, %,d MiB", each.name(), each.backend(), each.memory() >> 20);
    try (Funnel funnel = Funnel.open(each)) {
      SelfTest test = SelfTest.of(funnel);
      if (test.passed()) {
        add(
            Check.ok(
                name, found + ": real, %s of %s right".formatted(test.right(), test.checked())));
      } else {
        fail(name, found, test.firstWrong());
      }
    } catch (EngineUnavailableException e) {
      add(notReal(name, found, e));
    } catch (RuntimeException | LinkageError e) {
      fail(name, found, firstLine(e));
    }
  }

  /** Of a process that has no device, those that others have left. */
  private void compiledKernels() {
    try {
      add(
          kernels(
              TornadoEngine.compiledKernels()
                  .orElseGet(() -> new KernelUse(0, 0, 0, KernelFolder.open()))));
    } catch (IllegalArgumentException e) {
      fail(KERNELS, "none are kept", firstLine(e));
    }
  }

  /** What this process has compiled, and what to do if no other will find it. */
  static Check kernels(KernelUse kernels) {
    KernelFolder folder = kernels.folder();
    String found = kernels.ofProcess();
    return switch (folder.use()) {
      case READ_WRITE -> Check.ok(KERNELS, "%s; %s".formatted(found, kernels.ofFolder()));
      case READ_ONLY ->
          Check.ok(KERNELS, "%s; %s: %s".formatted(found, kernels.ofFolder(), folder.reason()));
      case OFF -> Check.notNeeded(KERNELS, found, "no folder keeps them: " + folder.reason());
    };
  }

  /** A device whose work another device would do. */
  static Check notReal(String name, String found, EngineUnavailableException e) {
    return Check.notNeeded(name, found + ": not by itself", firstLine(root(e)));
  }

  /** One line for each atomic operation. */
  static List<Check> checks(List<Finding> findings) {
    return findings.stream().map(DoctorCommand::check).toList();
  }

  private static Check check(Finding finding) {
    String found = words(finding.outcome());
    String name = finding.operation().label();
    String todo = "%s (%s)".formatted(instead(finding.operation()), firstLine(finding.detail()));
    return finding.outcome() == Outcome.RIGHT
        ? Check.ok(name, found + " under contention")
        : isBroken(finding) ? Check.wrong(name, found, todo) : Check.notNeeded(name, found, todo);
  }

  /** Whether Funnel relies on an operation that gives wrong results. */
  static boolean isBroken(Finding finding) {
    return finding.outcome() == Outcome.WRONG
        && (finding.operation() == AtomicOperation.ADD_INT
            || finding.operation() == AtomicOperation.ADD_LONG);
  }

  private static String instead(AtomicOperation operation) {
    return switch (operation) {
      case ADD_INT, ADD_LONG -> "Funnel relies on it: run funnel doctor --jit";
      case ADD_FLOAT, ADD_DOUBLE -> "not used by Funnel, nor should your kernels";
      case LOCAL_ADD -> "histograms count without it, and so should your kernels";
      case TICKET -> "take Funnel's tickets, which come from a scan";
    };
  }

  private static String words(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, Object> asMap(Finding finding) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("operation", finding.operation().label());
    map.put("outcome", words(finding.outcome()));
    map.put("detail", finding.detail());
    return map;
  }

  private void selfTest(Target target) {
    String engine = target.name().toLowerCase(Locale.ROOT);
    String name = "self-test " + engine;
    try (Funnel funnel = Funnel.open(target)) {
      if (target == Target.TORNADO) {
        funnel.details().forEach((detail, is) -> add(Check.ok("device: " + detail, is)));
      }
      SelfTest test = SelfTest.of(funnel);
      String found =
          "%s of %s reductions and scans equal a plain loop, on %s"
              .formatted(test.right(), test.checked(), funnel.description());
      if (test.passed()) {
        add(Check.ok(name, found));
        device |= target == Target.TORNADO;
      } else {
        fail(name, found, test.firstWrong());
      }
    } catch (EngineUnavailableException e) {
      add(
          isWanted
              ? Check.wrong(name, firstLine(root(e)), "see the lines above")
              : Check.notNeeded(name, firstLine(root(e)), "only needed for a GPU"));
    } catch (RuntimeException | LinkageError e) {
      fail(name, e.getClass().getSimpleName(), firstLine(e));
    }
  }

  private void fail(String name, String found, String todo) {
    wrong = true;
    add(Check.wrong(name, found, todo));
  }

  private static Throwable root(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static String firstLine(Throwable e) {
    return firstLine(Objects.toString(e.getMessage(), "no message"));
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }
}
