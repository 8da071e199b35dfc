package funnel.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.io.ElementOutput;
import funnel.io.NpyFormatException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Input that is refused, and what the builder makes of input that is not. */
class Heat2DTest {

  @TempDir Path folder;

  private final Funnel funnel = Funnel.open(Target.JVM);

  @AfterEach
  void closeFunnel() {
    funnel.close();
  }

  private HeatProblem.Builder builder(int nx, int ny) {
    return HeatProblem.builder(nx, ny);
  }

  private static <T extends Throwable> T refused(
      Class<T> type, Executable call, String... numbers) {
    T e = assertThrows(type, call);
    for (String number : numbers) {
      assertTrue(e.getMessage().contains(number), () -> number + " in: " + e.getMessage());
    }
    return e;
  }

  private static void refused(Executable call, String... numbers) {
    refused(IllegalArgumentException.class, call, numbers);
  }

  @Test
  void theFieldIsCopiedToMemoryOfTheSameSize() {
    try (Heat2D heat =
        builder(3, 2).dt(0.25).initial(new float[] {0, 1, 2, 3, 4, 5}).build().open(funnel)) {
      float[] into = new float[8];
      MemorySegment six = MemorySegment.ofArray(into).asSlice(4, 24);
      heat.copyTo(six);
      assertArrayEquals(new float[] {0, 0, 1, 2, 3, 4, 5, 0}, into, "before the first step");
      heat.step(3).copyTo(six);
      assertArrayEquals(heat.toFloats(), Arrays.copyOfRange(into, 1, 7));
      refused(() -> heat.copyTo(MemorySegment.ofArray(into)), "24", "6", "bytes=32");
      refused(() -> heat.copyTo(six.asReadOnly()), "bytes=24, read-only");
    }
  }

  @Test
  void theWorkedExample() {
    try (Heat2D heat =
        builder(5, 1)
            .dt(0.25)
            .initial(new float[] {0, 0, 1, 0, 0})
            .left(Side.dirichlet(0))
            .right(Side.dirichlet(0))
            .build()
            .open(funnel)) {
      assertArrayEquals(new float[] {0, 0.25f, 0.5f, 0.25f, 0}, heat.step(1).toFloats());
      assertEquals(0.25, heat.time());
    }
  }

  /** All that a problem was built of changes afterwards, and each of its solvers steps. */
  @Test
  void aProblemStaysAsItWasBuilt() {
    double[] field = {0, 1, 2, 3, 4, 5};
    double[] cells = {1, 2, 3, 4, 5, 6};
    double[] source = {0, 0, 1, 0, 0, 0};
    HeatProblem.Builder builder =
        builder(3, 2).initial(field).diffusivity(cells).source(source).dt(0.01);
    HeatProblem problem = builder.build();
    float[] expected;
    try (Heat2D heat = problem.open(funnel)) {
      expected = heat.step(5).toFloats();
    }
    for (double[] array : List.of(field, cells, source)) {
      Arrays.fill(array, 7);
    }
    builder.left(Side.dirichlet(3)).dt(0.02).type(ElementType.DOUBLE);
    for (int times = 0; times < 2; times++) {
      try (Heat2D heat = problem.open(funnel)) {
        assertArrayEquals(new float[] {0, 1, 2, 3, 4, 5}, heat.toFloats());
        assertArrayEquals(expected, heat.step(5).toFloats());
      }
    }
    assertEquals(
        "heat equation on 3 x 2 nodes of FLOAT, sides [neumann(0.0), neumann(0.0), neumann(0.0),"
            + " neumann(0.0)], dt=0.01",
        problem.toString());
    assertEquals(ElementType.FLOAT, problem.type());
    assertEquals(0.01, problem.dt());
  }

  @Test
  void gridsThatThereAreNot() {
    refused(() -> HeatProblem.builder(0, 5), "nx=0", "ny=5");
    refused(() -> HeatProblem.builder(5, -1), "nx=5", "ny=-1");
    refused(() -> HeatProblem.builder(50_000, 50_000), "nx=50000", "2500100001");
    refused(() -> HeatProblem.builder(Integer.MAX_VALUE, Integer.MAX_VALUE), "nx=2147483647");
  }

