package funnel.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.ElementStream;
import funnel.Funnel;
import funnel.Types;
import funnel.Values;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.scan.Scan;
import funnel.select.Select;
import funnel.sort.Order;
import funnel.sort.Sort;
import funnel.sort.SortOracle;
import funnel.transform.Elementwise;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes from sources to sinks on every engine; the oracle is a plain loop over the whole. */
abstract class StreamSinkContract extends StreamContract {

  private static final int GUARDS = Values.GUARDS;

  /** Memory for so many elements, with guards around. */
  private static Values guarded(ElementType type, int length) {
    return Values.guard(type, length + 2 * GUARDS);
  }

  private static Sink sink(Values guarded) {
    return Sink.of(guarded.elements(GUARDS, guarded.length() - GUARDS).segment(), guarded.type());
  }

  private static void requireEqual(Values expected, Values guarded, String what) {
    Values found = guarded.range(GUARDS, GUARDS + expected.length());
    for (int i = 0; i < expected.length(); i++) {
      if (SortOracle.bits(expected, i) != SortOracle.bits(found, i)) {
        assertEquals(expected.at(i), found.at(i), "element " + i + ", " + what);
      }
    }
    Values all = Values.guard(guarded.type(), guarded.length());
    all.requireEqualOutside(guarded, GUARDS, GUARDS + expected.length(), what);
  }

  @ParameterizedTest
  @EnumSource(names = {"BYTE", "INT", "LONG"})
  void scansOfIntegersAreThoseOfOneArray(ElementType type) throws IOException {
    ElementType wide = ElementType.LONG;
    eachCase(
        type,
        "scan",
        (x, stream, what) -> {
          Values sums = guarded(wide, x.length());
          Values largest = guarded(type == wide ? wide : ElementType.INT, x.length());
          Values expectedSums = Values.ofLength(wide, x.length());
          Values expectedLargest = Values.ofLength(largest.type(), x.length());
          long sum = -3;
          long max = largest.type() == wide ? Long.MIN_VALUE : Integer.MIN_VALUE;
          for (int i = 0; i < x.length(); i++) {
            expectedSums.set(i, sum);
            sum += x.longAt(i);
            max = Math.max(max, x.longAt(i));
            expectedLargest.set(i, max);
          }
          Scan exclusive = Scan.exclusive(Operator.SUM).to(wide).from(-3L);
          assertEquals(sum, stream.scan(exclusive, sink(sums)), what);
          requireEqual(expectedSums, sums, what);
          assertEquals(
              max, stream.scan(Scan.inclusive(Operator.MAX), sink(largest)).longValue(), what);
          requireEqual(expectedLargest, largest, what);
        });
  }

