package funnel.cli;

import funnel.Funnel;
import funnel.file.Progress;
import funnel.heat.ColourMap;
import funnel.heat.Heat2D;
import funnel.heat.HeatFieldException;
import funnel.heat.HeatFrames;
import funnel.heat.HeatImage;
import funnel.heat.HeatSnapshot;
import funnel.io.NpyWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code funnel heat}. */
@Command(
    name = "heat",
    description = {
      "Solve the heat equation on a grid of nodes, with pictures, a movie, and checkpoints.",
      "",
      "du/dt = alpha (d2u/dx2 + d2u/dy2) + source, in explicit steps. All methods and engines give"
          + " the same bits.",
      "A file gets its name when it is complete; pictures and checkpoints replace older ones of the"
          + " same name. Ctrl-C ends the run after the current step, with a last picture"
          + " and checkpoint.",
      ""
    },
    sortOptions = false,
    footer = {
      "  funnel heat --nx 512 --steps 5000 --gif heat.gif",
      "  funnel heat --left dirichlet:1 --right dirichlet:0 --frames frames",
      "  funnel heat --left robin:0.5,20 --top wall:t.npy --diffusivity a.npy",
      "  funnel heat --init u.npy --alpha 0.1 --dx 0.01 --dy 0.01 --npy after.npy",
      "  funnel heat --nx 4096 --steps 100000 --checkpoint run.npz --every 5000",
      "  funnel heat --resume run.npz --steps 200000 --checkpoint run.npz",
      "  funnel heat --nx 14400 --steps 100 --method 6 --json"
    })
final class HeatCommand extends EngineCommand {

  private static final long STEPS = 1000;
  private static final long PICTURES = 50;
  private static final long CHECK = 100;

  @Mixin private HeatOptions what = new HeatOptions();

  @Option(
      names = "--steps",
      paramLabel = "STEPS",
      defaultValue = "" + STEPS,
      description =
          "Steps of the whole run, including those before --resume. Default: ${DEFAULT-VALUE}.")
  private long steps;

  @Option(
      names = "--tolerance",
      paramLabel = "CHANGE",
      description =
          "Stop when one more step would change no node by more than this. Checked"
              + " every --every steps, by default every "
              + CHECK
              + ".")
  private @Nullable Double tolerance;

  @Option(
      names = "--frames",
      paramLabel = "DIR",
      description =
          "Write pictures frame-STEP.png into this folder, which is created if necessary.")
  private @Nullable Path frames;

  @Option(names = "--gif", paramLabel = "FILE", description = "Write an animated GIF.")
  private @Nullable Path gif;

  @Option(
      names = "--every",
      paramLabel = "STEPS",
      description =
          "Steps between pictures, and between checkpoints. Default: about "
              + PICTURES
              + " pictures, and a checkpoint at the end.")
  private @Nullable Long every;

