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
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More elements than an array can have, and files that are larger than the heap. */
class LargeSourceTest {

  /** Byte n is 3, but for those of the first piece, which are 0, and the last one, which is 7. */
  private record Bytes(long length, MemorySegment zeros, MemorySegment threes, MemorySegment last)
      implements Source {

    static Bytes of(long length, int piece) {
      byte[] threes = new byte[piece];
      Arrays.fill(threes, (byte) 3);
      byte[] last = Arrays.copyOf(threes, (int) (length % piece));
      last[last.length - 1] = 7;
      return new Bytes(
          length,
          MemorySegment.ofArray(new byte[piece]),
          MemorySegment.ofArray(threes),
          MemorySegment.ofArray(last));
    }

    @Override
    public ElementType type() {
      return ElementType.BYTE;
    }

    /** The same memory again and again, so that nothing but the calls takes time. */
    @Override
    public MemorySegment piece(long from, long to, SegmentAllocator room) {
      return from == 0 ? zeros : to == length ? last : threes;
    }
  }

  private static void countAndSum(ElementStream stream, long length, int piece) throws IOException {
    long threes = length - piece - 1;
    var sums = stream.reduce(Map.of("sum", Reduction.sumAsLong(), "max", Reduction.max()));
    assertEquals(3 * threes + 7, sums.getLong("sum"));
    assertEquals(7, sums.get("max"));
    long[] counts = new long[2];
    assertEquals(new Uncounted(piece, 1, 0), stream.histogram(Histogram.ranges(1, 2, 4), counts));
    assertArrayEquals(new long[] {0, threes}, counts);
  }

  @Test
  void countsAndSumsPassWhatAnIntCounts() throws IOException {
    int piece = 1 << 20;
    long length = (1L << 31) + 1000;
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      countAndSum(funnel.over(Bytes.of(length, piece)).pieces(piece), length, piece);
    }
  }

  /** Positions, lengths of runs and sums on the way too, of four times as many elements. */
  @Tag("gpu")
  @Test
  void resultsPassWhatAnIntCountsOnADevice() throws IOException {
    int piece = ElementStream.PIECE;
    long length = (1L << 33) + 1000;
    long threes = length - piece - 1;
    try (Funnel funnel = Funnel.open(Target.TORNADO)) {
      ElementStream stream = funnel.over(Bytes.of(length, piece));
      countAndSum(stream, length, piece);
      Results best = stream.topK(TopK.largest(1).withPositions());
      assertArrayEquals(new byte[] {7}, best.bytes("result"));
      assertArrayEquals(new long[] {length - 1}, best.longs("result_positions"));
      byte[] values = new byte[3];
      long[] lengths = new long[3];
      assertEquals(
          3,
          stream.runs(
              Sink.of(MemorySegment.ofArray(values), ElementType.BYTE),
              Sink.of(MemorySegment.ofArray(lengths), ElementType.LONG)));
      assertArrayEquals(new byte[] {0, 3, 7}, values);
      assertArrayEquals(new long[] {piece, threes, 1}, lengths);
      Scan sums = Scan.exclusive(Operator.SUM).to(ElementType.LONG);
      assertEquals(3 * threes + 7, stream.scan(sums, new Sums(length, piece)));
    }
  }

  /** Looks at the sum before the first and before the last element of what it is given. */
  private record Sums(long length, int zeros) implements Sink {
    @Override
    public ElementType type() {
      return ElementType.LONG;
    }

    @Override
    public void write(long from, MemorySegment elements) {
      long count = elements.byteSize() / Long.BYTES;
      for (long i : new long[] {0, count - 1}) {
        long expected = 3 * Math.max(0, from + i - zeros);
        assertEquals(expected, elements.getAtIndex(ValueLayout.JAVA_LONG, i), "at " + (from + i));
      }
    }
  }

  /** A file of four times the heap's size, a hole but for a few bytes. */
  @Test
  void filesMayBeLargerThanTheHeap(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("sparse.bin");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 28);
      sparse.seek((1L << 28) - 7);
      sparse.write(9);
    }
    List<String> command = new ArrayList<>(OtherJvm.command(InSmallHeap.class, file.toString()));
    command.add(1, "-Xmx64m");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertEquals(0, process.waitFor(), said);
    assertEquals(
        "length=268435456, sum=9, max=9, zeros=268435455",
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
            "length=%s, sum=%s, max=%s, zeros=%s%n",
            file.length(), sums.getLong("sum"), sums.getInt("max"), counts[0]);
      }
    }
  }
}
