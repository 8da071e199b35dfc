package funnel;

import funnel.histogram.Histogram;
import funnel.io.Sink;
import funnel.io.Source;
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
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Calls of streams of several pieces, and what they come to. */
final class StreamCalls {

  static final int PIECE = 20_000;
  static final int LENGTH = 9 * PIECE + 7;

  private StreamCalls() {}

  static double[] numbers() {
    var random = Seed.random("devices");
    return random.doubles(LENGTH, -1, 1).toArray();
  }

  interface Call {
    Object of(ElementStream stream, double[] into) throws IOException;
  }

  static Sink sink(double[] into) {
    return Sink.of(MemorySegment.ofArray(into), ElementType.DOUBLE);
  }

  private static List<Object> read(Results results) {
    List<Object> all = new ArrayList<>();
    for (String name : results.names()) {
      Map<String, Object> values = SingleValues.of(results);
      all.add(
          values.containsKey(name)
              ? String.valueOf(values.get(name))
              : Arrays.toString(results.elements(name).segment().toArray(ValueLayout.JAVA_BYTE)));
    }
    return all;
  }

  /** Every call of a stream of doubles, whose bits depend on how pieces are put together. */
  static Map<String, Call> calls() {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put(
        "reduce",
        (stream, into) ->
            read(
                stream.reduce(
                    Map.of(
                        "sum", Reduction.sum(),
                        "product", Reduction.product(),
                        "mean", Reduction.mean(),
                        "variance", Reduction.variance(),
                        "ends", Reduction.minMax(),
                        "least", Reduction.argMin()))));
    calls.put(
        "histogram",
        (stream, into) -> {
          long[] counts = new long[100];
          return stream.histogram(Histogram.even(100, -0.9, 0.9), counts) + Arrays.toString(counts);
        });
    calls.put("scan", (stream, into) -> stream.scan(Scan.inclusive(Operator.SUM), sink(into)));
    Transform positive = Transform.testDouble("positive", x -> x > 0);
    calls.put("select", (stream, into) -> stream.select(Select.where(positive), sink(into)));
    calls.put(
        "positions",
        (stream, into) ->
            stream.select(
                Select.where(positive).positions(),
                Sink.of(MemorySegment.ofArray(into), ElementType.LONG)));
    calls.put(
        "flagged",
        (stream, into) -> {
          byte[] flags = new byte[LENGTH];
          for (int i = 0; i < LENGTH; i += 3) {
            flags[i] = 1;
          }
          Source of = Source.of(MemorySegment.ofArray(flags), ElementType.BYTE);
          return stream.select(Select.flagged(), of, sink(into));
        });
    calls.put("unique", (stream, into) -> stream.unique(sink(into)));
    calls.put(
        "runs",
        (stream, into) -> {
          long[] lengths = new long[LENGTH];
          return stream.runs(sink(into), Sink.of(MemorySegment.ofArray(lengths), ElementType.LONG))
              + Arrays.toString(lengths);
        });
    calls.put(
        "sort",
        (stream, into) -> {
          stream.sort(Sort.descending(), sink(into));
          return "";
        });
    calls.put(
        "order",
        (stream, into) -> {
          stream.sort(Order.ascending(), Sink.of(MemorySegment.ofArray(into), ElementType.LONG));
          return "";
        });
    calls.put("topK", (stream, into) -> read(stream.topK(TopK.largest(50).withPositions())));
    calls.put("quantiles", (stream, into) -> read(stream.quantiles(Quantiles.of(0.01, 0.5))));
    return calls;
  }

  static List<Object> results(Funnel funnel, Call call, double[] numbers) throws IOException {
    double[] into = new double[LENGTH];
    Object result =
        call.of(
            funnel
                .over(Source.of(MemorySegment.ofArray(numbers), ElementType.DOUBLE))
                .pieces(PIECE),
            into);
    return List.of(
        result,
        Arrays.hashCode(Arrays.stream(into).mapToLong(Double::doubleToRawLongBits).toArray()));
  }
}
