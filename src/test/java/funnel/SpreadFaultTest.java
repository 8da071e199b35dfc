package funnel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.histogram.Histogram;
import funnel.io.ElementFile;
import funnel.io.FileChangedException;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.io.StreamException;
import funnel.operation.FunnelDeviceException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.sort.Order;
import funnel.sort.Sort;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every step of streams over several devices, of which one fails in every phase of its work. */
@Timeout(60)
class SpreadFaultTest {

  private static final int PIECE = 5000;
  private static final int LENGTH = 7 * PIECE + 3;

  @TempDir Path folder;

  private final SplittableRandom random = Seed.random("spread faults");
  private float[] numbers = {};
  private int[] keys = {};

  private interface Call {
    Object of(ElementStream stream, ElementStream ofKeys, Source columns) throws IOException;
  }

  @BeforeEach
  void draw() {
    numbers = new float[LENGTH];
    keys = new int[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      numbers[i] = (float) random.nextDouble(-1, 1);
      keys[i] = random.nextInt(20) * (i / 20 % 3);
    }
  }

  private static Source floats(float[] array) {
    return Source.of(MemorySegment.ofArray(array), ElementType.FLOAT);
  }

  private static Sink longs(long[] array) {
    return Sink.of(MemorySegment.ofArray(array), ElementType.LONG);
  }

  private static String read(Results results) {
    List<String> all = new ArrayList<>();
    for (String name : results.names()) {
      Object value = SingleValues.of(results).get(name);
      all.add(
          value != null
              ? value.toString()
              : Arrays.toString(results.elements(name).segment().toArray(ValueLayout.JAVA_BYTE)));
    }
    return all.toString();
  }

  /** One call for each step. */
  private static Map<String, Call> calls() {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put(
        "reduce",
        (stream, ofKeys, columns) ->
            read(stream.reduce(Map.of("sum", Reduction.sum(), "var", Reduction.variance()))));
    calls.put("dot", (stream, ofKeys, columns) -> stream.reduce(Reduction.dot(), columns));
    calls.put(
        "histogram",
        (stream, ofKeys, columns) -> {
          long[] counts = new long[50];
          return ofKeys.histogram(Histogram.ofKeys(50), counts) + Arrays.toString(counts);
        });
    calls.put(
        "weighted",
        (stream, ofKeys, columns) -> {
          float[] sums = new float[50];
          return ofKeys.histogram(Histogram.ofKeys(50).weighted(), columns, Elements.of(sums))
              + Arrays.toString(sums);
        });
    calls.put(
        "scan",
        (stream, ofKeys, columns) -> {
          float[] into = new float[LENGTH];
          Sink sink = Sink.of(MemorySegment.ofArray(into), ElementType.FLOAT);
          return stream.scan(Scan.inclusive(Operator.SUM), sink) + Arrays.toString(into);
        });
    calls.put(
        "flagged",
        (stream, ofKeys, columns) -> {
          float[] into = new float[LENGTH];
          Sink sink = Sink.of(MemorySegment.ofArray(into), ElementType.FLOAT);
          return stream.select(Select.flagged(), flags(), sink) + Arrays.toString(into);
        });
    calls.put(
        "positions",
        (stream, ofKeys, columns) -> {
          long[] into = new long[LENGTH];
          return stream.select(Select.flagged().positions(), flags(), longs(into))
              + Arrays.toString(into);
        });
    calls.put(
        "runs",
        (stream, ofKeys, columns) -> {
          int[] values = new int[LENGTH];
          long[] lengths = new long[LENGTH];
          Sink sink = Sink.of(MemorySegment.ofArray(values), ElementType.INT);
          return ofKeys.runs(sink, longs(lengths))
              + Arrays.toString(values)
              + Arrays.toString(lengths);
        });
    calls.put(
        "sort",
        (stream, ofKeys, columns) -> {
          float[] into = new float[LENGTH];
          stream.sort(Sort.ascending(), Sink.of(MemorySegment.ofArray(into), ElementType.FLOAT));
          return Arrays.toString(into);
        });
    calls.put(
        "order",
        (stream, ofKeys, columns) -> {
          long[] into = new long[LENGTH];
          stream.sort(Order.descending(), longs(into));
          return Arrays.toString(into);
        });
    calls.put(
        "topK", (stream, ofKeys, columns) -> read(stream.topK(TopK.smallest(70).withPositions())));
    calls.put(
        "quantiles", (stream, ofKeys, columns) -> read(stream.quantiles(Quantiles.of(0.1, 0.9))));
    calls.put(
        "groupBy",
        (stream, ofKeys, columns) ->
            read(
                ofKeys.groupBy(
                    GroupBy.of(
                        Aggregate.count(),
                        Aggregate.sum(1),
                        Aggregate.mean(1),
                        Aggregate.variance(1),
                        Aggregate.argMax(1)),
                    columns)));
    return calls;
  }

