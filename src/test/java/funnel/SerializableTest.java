package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import funnel.group.Aggregate;
import funnel.group.GroupBy;
import funnel.histogram.Histogram;
import funnel.operation.Operation;
import funnel.operation.Parts;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Transform;
import funnel.rank.Quantiles;
import funnel.rank.TopK;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.select.FindFirst;
import funnel.sort.IsSorted;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What travels to another process and back. */
class SerializableTest {

  private static final Operator OR = Operator.ofInt("or", 0, (a, b) -> a | b).commutative();
  private static final Transform SQUARE = Transform.ofInt("square", x -> x * x);

  static Stream<Serializable> things() {
    return Stream.of(
        Operator.SUM,
        Reduction.sumAsLong(),
        Reduction.argMin(),
        Scan.inclusive(Operator.MAX).to(ElementType.LONG).from(7L),
        Histogram.even(20, -1.0, 1.0),
        Histogram.ranges(1, 5, 9).to(ElementType.LONG).accumulating(),
        TopK.largest(5).withPositions(),
        Quantiles.of(0.5, 0.99).interpolated());
  }

  /** With functions, which are those of this class again, one object however often they come. */
  static Stream<Serializable> thingsWithFunctions() {
    return Stream.of(
        OR,
        SQUARE,
        Reduction.of(OR, SQUARE),
        Reduction.countIf(Transform.testInt("even", x -> (x & 1) == 0)),
        Scan.exclusive(OR).mapped(SQUARE));
  }

  @ParameterizedTest
  @MethodSource("things")
  void isEqualThere(Serializable thing) throws Exception {
    assertEquals(thing, there(thing));
  }

  @ParameterizedTest
  @MethodSource("thingsWithFunctions")
  void isEqualToWhatElseArrives(Serializable thing) throws Exception {
    assertEquals(there(thing), there(thing));
  }

  @Test
  void computesThere() throws Exception {
    Reduction reduction = assertInstanceOf(Reduction.class, there(Reduction.of(OR, SQUARE)));
    Scan scan = assertInstanceOf(Scan.class, there(Scan.inclusive(OR)));
    int[] prefix = new int[3];
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      assertEquals(1 | 4 | 64, funnel.reduce(Elements.of(new int[] {1, 2, 8}), reduction));
      assertEquals(7, funnel.scan(Elements.of(new int[] {1, 2, 4}), scan, Elements.of(prefix)));
    }
  }

  @Test
  void operationsInParts() throws Exception {
    List<ElementType> ints = List.of(ElementType.INT, ElementType.INT);
    for (Operation operation :
        List.of(
            Reduction.of(OR, SQUARE),
            Reduction.sampleVariance(),
            Histogram.ofKeys(7),
            TopK.largest(3),
            FindFirst.where(Transform.testInt("even", x -> x % 2 == 0)).rejecting(),
            IsSorted.descending(),
            GroupBy.of(Aggregate.mean(1), Aggregate.argMax(1)).runs())) {
      Parts<?> parts = operation.inParts(ints).orElseThrow();
      Parts<?> arrived = assertInstanceOf(Parts.class, there(parts));
      assertEquals(parts.ofPiece().toString(), arrived.ofPiece().toString());
    }
  }

  @Test
  void partsOfScans() {
    Scan scan = Scan.inclusive(OR).mapped(SQUARE).from(9);
    assertEquals(Optional.of(SQUARE), scan.map());
    assertEquals(Optional.of(9), scan.initial());
    assertEquals(Optional.empty(), scan.continuing().initial());
    assertEquals(Optional.empty(), Scan.inclusive(OR).map());
  }

  private static Object there(Serializable thing) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(thing);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }
}
