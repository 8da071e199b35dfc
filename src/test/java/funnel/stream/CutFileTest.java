package funnel.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.ElementStream;
import funnel.Elements;
import funnel.Funnel;
import funnel.cli.OtherJvm;
import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.histogram.Histogram;
import funnel.io.ElementFile;
import funnel.io.FileChangedException;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.io.StreamException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.sort.Order;
import funnel.sort.Sort;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiled loops of no call read elements of a mapped file where the JVM cannot turn a missing page
 * into an error, and nobody else gets such memory: the JVM would end, so all of it is done in
 * another one.
 */
class CutFileTest {

  private static final int PIECE = 20_000;
  private static final int LENGTH = 4 * PIECE;

  /** Bytes are widened, so that results do not fit the sinks. */
  private static final List<ElementType> TYPES =
      List.of(ElementType.INT, ElementType.LONG, ElementType.FLOAT, ElementType.DOUBLE);

  /** Runs of a call over a whole file, after which its loops are compiled. */
  private static final int WARM = 5;

  @TempDir Path folder;

  private interface Call {
    void run(ElementStream stream, Source same, Sink sink, Sink longs) throws IOException;
  }

  private static Map<String, Call> calls(ElementType type) {
    Map<String, Call> calls = new LinkedHashMap<>();
    for (Reduction each :
        List.of(
            Reduction.sum(),
            Reduction.sumAsDouble(),
            Reduction.min(),
            Reduction.minMax(),
            Reduction.argMax(),
            Reduction.mean(),
            Reduction.variance())) {
      calls.put(each.toString(), (stream, same, sink, longs) -> stream.reduce(Map.of("r", each)));
    }
    calls.put("dot", (stream, same, sink, longs) -> stream.reduce(Reduction.dot(), same));
    Histogram bins = type.isFloating() ? Histogram.even(9, 0.0, 1e4) : Histogram.even(9, 0L, 9000L);
    MemorySegment sums = MemorySegment.ofArray(new long[9]).asSlice(0, 9L * type.bytes());
    calls.put("histogram", (stream, same, sink, longs) -> stream.histogram(bins, new long[9]));
    calls.put(
        "weighted",
        (stream, same, sink, longs) ->
            stream.histogram(bins.weighted(), same, Elements.of(sums, type)));
    calls.put(
        "scan", (stream, same, sink, longs) -> stream.scan(Scan.inclusive(Operator.MAX), sink));
    Transform odd =
        switch (type) {
          case BYTE, INT -> Transform.testInt("odd", x -> (x & 1) == 1);
          case LONG -> Transform.testLong("odd", x -> (x & 1) == 1);
          case FLOAT -> Transform.testFloat("large", x -> x > 2000);
          case DOUBLE -> Transform.testDouble("large", x -> x > 2000);
        };
    calls.put("select", (stream, same, sink, longs) -> stream.select(Select.where(odd), sink));
    calls.put(
        "positions",
        (stream, same, sink, longs) -> stream.select(Select.where(odd).positions(), longs));
    calls.put("unique", (stream, same, sink, longs) -> stream.unique(sink));
    calls.put("runs", (stream, same, sink, longs) -> stream.runs(sink, longs));
    calls.put("sort", (stream, same, sink, longs) -> stream.sort(Sort.descending(), sink));
    calls.put("order", (stream, same, sink, longs) -> stream.sort(Order.ascending(), longs));
    calls.put("topK", (stream, same, sink, longs) -> stream.topK(TopK.largest(50).withPositions()));
    calls.put("quantiles", (stream, same, sink, longs) -> stream.quantiles(Quantiles.of(0.5)));
    if (!type.isFloating()) {
      GroupBy groups = GroupBy.of(Aggregate.count(), Aggregate.sum(1), Aggregate.max(1));
      calls.put("groupBy", (stream, same, sink, longs) -> stream.groupBy(groups, same));
      calls.put(
          "groupBy of two keys",
          (stream, same, sink, longs) ->
              stream.groupBy(GroupBy.of(Aggregate.argMax(1)).keys(2), same, same));
    }
    return calls;
  }

  @Test
  void everyCallOverAFileThatIsCutOff() throws IOException, InterruptedException {
    run(Calls.class);
  }

  @Test
  void memoryOfAFileThatIsCutOff() throws IOException, InterruptedException {
    run(Loads.class);
  }

  private void run(Class<?> main) throws IOException, InterruptedException {
    List<String> command = OtherJvm.command(main, folder.toString());
    command.remove("-XX:TieredStopAtLevel=1");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertEquals("done", said.strip().substring(said.strip().lastIndexOf('\n') + 1), said);
  }

