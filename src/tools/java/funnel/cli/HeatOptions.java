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
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that say what {@code funnel heat} solves, and from where on. */
final class HeatOptions {

  /* A resumed run takes everything from its checkpoint. Options that repeat this are accepted, so
   * that the command of the first run can be repeated; others are refused, since the result would
   * be that of neither run. Inputs of which a checkpoint has only checksums must be given again.
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
      description = "Distance between nodes along x. Default: 1.")
  private @Nullable Double dx;

  @Option(
      names = "--dy",
      paramLabel = "LENGTH",
      description = "Distance between nodes along y. Default: as along x.")
  private @Nullable Double dy;

  @Option(
      names = "--alpha",
      paramLabel = "DIFFUSIVITY",
      description = "Diffusivity, in length^2 / time. Default: 1.")
  private @Nullable Double alpha;

  @Option(
      names = "--diffusivity",
      paramLabel = "FILE.npy",
      description = "Instead of --alpha: the diffusivity of each node's cell, of shape (ny, nx).")
  private @Nullable Path cells;

  @ArgGroup private TimeStep timeStep = new TimeStep();

  /** Either of two. */
  static final class TimeStep {
    @Option(names = "--dt", paramLabel = "TIME", description = "Length of a time step.")
    private @Nullable Double dt;

    @Option(
        names = "--safety",
        paramLabel = "SHARE",
        description =
            "Length of a time step as a fraction of the largest stable one, dx^2 dy^2 / (2 alpha"
                + " (dx^2 + dy^2)), or less at walls and Robin sides. Default: 0.8.")
    private @Nullable Double safety;
  }

  @Option(
      names = "--unstable",
      description = "Allow time steps above the largest stable one; the field then blows up.")
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
        "The initial field. hot-spot: 1 in a circle in the middle, else 0; gradient: from 0 at the"
            + " left side to 1 at the right; or a .npy of shape (ny, nx). Default: hot-spot."
      })
  private @Nullable String initial;

  @Option(
      names = "--source",
      paramLabel = "SOURCE",
      description =
          "The source term, in values per time: a number for all nodes, or a .npy of shape (ny,"
              + " nx). Default: none.")
  private @Nullable String source;

  @Option(
      names = "--left",
      paramLabel = "SIDE",
      converter = SideOption.Converter.class,
      description = {
        "neumann:F: the outward derivative is F; neumann: no heat passes. dirichlet:V: the nodes"
            + " have the value V; dirichlet: they keep their initial values. wall:V: the value is V"
            + " half a distance beyond the nodes. robin:H,V: heat passes to a temperature V"
            + " outside; H is the heat transfer coefficient divided by the conductivity. periodic:"
            + " continues at the opposite side, which must be periodic too. F and V may be a .npy"
            + " with a number for each node of the side. Default: neumann."
      })
  private @Nullable SideOption left;

  @Option(
      names = "--right",
      paramLabel = "SIDE",
      converter = SideOption.Converter.class,
      description = "As --left.")
  private @Nullable SideOption right;

  @Option(
      names = "--bottom",
      paramLabel = "SIDE",
      converter = SideOption.Converter.class,
      description = "As --left; this side is row 0 of a .npy.")
  private @Nullable SideOption bottom;

  @Option(
      names = "--top",
      paramLabel = "SIDE",
      converter = SideOption.Converter.class,
      description = "As --left; this side is the last row.")
  private @Nullable SideOption top;

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      defaultValue = "auto",
      description =
          "1 to 6 or global, halo-threads, tile, strip, register-march, register-stream; auto is"
              + " the fastest in measurements. The JVM has one method.")
  private String method = "auto";

  @Option(
      names = "--resume",
      paramLabel = "FILE.npz",
      description =
          "Continue from a checkpoint, as if the run had never stopped. It has the field,"
              + " distances, diffusivity, time step and sides; options may repeat them. --source"
              + " and --diffusivity must be given again.")
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
    return new ParameterException(spec.commandLine(), String.format(Locale.ROOT, message, values));
  }

  /** Refuses numbers out of range, and options that do not go together. */
  void requireNumbers() {
    if (nx != null && nx < 1 || ny != null && ny < 1) {
      boolean isX = nx != null && nx < 1;
      throw usage("%s=%s is out of range: at least 1", isX ? "--nx" : "--ny", isX ? nx : ny);
    }
    if (type != null && !type.element().isFloating()) {
      throw usage("--type %s: the type of a field is float32 or float64", type);
    }
    if (resume != null && (initial != null || timeStep.safety != null)) {
      throw usage(
          "--resume has the field and the time step: it does not allow --init and --safety");
    }
    if (alpha != null && cells != null) {
      throw usage("--alpha=%s and --diffusivity=%s: give only one of them", alpha, cells);
    }
  }

  private List<@Nullable SideOption> sides() {
    return Arrays.asList(left, right, bottom, top);
  }

  /** The described run, checked as far as possible without reading all data. */
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
      Path path = InputFile.regular(Path.of(name));
      if (!Files.exists(path) && !name.endsWith(".npy")) {
        throw usage(
            "--init '%s' is none of %s, %s, and not a file".formatted(name, HOT_SPOT, GRADIENT));
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
          "--init %s: expected %s nx=%s ny=%s, found %s nx=%s ny=%s",
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
              ? "differs from cell to cell: give the --diffusivity of its first run"
              : "is the same for all cells: %s; it does not allow --diffusivity"
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
