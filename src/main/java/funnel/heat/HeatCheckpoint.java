package funnel.heat;

import funnel.io.FileFormatException;
import funnel.io.Npz;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The state from which a run can continue as if it had never stopped, bit for bit.
 *
 * {@snippet class="funnel.docs.HeatOutputSnippets" region="checkpoint"}
 *
 * <p>The file is a NumPy archive: {@code np.load("run.npz")["field"]}. A notebook may write one
 * with {@code np.savez}, of the arrays that {@link #write} lists.
 *
 * <p>Checkpoints are equal if their numbers are and their {@linkplain HeatSnapshot fields} have the
 * same bits.
 *
 * @param state the field with its step and time
 * @param dx the distance of nodes along x
 * @param dy the distance of nodes along y
 * @param dt the time of a step
 * @param diffusivity the diffusivity of all nodes; NaN if it differs from cell to cell
 * @param sides left, right, bottom and top; Dirichlet sides without values, which are the field's
 * @param checksums CRC-32 of the source and of the diffusivities by cell, as the solver uses them;
 *     empty if unknown, and then not compared
 */
public record HeatCheckpoint(
    HeatSnapshot state,
    double dx,
    double dy,
    double dt,
    double diffusivity,
    List<Side> sides,
    List<Long> checksums) {

  /* Why .npz, and not a special format: every array in it states its type and shape, floating-point
   * numbers are stored as their bits, every entry of the zip archive has a length and a CRC-32,
   * which unzip -t and NumPy check themselves, and notebooks read and write it with one call. A
   * .npy alone has no place for the other numbers, and JSON would store them as text. The archive's
   * CRC-32 covers the headers and the small entries too, which a checksum of the field alone would
   * not.
   */

  /** In version 1 the only numbers of sides are the fluxes of Neumann sides. */
  private static final List<Long> VERSIONS = List.of(1L, 2L);

  private static final String MAGIC = "funnel_heat_checkpoint";
  private static final String FIELD = "field";
  private static final String STEP = "step";
  private static final String TIME = "time";
  private static final String DT = "dt";
  private static final String DX = "dx";
  private static final String DY = "dy";
  private static final String DIFFUSIVITY = "diffusivity";
  private static final String SIDES = "sides";
  private static final String FLUXES = "fluxes";
  private static final String TRANSFERS = "transfers";
  private static final String CHECKSUMS = "checksums";
  private static final Set<String> NAMES =
      Stream.concat(
              Stream.of(MAGIC, FIELD, STEP, TIME, DT, DX, DY, DIFFUSIVITY, SIDES, FLUXES),
              Stream.concat(HeatGrid.SIDES.stream(), Stream.of(TRANSFERS, CHECKSUMS)))
          .collect(Collectors.toUnmodifiableSet());
  private static final List<Long> INSULATED = List.of(1L, 1L, 1L, 1L);
  private static final List<Double> ZEROS = List.of(0.0, 0.0, 0.0, 0.0);
  private static final int SIDE_COUNT = HeatGrid.SIDES.size();

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if a distance or the time of a step is not positive and
   *     finite, there are not four sides, a profile of theirs has another length, or there are
   *     neither two checksums nor none
   */
  public HeatCheckpoint {
    Objects.requireNonNull(state, "state");
    sides = sides.stream().map(Side::kept).toList();
    checksums = List.copyOf(checksums);
    for (double positive : new double[] {dx, dy, dt}) {
      if (!(positive > 0 && Double.isFinite(positive))) {
        throw new IllegalArgumentException(
            "not positive and finite: dx=%s, dy=%s, dt=%s".formatted(dx, dy, dt));
      }
    }
    if (sides.size() != SIDE_COUNT || checksums.size() % 2 != 0) {
      throw new IllegalArgumentException(
          "four sides expected, and two checksums or none: sides=%s, checksums=%s"
              .formatted(sides, checksums));
    }
    for (int place = 0; place < SIDE_COUNT; place++) {
      int nodes = HeatGrid.isAcrossX(place) ? state.ny() : state.nx();
      sides.get(place).requireLength(HeatGrid.SIDES.get(place), nodes);
    }
  }

  /**
   * Writes this checkpoint. The file appears under its name when it is complete and on the disk,
   * replacing an existing one; if anything fails, the old file is unchanged.
   *
   * <p>The arrays are {@code funnel_heat_checkpoint}, the version 2; {@code step}, a long; {@code
   * time}, {@code dt}, {@code dx}, {@code dy} and {@code diffusivity}, doubles; {@code sides}, the
   * numbers of four {@linkplain Side.Kind kinds}, longs; {@code transfers}, those of Robin sides,
   * four doubles; {@code left}, {@code right}, {@code bottom} and {@code top}, the values of a
   * Neumann, Robin or wall side, a double or one for each of its nodes; {@code checksums}, two
   * longs; {@code field}, of shape (ny, nx). Other programs may omit all but the version, {@code
   * dt} and the field: step, time and values are then 0, distances and diffusivity 1, and sides
   * insulated. Version 1 is read too: {@code fluxes} has the values of Neumann sides there.
   *
   * @throws IOException if it cannot be written
   */
  public void write(Path file) throws IOException {
    SequencedMap<String, Npz.Array> arrays = new LinkedHashMap<>();
    arrays.put(MAGIC, Npz.Array.of(VERSIONS.getLast()));
    arrays.put(STEP, Npz.Array.of(state.step()));
    arrays.put(TIME, Npz.Array.of(state.time()));
    arrays.put(DT, Npz.Array.of(dt));
    arrays.put(DX, Npz.Array.of(dx));
    arrays.put(DY, Npz.Array.of(dy));
    arrays.put(DIFFUSIVITY, Npz.Array.of(diffusivity));
    arrays.put(SIDES, Npz.Array.of(sides.stream().mapToLong(s -> s.kind().ordinal()).toArray()));
    arrays.put(TRANSFERS, Npz.Array.of(sides.stream().mapToDouble(Side::transfer).toArray()));
    for (int place = 0; place < SIDE_COUNT; place++) {
      Side side = sides.get(place);
      double[] values = side.values();
      if (values.length > 0) {
        arrays.put(
            HeatGrid.SIDES.get(place),
            side.isProfile() ? Npz.Array.of(values) : Npz.Array.of(values[0]));
      }
    }
    if (!checksums.isEmpty()) {
      arrays.put(CHECKSUMS, Npz.Array.of(checksums.stream().mapToLong(Long::longValue).toArray()));
    }
    arrays.put(
        FIELD,
        new Npz.Array(state.type(), List.of((long) state.ny(), (long) state.nx()), state.values()));
    Npz.write(file, arrays);
  }

  /**
   * Reads a checkpoint.
   *
   * @throws HeatCheckpointException if it is not a checkpoint, cut off, damaged, or of another
   *     version
   * @throws IOException if it cannot be read
   */
  public static HeatCheckpoint read(Path file) throws IOException {
    Map<String, Npz.Array> arrays;
    try {
      arrays = Npz.read(file, NAMES);
    } catch (FileFormatException e) {
      throw new HeatCheckpointException(file, e);
    }
    long version = integers(file, arrays, MAGIC, 1, List.of(0L)).getFirst();
    if (!VERSIONS.contains(version)) {
      throw new HeatCheckpointException(
          file,
          version == 0
              ? "not a checkpoint: an array '%s' expected, found %s"
                  .formatted(MAGIC, arrays.keySet())
              : "checkpoint of version %s, versions %s are read".formatted(version, VERSIONS));
    }
    Npz.Array field = arrays.get(FIELD);
    if (field == null || !field.type().isFloating() || field.shape().size() != 2) {
      throw new HeatCheckpointException(
          file,
          "a field of floats or doubles with two dimensions expected, found "
              + (field == null
                  ? "none"
                  : field.type() + " " + FileFormatException.excerpt(field.shape())));
    }
    if (!arrays.containsKey(DT)) {
      throw new HeatCheckpointException(file, "no 'dt', the time of a step");
    }
    try {
      return new HeatCheckpoint(
          new HeatSnapshot(
              field.type(),
              Math.toIntExact(field.shape().get(1)),
              Math.toIntExact(field.shape().get(0)),
              integers(file, arrays, STEP, 1, List.of(0L)).getFirst(),
              number(file, arrays, TIME, 0),
              field.data()),
          number(file, arrays, DX, 1),
          number(file, arrays, DY, 1),
          number(file, arrays, DT, 0),
          number(file, arrays, DIFFUSIVITY, 1),
          sides(file, arrays),
          integers(file, arrays, CHECKSUMS, 2, List.of()));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new HeatCheckpointException(file, String.valueOf(e.getMessage()));
    }
  }

  private static List<Side> sides(Path file, Map<String, Npz.Array> arrays)
      throws HeatCheckpointException {
    List<Long> numbers = integers(file, arrays, SIDES, SIDE_COUNT, INSULATED);
    List<Double> transfers = numbers(file, arrays, TRANSFERS, SIDE_COUNT, ZEROS);
    List<Double> fluxes = numbers(file, arrays, FLUXES, SIDE_COUNT, ZEROS);
    List<Side.Kind> kinds = List.of(Side.Kind.values());
    List<Side> sides = new ArrayList<>();
    for (int place = 0; place < SIDE_COUNT; place++) {
      long number = numbers.get(place);
      if (number < 0 || number >= kinds.size()) {
        throw new HeatCheckpointException(
            file, "sides of kind 0 to %s expected: sides=%s".formatted(kinds.size() - 1, numbers));
      }
      String name = HeatGrid.SIDES.get(place);
      Npz.Array array = arrays.get(name);
      List<Long> shape = array == null ? List.of() : array.shape();
      int count = shape.isEmpty() ? 1 : Math.toIntExact(shape.getFirst());
      List<Double> values = numbers(file, arrays, name, count, List.of(fluxes.get(place)));
      sides.add(
          Side.of(
                  kinds.get((int) number),
                  transfers.get(place),
                  values.stream().mapToDouble(Double::doubleValue).toArray(),
                  !shape.isEmpty())
              .kept());
    }
    return sides;
  }

  /**
   * Requires a checkpoint of this shape and type.
   *
   * @param file its name, for the message
   * @throws HeatCheckpointException with the expected and actual numbers
   */
  public void requireShape(Path file, ElementType type, int nx, int ny)
      throws HeatCheckpointException {
    Optional<String> other = otherShape(type, nx, ny);
    if (other.isPresent()) {
      throw new HeatCheckpointException(file, other.get());
    }
  }

  /**
   * The message about a checkpoint of another shape or type, with both; empty if it has this shape
   * and type.
   */
  Optional<String> otherShape(ElementType type, int nx, int ny) {
    return type == state.type() && nx == state.nx() && ny == state.ny()
        ? Optional.empty()
        : Optional.of(
            "checkpoint of another run: expected %s nx=%s ny=%s, found %s nx=%s ny=%s"
                .formatted(type, nx, ny, state.type(), state.nx(), state.ny()));
  }

  private static double number(
      Path file, Map<String, Npz.Array> arrays, String name, double otherwise)
      throws HeatCheckpointException {
    return numbers(file, arrays, name, 1, List.of(otherwise)).getFirst();
  }

  private static List<Double> numbers(
      Path file, Map<String, Npz.Array> arrays, String name, int count, List<Double> otherwise)
      throws HeatCheckpointException {
    Npz.Array array = arrays.get(name);
    if (array == null) {
      return otherwise;
    }
    require(file, name, array, ElementType.DOUBLE, count);
    return array
        .data()
        .elements(ValueLayout.JAVA_DOUBLE)
        .map(e -> e.get(ValueLayout.JAVA_DOUBLE, 0))
        .toList();
  }

  private static List<Long> integers(
      Path file, Map<String, Npz.Array> arrays, String name, int count, List<Long> otherwise)
      throws HeatCheckpointException {
    Npz.Array array = arrays.get(name);
    if (array == null) {
      return otherwise;
    }
    require(file, name, array, ElementType.LONG, count);
    return array
        .data()
        .elements(ValueLayout.JAVA_LONG)
        .map(e -> e.get(ValueLayout.JAVA_LONG, 0))
        .toList();
  }

  private static void require(Path file, String name, Npz.Array array, ElementType type, int count)
      throws HeatCheckpointException {
    if (array.type() != type || array.data().byteSize() != (long) count * type.bytes()) {
      throw new HeatCheckpointException(
          file,
          "'%s': expected %s of %s, found shape %s of %s"
              .formatted(
                  name, count, type, FileFormatException.excerpt(array.shape()), array.type()));
    }
  }
}
