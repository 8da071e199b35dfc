package funnel.cli;

import funnel.Funnel;
import funnel.file.Progress;
import funnel.heat.ColourMap;
import funnel.heat.Heat2D;
import funnel.heat.HeatCheckpoint;
import funnel.heat.HeatFieldException;
import funnel.heat.HeatFrames;
import funnel.heat.HeatImage;
import funnel.heat.HeatSnapshot;
import funnel.io.ElementFile;
import funnel.io.FileFormatException;
import funnel.io.NpyWriter;
import funnel.operator.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code funnel heat}. */
@Command(
    name = "heat",
    description = {
      "Solve the heat equation on a grid of nodes, with pictures, a movie, and checkpoints.",
      "",
      "du/dt = alpha (d2u/dx2 + d2u/dy2), explicit steps. All methods and engines give the same"
          + " bits.",
      "Files appear under their names when they are complete; pictures and checkpoints take the"
          + " place of older ones. Ctrl-C ends the run after the step at hand, with a last picture"
          + " and checkpoint.",
      ""
    },
    sortOptions = false,
    footer = {
      "  funnel heat --nx 512 --steps 5000 --gif heat.gif",
      "  funnel heat --left dirichlet:1 --right dirichlet:0 --frames frames",
      "  funnel heat --init u.npy --alpha 0.1 --dx 0.01 --dy 0.01 --npy after.npy",
      "  funnel heat --nx 4096 --steps 100000 --checkpoint run.npz --every 5000",
      "  funnel heat --resume run.npz --steps 200000 --checkpoint run.npz",
      "  funnel heat --nx 14400 --steps 100 --method 6 --json"
    })
final class HeatCommand extends EngineCommand {

  /* A resumed run takes everything from its checkpoint. Options that say the same again are all
   * right, so that the command of the first run can be given again; others are refused, since the
   * result would be that of neither run.
   */

  static final int NODES = 256;
  private static final String HOT_SPOT = "hot-spot";
  private static final String GRADIENT = "gradient";
  private static final long STEPS = 1000;
  private static final long PICTURES = 50;
  private static final long CHECK = 100;

  @Option(
      names = "--nx",
      paramLabel = "NODES",
      description = "Nodes along x. Default: those of the file, or " + NODES + ".")
  private @Nullable Integer nx;

  @Option(
      names = "--ny",
      paramLabel = "NODES",
      description = "Nodes along y. Default: those of the file, or as many as along x.")
  private @Nullable Integer ny;

  @Option(
      names = "--dx",
      paramLabel = "LENGTH",
      description = "Distance of nodes along x. Default: 1.")
  private @Nullable Double dx;

  @Option(
      names = "--dy",
      paramLabel = "LENGTH",
      description = "Distance of nodes along y. Default: that along x.")
  private @Nullable Double dy;

  @Option(
      names = "--alpha",
      paramLabel = "DIFFUSIVITY",
      description = "Diffusivity, in lengths squared over time. Default: 1.")
  private @Nullable Double alpha;

  @ArgGroup private TimeStep timeStep = new TimeStep();

  /** One of two. */
  static final class TimeStep {
    @Option(names = "--dt", paramLabel = "TIME", description = "Time of a step.")
    private @Nullable Double dt;

    @Option(
        names = "--safety",
        paramLabel = "SHARE",
        description =
            "Time of a step as a share of the largest stable one, dx^2 dy^2 / (2 alpha (dx^2 +"
                + " dy^2)). Default: 0.8.")
    private @Nullable Double safety;
  }

  @Option(
      names = "--unstable",
      description = "Allow steps beyond the largest stable one, which blow up.")
  private boolean unstable;

  @Option(
      names = "--steps",
      paramLabel = "STEPS",
      defaultValue = "" + STEPS,
      description =
          "Steps of the whole run, those before a --resume included. Default: ${DEFAULT-VALUE}.")
  private long steps;

