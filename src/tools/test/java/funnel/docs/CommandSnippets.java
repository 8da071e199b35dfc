package funnel.docs;

import funnel.bench.BenchCommand;
import funnel.cli.ExitCode;
import funnel.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;

/** The examples of the command line. */
final class CommandSnippets {

  private CommandSnippets() {}

  static List<String> largest(Path file, PrintWriter err) {
    // @start region="main"
    // funnel reduce m.npy --op max --engine jvm
    StringWriter out = new StringWriter();
    int exitCode =
        Main.run(
            new PrintWriter(out), err, "reduce", file.toString(), "--op=max", "--engine=jvm"); // 0
    List<String> lines = out.toString().lines().toList(); // of the file; max  6
    // @end
    return exitCode == 0 ? lines : List.of();
  }

  static int anywhere(PrintWriter out, PrintWriter err, Path file) {
    // @start region="exit-code"
    int exitCode = Main.run(out, err, "reduce", file.toString(), "--engine=tornado");
    if (exitCode == ExitCode.UNAVAILABLE) { // there is no device
      exitCode = Main.run(out, err, "reduce", file.toString(), "--engine=jvm");
    }
    // @end
    return exitCode;
  }

  static int bench(PrintWriter out, Path json) {
    // @start region="bench"
    // funnel bench reduce --quick --engine=jvm --types=int --ops=sum --sizes=1000 --json=sum.json
    CommandLine bench = new CommandLine(new BenchCommand()).setOut(out);
    int exitCode =
        bench.execute(
            "reduce",
            "--quick",
            "--engine=jvm",
            "--types=int",
            "--ops=sum",
            "--sizes=1000",
            "--json=" + json); // 0: what was measured is right
    // @end
    return exitCode;
  }
}
