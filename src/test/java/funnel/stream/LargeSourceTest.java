package funnel.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.ElementStream;
import funnel.Funnel;
import funnel.cli.OtherJvm;
import funnel.histogram.Histogram;
import funnel.histogram.Uncounted;
import funnel.io.ElementFile;
import funnel.io.Source;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More elements than an array can have, and files that are larger than the heap. */
class LargeSourceTest {

  private static final long LENGTH = (1L << 31) + 1000;

  /** Byte n is 3 in every piece of {@link ElementStream#PIECE} but the first, which has zeros. */
  private static Source bytes() {
    return Source.generated(
        ElementType.BYTE, LENGTH, (from, piece) -> piece.fill((byte) (from == 0 ? 0 : 3)));
  }

  @Test
  void countsAndSumsPassWhatAnIntCounts() throws IOException {
    long zeros = ElementStream.PIECE;
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      var sums =
          funnel.over(bytes()).reduce(Map.of("sum", Reduction.sumAsLong(), "max", Reduction.max()));
      assertEquals(3 * (LENGTH - zeros), sums.getLong("sum"));
      assertEquals(3, sums.get("max"));
      long[] counts = new long[2];
      assertEquals(
          new Uncounted(zeros, 0, 0),
          funnel.over(bytes()).histogram(Histogram.ranges(1, 2, 4), counts));
      assertEquals(0, counts[0]);
      assertEquals(LENGTH - zeros, counts[1]);
    }
  }

  /** A file of four times the heap's size, a hole but for a few bytes. */
  @Test
  void filesMayBeLargerThanTheHeap(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("sparse.bin");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 30);
      sparse.seek((1L << 30) - 7);
      sparse.write(9);
    }
    List<String> command = new ArrayList<>(OtherJvm.command(InSmallHeap.class, file.toString()));
    command.add(1, "-Xmx256m");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertEquals(0, process.waitFor(), said);
    assertEquals(
        "length=1073741824, sum=9, max=9, zeros=1073741823",
        said.substring(said.lastIndexOf('\n') + 1));
  }

  /** What another JVM does with a file of bytes. */
  static final class InSmallHeap {
    private InSmallHeap() {}

    public static void main(String[] arguments) throws IOException {
      try (Funnel funnel = Funnel.open(Target.JVM);
          ElementFile file = ElementFile.openRaw(Path.of(arguments[0]), ElementType.BYTE)) {
        ElementStream stream = funnel.over(file);
        var sums = stream.reduce(Map.of("sum", Reduction.sumAsLong(), "max", Reduction.max()));
        long[] counts = new long[256];
        var _ = stream.histogram(Histogram.ofBytes(), counts);
        System.out.printf(
            "length=%d, sum=%d, max=%d, zeros=%d%n",
            file.length(), sums.getLong("sum"), sums.getInt("max"), counts[0]);
      }
    }
  }
}
