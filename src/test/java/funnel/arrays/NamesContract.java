package funnel.arrays;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.Doubles;
import funnel.EngineContract;
import funnel.Ints;
import funnel.operation.Expansion;
import funnel.operation.Input;
import funnel.operation.Operation;
import funnel.operator.Operator;
import funnel.transform.Elementwise;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of arrays and of classes of users say nothing but what messages call them. */
abstract class NamesContract extends EngineContract {

  @Override
  public int[] lengths() {
    return new int[] {3};
  }

  private Doubles paid(String name) {
    return funnel.of(1.5, 2.0, 3.0).named(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "p",
        "paid",
        "read",
        "read_",
        "read_select1",
        "read_select1_positions",
        "read_sort1",
        "read_elementwise1",
        "read_elementwise2",
        "read_gather2",
        "read_groupby1",
        "select1",
        "input0",
        "input1",
        "array1",
        "array2",
        "result",
        "read_needed0",
        "xxxxxselect1"
      })
  void anyName_isNoOtherArray(String name) {
    Ints shop = funnel.of(7, 9, 7).named(name);
    Doubles paid = paid(name);
    Doubles positive = paid.filter(v -> v > 0);
    assertArrayEquals(new double[] {3.0, 4.0, 6.0}, paid.zip(positive, (a, b) -> a + b).toArray());
    assertArrayEquals(new double[] {4.5, 2.0}, shop.groupBy().sum(positive).toArray());
    assertEquals(1.5 * 1.5 + 4 + 9, paid.dot(positive));
    assertArrayEquals(new double[] {2.0, 3.0}, paid.filter(positive.flags(v -> v > 1.7)).toArray());
    assertArrayEquals(
        new double[] {1.0, 2.0 / 3.5, 3.0 / 6.5},
        paid.zip(positive.scan(Operator.SUM), (a, b) -> a / b).toArray());
    Ints u = funnel.of(5, 6, 0);
    Ints v = funnel.of(10, 20, 30).named(name);
    assertArrayEquals(new int[] {10, 20}, v.at(u.find(a -> a > 1).positions()).toArray());
    assertArrayEquals(
        new int[] {30, 10, 20}, v.at(u.sorted().order()).at(u.order()).map(a -> a).toArray());
    assertEquals(61, v.map(a -> a + 1).zip(shop, (a, b) -> a + b / 9 - b / 9).sum() - 2);
    try (Ints kept = v.keep().named(name)) {
      assertArrayEquals(new int[] {11, 21, 31}, kept.map(a -> a + 1).toArray());
    }
  }

  /** Its letters are those of one of ours; digits at the end would make two links of one name. */
  record Select1(int summand) implements Operation {
    @Override
    public Expansion expand(String output, List<Input> inputs) {
      int s = summand;
      return Elementwise.ofInt("plus", v -> v + s).expand(output, inputs);
    }
  }

  /** An operation whose class has a letter that file names may not have in every locale. */
  private static Operation ofClassWithOtherLetters() throws Exception {
    try (InputStream file =
        Objects.requireNonNull(NamesContract.class.getResourceAsStream("Summing_1.class"))) {
      String renamed =
          new String(file.readAllBytes(), ISO_8859_1)
              .replace("Summing_1", new String("Gr\u00f6\u00dfe_1".getBytes(UTF_8), ISO_8859_1));
      return (Operation)
          MethodHandles.lookup()
              .defineHiddenClass(renamed.getBytes(ISO_8859_1), true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    }
  }

  @Test
  void anyClass_isAnOperation() throws Exception {
    Ints x = funnel.of(1, 2, 3);
    int[] expected = {2, 3, 4};
    Operation lambda = new Select1(1)::expand;
    assertArrayEquals(expected, funnel.ints(lambda, x).toArray());
    assertArrayEquals(expected, funnel.ints(ofClassWithOtherLetters(), x).toArray());
    Ints y = funnel.ints(new Select1(1), x); // select11
    for (int i = 0; i < 12; i++) { // and the eleventh operation, a selection
      int at = i;
      y = y.filter(v -> v > at - 100);
    }
    assertArrayEquals(expected, y.toArray());
    assertArrayEquals(
        IntStream.of(expected).map(v -> v + 1).toArray(), funnel.ints(new Select1(1), y).toArray());
  }
}

/** Loaded with a name of as many bytes. */
final class Summing_1 implements Operation {
  @Override
  public Expansion expand(String output, List<Input> inputs) {
    return new NamesContract.Select1(1).expand(output, inputs);
  }
}