  @Test
  void numbersOutOfRange() {
    HeatProblem.Builder builder = builder(4, 4);
    refused(() -> builder.spacing(0, 1), "dx", "0.0");
    refused(() -> builder.spacing(1, Double.NaN), "dy", "NaN");
    refused(() -> builder.diffusivity(-1), "-1.0");
    refused(() -> builder.diffusivity(Double.POSITIVE_INFINITY), "Infinity");
    refused(() -> builder.dt(0), "dt", "0.0");
    refused(() -> builder.dt(-1), "dt", "-1.0");
    refused(() -> builder.dt(Double.NaN), "dt", "NaN");
    refused(() -> builder.largestStable(0), "0.0");
    refused(() -> builder.largestStable(1.5), "1.5");
    refused(() -> builder.batch(3), "3", "16");
    refused(() -> builder.type(ElementType.INT), "INT");
    refused(() -> Side.dirichlet(Double.NaN), "NaN");
    refused(() -> Side.dirichlet(new double[] {1, Double.NaN}), "profile[1]", "NaN");
    refused(() -> Side.neumann(Double.NEGATIVE_INFINITY), "Infinity");
    refused(() -> Side.wall(Double.NaN), "value of a side (wall)", "NaN");
    refused(() -> Side.robin(-1, 0), "transfer", "-1.0");
    refused(() -> Side.robin(Double.POSITIVE_INFINITY, 0), "transfer", "Infinity");
    refused(() -> Side.robin(1, new double[] {0, Double.NaN}), "profile[1]", "robin", "NaN");
    refused(() -> builder(4, 4).left(Side.robin(1e308, 0)).spacing(1e2, 1e2).build(), "NaN");
    refused(() -> builder(4, 4).left(Side.wall(2e38)).build(), "left", "4.0E38");
    refused(() -> builder(4, 4).diffusivity(0).build(), "Infinity");
    refused(() -> builder(4, 4).spacing(1e-3, 1).build(), "dx=0.001", "double");
    refused(() -> builder(4, 4).left(Side.neumann(1e39)).build(), "1.0E39");
    refused(() -> builder(4, 4).top(Side.dirichlet(1e39)).build(), "top", "1.0E39");
  }

  @Test
  void unstableSteps() {
    UnstableStepException e =
        refused(
            UnstableStepException.class,
            () -> builder(4, 4).diffusivity(2).spacing(1, 2).dt(0.3).build(),
            "dt=0.3",
            "limit=0.2",
            "diffusivity=2.0",
            "unstable()");
    assertEquals(0.3, e.dt());
    assertEquals(0.2, e.limit());
    refused(
        UnstableStepException.class,
        () -> builder(2, 1).diffusivity(new double[] {1, 4}).dt(0.1).build(),
        "limit=0.0625");
    try (Heat2D heat = builder(4, 4).dt(0.25).build().open(funnel)) {
      assertEquals(0.25, heat.dt());
    }
    try (Heat2D heat =
        builder(9, 9).dt(0.4).unstable().initial((x, y) -> (x + y) % 2).build().open(funnel)) {
      assertThrows(ArithmeticException.class, () -> heat.stepUntil(0, 16, 10_000));
      assertTrue(heat.steps() < 10_000);
    }
    double[] cells = {1, 4};
    try (Heat2D heat =
        builder(2, 1)
            .diffusivity(cells)
            .dt(2)
            .unstable()
            .initial((x, y) -> x)
            .build()
            .open(funnel)) {
      refused(
          ArithmeticException.class, () -> heat.stepUntil(0, 16, 10_000), "dt=2.0", "limit=0.0625");
    }
  }

  @Test
  void fieldsMayBeArraysOfRows() {
    double[][] doubles = {{0, 1, 2}, {3, 4, 5}};
    float[][] floats = {{0, 1, 2}, {3, 4, 5}};
    HeatProblem.Builder flat =
        builder(3, 2).dt(0.25).initial(new double[] {0, 1, 2, 3, 4, 5}).source(new double[6]);
    HeatProblem.Builder rows = builder(3, 2).dt(0.25).source(new double[2][3]);
    try (Heat2D expected = flat.build().open(funnel);
        Heat2D ofDoubles = rows.initial(doubles).build().open(funnel);
        Heat2D ofFloats = rows.initial(floats).build().open(funnel);
        Heat2D warmed = rows.source(doubles).build().open(funnel);
        Heat2D warmedToo = flat.source(new double[] {0, 1, 2, 3, 4, 5}).build().open(funnel)) {
      assertArrayEquals(expected.step(3).toFloats(), ofDoubles.step(3).toFloats());
      assertArrayEquals(expected.toFloats(), ofFloats.step(3).toFloats());
      assertArrayEquals(warmedToo.step(3).toFloats(), warmed.step(3).toFloats());
    }
  }

