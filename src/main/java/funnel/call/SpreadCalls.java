package funnel.call;

import funnel.ElementStream;
import funnel.Elements;
import funnel.Results;
import funnel.group.GroupBy;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operation.Output;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.scan.Scan;
import funnel.select.FindFirst;
import funnel.select.Select;
import funnel.stream.StreamParts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Spreads large one-shot calls over all devices of a Funnel, as streams of arrays in memory. */
final class SpreadCalls {

  /* Only calls whose result is the same, bit for bit, in pieces. Calls that may throw, fail or
   * overlap are left to the first device, which reports that itself: until then nothing has changed
   * except destinations, which it writes again.
   */

  private static final Logger LOG = LoggerFactory.getLogger("funnel.Funnel");

  private final int devices;
  private final Function<Source, ElementStream> streams;
  private final int least;
  private final int piece;

  /**
   * The spread calls of a Funnel.
   *
   * @param devices the number of its devices
   * @param streams makes its streams
   * @param least the least number of elements of a call that is spread
   * @param piece the number of elements handed to one of the devices at a time
   */
  SpreadCalls(int devices, Function<Source, ElementStream> streams, int least, int piece) {
    this.devices = devices;
    this.streams = streams;
    this.least = least;
    this.piece = piece;
  }

  /**
   * Makes a call on all devices if there are several and the call is large enough; otherwise
   * returns null.
   */
  @Nullable Results once(Call call, Map<String, Elements> into, Elements... inputs) {
    boolean isLarge =
        inputs.length > 0
            && Arrays.stream(inputs)
                .allMatch(
                    each ->
                        each != null
                            && each.length() >= least
                            && each.length() == inputs[0].length()
                            && ParallelRows.mayBeShared(each.segment()));
    if (devices < 2 || !isLarge) {
      return null;
    }
    try {
      return isExact(call, inputs) ? spread(call, into, inputs) : null;
    } catch (IOException | RuntimeException e) {
      LOG.info("{} by one device, not by all: {}", call.name(), e.getMessage());
      return null;
    }
  }

  /** Whether the call combines only integers, minima and maxima, without user-defined functions. */
  private static boolean isExact(Call call, Elements... inputs) {
    return call.operation().expand(call.output(), given(call, inputs)).primitives().stream()
        .flatMap(primitive -> primitive.asIs().combined().stream())
        .allMatch(SpreadCalls::isExact);
  }

  private static List<Input> given(Call call, Elements... inputs) {
    List<Input> given = new ArrayList<>();
    for (Elements each : inputs) {
      given.add(new Input(call.inputs().get(given.size()), each.type(), each.length()));
    }
    return given;
  }

  private static boolean isExact(Primitive.Combined combined) {
    Operator operator = combined.operator();
    return combined.transform() == null
        && !operator.isUser()
        && (!combined.type().isFloating() || operator == Operator.MIN || operator == Operator.MAX);
  }

  private @Nullable Results spread(Call call, Map<String, Elements> into, Elements... inputs)
      throws IOException {
    String output = call.output();
    Elements first = inputs[0];
    ElementStream stream = streams.apply(source(first)).pieces(piece);
    switch (call.operation()) {
      case GroupBy _, FindFirst _ -> { // many groups would be merged here; a user's predicate
        return null;
      }
      case Scan scan when inputs.length == 1 -> {
        ElementType type = scan.resultType(first.type());
        Elements place = place(into, output, type, first.length(), inputs);
        if (place == null) {
          return null;
        }
        Number total = stream.scan(scan, sink(place));
        return Results.of(Map.of(output + "_total", total, output, place));
      }
      case Select select
          when inputs.length == 2
              && select.isByElement()
              && select.hasElements()
              && !select.hasPositions()
              && !into.isEmpty() -> {
        Elements place = place(into, output, first.type(), first.length(), inputs);
        if (place == null) {
          return null;
        }
        int kept = (int) stream.select(select, source(inputs[1]), sink(place));
        return Results.of(Map.of(output, place.range(0, kept)));
      }
      default -> {
        return inParts(stream, call, into, inputs);
      }
    }
  }

  /** Counts and positions have the types that they have for an array. */
  private @Nullable Results inParts(
      ElementStream stream, Call call, Map<String, Elements> into, Elements... inputs)
      throws IOException {
    Operation operation = call.operation();
    List<Input> given = given(call, inputs);
    if (operation.inParts(given.stream().map(Input::type).toList()).isEmpty()) {
      return null;
    }
    Source[] others = Stream.of(inputs).skip(1).map(SpreadCalls::source).toArray(Source[]::new);
    Results results = stream.run(operation, others);
    Expansion ofArray = operation.expand(StreamParts.RESULT, given);
    Map<String, Object> outputs = new HashMap<>();
    String output = call.output();
    for (Output each : ofArray.outputs()) {
      Number value = results.get(each.name());
      outputs.put(
          output + each.name().substring(StreamParts.RESULT.length()),
          each.type() == ElementType.INT ? (Number) value.intValue() : value);
    }
    for (Primitive primitive : ofArray.primitives()) {
      for (Primitive.Slot slot : primitive.asIs().layout().arrays()) {
        if (results.names().contains(slot.name())) {
          String name = output + slot.name().substring(StreamParts.RESULT.length());
          Elements array = results.elements(slot.name());
          if (slot.type() == ElementType.INT && array.type() == ElementType.LONG) {
            array =
                Elements.of(
                    LongStream.of(results.longs(slot.name())).mapToInt(n -> (int) n).toArray());
          }
          Elements place = place(into, name, array.type(), array.length());
          if (place == null) {
            return null;
          }
          place.segment().copyFrom(array.segment());
          outputs.put(name, place);
        }
      }
    }
    return Results.of(outputs);
  }

  /**
   * Where an array goes: a new array, or the caller's if any thread may write there; otherwise
   * null.
   */
  private static @Nullable Elements place(
      Map<String, Elements> into, String output, ElementType type, int length, Elements... read) {
    if (into.isEmpty()) {
      return Elements.allocate(type, length);
    }
    Elements place = into.get(output);
    return place != null
            && into.size() == 1
            && place.type() == type
            && place.length() >= length
            && ParallelRows.mayBeShared(place.segment())
            && Stream.of(read)
                .noneMatch(each -> each.segment().asOverlappingSlice(place.segment()).isPresent())
        ? place.range(0, length)
        : null;
  }

  private static Source source(Elements elements) {
    return Source.of(elements.segment(), elements.type());
  }

  private static Sink sink(Elements place) {
    return Sink.of(place.segment(), place.type());
  }
}