  private static void cut(Path file, long length) throws IOException {
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.setLength(length);
    }
  }

  /** In another JVM: a compiled loop over elements of a file, before and after it is cut off. */
  static final class Loads {
    private Loads() {}

    public static void main(String[] arguments) throws IOException {
      Path path = Path.of(arguments[0]).resolve("x.bin");
      int length = 3_000_000;
      long[] numbers = LongStream.range(0, length).toArray();
      Files.write(path, MemorySegment.ofArray(numbers).toArray(ValueLayout.JAVA_BYTE));
      try (ElementFile file = ElementFile.openRaw(path, ElementType.LONG)) {
        MemorySegment all = file.piece(0, length);
        Source both = Source.concatenated(List.of(file, file));
        MemorySegment some = both.piece(length - 5, length + 5, Arena.ofAuto());
        for (int run = 0; run < 2 * WARM; run++) {
          if (run == WARM) {
            cut(path, 1000);
          }
          long sum = sum(all);
          if (sum != length * (length - 1L) / 2 || sum(some) != 5L * length - 5) {
            throw new AssertionError("sums " + sum + ", " + sum(some));
          }
        }
        for (int from : new int[] {0, 100, length - 1}) {
          try {
            var _ = file.piece(from, length);
            throw new AssertionError("read from " + from);
          } catch (FileChangedException e) {
            if (!e.getMessage().contains("size was 24000000 bytes, is 1000")
                || !e.getMessage().contains(path.toString())) {
              throw new AssertionError(e);
            }
          }
        }
      }
      System.out.println("done");
    }

    private static long sum(MemorySegment longs) {
      long sum = 0;
      for (long i = 0; i < longs.byteSize() / Long.BYTES; i++) {
        sum += longs.getAtIndex(ValueLayout.JAVA_LONG, i);
      }
      return sum;
    }
  }

  /** A file that is cut off when its third piece is asked for, or the part of a sort by the JDK. */
  private record Cut(ElementFile file, Source source, boolean isCut) implements Source {

    Cut(ElementFile file, boolean isCut) {
      this(file, file.copied(), isCut);
    }

    @Override
    public ElementType type() {
      return file.type();
    }

    @Override
    public long length() {
      return file.length();
    }

    @Override
    public MemorySegment piece(long from, long to, SegmentAllocator room) throws IOException {
      if (isCut && from >= 2 * PIECE) {
        cut(file.path(), 0);
      }
      return source.piece(from, to, room);
    }

    @Override
    public void requireUnchanged() throws IOException {
      file.requireUnchanged();
    }
  }

  /** In another JVM. */
  static final class Calls {
    private Calls() {}

    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(arguments[0]);
      try (Funnel funnel = Funnel.open(Target.JVM)) {
        for (ElementType type : TYPES) {
          for (Map.Entry<String, Call> call : calls(type).entrySet()) {
            System.out.println(call.getKey() + " of " + type);
            for (int run = 0; run < WARM; run++) {
              run(funnel, folder, type, call.getValue(), false);
            }
            StreamException e = null;
            try {
              run(funnel, folder, type, call.getValue(), true);
            } catch (StreamException thrown) {
              e = thrown;
            }
            if (e == null || !(e.getCause() instanceof FileChangedException)) {
              throw new AssertionError(call.getKey() + " of " + type, e);
            }
          }
        }
        cutWhilePartsAreRead(funnel, folder.resolve("parts.bin"));
      }
      System.out.println("done");
    }

    private static void cutWhilePartsAreRead(Funnel funnel, Path path) throws IOException {
      int length = (1 << 20) + 3;
      Files.write(path, new byte[8 * length]);
      Sink sink = Sink.of(MemorySegment.ofArray(new long[length]), ElementType.LONG);
      try (ElementFile file = ElementFile.openRaw(path, ElementType.LONG)) {
        funnel.over(new Cut(file, true)).pieces(length).sort(Sort.ascending(), sink);
      } catch (StreamException e) {
        if (!(e.getCause() instanceof FileChangedException)) {
          throw e;
        }
        return;
      }
      if (Files.size(path) == 0) {
        throw new AssertionError("sorted what is not there");
      }
    }

    private static void run(Funnel funnel, Path folder, ElementType type, Call call, boolean isCut)
        throws IOException {
      Path path = folder.resolve("x.bin");
      if (isCut || !Files.exists(path) || Files.size(path) != (long) LENGTH * type.bytes()) {
        Files.write(path, elements(type).toArray(ValueLayout.JAVA_BYTE));
      }
      try (ElementFile file = ElementFile.openRaw(path, type)) {
        Source source = new Cut(file, isCut);
        Sink sink =
            Sink.of(
                MemorySegment.ofArray(new long[LENGTH]).asSlice(0, (long) LENGTH * type.bytes()),
                type);
        Sink longs = Sink.of(MemorySegment.ofArray(new long[LENGTH]), ElementType.LONG);
        call.run(funnel.over(source).pieces(PIECE).scratch(folder), source, sink, longs);
      }
    }

    private static MemorySegment elements(ElementType type) {
      MemorySegment all = MemorySegment.ofArray(new long[LENGTH]);
      for (int i = 0; i < LENGTH; i++) {
        int x = i * 0x9E3779B9 >>> 20;
        switch (type) {
          case BYTE -> all.set(ValueLayout.JAVA_BYTE, i, (byte) x);
          case INT -> all.setAtIndex(ValueLayout.JAVA_INT, i, x);
          case LONG -> all.setAtIndex(ValueLayout.JAVA_LONG, i, x);
          case FLOAT -> all.setAtIndex(ValueLayout.JAVA_FLOAT, i, x);
          case DOUBLE -> all.setAtIndex(ValueLayout.JAVA_DOUBLE, i, x);
        }
      }
      return all.asSlice(0, (long) LENGTH * type.bytes());
    }
  }
}