  @Test
  void fieldsThatDoNotFit() {
    refused(() -> builder(4, 3).initial(new float[11]), "length=11", "nodes=12", "nx=4", "ny=3");
    refused(() -> builder(4, 3).initial(new double[13]), "length=13", "nodes=12");
    refused(() -> builder(4, 3).initial(new double[2][4]), "rows=2", "nx=4", "ny=3");
    refused(() -> builder(4, 3).initial(new float[3][5]), "rows=3", "length of row 0=5", "nx=4");
    double[][] ragged = {new double[4], new double[4], {1}};
    refused(() -> builder(4, 3).source(ragged), "source", "length of row 2=1", "nx=4");
    refused(() -> builder(4, 3).source(new double[1]), "source", "length=1");
    refused(() -> builder(4, 3).diffusivity(new double[0]), "diffusivity", "length=0");
    refused(
        () -> builder(4, 3).left(Side.dirichlet(new double[4])).build(),
        "left",
        "length=4",
        "nodes=3");
    refused(
        () -> builder(4, 3).top(Side.dirichlet(new double[3])).build(),
        "top",
        "length=3",
        "nodes=4");
  }

  @Test
  void fieldsThatAreNotFinite() {
    float[] values = new float[12];
    values[7] = Float.NaN;
    HeatProblem.Builder builder = builder(4, 3).initial(values);
    HeatFieldException e =
        refused(
            HeatFieldException.class,
            builder::build,
            "initial field at node (3, 1) is NaN: a finite number of type FLOAT expected");
    assertEquals("initial field", e.field());
    assertEquals(3, e.i());
    assertEquals(1, e.j());
    assertEquals(Double.NaN, e.value());
    refused(
        HeatFieldException.class,
        () -> builder(4, 3).initial((x, y) -> 1 / (x - 2)).build(),
        "(2, 0)",
        "Infinity");
    refused(
        HeatFieldException.class,
        () -> builder(4, 3).initial((x, y) -> 1e39).build(),
        "(0, 0)",
        "1.0E39",
        "FLOAT");
    refused(
        HeatFieldException.class,
        () -> builder(4, 3).source((x, y) -> Math.sqrt(y - 1)).build(),
        "source",
        "(0, 0)",
        "NaN");
    HeatFieldException negative =
        refused(
            HeatFieldException.class,
            () -> builder(1, 2).diffusivity(new double[] {0, -2}),
            "diffusivity",
            "(0, 1)",
            "-2.0");
    assertEquals("diffusivity", negative.field());
    assertEquals(-2, negative.value());
  }

  @Test
  void onlyOneSidePeriodic() {
    refused(
        () -> builder(4, 4).left(Side.periodic()).build(), "left=periodic", "right=neumann(0.0)");
    refused(
        () -> builder(4, 4).top(Side.periodic()).bottom(Side.dirichlet(1)).build(),
        "bottom=dirichlet(1.0)",
        "top=periodic");
  }

  @Test
  void methodsThatDoNotFit() {
    refused(
        () -> builder(4, 4).method(HeatMethod.REGISTER_STREAM).type(ElementType.DOUBLE).build(),
        "register-stream",
        "DOUBLE");
    refused(
        () ->
            builder(2, 1)
                .method(HeatMethod.REGISTER_STREAM)
                .diffusivity(new double[] {1, 2})
                .build(),
        "register-stream",
        "diffusivity by cell=true");
    refused(
        () ->
            builder(2, 1).method(HeatMethod.REGISTER_STREAM).left(Side.wall(new double[1])).build(),
        "register-stream",
        "wall[1]");
    builder(2, 1).method(HeatMethod.REGISTER_STREAM).left(Side.dirichlet(new double[1])).build();
  }

  private Path npy(ElementType type, MemorySegment values, long... shape) throws IOException {
    Path file = folder.resolve("field.npy");
    try (ElementOutput out = ElementOutput.create(file, type, shape)) {
      out.append(values);
      out.commit(true);
    }
    return file;
  }