  /** Each piece goes on from the total of those before it. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void scansOfFloatingPointNumbersAreFixedByTheLengths(ElementType type) throws IOException {
    try (Funnel jvm = Funnel.open(Target.JVM)) {
      eachCase(
          type,
          "floats",
          (x, stream, what) -> {
            Values expected = Values.ofLength(type, x.length());
            Scan scan = Scan.inclusive(Operator.SUM);
            Number total = scan.initial(type);
            for (int from = 0; from < x.length(); from += piece()) {
              int to = Math.min(from + piece(), x.length());
              total =
                  jvm.scan(
                      x.range(from, to).elements(),
                      scan.from(total),
                      expected.range(from, to).elements());
            }
            Values found = guarded(type, x.length());
            assertEquals(total, stream.scan(scan, sink(found)), what);
            requireEqual(expected, found, what);
          });
    }
  }

  @Test
  void aScanMayGoIntoTheMemoryOfItsSource() throws IOException {
    int[] x = new int[3 * piece() + 7];
    Arrays.fill(x, 2);
    MemorySegment memory = MemorySegment.ofArray(x);
    ElementStream stream = funnel.over(Source.of(memory, ElementType.INT)).pieces(piece());
    assertEquals(
        2 * x.length, stream.scan(Scan.inclusive(Operator.SUM), Sink.of(memory, ElementType.INT)));
    for (int i = 0; i < x.length; i++) {
      assertEquals(2 * i + 2, x[i]);
    }
  }

  private static Transform overTen(ElementType type) {
    return switch (type) {
      case BYTE, INT -> Transform.testInt("over 10", v -> v > 10);
      case LONG -> Transform.testLong("over 10", v -> v > 10);
      case FLOAT -> Transform.testFloat("over 10", v -> v > 10);
      case DOUBLE -> Transform.testDouble("over 10", v -> v > 10);
    };
  }

  private static boolean isOverTen(Values x, int i) {
    return x.type().isFloating() ? x.doubleAt(i) > 10 : x.longAt(i) > 10;
  }

  @ParameterizedTest
  @Types
  void whatIsKeptIsKeptInOrder(ElementType type) throws IOException {
    Select over = Select.where(overTen(type));
    eachCase(
        type,
        "select",
        (x, stream, what) -> {
          Values kept = Values.ofLength(type, x.length());
          Values places = Values.ofLength(ElementType.LONG, x.length());
          Values flags = Values.ofLength(ElementType.BYTE, x.length());
          int count = 0;
          int left = 0;
          for (int i = 0; i < x.length(); i++) {
            if (isOverTen(x, i)) {
              flags.set(i, 1 + i % 255);
              SortOracle.setBits(kept, count++, SortOracle.bits(x, i));
            } else {
              places.set(left++, i);
            }
          }
          Values found = guarded(type, x.length());
          assertEquals(count, stream.select(over, sink(found)), what);
          requireEqual(kept.range(0, count), found, what);
          Values positions = guarded(ElementType.LONG, left);
          assertEquals(left, stream.select(over.rejecting().positions(), sink(positions)), what);
          requireEqual(places.range(0, left), positions, what);
          Values flagged = guarded(type, count);
          Source ofFlags = Source.of(flags.segment(), ElementType.BYTE);
          assertEquals(count, stream.select(Select.flagged(), ofFlags, sink(flagged)), what);
          requireEqual(kept.range(0, count), flagged, what);
        });
  }

  @ParameterizedTest
  @Types
  void sortedElementsAndOrdersAreThoseOfOneArray(ElementType type) throws IOException {
    eachCase(
        type,
        "sort",
        (x, stream, what) -> {
          for (boolean isDescending : dealt(type.ordinal(), List.of(false, true))) {
            int[] order =
                SortOracle.order(
                    x.length(), isDescending, (i, j) -> SortOracle.compareAlone(x, i, j));
            Values expected = Values.ofLength(type, x.length());
            for (int i = 0; i < order.length; i++) {
              SortOracle.setBits(expected, i, SortOracle.bits(x, order[i]));
            }
            Values sorted = guarded(type, x.length());
            stream.sort(isDescending ? Sort.descending() : Sort.ascending(), sink(sorted));
            requireEqual(expected, sorted, what + ", descending=" + isDescending);
            int[] stable =
                SortOracle.order(x.length(), isDescending, (i, j) -> SortOracle.compare(x, i, j));
            Values places = Values.ofLength(ElementType.LONG, x.length());
            for (int i = 0; i < stable.length; i++) {
              places.set(i, stable[i]);
            }
            Values positions = guarded(ElementType.LONG, x.length());
            stream.sort(isDescending ? Order.descending() : Order.ascending(), sink(positions));
            requireEqual(places, positions, what + ", descending=" + isDescending);
          }
        });
    String[] left = folder.toFile().list();
    assertEquals(0, left == null ? -1 : left.length, "nothing is left in the folder");
  }

  /** It would be written where the next piece is yet to be read. */
  @Test
  void aSinkAheadOfItsSourceIsRefused() {
    int length = 2 * piece() + 8;
    int[] memory = new int[length + 2];
    Arrays.fill(memory, 3);
    MemorySegment all = MemorySegment.ofArray(memory);
    Source whole = Source.of(all.asSlice(0, 4L * length), ElementType.INT);
    Source parts =
        Source.concatenated(
            List.of(
                Source.of(MemorySegment.ofArray(new int[] {1}), ElementType.INT),
                Source.of(all.asSlice(0, 4L * length), ElementType.INT)));
    Sink one = Sink.of(all.asSlice(4, 4L * length), ElementType.INT);
    Sink same = Sink.of(all, ElementType.INT);
    Sink wide = Sink.of(all, ElementType.LONG);
    Select threes = Select.where(Transform.testInt("threes", x -> x == 3));
    ElementStream stream = funnel.over(whole).pieces(piece());
    ElementStream ofParts = funnel.over(parts).pieces(piece());
    List<Executable> calls =
        List.of(
            () -> stream.scan(Scan.inclusive(Operator.SUM), one),
            () -> ofParts.scan(Scan.inclusive(Operator.SUM), same),
            () -> stream.select(threes, one),
            () -> ofParts.select(threes, same),
            () -> stream.select(threes.positions(), wide),
            () -> stream.unique(one),
            () -> stream.runs(Sink.of(MemorySegment.ofArray(new int[9]), ElementType.INT), wide),
            () -> stream.runs(same, wide));
    for (Executable call : calls) {
      assertThrows(IllegalArgumentException.class, call);
    }
    long[] both = new long[length];
    MemorySegment shared = MemorySegment.ofArray(both);
    assertThrows(
        IllegalArgumentException.class,
        () -> stream.runs(Sink.of(shared, ElementType.INT), Sink.of(shared, ElementType.LONG)));
    assertTrue(Arrays.stream(memory).allMatch(x -> x == 3));
    assertTrue(Arrays.stream(both).allMatch(x -> x == 0));
  }