  @Option(
      names = "--tolerance",
      paramLabel = "CHANGE",
      description =
          "Stop when one more step would change no node by more. Looked at every --every steps, or"
              + " every "
              + CHECK
              + ".")
  private @Nullable Double tolerance;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "float32 or float64. Default: the file's, or float32.")
  private @Nullable FileType type;

  @Option(
      names = "--init",
      paramLabel = "FIELD",
      description = {
        "hot-spot: 1 within a circle in the middle, else 0; gradient: from 0 at the left side to 1"
            + " at the right; or a .npy of shape (ny, nx). Default: hot-spot."
      })
  private @Nullable String initial;

  @Option(
      names = "--left",
      paramLabel = "SIDE",
      converter = SideOption.Converter.class,
      description = {
        "neumann:F has the outward derivative F; neumann has none: no heat passes. dirichlet:V has"
            + " the value V, dirichlet keeps the initial field's values. periodic goes on at the"
            + " opposite side, which must be periodic too. Default: neumann."
      })
  private @Nullable SideOption left;

  @Option(
      names = "--right",
      paramLabel = "SIDE",
      converter = SideOption.Converter.class,
      description = "Likewise.")
  private @Nullable SideOption right;

  @Option(
      names = "--bottom",
      paramLabel = "SIDE",
      converter = SideOption.Converter.class,
      description = "Likewise; row 0 of a .npy.")
  private @Nullable SideOption bottom;

  @Option(
      names = "--top",
      paramLabel = "SIDE",
      converter = SideOption.Converter.class,
      description = "Likewise; the last row.")
  private @Nullable SideOption top;

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      defaultValue = "auto",
      description =
          "1 to 6 or global, halo-threads, tile, strip, register-march, register-stream; auto is"
              + " the fastest by measurements. The JVM has one method.")
  private String method = "auto";

  @Option(
      names = "--frames",
      paramLabel = "DIR",
      description = "Pictures frame-STEP.png go there; the folder is made.")
  private @Nullable Path frames;

  @Option(names = "--gif", paramLabel = "FILE", description = "An animated GIF.")
  private @Nullable Path gif;

  @Option(
      names = "--every",
      paramLabel = "STEPS",
      description =
          "Steps between pictures, and between checkpoints. Default: some "
              + PICTURES
              + " pictures, and a checkpoint at the end.")
  private @Nullable Long every;

  @Option(
      names = "--npy",
      paramLabel = "FILE.npy",
      description = "The field at the end; not after Ctrl-C.")
  private @Nullable Path npy;

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE.npz",
      description = "Checkpoints go there, each in place of the one before.")
  private @Nullable Path checkpoint;

  @Option(
      names = "--resume",
      paramLabel = "FILE.npz",
      description =
          "Go on from a checkpoint, as if the run had never stopped. It has the field, distances,"
              + " diffusivity, time step and sides; options may repeat them.")
  private @Nullable Path resume;

  @Option(names = "--force", description = "Replace files of --gif, --npy and --checkpoint.")
  private boolean force;

  @Option(
      names = "--size",
      paramLabel = "PIXELS",
      defaultValue = "1024",
      description =
          "Most pixels of the field's longer side; larger fields are shown in means."
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
      description = "Values at the ends of the colours. Default: those of the first picture.")
  private @Nullable String range;

  @Option(
      names = "--title",
      paramLabel = "TEXT",
      description = "Above the field on pictures. Default: its grid, type and diffusivity.")
  private @Nullable String title;

  @Option(
      names = "--units",
      split = ",",
      paramLabel = "LENGTH,TIME,VALUE",
      description = "Units on pictures, such as m,s,K. Default: none.")
  private List<String> units = List.of();

  @Option(
      names = "--delay",
      paramLabel = "MS",
      defaultValue = "80",
      description = "Milliseconds for each picture of the GIF. Default: ${DEFAULT-VALUE}.")
  private int delay;

  @Override
  public Integer call() throws IOException {
    requireNumbers();
    HeatImage image = image();
    requireOutputs();
    HeatSetup setup = resume == null ? fresh() : resumed(resume);
    if (setup.step() > steps) {
      throw usage(
          "%s is at step %d already: --steps=%d is of the whole run", resume, setup.step(), steps);
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
        "%s: ended at once: what was computed after the last checkpoint is lost"
            .formatted(spec().qualifiedName());
    try (Interruption interruption = new Interruption(lost)) {
      try (Progress progress = new Progress("heat", "steps", steps - setup.step(), !isJson())) {
        end = run.run(HeatRun.Solver.of(heat), request, interruption::isRequested, progress::step);
      }
      if (end == HeatRun.End.INTERRUPTED) {
        spec()
            .commandLine()
            .getErr()
            .println("%s: interrupted at step %d".formatted(spec().qualifiedName(), heat.steps()));
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
      return setup.build(funnel, method, unstable);
    } catch (HeatFieldException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private void requireNumbers() {
    if (nx != null && nx < 1 || ny != null && ny < 1) {
      boolean isX = nx != null && nx < 1;
      throw usage("%s=%d is out of range: at least 1", isX ? "--nx" : "--ny", isX ? nx : ny);
    }
    if (steps < 0 || every != null && every < 1) {
      throw usage(
          "--steps=%d, --every=%s: at least 0 and 1 expected",
          steps, every == null ? "none" : every.toString());
    }
    if (tolerance != null && !(tolerance >= 0)) {
      throw usage("--tolerance=%s: at least 0 expected", tolerance);
    }
    if (type != null && !type.element().isFloating()) {
      throw usage("--type %s: a field is of float32 or float64", type);
    }
    if (resume != null && (initial != null || timeStep.safety != null)) {
      throw usage(
          "--resume has the field and the time step: --init and --safety do not go with it");
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
      throw usage("--range %s is not of the form LOW,HIGH, two numbers", range);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private HeatImage labelled(HeatImage image, HeatSetup setup) {
    String shown =
        title != null
            ? title
            : "%d x %d %s, alpha %s"
                .formatted(setup.nx(), setup.ny(), FileType.of(setup.type()), setup.alpha());
    try {
      return image.axes(setup.dx(), setup.dy(), shown, units.toArray(String[]::new));
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private void requireOutputs() throws IOException {
    requireOutput("--gif", gif, force);
    requireOutput("--npy", npy, force);
    requireOutput("--checkpoint", checkpoint, force || Objects.equals(checkpoint, resume));
    if (frames != null && Files.exists(frames)) { // else it would be made
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

  private List<@Nullable SideOption> sides() {
    return Arrays.asList(left, right, bottom, top);
  }

  private HeatSetup fresh() throws IOException {
    List<SideOption> chosen =
        sides().stream().map(side -> side == null ? SideOption.DEFAULT : side).toList();
    double spacingX = dx == null ? 1 : dx;
    double spacingY = dy == null ? spacingX : dy;
    int width = nx != null ? nx : ny != null ? ny : NODES;
    int height = ny != null ? ny : width;
    ElementType element = type == null ? ElementType.FLOAT : type.element();
    String name = initial == null ? HOT_SPOT : initial;
    HeatSetup.Begin begin;
    if (name.equalsIgnoreCase(HOT_SPOT)) {
      begin = HeatSetup.hotSpot(width, height, spacingX, spacingY);
    } else if (name.equalsIgnoreCase(GRADIENT)) {
      begin = HeatSetup.gradient(width, spacingX);
    } else {
      Path path = InputFile.mappable(Path.of(name));
      if (!Files.exists(path) && !name.endsWith(".npy")) {
        throw usage(
            "--init '%s' is none of %s, %s, and no file".formatted(name, HOT_SPOT, GRADIENT));
      }
      try (ElementFile file = ElementFile.open(path)) {
        requireField(file);
        element = file.type();
        width = Math.toIntExact(file.shape().get(1));
        height = Math.toIntExact(file.shape().get(0));
      }
      begin = new HeatSetup.Begin.Npy(path);
    }
    return new HeatSetup(
        element,
        width,
        height,
        spacingX,
        spacingY,
        alpha == null ? 1 : alpha,
        timeStep.dt == null ? Double.NaN : timeStep.dt,
        timeStep.safety == null ? HeatSetup.SAFETY : timeStep.safety,
        chosen,
        begin);
  }

  private void requireField(ElementFile file) {
    List<Long> shape = file.shape();
    if (!file.type().isFloating() || shape.size() != 2 || InputFile.isFortranOrder(file)) {
      throw usage(
          "--init %s: float32 or float64 of shape (ny, nx) in C order expected, found %s %s%s",
          file.path(),
          FileType.of(file.type()),
          FileFormatException.excerpt(shape),
          InputFile.isFortranOrder(file) ? " in Fortran order" : "");
    }
    if (type != null && type.element() != file.type()
        || nx != null && nx.longValue() != shape.get(1)
        || ny != null && ny.longValue() != shape.get(0)) {
      throw usage(
          "--init %s: expected %s nx=%s ny=%s, found %s nx=%d ny=%d",
          file.path(),
          type == null ? "any" : type.toString(),
          nx == null ? "any" : nx.toString(),
          ny == null ? "any" : ny.toString(),
          FileType.of(file.type()),
          shape.get(1),
          shape.get(0));
    }
    if (file.length() == 0 || file.length() > Integer.MAX_VALUE) {
      throw usage("--init %s: no such grid: shape %s", file.path(), shape);
    }
  }

  private HeatSetup resumed(Path file) throws IOException {
    HeatCheckpoint saved = HeatCheckpoint.read(file);
    HeatSnapshot state = saved.state();
    saved.requireShape(
        file,
        type == null ? state.type() : type.element(),
        nx == null ? state.nx() : nx,
        ny == null ? state.ny() : ny);
    if (Double.isNaN(saved.diffusivity())) {
      throw usage("%s: its diffusivity differs from cell to cell", file);
    }
    requireSame(file, "--dx", dx, saved.dx());
    requireSame(file, "--dy", dy, saved.dy());
    requireSame(file, "--alpha", alpha, saved.diffusivity());
    requireSame(file, "--dt", timeStep.dt, saved.dt());
    List<String> names = List.of("--left", "--right", "--bottom", "--top");
    List<@Nullable SideOption> given = sides();
    List<SideOption> chosen = new ArrayList<>();
    for (int k = 0; k < names.size(); k++) {
      SideOption side = SideOption.of(saved.sides().get(k), saved.fluxes().get(k));
      SideOption option = given.get(k);
      if (option != null && (option.kind() != side.kind() || option.flux() != side.flux())) {
        throw usage(
            "%s %s contradicts %s, which has %s".formatted(names.get(k), option, file, side));
      }
      if (option != null && option.value() != null && !option.isOf(state, k)) {
        throw usage(
            "%s %s contradicts %s, whose nodes there have other values",
            names.get(k), option, file);
      }
      chosen.add(side);
    }
    return new HeatSetup(
        state.type(),
        state.nx(),
        state.ny(),
        saved.dx(),
        saved.dy(),
        saved.diffusivity(),
        saved.dt(),
        HeatSetup.SAFETY,
        chosen,
        new HeatSetup.Begin.Checkpoint(file, state.step()));
  }

  private void requireSame(Path file, String option, @Nullable Double given, double saved) {
    if (given != null && given != saved) {
      throw usage("%s %s contradicts %s, which has %s", option, given, file, saved);
    }
  }

  private void print(
      HeatSetup setup,
      Heat2D heat,
      HeatSnapshot last,
      HeatRun.End end,
      String description,
      double seconds) {
    List<String> sides = setup.sides().stream().map(SideOption::toString).toList();
    double speed = (last.step() - setup.step()) / seconds;
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("nx", last.nx());
    line.put("ny", last.ny());
    line.put("type", FileType.of(last.type()).toString());
    line.put("dx", setup.dx());
    line.put("dy", setup.dy());
    line.put("alpha", setup.alpha());
    line.put("dt", heat.dt());
    line.put("sides", sides);
    line.put("method", method);
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
    print(line, "steps       %,d to %,d of dt %s, time %s" + more, "from step dt time");
    String values = "least       %s%nlargest     %s%ntotal       %s%n";
    print(line, values + "change      %s by one more step", "min max total change");
    written().forEach((what, path) -> out().println("%-10s  %s".formatted(what, path)));
    print(
        line,
        "in %.3f s on %s, method %s: %,.0f steps and %.3g nodes a second",
        "seconds engine method stepsPerSecond nodesPerSecond");
  }

  /** Prints some of a line's values, named in the order of the format. */
  private void print(Map<String, Object> line, String format, String names) {
    out().println(format.formatted(Arrays.stream(names.split(" ", -1)).map(line::get).toArray()));
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