  @Test
  void beginsWithAFile() throws IOException {
    double[] values = {1, 2, 3, 4, 5, 6};
    Path file = npy(ElementType.DOUBLE, MemorySegment.ofArray(values), 2, 3);
    try (Heat2D heat = builder(3, 2).initial(file).build().open(funnel)) {
      assertArrayEquals(values, heat.toDoubles());
      assertEquals(6, heat.snapshot().at(2, 1));
    }
    refused(() -> builder(2, 3).initial(file), "[2, 3]", "ny=3", "nx=2");
    HeatProblem.Builder cells = builder(3, 2).dt(0.01).source(file).diffusivity(file);
    try (Heat2D heat = cells.initial(file).build().open(funnel);
        Heat2D same = cells.source(values).diffusivity(values).build().open(funnel)) {
      assertEquals(same.step(3).checkpoint(), heat.step(3).checkpoint());
    }
    Path ints = npy(ElementType.INT, MemorySegment.ofArray(new int[6]), 2, 3);
    refused(() -> builder(3, 2).initial(ints), "INT");
    Files.writeString(file, "no array");
    assertThrows(NpyFormatException.class, () -> builder(3, 2).initial(file));
    assertThrows(IOException.class, () -> builder(3, 2).initial(folder.resolve("none.npy")));
  }

  /** The same field column by column, as NumPy saves a transposed array. */
  @Test
  void filesInFortranOrderAreFieldsToo() throws IOException {
    double[] columns = {1, 4, 2, 5, 3, 6};
    Path file = npy(ElementType.DOUBLE, MemorySegment.ofArray(columns), 2, 3);
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    Files.write(
        file,
        text.replace("'fortran_order': False", "'fortran_order': True ")
            .getBytes(StandardCharsets.ISO_8859_1));
    try (Heat2D heat = builder(3, 2).initial(file).build().open(funnel)) {
      assertArrayEquals(new double[] {1, 2, 3, 4, 5, 6}, heat.toDoubles());
    }
  }

  @Test
  void checkpointsOfOthersAreRefusedAndChangeNothing() throws IOException {
    Path file = folder.resolve("run.npz");
    try (Heat2D heat = builder(5, 4).dt(0.125).initial((x, y) -> x).build().open(funnel)) {
      heat.step(3).checkpoint(file);
    }
    try (Heat2D other = builder(4, 5).dt(0.125).build().open(funnel)) {
      refused(
          HeatCheckpointException.class, () -> other.resume(file), "nx=4", "ny=5", "nx=5", "ny=4");
    }
    try (Heat2D other = builder(5, 4).dt(0.1).initial((x, y) -> y).build().open(funnel)) {
      refused(HeatCheckpointException.class, () -> other.resume(file), "0.1", "0.125");
      assertEquals(0, other.steps());
      assertEquals(3, other.snapshot().at(0, 3));
    }
    try (Heat2D other = builder(5, 4).dt(0.125).sides(Side.periodic()).build().open(funnel)) {
      refused(
          HeatCheckpointException.class,
          () -> other.resume(file),
          "expected dx, dy, dt, diffusivity, sides [1.0, 1.0, 0.125, 1.0, [periodic, ",
          "found [1.0, 1.0, 0.125, 1.0, [neumann(0.0), ");
    }
    try (Heat2D other = builder(5, 4).dt(0.125).source((x, y) -> 1).build().open(funnel)) {
      refused(HeatCheckpointException.class, () -> other.resume(file), "checksums of source");
    }
    double[] cells = new double[20];
    Arrays.fill(cells, 1);
    try (Heat2D other = builder(5, 4).dt(0.125).diffusivity(cells).build().open(funnel)) {
      refused(HeatCheckpointException.class, () -> other.resume(file), "NaN");
    }
  }

  /** A solver goes back to before its sides and its source were changed once they are as then. */
  @Test
  void checkpointsKeepSidesThatChangeInTime() {
    HeatProblem.Builder builder =
        builder(5, 4)
            .dt(0.125)
            .left(Side.robin(2, 7))
            .right(Side.dirichlet(1))
            .top(Side.wall(new double[] {1, 2, 3, 4, 5}))
            .source((x, y) -> x);
    try (Heat2D heat = builder.build().open(funnel);
        Heat2D other = builder.build().open(funnel)) {
      HeatCheckpoint saved = heat.step(3).checkpoint();
      HeatSnapshot expected = heat.step(3).snapshot();
      heat.left(Side.wall(7)).right(Side.dirichlet(2)).source((x, y) -> 2 * x).step(1);
      refused(() -> heat.resume(saved), "[wall(7.0), ", "[robin(2.0)(7.0), ", "sides");
      heat.left(Side.robin(2, 7));
      refused(() -> heat.resume(saved), "checksums of source");
      heat.source((x, y) -> x).resume(saved);
      assertEquals(saved, heat.checkpoint());
      assertEquals(expected, heat.step(3).snapshot());
      other.resume(saved);
      other.bottom(Side.neumann(0)); // sends all sides, but sets no node
      assertEquals(expected, other.step(3).snapshot());
    }
  }