  @Test
  void whatASinkDoesNotTakeIsRefused() {
    ElementStream stream =
        funnel.over(Source.of(MemorySegment.ofArray(new int[8]), ElementType.INT)).pieces(3);
    Sink seven = Sink.of(MemorySegment.ofArray(new int[7]), ElementType.INT);
    Sink longs = Sink.of(MemorySegment.ofArray(new long[8]), ElementType.LONG);
    Sink eight = Sink.of(MemorySegment.ofArray(new int[8]), ElementType.INT);
    Scan scan = Scan.inclusive(Operator.SUM);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> stream.scan(scan, seven));
    assertEquals("sink INT[7] takes length=7 of INT: results are of INT, length=8", e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> stream.scan(scan, longs));
    assertThrows(IllegalArgumentException.class, () -> stream.scan(scan.continuing(), eight));
    assertThrows(IllegalArgumentException.class, () -> stream.sort(Sort.ascending(), longs));
    assertThrows(IllegalArgumentException.class, () -> stream.sort(Order.ascending(), eight));
    assertThrows(
        IllegalArgumentException.class, () -> stream.sort(Sort.ascending().unsigned(), eight));
    Select all = Select.where(Transform.testInt("any", v -> true));
    assertThrows(IndexOutOfBoundsException.class, () -> stream.select(all, seven));
    assertThrows(IllegalArgumentException.class, () -> stream.select(all, longs));
    assertThrows(IllegalArgumentException.class, () -> stream.select(all.positions(), eight));
    assertThrows(IllegalArgumentException.class, () -> stream.select(all.withPositions(), eight));
    assertThrows(IllegalArgumentException.class, () -> stream.select(all.rows(), eight));
    assertThrows(IllegalArgumentException.class, () -> stream.select(Select.flagged(), eight));
    Elementwise even = Elementwise.ofInt("even", (i, v) -> 1 - (i & 1)).indexed();
    assertThrows(IllegalArgumentException.class, () -> stream.select(Select.where(even), eight));
    Source flags = Source.of(MemorySegment.ofArray(new byte[7]), ElementType.BYTE);
    e =
        assertThrows(
            IllegalArgumentException.class, () -> stream.select(Select.flagged(), flags, eight));
    assertEquals(
        "sources are read together and must be equally long: INT[8] has length=8, BYTE[7] has"
            + " length=7",
        e.getMessage());
  }
}
