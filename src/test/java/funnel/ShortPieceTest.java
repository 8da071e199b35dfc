package funnel;

import static funnel.StreamCalls.LENGTH;
import static funnel.StreamCalls.PIECE;
import static funnel.StreamCalls.calls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.histogram.Histogram;
import funnel.io.Source;
import funnel.io.StreamException;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A source that gives fewer or more elements than it was asked for is refused by every call. */
class ShortPieceTest {

  private static final long AT = 3L * PIECE;

  /** Zeros, of whose fourth piece some bytes are missing, or too many. */
  private record Wrong(ElementType type, int more) implements Source {
    @Override
    public long length() {
      return LENGTH;
    }

    @Override
    public MemorySegment piece(long from, long to, SegmentAllocator room) {
      long bytes = (to - from) * type.bytes() + (from <= AT && AT < to ? more : 0);
      return MemorySegment.ofArray(new long[PIECE + 1]).asSlice(0, bytes);
    }

    @Override
    public String toString() {
      return "short";
    }
  }

  private static Source zeros(ElementType type) {
    return new Wrong(type, 0);
  }

  private static Map<String, StreamCalls.Call> all() {
    Map<String, StreamCalls.Call> all = new TreeMap<>(calls());
    all.put("dot", (stream, into) -> stream.reduce(Reduction.dot(), zeros(ElementType.DOUBLE)));
    all.put(
        "weighted",
        (stream, into) ->
            stream.histogram(
                Histogram.even(9, 0.0, 1.0).weighted(),
                zeros(ElementType.DOUBLE),
                Elements.of(new double[9])));
    return all;
  }

  private static void refuses(Funnel funnel, String name, StreamCalls.Call call, Source source) {
    StreamException e =
        assertThrows(
            StreamException.class,
            () -> call.of(funnel.over(source).pieces(PIECE), new double[LENGTH]),
            name);
    assertEquals(AT, e.position(), name);
    assertEquals(
        "short: elements 60,000 to 79,999 cannot be read: the source gave another number of"
            + " elements: asked=20000, given=19999",
        e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void everyCallOnAnyNumberOfDevices(int devices) {
    Source source = new Wrong(ElementType.DOUBLE, -Double.BYTES);
    try (Funnel funnel =
        devices == 1 ? Funnel.open(Target.JVM) : FakeDevices.open(devices, (call, device) -> {})) {
      all().forEach((name, call) -> refuses(funnel, name, call, source));
      GroupBy sums = GroupBy.of(Aggregate.sum(1));
      refuses(
          funnel,
          "keys",
          (stream, into) -> stream.groupBy(sums, zeros(ElementType.DOUBLE)),
          new Wrong(ElementType.INT, -Integer.BYTES));
      refuses(
          funnel, "column", (stream, into) -> stream.groupBy(sums, source), zeros(ElementType.INT));
      refuses(
          funnel,
          "second",
          (stream, into) -> stream.reduce(Reduction.dot(), source),
          zeros(ElementType.DOUBLE));
    }
  }

  @Test
  void moreElementsAndPartsOfOne() {
    for (Map.Entry<Integer, String> more :
        Map.of(8, "given=20001", 3, "given=20000 and 3 bytes", -3, "given=19999 and 5 bytes")
            .entrySet()) {
      try (Funnel funnel = Funnel.open(Target.JVM)) {
        Source source = new Wrong(ElementType.DOUBLE, more.getKey());
        StreamException e =
            assertThrows(
                StreamException.class,
                () -> funnel.over(source).pieces(PIECE).reduce(Reduction.sum()));
        assertTrue(e.getMessage().endsWith("asked=20000, " + more.getValue()), e.getMessage());
      }
    }
  }

  /** A piece of several sources is copied together, and has the right length whatever they give. */
  @Test
  void oneOfSeveralSources() throws IOException {
    Source first = Source.of(MemorySegment.ofArray(new double[PIECE / 2]), ElementType.DOUBLE);
    Source all = Source.concatenated(List.of(first, new Wrong(ElementType.DOUBLE, -Double.BYTES)));
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      StreamException e =
          assertThrows(
              StreamException.class, () -> funnel.over(all).pieces(PIECE).reduce(Reduction.sum()));
      assertEquals(AT, e.position());
      assertTrue(
          e.getMessage()
              .endsWith(
                  "short: elements 50,000 to 69,999 cannot be read: the source gave another number"
                      + " of elements: asked=20000, given=19999"),
          e.getMessage());
    }
  }
}