  /** What the checkpoint has at a Dirichlet side is the field's, whatever the solver had. */
  @Test
  void nodesOfACheckpointStayWhenAnotherSideIsSet() {
    HeatProblem.Builder builder = builder(3, 3).dt(0.125).top(Side.dirichlet());
    try (Heat2D heat = builder.left(Side.dirichlet(5)).build().open(funnel);
        Heat2D other = builder.left(Side.dirichlet(6)).build().open(funnel)) {
      heat.top(Side.dirichlet(2));
      other.resume(heat.checkpoint());
      other.top(Side.dirichlet(3));
      assertArrayEquals(new float[] {5, 0, 0, 5, 0, 0, 3, 3, 3}, other.toFloats());
      other.left(Side.dirichlet());
      assertArrayEquals(new float[] {5, 0, 0, 5, 0, 0, 3, 3, 3}, other.toFloats());
    }
  }

  @Test
  void sidesThatCannotTakeAnothersPlace() {
    HeatProblem.Builder builder =
        builder(4, 3).dt(0.25).bottom(Side.dirichlet(1)).top(Side.neumann(new double[4]));
    try (Heat2D heat = builder.build().open(funnel)) {
      HeatCheckpoint before = heat.checkpoint();
      refused(() -> heat.left(Side.periodic()), "left", "neumann(0.0)", "periodic");
      refused(() -> heat.left(Side.dirichlet(1)), "left", "dirichlet(1.0)");
      refused(
          () -> heat.left(Side.neumann(new double[3])),
          "left",
          "neumann[3]",
          "that was built with one");
      refused(() -> heat.bottom(Side.wall(1)), "bottom", "dirichlet(1.0)", "wall(1.0)");
      refused(() -> heat.bottom(Side.dirichlet(new double[3])), "bottom", "length=3", "nodes=4");
      refused(() -> heat.top(Side.neumann(new double[5])), "top", "length=5", "nodes=4");
      refused(() -> heat.right(Side.neumann(1e39)), "right", "1.0E39");
      refused(() -> heat.source(new double[12]), "without a source", "zeros");
      refused(
          UnstableStepException.class,
          () -> heat.left(Side.wall(1)),
          "dt=0.25",
          "limit=0.2",
          "sides [wall(1.0), neumann(0.0), dirichlet(1.0), neumann[4]]");
      assertEquals(before, heat.checkpoint());
      heat.left(Side.neumann(2))
          .left(Side.robin(2, 3))
          .top(Side.neumann(4))
          .bottom(Side.dirichlet());
      assertEquals(
          List.of(Side.robin(2, 3), Side.neumann(0), Side.dirichlet(), Side.neumann(4)),
          heat.step(1).checkpoint().sides());
    }
    Heat2D closed = builder(3, 3).build().open(funnel);
    closed.close();
    assertThrows(IllegalStateException.class, () -> closed.left(Side.neumann(1)));
    try (Heat2D heat = builder(4, 3).source(new double[12]).build().open(funnel)) {
      refused(() -> heat.source(new double[11]), "source", "length=11");
      refused(HeatFieldException.class, () -> heat.source((x, y) -> 1 / x), "(0, 0)", "Infinity");
    }
  }

  @Test
  void checkpointsInMemoryOfOthersAreRefusedAndChangeNothing() {
    HeatCheckpoint saved;
    try (Heat2D heat = builder(5, 4).dt(0.125).initial((x, y) -> x).build().open(funnel)) {
      saved = heat.step(3).checkpoint();
    }
    try (Heat2D other = builder(4, 5).dt(0.125).build().open(funnel)) {
      refused(
          () -> other.resume(saved), "expected FLOAT nx=4 ny=5, found FLOAT nx=5 ny=4", "build");
    }
    try (Heat2D other = builder(5, 4).dt(0.1).initial((x, y) -> y).build().open(funnel)) {
      HeatCheckpoint before = other.checkpoint();
      refused(() -> other.resume(saved), "0.1", "0.125");
      assertEquals(before, other.checkpoint());
    }
    try (Heat2D same = builder(5, 4).dt(0.125).build().open(funnel)) {
      HeatCheckpoint before = same.checkpoint();
      saved.state().values().setAtIndex(ValueLayout.JAVA_FLOAT, 7, Float.NaN);
      HeatFieldException e =
          refused(HeatFieldException.class, () -> same.resume(saved), "checkpoint's field");
      assertEquals(2, e.i());
      assertEquals(1, e.j());
      assertEquals(before, same.checkpoint());
    }
    Heat2D closed = builder(5, 4).dt(0.125).build().open(funnel);
    HeatCheckpoint own = closed.checkpoint();
    closed.close();
    assertThrows(IllegalStateException.class, () -> closed.resume(own));
    try (Heat2D heat =
        builder(3, 3).build().open(funnel).observe(1, h -> h.resume(h.checkpoint()))) {
      assertThrows(IllegalStateException.class, () -> heat.step(1));
    }
  }

