package funnel.heat;

import funnel.io.FileFormatException;
import funnel.io.Npz;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/**
 * What a run needs to go on as if it had never stopped, bit for bit.
 *
 * {@snippet class="funnel.docs.HeatOutputSnippets" region="checkpoint"}
 *
 * <p>The file is a NumPy archive: {@code np.load("run.npz")["field"]}. A notebook may write one
 * with {@code np.savez}, of the arrays that {@link #write} lists.
 *
 * <p>Checkpoints are equal if their numbers are and their {@linkplain HeatSnapshot fields} have the
 * same bits.
 *
 * @param state the field, and where it is in time
 * @param dx distance of nodes along x
 * @param dy likewise along y
 * @param dt time of a step
 * @param diffusivity of all nodes; NaN if it differs from cell to cell
 * @param sides kinds of the left, right, bottom and top side: 0 Dirichlet, with the field's values
 *     there, 1 Neumann, 2 periodic
 * @param fluxes outward derivatives at these sides, 0 where they are not Neumann
 */
public record HeatCheckpoint(
    HeatSnapshot state,
    double dx,
    double dy,
    double dt,
    double diffusivity,
    List<Integer> sides,
    List<Double> fluxes) {

  /* Why .npz, and not a format of our own with a header in front: every array in it says its type
   * and shape, floating-point numbers are there as their bits, the zip archive has a length and a
   * CRC-32 for every entry, which unzip -t and NumPy check themselves, and notebooks read and write
   * it with one call. A .npy alone has no place for the numbers beside the field, and JSON would
   * have them as text. The archive's CRC-32 covers the headers and the small entries too, which a
   * checksum of the field alone would not.
   */

  private static final long VERSION = 1;
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
  private static final Set<String> NAMES =
      Set.of(MAGIC, FIELD, STEP, TIME, DT, DX, DY, DIFFUSIVITY, SIDES, FLUXES);
  private static final List<Long> INSULATED = List.of(1L, 1L, 1L, 1L);
  private static final int SIDE_COUNT = 4;
  private static final int KINDS = 3;

  /**
   * Compares the numbers.
   *
   * @throws IllegalArgumentException if a distance or the time of a step is not positive and
   *     finite, or there are not four sides of the three kinds, and a finite flux for each
   */
  public HeatCheckpoint {
    Objects.requireNonNull(state, "state");
    sides = List.copyOf(sides);
    fluxes = List.copyOf(fluxes);
    for (double positive : new double[] {dx, dy, dt}) {
      if (!(positive > 0 && Double.isFinite(positive))) {
        throw new IllegalArgumentException(
            "not positive and finite: dx=%s, dy=%s, dt=%s".formatted(dx, dy, dt));
      }
    }
    if (sides.size() != SIDE_COUNT || sides.stream().anyMatch(kind -> kind < 0 || kind >= KINDS)) {
      throw new IllegalArgumentException("four sides of kind 0, 1 or 2 expected: sides=" + sides);
    }
    if (fluxes.size() != SIDE_COUNT || !fluxes.stream().allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("four finite fluxes expected: fluxes=" + fluxes);
    }
  }

  /**
   * Writes it. The file appears under its name when it is complete and on the disk, in place of the
   * one before; if anything fails, that one is still there.
   *
   * <p>Its arrays: {@code funnel_heat_checkpoint}, the version 1; {@code step}, a long; {@code
   * time}, {@code dt}, {@code dx}, {@code dy} and {@code diffusivity}, doubles; {@code sides}, four
   * longs, and {@code fluxes}, four doubles; {@code field}, of shape (ny, nx). Those but the
   * version and the field may be left out by others: the step and the time are 0 then, distances
   * and diffusivity 1, sides insulated. {@code dt} may not.
   *
   * @throws IOException if it cannot be written
   */
  public void write(Path file) throws IOException {
    SequencedMap<String, Npz.Array> arrays = new LinkedHashMap<>();
    arrays.put(MAGIC, Npz.Array.of(VERSION));
    arrays.put(STEP, Npz.Array.of(state.step()));
    arrays.put(TIME, Npz.Array.of(state.time()));
    arrays.put(DT, Npz.Array.of(dt));
    arrays.put(DX, Npz.Array.of(dx));
    arrays.put(DY, Npz.Array.of(dy));
    arrays.put(DIFFUSIVITY, Npz.Array.of(diffusivity));
    arrays.put(SIDES, Npz.Array.of(sides.stream().mapToLong(Integer::longValue).toArray()));
    arrays.put(FLUXES, Npz.Array.of(fluxes.stream().mapToDouble(Double::doubleValue).toArray()));
    arrays.put(
        FIELD,
        new Npz.Array(state.type(), List.of((long) state.ny(), (long) state.nx()), state.values()));
    Npz.write(file, arrays);
  }

  /**
   * Reads one.
   *
   * @throws HeatCheckpointException if it is no checkpoint, cut off, damaged, or of another version
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
    if (version != VERSION) {
      throw new HeatCheckpointException(
          file,
          version == 0
              ? "no checkpoint: an array '%s' expected, found %s".formatted(MAGIC, arrays.keySet())
              : "checkpoint of version %d, version %d is read".formatted(version, VERSION));
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
          integers(file, arrays, SIDES, SIDE_COUNT, INSULATED).stream()
              .map(Math::toIntExact)
              .toList(),
          numbers(file, arrays, FLUXES, SIDE_COUNT, List.of(0.0, 0.0, 0.0, 0.0)));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new HeatCheckpointException(file, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Refuses a checkpoint of another shape or type.
   *
   * @param file its name, for the message
   * @throws HeatCheckpointException with the numbers expected and found
   */
  public void requireShape(Path file, ElementType type, int nx, int ny)
      throws HeatCheckpointException {
    Optional<String> other = otherShape(type, nx, ny);
    if (other.isPresent()) {
      throw new HeatCheckpointException(file, other.get());
    }
  }

  /**
   * What is said of a checkpoint of another shape or type, with both; nothing if it is of these.
   */
  Optional<String> otherShape(ElementType type, int nx, int ny) {
    return type == state.type() && nx == state.nx() && ny == state.ny()
        ? Optional.empty()
        : Optional.of(
            "checkpoint of another run: expected %s nx=%d ny=%d, found %s nx=%d ny=%d"
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
          "'%s': expected %d of %s, found shape %s of %s"
              .formatted(
                  name, count, type, FileFormatException.excerpt(array.shape()), array.type()));
    }
  }
}
