package funnel.cli;

import funnel.heat.HeatCheckpoint;
import funnel.heat.HeatSnapshot;
import funnel.heat.Side;
import funnel.io.ElementFile;
import funnel.io.FileFormatException;
import funnel.operator.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that say what {@code funnel heat} solves, and from where on. */
final class HeatOptions {

  /* A resumed run takes everything from its checkpoint. Options that say the same again are all
   * right, so that the command of the first run can be given again; others are refused, since the
   * result would be that of neither run. What a checkpoint has checksums of alone is given again.
   */

  static final int NODES = 256;
  private static final String HOT_SPOT = "hot-spot";
  private static final String GRADIENT = "gradient";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

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

  @Option(
      names = "--diffusivity",
      paramLabel = "FILE.npy",
      description = "In place of --alpha: that of each node's cell, of shape (ny, nx).")
  private @Nullable Path cells;

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
                + " dy^2)), or less beside walls and Robin sides. Default: 0.8.")
    private @Nullable Double safety;
  }

  @Option(
      names = "--unstable",
      description = "Allow steps beyond the largest stable one, which blow up.")
  private boolean unstable;

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
      names = "--source",
      paramLabel = "SOURCE",
      description =
          "What warms the nodes, in values over time: a number for all, or a .npy of shape (ny,"
              + " nx). Default: nothing.")
  private @Nullable String source;

  @Option(
      names = "--left",
      paramLabel = "SIDE",
      converter = SideOption.Converter.class,
      description = {
        "neumann:F has the outward derivative F; neumann has none: no heat passes. dirichlet:V has"
            + " the value V, dirichlet keeps the initial field's values. wall:V has the value V"
            + " half a distance beyond the nodes. robin:H,V lets heat pass to a temperature V"
            + " outside; H is the coefficient of heat transfer over the conductivity. periodic goes"
            + " on at the opposite side, which must be periodic too. F and V may be a .npy with a"
            + " number for each node of the side. Default: neumann."
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
      names = "--resume",
      paramLabel = "FILE.npz",
      description =
          "Go on from a checkpoint, as if the run had never stopped. It has the field, distances,"
              + " diffusivity, time step and sides; options may repeat them. --source and"
              + " --diffusivity are to be given again.")
  private @Nullable Path resume;

  @Nullable Path resume() {
    return resume;
  }

  String method() {
    return method;
  }

  boolean mayBeUnstable() {
    return unstable;
  }

  private ParameterException usage(String message, @Nullable Object... values) {
    return new ParameterException(spec.commandLine(), message.formatted(values));
  }

  /** Refuses numbers out of range, and options that do not go together. */
  void requireNumbers() {
    if (nx != null && nx < 1 || ny != null && ny < 1) {
      boolean isX = nx != null && nx < 1;
      throw usage("%s=%d is out of range: at least 1", isX ? "--nx" : "--ny", isX ? nx : ny);
    }
    if (type != null && !type.element().isFloating()) {
      throw usage("--type %s: a field is of float32 or float64", type);
    }
    if (resume != null && (initial != null || timeStep.safety != null)) {
      throw usage(
          "--resume has the field and the time step: --init and --safety do not go with it");
    }
    if (alpha != null && cells != null) {
      throw usage("--alpha=%s and --diffusivity=%s: give one of them", alpha, cells);
    }
  }

  private List<@Nullable SideOption> sides() {
    return Arrays.asList(left, right, bottom, top);
  }

  /** What is to be solved, checked as far as it can be without reading all of it. */
  HeatSetup setup() throws IOException {
    return resume == null ? fresh() : resumed(resume);
  }

  private Side read(SideOption option) throws IOException {
    try {
      return option.read();
    } catch (IllegalArgumentException e) {
      throw usage("%s", e.getMessage());
    }
  }

  private HeatSetup fresh() throws IOException {
    List<Side> chosen = new ArrayList<>();
    for (SideOption option : sides()) {
      chosen.add(option == null ? Side.neumann(0) : read(option));
    }
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
        cells != null ? Double.NaN : alpha == null ? 1 : alpha,
        cells,
        source,
        timeStep.dt == null ? Double.NaN : timeStep.dt,
        timeStep.safety == null ? HeatSetup.SAFETY : timeStep.safety,
        chosen,
        begin);
  }

  private void requireField(ElementFile file) {
    List<Long> shape = file.shape();
    if (!file.type().isFloating() || shape.size() != 2) {
      throw usage(
          "--init %s: float32 or float64 of shape (ny, nx) expected, found %s %s",
          file.path(), FileType.of(file.type()), FileFormatException.excerpt(shape));
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
    if (Double.isNaN(saved.diffusivity()) != (cells != null)) {
      throw usage(
          "%s: its diffusivity %s",
          file,
          cells == null
              ? "differs from cell to cell: give --diffusivity, that of its first run"
              : "is one for all: %s; --diffusivity does not go with it"
                  .formatted(saved.diffusivity()));
    }
    requireSame(file, "--dx", dx, saved.dx());
    requireSame(file, "--dy", dy, saved.dy());
    requireSame(file, "--alpha", alpha, saved.diffusivity());
    requireSame(file, "--dt", timeStep.dt, saved.dt());
    List<String> names = List.of("--left", "--right", "--bottom", "--top");
    List<@Nullable SideOption> given = sides();
    for (int place = 0; place < names.size(); place++) {
      requireSame(file, names.get(place), given.get(place), saved, place);
    }
    return new HeatSetup(
        state.type(),
        state.nx(),
        state.ny(),
        saved.dx(),
        saved.dy(),
        saved.diffusivity(),
        cells,
        source,
        saved.dt(),
        HeatSetup.SAFETY,
        saved.sides(),
        new HeatSetup.Begin.Checkpoint(file, state.step()));
  }

  private void requireSame(Path file, String option, @Nullable Double given, double saved) {
    if (given != null && given != saved) {
      throw usage("%s %s contradicts %s, which has %s", option, given, file, saved);
    }
  }

  private void requireSame(
      Path file, String option, @Nullable SideOption given, HeatCheckpoint saved, int place)
      throws IOException {
    if (given == null) {
      return;
    }
    Side side = read(given);
    Side found = saved.sides().get(place);
    boolean isDirichlet = side.kind() == Side.Kind.DIRICHLET && found.kind() == side.kind();
    if (!isDirichlet && !side.equals(found)) {
      throw usage(
          "%s %s contradicts %s, which has %s", option, given, file, SideOption.text(found));
    }
    if (!SideOption.isOf(side, saved.state(), place)) {
      throw usage("%s %s contradicts %s, whose nodes there have other values", option, given, file);
    }
  }
}
