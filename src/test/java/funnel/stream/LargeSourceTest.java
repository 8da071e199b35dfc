package funnel.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.ElementStream;
import funnel.Funnel;
import funnel.Results;
import funnel.cli.OtherJvm;
import funnel.histogram.Histogram;
import funnel.histogram.Uncounted;
import funnel.io.ElementFile;
import funnel.io.Source;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More elements than an array can have, and files that are larger than the heap. */
class LargeSourceTest {

  private static final int PIECE = 1 << 20;
  private static final long LENGTH = (1L << 33) + 1000;

  /** Byte n is 3, but for those of the first piece, which are 0, and the last one, which is 7. */
  private record Bytes(MemorySegment zeros, MemorySegment threes, MemorySegment last)
      implements Source {

    static Bytes made() {
      byte[] last = new byte[1000];
      Arrays.fill(last, (byte) 3);
      last[999] = 7;
      byte[] threes = new byte[PIECE];
      Arrays.fill(threes, (byte) 3);
      return new Bytes(
          MemorySegment.ofArray(new byte[PIECE]),
          MemorySegment.ofArray(threes),
          MemorySegment.ofArray(last));
    }

    @Override
    public ElementType type() {
      return ElementType.BYTE;
    }

    @Override
    public long length() {
      return LENGTH;
    }

    @Override
    public MemorySegment piece(long from, long to, SegmentAllocator room) {
      return from == 0 ? zeros : to == LENGTH ? last : threes;
    }
  }

  /** What is read is the same memory again and again, so that nothing but the steps takes time. */
  @Test
  void resultsPassWhatAnIntCounts() throws IOException {
    long threes = LENGTH - PIECE - 1;
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      ElementStream stream = funnel.over(Bytes.made()).pieces(PIECE);
      var sums = stream.reduce(Map.of("sum", Reduction.sumAsLong(), "max", Reduction.max()));
      assertEquals(3 * threes + 7, sums.getLong("sum"));
      assertEquals(7, sums.get("max"));
      long[] counts = new long[2];
      assertEquals(new Uncounted(PIECE, 1, 0), stream.histogram(Histogram.ranges(1, 2, 4), counts));
      assertArrayEquals(new long[] {0, threes}, counts);
      Results best = stream.topK(TopK.largest(1).withPositions());
      assertArrayEquals(new byte[] {7}, best.bytes("result"));
      assertArrayEquals(new long[] {LENGTH - 1}, best.longs("result_positions"));
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
