package funnel.cli;

import funnel.Funnel;
import funnel.operation.EngineUnavailableException;
import funnel.operation.Target;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code funnel test}. */
@Command(
    name = "test",
    description = {
      "Run Funnel's own tests, if they are on the class path: in a portable bundle.",
      "",
      "Tests that need a device run if there is one; otherwise they are listed as left out.",
      ""
    },
    footer = {
      "  funnel test",
      "  funnel test --reports reports",
      "  funnel test -- --include-classname='.*ReduceTest'",
      "  funnel test -- --details=tree --select-class=funnel.heat.TornadoHeatTest"
    })
final class TestCommand extends FunnelCommand {

  private static final String LAUNCHER = "org.junit.platform.console.ConsoleLauncher";

  /** A class that is in every jar of Funnel's tests. */
  private static final String A_TEST = "funnel/cli/MainTest.class";

  @Option(
      names = "--reports",
      paramLabel = "FOLDER",
      description = "Write JUnit's XML reports there.")
  private @Nullable Path reports;

  @Parameters(
      paramLabel = "OPTION",
      description = "Further options of JUnit's console launcher, after --.")
  private List<String> further = List.of();

  @Override
  public Integer call() throws ReflectiveOperationException, URISyntaxException {
    PrintWriter out = out();
    PrintWriter err = spec().commandLine().getErr();
    URL test = TestCommand.class.getClassLoader().getResource(A_TEST);
    Class<?> launcher = launcher();
    if (test == null || launcher == null) {
      err.println(
          "funnel test: no tests on the class path: make a bundle with 'funnel bundle' and run its"
              + " bin/funnel test, or run 'mvn verify' in a clone");
      return ExitCode.UNAVAILABLE;
    }
    List<String> arguments = new ArrayList<>(List.of("execute", "--disable-banner"));
    if (further.stream().noneMatch(option -> option.startsWith("--select"))) {
      arguments.add("--scan-class-path=" + root(test));
    }
    if (further.stream().noneMatch(option -> option.startsWith("--details"))) {
      arguments.add("--details=summary");
    }
    arguments.add("--fail-if-no-tests");
    String missing = missingDevice();
    if (!missing.isEmpty()) {
      err.println("funnel test: tests tagged gpu are left out: " + missing);
      arguments.add("--exclude-tag=gpu");
    }
    if (reports != null) {
      arguments.add("--reports-dir=" + reports);
    }
    arguments.addAll(further);
    return run(launcher, out, err, arguments) == 0 ? ExitCode.OK : ExitCode.FAILURE;
  }

  /* By reflection, since JUnit is not a dependency of Funnel but part of the bundle. */
  private static @Nullable Class<?> launcher() {
    try {
      return Class.forName(LAUNCHER);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static int run(
      Class<?> launcher, PrintWriter out, PrintWriter err, List<String> arguments)
      throws ReflectiveOperationException {
    Method run = launcher.getMethod("run", PrintWriter.class, PrintWriter.class, String[].class);
    try {
      Object result = run.invoke(null, out, err, arguments.toArray(String[]::new));
      return (int) result.getClass().getMethod("getExitCode").invoke(result);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("JUnit's launcher failed: " + e.getCause(), e);
    }
  }

  private static Path root(URL test) throws URISyntaxException {
    String url = test.toString();
    String root = url.substring(0, url.length() - A_TEST.length());
    boolean jar = root.startsWith("jar:");
    return Path.of(new java.net.URI(jar ? root.substring(4, root.length() - 2) : root));
  }

  private static String missingDevice() {
    try {
      Funnel.open(Target.TORNADO).close();
      return "";
    } catch (EngineUnavailableException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