  private static Source flags() {
    byte[] flags = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i += 3) {
      flags[i] = 1;
    }
    return Source.of(MemorySegment.ofArray(flags), ElementType.BYTE);
  }

  private Object result(Funnel funnel, Call call) throws IOException {
    Source ofKeys = Source.of(MemorySegment.ofArray(keys), ElementType.INT);
    return call.of(
        funnel.over(floats(numbers)).pieces(PIECE).scratch(folder),
        funnel.over(ofKeys).pieces(PIECE).scratch(folder),
        floats(numbers));
  }

  private static void nothingIsLeft(Path folder) {
    assertArrayEquals(new String[0], folder.toFile().list(), "files");
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      assertFalse(thread.getName().startsWith("working on "), thread.getName());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"load", "set", "run", "after run", "result", "fetch", "after fetch"})
  void resultsAreThoseOfOne_whateverHasFailed(String at) throws IOException {
    try (Funnel one = Funnel.open(Target.JVM)) {
      for (Map.Entry<String, Call> call : calls().entrySet()) {
        Object expected = result(one, call.getValue());
        int device = random.nextInt(2);
        int n = 1 + random.nextInt(3);
        try (Funnel two = FakeDevices.open(2, FakeDevices.failing(at, device, n))) {
          assertEquals(
              expected,
              result(two, call.getValue()),
              "%s, %s. %s of device %s%s".formatted(call.getKey(), n, at, device, Seed.replay()));
        }
      }
    }
    nothingIsLeft(folder);
  }

  /** What has been computed is there, and the other plans are closed. */
  @Test
  void aPlanThatCannotBeClosed() throws IOException {
    for (int devices = 1; devices <= 2; devices++) {
      AtomicInteger loads = new AtomicInteger();
      AtomicInteger closes = new AtomicInteger();
      FakeDevices.Fault first =
          (call, device) -> {
            if (call.equals("load")) {
              loads.incrementAndGet();
            }
            if (call.equals("close") && closes.incrementAndGet() == 1) {
              throw new FunnelDeviceException("Xid 79", null);
            }
          };
      try (Funnel one = Funnel.open(Target.JVM);
          Funnel funnel = FakeDevices.open(devices, first)) {
        Call reduce = calls().get("reduce");
        assertEquals(result(one, reduce), result(funnel, reduce));
        assertEquals(loads.get(), closes.get());
      }
    }
  }

  // Sources and sinks

  /** The file's pieces, before one of which something happens to the file. */
  private record Touched(Source file, long at, Runnable touch) implements Source {
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
      if (from == at) {
        touch.run();
      }
      return file.piece(from, to, room);
    }

    @Override
    public void requireUnchanged() throws IOException {
      file.requireUnchanged();
    }
  }

  private interface Change {
    void of(Path file) throws IOException;
  }

  private IOException changed(Change change) throws IOException {
    Path path = folder.resolve("numbers");
    Files.write(path, MemorySegment.ofArray(numbers).toArray(ValueLayout.JAVA_BYTE));
    try (Funnel funnel = FakeDevices.open(2, FakeDevices.slower());
        ElementFile file = ElementFile.openRaw(path, ElementType.FLOAT)) {
      Source source =
          new Touched(
              file,
              3 * PIECE,
              () -> {
                try {
                  change.of(path);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      return assertThrows(
          IOException.class,
          () -> funnel.over(source).pieces(PIECE).reduce(Reduction.sumAsDouble()));
    } finally {
      Files.delete(path);
      nothingIsLeft(folder);
    }
  }

  @Test
  void aFileThatIsCutOff() throws IOException {
    StreamException e =
        assertInstanceOf(
            StreamException.class,
            changed(
                path -> {
                  try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                    file.setLength(4L * 3 * PIECE);
                  }
                }));
    assertEquals(3 * PIECE, e.position());
    assertInstanceOf(FileChangedException.class, e.getCause());
  }

  @Test
  void aFileThatIsReplaced() throws IOException {
    IOException e =
        changed(
            path -> {
              Path other = folder.resolve("other");
              Files.write(other, new byte[4 * LENGTH]);
              Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
            });
    assertInstanceOf(FileChangedException.class, e);
  }

  @Test
  void aSinkThatRefuses() {
    IOException cause = new IOException("quota");
    Sink refusing =
        new Sink() {
          @Override
          public ElementType type() {
            return ElementType.FLOAT;
          }

          @Override
          public long length() {
            return LENGTH;
          }

          @Override
          public void write(long from, MemorySegment elements) throws IOException {
            if (from + elements.byteSize() / Float.BYTES > 2 * PIECE) {
              throw cause;
            }
          }
        };
    try (Funnel funnel = FakeDevices.open(2, FakeDevices.slower())) {
      ElementStream stream = funnel.over(floats(numbers)).pieces(PIECE).scratch(folder);
      for (ThrowingCall call :
          List.<ThrowingCall>of(
              () -> stream.scan(Scan.inclusive(Operator.MAX), refusing),
              () -> stream.unique(refusing),
              () -> {
                stream.sort(Sort.ascending(), refusing);
                return "";
              })) {
        StreamException e = assertThrows(StreamException.class, call::run);
        assertEquals(cause, e.getCause());
        nothingIsLeft(folder);
      }
    }
  }

  private interface ThrowingCall {
    Object run() throws IOException;
  }

  // Giving up

  @Test
  void callsThatAreGivenUpLeaveNothing() throws IOException {
    for (Map.Entry<String, Call> call : calls().entrySet()) {
      AtomicInteger loads = new AtomicInteger();
      AtomicInteger closes = new AtomicInteger();
      FakeDevices.Fault noting =
          (of, device) -> {
            if (of.equals("load")) {
              loads.incrementAndGet();
            }
            if (of.equals("close")) {
              closes.incrementAndGet();
            }
          };
      try (Funnel funnel = FakeDevices.open(2, noting)) {
        CancellationException enough = new CancellationException("enough");
        Call ended =
            (stream, ofKeys, columns) ->
                call.getValue().of(ending(stream, enough), ending(ofKeys, enough), columns);
        assertThrows(CancellationException.class, () -> result(funnel, ended), call.getKey());
        nothingIsLeft(folder);
        Call interrupted =
            (stream, ofKeys, columns) ->
                call.getValue().of(interrupting(stream), interrupting(ofKeys), columns);
        assertThrows(
            InterruptedIOException.class, () -> result(funnel, interrupted), call.getKey());
        assertTrue(Thread.interrupted());
        nothingIsLeft(folder);
        assertEquals(loads.get(), closes.get(), call.getKey());
      }
    }
  }

  private static ElementStream ending(ElementStream stream, RuntimeException by) {
    return stream.listener(
        (done, total) -> {
          if (done >= 2 * PIECE) {
            throw by;
          }
        });
  }

  private static ElementStream interrupting(ElementStream stream) {
    return stream.listener(
        (done, total) -> {
          if (done == 2 * PIECE) {
            Thread.currentThread().interrupt();
          }
        });
  }
}