  @Option(
      names = "--npy",
      paramLabel = "FILE.npy",
      description = "Write the field at the end; not after Ctrl-C.")
  private @Nullable Path npy;

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE.npz",
      description = "Write checkpoints; each replaces the one before.")
  private @Nullable Path checkpoint;

  @Option(
      names = "--force",
      description = "Replace existing files of --gif, --npy and --checkpoint.")
  private boolean force;

  @Option(
      names = "--size",
      paramLabel = "PIXELS",
      defaultValue = "1024",
      description =
          "The most pixels of the field's longer side; larger fields are averaged."
              + " Default: ${DEFAULT-VALUE}.")
  private int size;

  @Option(
      names = "--colours",
      paramLabel = "MAP",
      defaultValue = "INFERNO",
      description = "viridis or inferno. Default: inferno.")
  private ColourMap colours = ColourMap.INFERNO;

  @Option(
      names = "--range",
      paramLabel = "LOW,HIGH",
      description = "Values of the first and the last colour. Default: those of the first picture.")
  private @Nullable String range;

  @Option(
      names = "--title",
      paramLabel = "TEXT",
      description = "Title of the pictures. Default: grid, type and diffusivity.")
  private @Nullable String title;

  @Option(
      names = "--units",
      paramLabel = "LENGTH,TIME,VALUE",
      description = "Units in pictures, such as m,s,K. Default: none.")
  private String units = "";

  @Option(
      names = "--delay",
      paramLabel = "MS",
      defaultValue = "80",
      description = "Milliseconds per picture of the GIF. Default: ${DEFAULT-VALUE}.")
  private int delay;

  @Override
  public Integer call() throws IOException {
    what.requireNumbers();
    requireNumbers();
    HeatImage image = image();
    requireOutputs();
    HeatSetup setup = what.setup();
    if (setup.step() > steps) {
      throw usage(
          "%s is already at step %s: --steps=%s counts the whole run",
          what.resume(), setup.step(), steps);
    }
    try (HeatRun run = HeatRun.open(labelled(image, setup), frames, gif, delay, checkpoint);
        Funnel funnel = open();
        Heat2D heat = build(funnel, setup)) {
      return run(run, heat, setup, funnel.description());
    }
  }

  private int run(HeatRun run, Heat2D heat, HeatSetup setup, String description)
      throws IOException {
    HeatRun.Request request =
        new HeatRun.Request(
            steps,
            every != null ? every : Math.max(1, Math.ceilDiv(steps - setup.step(), PICTURES)),
            every != null,
            every != null ? every : CHECK,
            tolerance == null ? -1 : tolerance);
    long started = System.nanoTime();
    HeatRun.End end;
    String lost =
        "%s: ended immediately: all steps since the last checkpoint are lost"
            .formatted(spec().qualifiedName());
    try (Interruption interruption = new Interruption(lost)) {
      try (Progress progress = new Progress("heat", "steps", steps - setup.step(), !isJson())) {
        end = run.run(HeatRun.Solver.of(heat), request, interruption::isRequested, progress::step);
      }
      if (end == HeatRun.End.INTERRUPTED) {
        spec()
            .commandLine()
            .getErr()
            .println("%s: interrupted at step %s".formatted(spec().qualifiedName(), heat.steps()));
        return interruption.exitCode();
      }
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    HeatSnapshot last = heat.snapshot();
    if (npy != null) {
      NpyWriter.write(npy, last.type(), last.values(), last.ny(), last.nx());
    }
    print(setup, heat, last, end, description, seconds);
    return ExitCode.OK;
  }

  private Heat2D build(Funnel funnel, HeatSetup setup) throws IOException {
    try {
      return setup.build(funnel, what.method(), what.mayBeUnstable());
    } catch (HeatFieldException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private void requireNumbers() {
    if (steps < 0 || every != null && every < 1) {
      throw usage(
          "--steps=%s must be at least 0, and --every=%s at least 1",
          steps, every == null ? "none" : every.toString());
    }
    if (tolerance != null && !(tolerance >= 0)) {
      throw usage("--tolerance=%s must be at least 0", tolerance);
    }
  }

  private HeatImage image() {
    try {
      HeatImage image = HeatImage.of(colours).largest(size);
      if (range == null) {
        return image;
      }
      String[] ends = ends(range);
      return image.range(Double.parseDouble(ends[0]), Double.parseDouble(ends[1]));
    } catch (NumberFormatException e) {
      throw usage("--range %s is not two numbers LOW,HIGH", range);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private static String text(Object value) {
    return value instanceof Number number ? Numbers.text(number) : value.toString();
  }

  private HeatImage labelled(HeatImage image, HeatSetup setup) {
    String shown =
        title != null
            ? title
            : "%s x %s %s, alpha %s"
                .formatted(
                    setup.nx(),
                    setup.ny(),
                    FileType.of(setup.type()),
                    text(setup.shownDiffusivity()));
    try {
      return image.axes(
          setup.dx(), setup.dy(), shown, units.isEmpty() ? new String[0] : units.split(",", -1));
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private void requireOutputs() throws IOException {
    requireOutput("--gif", gif, force);
    requireOutput("--npy", npy, force);
    requireOutput("--checkpoint", checkpoint, force || Objects.equals(checkpoint, what.resume()));
    if (frames != null && Files.exists(frames)) { // otherwise it would be created
      HeatFrames.in(frames);
    }
  }

  private void requireOutput(String option, @Nullable Path file, boolean mayReplace)
      throws IOException {
    if (file != null) {
      requireReplaceable(option, new OutputFile(file, false), mayReplace);
      HeatRun.requireWritable(file);
    }
  }

  private void print(
      HeatSetup setup,
      Heat2D heat,
      HeatSnapshot last,
      HeatRun.End end,
      String description,
      double seconds) {
    List<String> sides = setup.sides().stream().map(SideOption::text).toList();
    double speed = (last.step() - setup.step()) / seconds;
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("nx", last.nx());
    line.put("ny", last.ny());
    line.put("type", FileType.of(last.type()).toString());
    line.put("dx", setup.dx());
    line.put("dy", setup.dy());
    line.put("alpha", setup.shownDiffusivity());
    if (setup.source() != null) {
      line.put("source", setup.source());
    }
    line.put("dt", heat.dt());
    line.put("sides", sides);
    line.put("method", what.method());
    line.put("from", setup.step());
    line.put("step", last.step());
    line.put("time", last.time());
    line.put("ended", end.name().toLowerCase(Locale.ROOT));
    line.put("min", last.min());
    line.put("max", last.max());
    line.put("total", heat.totalHeat());
    line.put("change", heat.maxChange());
    line.put("engine", description);
    line.put("seconds", seconds);
    line.put("stepsPerSecond", speed);
    line.put("nodesPerSecond", speed * last.nx() * last.ny());
    written().forEach(line::put);
    if (isJson()) {
      printJson(line);
      return;
    }
    String more = end == HeatRun.End.TOLERANCE ? ": changes are within the tolerance" : "";
    print(line, "field       %,d x %,d %s, dx %s, dy %s, alpha %s", "nx ny type dx dy alpha");
    out().println("sides       " + String.join(", ", sides));
    print(line, "steps       %,d to %,d, dt %s, time %s" + more, "from step dt time");
    String values = "least       %s%nlargest     %s%ntotal       %s%n";
    print(line, values + "change      %s in one more step", "min max total change");
    written().forEach((what, path) -> out().println("%-10s  %s".formatted(what, path)));
    print(
        line,
        "in %.3f s on %s, method %s: %,.0f steps/s, %.3g nodes/s",
        "seconds engine method stepsPerSecond nodesPerSecond");
  }

  /** Prints some of a line's values, named in the order of the format. */
  private void print(Map<String, Object> line, String format, String names) {
    out()
        .println(
            String.format(
                Locale.ROOT, format, Arrays.stream(names.split(" ", -1)).map(line::get).toArray()));
  }

  private Map<String, String> written() {
    List<String> names = List.of("frames", "gif", "npy", "checkpoint");
    List<@Nullable Path> paths = Arrays.asList(frames, gif, npy, checkpoint);
    Map<String, String> written = new LinkedHashMap<>();
    for (int k = 0; k < names.size(); k++) {
      Path path = paths.get(k);
      if (path != null) {
        written.put(names.get(k), path.toString());
      }
    }
    return written;
  }
}
