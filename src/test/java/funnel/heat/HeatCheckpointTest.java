package funnel.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.io.FileFormatException;
import funnel.io.Npz;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HeatCheckpointTest {

  private static final long SEED = 12;

  @TempDir Path folder;

  @AfterEach
  void noPartIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.filter(f -> f.toString().endsWith(".part")).toList());
    }
  }

  private Path file() {
    return folder.resolve("run.npz");
  }

  /** All kinds of bits, payloads of NaN among them: the file keeps what it is given. */
  private static HeatCheckpoint checkpoint(ElementType type, int nx, int ny) {
    byte[] bits = new byte[nx * ny * type.bytes()];
    new Random(SEED).nextBytes(bits);
    return new HeatCheckpoint(
        new HeatSnapshot(type, nx, ny, 123_456_789_012L, 0.1 + 0.2, MemorySegment.ofArray(bits)),
        Math.nextUp(0.1),
        3,
        1e-300,
        2.5,
        List.of(
            Side.dirichlet(),
            Side.neumann(-0.3),
            Side.robin(0.1, new Random(SEED).doubles(nx).toArray()),
            Side.wall(Math.PI)),
        List.of(0xffff_ffffL, 7L));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void everythingComesBackBitForBit(ElementType type) throws IOException {
    HeatCheckpoint written = checkpoint(type, 37, 11);
    written.write(file());
    HeatCheckpoint read = HeatCheckpoint.read(file());
    assertArrayEquals(
        written.state().values().toArray(ValueLayout.JAVA_BYTE),
        read.state().values().toArray(ValueLayout.JAVA_BYTE),
        "seed " + SEED);
    assertEquals(written, read);
    assertEquals(written.hashCode(), read.hashCode());
    assertEquals(written.state().at(36, 10), read.state().at(36, 10));
    read.requireShape(file(), type, 37, 11);
  }

  private static HeatCheckpoint with(HeatCheckpoint some, MemorySegment values) {
    HeatSnapshot s = some.state();
    return new HeatCheckpoint(
        new HeatSnapshot(s.type(), s.nx(), s.ny(), s.step(), s.time(), values),
        some.dx(),
        some.dy(),
        some.dt(),
        some.diffusivity(),
        some.sides(),
        some.checksums());
  }

  @Test
  void equalityIsOfTheFieldsBits() {
    HeatCheckpoint some = checkpoint(ElementType.DOUBLE, 3, 2);
    MemorySegment copy =
        MemorySegment.ofArray(some.state().values().toArray(ValueLayout.JAVA_BYTE));
    assertEquals(some, with(some, copy));
    assertEquals(some.hashCode(), with(some, copy).hashCode());
    copy.set(ValueLayout.JAVA_BYTE, 47, (byte) (1 ^ copy.get(ValueLayout.JAVA_BYTE, 47)));
    assertNotEquals(some, with(some, copy));

    HeatSnapshot zero = one(ElementType.DOUBLE, 1, 1, 0, 0, 0.0);
    assertEquals(zero, one(ElementType.DOUBLE, 1, 1, 0, 0, 0.0));
    assertEquals(
        one(ElementType.DOUBLE, 1, 1, 0, Double.NaN, Double.NaN),
        one(ElementType.DOUBLE, 1, 1, 0, Double.NaN, Double.NaN));
    for (HeatSnapshot other :
        List.of(
            one(ElementType.DOUBLE, 1, 1, 0, 0, -0.0),
            one(ElementType.DOUBLE, 1, 1, 0, -0.0, 0.0),
            one(ElementType.DOUBLE, 1, 1, 1, 0, 0.0),
            one(ElementType.FLOAT, 2, 1, 0, 0, 0.0),
            one(ElementType.FLOAT, 1, 2, 0, 0, 0.0))) {
      assertNotEquals(zero, other);
    }
    assertNotEquals(
        one(ElementType.FLOAT, 2, 1, 0, 0, 0.0), one(ElementType.FLOAT, 1, 2, 0, 0, 0.0));
    assertNotEquals(zero, new Object());
  }

  /** Eight bytes of a field. */
  private static HeatSnapshot one(
      ElementType type, int nx, int ny, long step, double time, double bits) {
    return new HeatSnapshot(type, nx, ny, step, time, MemorySegment.ofArray(new double[] {bits}));
  }

  @Test
  void anotherShapeIsRefusedWithBoth() {
    HeatCheckpoint some = checkpoint(ElementType.FLOAT, 37, 11);
    HeatCheckpointException e =
        assertThrows(
            HeatCheckpointException.class,
            () -> some.requireShape(file(), ElementType.FLOAT, 11, 37));
    assertTrue(
        e.getMessage().endsWith("expected FLOAT nx=11 ny=37, found FLOAT nx=37 ny=11"),
        e.getMessage());
    assertThrows(
        HeatCheckpointException.class, () -> some.requireShape(file(), ElementType.DOUBLE, 37, 11));
  }

  @Test
  void noCutAndNoFlippedBitOfTheFieldGoesUnseen() throws IOException {
    HeatCheckpoint written = checkpoint(ElementType.FLOAT, 5, 3);
    written.write(file());
    byte[] right = Files.readAllBytes(file());
    for (int length = 0; length < right.length; length += 7) {
      Files.write(file(), Arrays.copyOf(right, length));
      assertThrows(HeatCheckpointException.class, () -> HeatCheckpoint.read(file()));
    }
    int refused = 0;
    for (int bit = 0; bit < 8 * right.length; bit += 11) {
      byte[] wrong = right.clone();
      wrong[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file(), wrong);
      try {
        HeatCheckpoint read = HeatCheckpoint.read(file());
        assertEquals(written, read, "bit " + bit);
      } catch (HeatCheckpointException e) {
        refused++;
      }
    }
    assertTrue(refused > right.length / 4, refused + " bits of " + 8 * right.length / 11);
    byte[] wrong = right.clone();
    int data = indexOf(wrong, "field.npy") + 9 + 128;
    wrong[data + 7] ^= 1;
    Files.write(file(), wrong);
    HeatCheckpointException e =
        assertThrows(HeatCheckpointException.class, () -> HeatCheckpoint.read(file()));
    assertTrue(
        e.getMessage()
            .matches(
                Pattern.quote(file() + ": not a checkpoint: entry 'field.npy' is damaged: ")
                    + "CRC-32 expected \\w{8}, found \\w{8}"),
        e.getMessage());
    assertInstanceOf(FileFormatException.class, e.getCause());
  }

  private static int indexOf(byte[] bytes, String name) {
    return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf(name);
  }

  private void assertRefused(String message, Consumer<SequencedMap<String, Npz.Array>> change)
      throws IOException {
    checkpoint(ElementType.DOUBLE, 2, 2).write(file());
    SequencedMap<String, Npz.Array> arrays = new LinkedHashMap<>(Npz.read(file()));
    change.accept(arrays);
    Npz.write(file(), arrays);
    HeatCheckpointException e =
        assertThrows(HeatCheckpointException.class, () -> HeatCheckpoint.read(file()));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void contentsThatAreNoCheckpointAreNamed() throws IOException {
    String magic = "funnel_heat_checkpoint";
    assertRefused("an array 'funnel_heat_checkpoint' expected", all -> all.remove(magic));
    assertRefused("of version 3, versions [1, 2] are read", all -> all.put(magic, Npz.Array.of(3)));
    assertRefused("expected 1 of LONG", all -> all.put(magic, Npz.Array.of(1.0)));
    assertRefused("found none", all -> all.remove("field"));
    assertRefused("found DOUBLE [2]", all -> all.put("field", Npz.Array.of(new double[2])));
    assertRefused("found LONG []", all -> all.put("field", Npz.Array.of(2)));
    assertRefused(
        "1 unknown arrays: [Step]; known are [bottom, checksums, d",
        all -> all.put("Step", Npz.Array.of(1)));
    assertRefused("no 'dt'", all -> all.remove("dt"));
    assertRefused("dt=-1.0", all -> all.put("dt", Npz.Array.of(-1.0)));
    assertRefused("dx=NaN", all -> all.put("dx", Npz.Array.of(Double.NaN)));
    assertRefused("step=-1", all -> all.put("step", Npz.Array.of(-1)));
    assertRefused(
        "expected 4 of LONG, found shape [3]", all -> all.put("sides", Npz.Array.of(new long[3])));
    assertRefused("kind 0 to 4", all -> all.put("sides", Npz.Array.of(new long[] {0, 0, 5, 0})));
    assertRefused(
        "(neumann) is not finite: NaN", all -> all.put("right", Npz.Array.of(Double.NaN)));
    assertRefused(
        "transfer of a side is negative",
        all -> all.put("transfers", Npz.Array.of(new double[] {0, 0, -1, 0})));
    assertRefused(
        "side right has another length: length=3, nodes=2",
        all -> all.put("right", Npz.Array.of(new double[3])));
    assertRefused("expected 2 of LONG", all -> all.put("checksums", Npz.Array.of(new long[3])));
    assertRefused(
        "nx=0",
        all ->
            all.put(
                "field", new Npz.Array(ElementType.FLOAT, List.of(5L, 0L), MemorySegment.NULL)));
    Files.write(file(), new byte[100]);
    assertThrows(HeatCheckpointException.class, () -> HeatCheckpoint.read(file()));
  }

  @Test
  void aNotebookNeedsToWriteTheFieldAndTheTimeStepOnly() throws IOException {
    SequencedMap<String, Npz.Array> arrays = new LinkedHashMap<>();
    arrays.put("dt", Npz.Array.of(0.25));
    arrays.put(
        "field",
        new Npz.Array(
            ElementType.DOUBLE, List.of(1L, 2L), MemorySegment.ofArray(new double[] {3, 4})));
    arrays.put("funnel_heat_checkpoint", Npz.Array.of(1));
    Npz.write(file(), arrays);
    HeatCheckpoint read = HeatCheckpoint.read(file());
    assertEquals(4, read.state().at(1, 0));
    assertEquals(0, read.state().step());
    assertEquals(Collections.nCopies(4, Side.neumann(0)), read.sides());
    assertEquals(1, read.dx());
    arrays.put("sides", Npz.Array.of(new long[] {1, 0, 2, 2})); // as version 1 had them
    arrays.put("fluxes", Npz.Array.of(new double[] {0.5, 0, 0, 0}));
    Npz.write(file(), arrays);
    assertEquals(
        List.of(Side.neumann(0.5), Side.dirichlet(), Side.periodic(), Side.periodic()),
        HeatCheckpoint.read(file()).sides());
  }

  /** A checkpoint that cannot be written leaves the one before. */
  @Test
  void aFailureLeavesTheLastOne() throws IOException {
    HeatCheckpoint some = checkpoint(ElementType.FLOAT, 5, 3);
    some.write(file());
    byte[] before = Files.readAllBytes(file());
    MemorySegment gone;
    try (var arena = java.lang.foreign.Arena.ofConfined()) {
      gone = arena.allocate(60);
    }
    HeatCheckpoint wrong = with(some, gone);
    assertThrows(IllegalStateException.class, () -> wrong.write(file()));
    assertArrayEquals(before, Files.readAllBytes(file()));
    assertThrows(IOException.class, () -> some.write(folder));
  }
}
