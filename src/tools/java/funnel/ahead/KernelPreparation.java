package funnel.ahead;

import funnel.Funnel;
import funnel.cli.ExitCode;
import funnel.cli.Rehearsal;
import funnel.compiled.KernelFolder;
import funnel.compiled.KernelUse;
import funnel.engine.Compilation;
import funnel.engine.Engine;
import funnel.engine.tornado.TornadoEngine;
import funnel.file.Progress;
import funnel.operation.EngineUnavailableException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;

/** Compiles kernels for the device and keeps them in the folder of compiled kernels. */
public final class KernelPreparation {

  /* Commands run on the device, over small files. The calls that programs make most are only
   * compiled, for arrays of several lengths: their kernels have constants that follow from lengths,
   * but few, so that other lengths find nearly all of theirs. A kernel that is in the folder is not
   * compiled again.
   */

  /** The length of the arrays that calls are made with: none of those below rounds to it. */
  static final int LENGTH = 5_000;

  /** A block's elements, and more blocks in each step. */
  static final List<Integer> LENGTHS = List.of(1_000, 100_000, 1_000_000, 10_000_000);

  private KernelPreparation() {}

  /** Fills the folder, or exits with what is wrong. */
  public static void main(String[] args) throws IOException {
    System.exit(run(System.out, System.err));
  }

  private static int run(PrintStream out, PrintStream err) throws IOException {
    long begin = System.nanoTime();
    try (TornadoEngine device = TornadoEngine.open()) {
      String reason = refusal(TornadoEngine.compiledKernels());
      if (!reason.isEmpty()) {
        err.println("no kernels are prepared: " + reason);
        return ExitCode.FAILURE;
      }
      Rehearsal.runCommands();
      Set<String> failures = compile(device, LENGTHS);
      KernelUse kernels = TornadoEngine.compiledKernels().orElseThrow();
      out.println(report(kernels, System.nanoTime() - begin));
      failures.forEach(failure -> err.println("a call does not compile: " + failure));
      return ExitCode.OK;
    } catch (EngineUnavailableException e) {
      err.println("kernels are compiled for a device, and there is none: " + e.getMessage());
      return ExitCode.FAILURE;
    }
  }

  /** Why nothing can be kept, or "". */
  public static String refusal(Optional<KernelUse> kernels) {
    if (kernels.isEmpty()) {
      return "with this version of TornadoVM each plan compiles its own (funnel doctor says more)";
    }
    KernelFolder folder = kernels.get().folder();
    return folder.use() == KernelFolder.Use.READ_WRITE
        ? ""
        : "the folder %s is %s: %s"
            .formatted(
                folder.folder().map(Object::toString).orElse("of compiled kernels"),
                folder.use() == KernelFolder.Use.OFF ? "not used" : "only read",
                folder.reason());
  }

  /** What was done. */
  public static String report(KernelUse kernels, long nanos) {
    return "kernels: %s compiled, %s found, %s s; folder %s"
        .formatted(kernels.compiled(), kernels.read(), Math.round(nanos / 1e9), kernels.ofFolder());
  }

  /**
   * Compiles what calls over arrays of some lengths need.
   *
   * @return why some do not compile
   */
  static Set<String> compile(Engine device, List<Integer> lengths) {
    Set<String> failures = new TreeSet<>();
    CompilingEngine engine = new CompilingEngine(device, LENGTH, lengths);
    try (Funnel funnel = engine.open()) {
      List<Runnable> calls = CommonCalls.of(funnel, LENGTH);
      try (Progress progress = new Progress("calls", calls.size(), true)) {
        for (Runnable call : calls) {
          call.run();
          progress.step(1);
        }
      }
    }
    List<Compilation> compilations = engine.compilations();
    try (Progress progress = new Progress("compiled", compilations.size(), true)) {
      for (Compilation each : compilations) {
        try {
          each.done().join();
        } catch (CompletionException e) {
          failures.add(Objects.requireNonNullElse(e.getCause(), e).toString());
        }
        progress.step(1);
      }
    }
    return failures;
  }
}