  @Test
  void callsAtTheWrongTime() {
    try (Heat2D closed = builder(3, 3).build().open(funnel).observe(1, Heat2D::close)) {
      refused(IllegalStateException.class, () -> closed.step(2), "observer", "close it after");
      assertEquals(1, closed.steps());
      assertEquals(0, closed.maxChange());
    }
    Heat2D heat = builder(3, 3).build().open(funnel).observe(2, h -> h.step(1));
    assertThrows(IllegalArgumentException.class, () -> heat.step(-1));
    refused(() -> heat.observe(0, h -> {}), "every=0");
    assertThrows(IllegalArgumentException.class, () -> heat.stepUntil(Double.NaN, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> heat.stepUntil(0, 0, 1));
    assertThrows(IllegalStateException.class, () -> heat.step(2));
    assertEquals(2, heat.steps());
    heat.step(1);
    assertEquals(3, heat.steps());
    heat.close();
    heat.close();
    assertThrows(IllegalStateException.class, () -> heat.step(1));
    assertThrows(IllegalStateException.class, heat::toFloats);
    assertThrows(IllegalStateException.class, heat::totalHeat);
    assertThrows(IllegalStateException.class, () -> heat.observe(1, h -> {}));
  }

  private void save(Heat2D heat) throws IOException {
    heat.checkpoint(folder.resolve("step%s/run.npz".formatted(heat.steps())));
  }

  /** Of three observers of a step, the second one fails once. */
  @Test
  void anObserverMayThrowAnIOException() throws IOException {
    List<Long> before = new ArrayList<>();
    List<Long> behind = new ArrayList<>();
    Files.createDirectory(folder.resolve("step8"));
    try (Heat2D heat =
            builder(5, 4)
                .initial((x, y) -> x * y)
                .build()
                .open(funnel)
                .observe(2, h -> before.add(h.steps()))
                .observe(4, this::save)
                .observe(2, h -> behind.add(h.steps()));
        Heat2D same = builder(5, 4).initial((x, y) -> x * y).build().open(funnel)) {
      UncheckedIOException e =
          refused(
              UncheckedIOException.class, () -> heat.step(9), "every=4", "step=4", "NoSuchFile");
      assertInstanceOf(NoSuchFileException.class, e.getCause());
      assertEquals(same.step(4).snapshot(), heat.snapshot());
      assertEquals(List.of(2L, 4L), before);
      assertEquals(List.of(2L), behind);
      assertEquals(same.step(5).snapshot(), heat.step(5).snapshot());
      assertEquals(List.of(2L, 4L, 6L, 8L), before);
      assertEquals(List.of(2L, 6L, 8L), behind);
      assertEquals(8, HeatCheckpoint.read(folder.resolve("step8/run.npz")).state().step());
      assertThrows(UncheckedIOException.class, () -> heat.stepUntil(0, 5, 20));
      assertEquals(12, heat.steps());
    }
  }

  @Test
  void whatElseAnObserverThrowsComesAsItIs() {
    UncheckedIOException mine = new UncheckedIOException(new IOException("mine"));
    try (Heat2D heat =
        builder(3, 3)
            .build()
            .open(funnel)
            .observe(
                1,
                h -> {
                  throw mine;
                })) {
      assertSame(mine, assertThrows(UncheckedIOException.class, () -> heat.step(2)));
      assertEquals(1, heat.steps());
    }
  }

  @Test
  void anEngineOfItsOwn() {
    try (Heat2D heat = builder(3, 3).type(ElementType.DOUBLE).build().open()) {
      assertEquals(ElementType.DOUBLE, heat.step(5).snapshot().type());
      assertArrayEquals(new float[9], heat.toFloats());
    }
    assertFalse(assertThrows(IllegalStateException.class, this::onClosed).getMessage().isEmpty());
  }

  private void onClosed() {
    funnel.close();
    builder(3, 3).build().open(funnel);
  }
}
