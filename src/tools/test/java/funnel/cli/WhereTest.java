package funnel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WhereTest {

  private static final long SEED = 5;

  private static final double[] VALUES = {
    Double.NEGATIVE_INFINITY,
    -Double.MAX_VALUE,
    -3,
    -Double.MIN_VALUE,
    -0.0,
    0.0,
    Double.MIN_VALUE,
    0.5,
    1,
    2,
    3,
    4,
    7,
    255,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NaN,
    Double.longBitsToDouble(0xfff8_0000_0000_1234L)
  };

  private static byte[] flags(Where where, MemorySegment x, ElementType type) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment flags = arena.allocate(x.byteSize() / type.bytes());
      flags.fill((byte) 0x55);
      where.flag(x, flags);
      return flags.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static void assertDoubles(String text, DoublePredicate expected) {
    MemorySegment x = MemorySegment.ofArray(VALUES);
    byte[] flags = flags(Where.parse(text, ElementType.DOUBLE), x, ElementType.DOUBLE);
    for (int i = 0; i < VALUES.length; i++) {
      assertEquals(expected.test(VALUES[i]) ? 1 : 0, flags[i], text + " of " + VALUES[i]);
    }
  }

  @Test
  void conditionsSayWhatJavaSays() {
    assertDoubles("< 0", x -> x < 0);
    assertDoubles("<= 0", x -> x <= 0);
    assertDoubles("> -0.0", x -> x > 0);
    assertDoubles(">=0", x -> x >= 0);
    assertDoubles("== 0", x -> x == 0);
    assertDoubles("!= 0", x -> x != 0);
    assertDoubles("> Infinity", x -> false);
    assertDoubles("< -Infinity", x -> false);
    assertDoubles(">= -Infinity", x -> !Double.isNaN(x));
    assertDoubles("nan", Double::isNaN);
    assertDoubles("not nan", x -> !Double.isNaN(x));
    assertDoubles("not > 2", x -> !(x > 2));
    assertDoubles("1..3", x -> x >= 1 && x <= 3);
    assertDoubles(".5...7e1", x -> x >= 0.5 && x <= 7);
    assertDoubles("  -3..-0  ", x -> x >= -3 && x <= 0);
    assertDoubles("== 1 or == 2 and == 3", x -> x == 1);
    assertDoubles("> 2 and < 2 or nan", Double::isNaN);
    assertDoubles("< 1 or 1..2 or > 2", x -> !Double.isNaN(x));
    assertDoubles("not 1..3 and not nan and != 7", x -> !(x >= 1 && x <= 3) && x != 7 && x == x);
    assertDoubles("1..4 or 2..3", x -> x >= 1 && x <= 4);
  }

  @Test
  void otherSpellings() {
    assertDoubles("= 0 || =1", x -> x == 0 || x == 1);
    assertDoubles("> 0 && ! > 2", x -> x > 0 && !(x > 2));
    assertDoubles("(== 1 or == 2) and (> 1 or nan)", x -> x == 2);
    assertDoubles("not (< 1 or > 3)", x -> !(x < 1 || x > 3));
    assertDoubles("not not nan", Double::isNaN);
    assertDoubles("((> 1))&(<3)|nan", x -> x > 1 && x < 3 || Double.isNaN(x));
  }

  @ParameterizedTest
  @CsvSource({
    "> 2.5, 3 4",
    ">= 2.5, 3 4",
    "< 2.5, -3 -2 2",
    "<= -2.5, -3",
    "== 2.5, ''",
    "!= 2.5, -3 -2 2 3 4",
    "-2.5..2.5, -2 2",
    "= 2.0, 2"
  })
  void fractionsAreBetweenIntegers(String text, String kept) {
    int[] x = {-3, -2, 2, 3, 4};
    byte[] flags =
        flags(Where.parse(text, ElementType.INT), MemorySegment.ofArray(x), ElementType.INT);
    assertEquals(
        kept,
        IntStream.range(0, x.length)
            .filter(i -> flags[i] == 1)
            .mapToObj(i -> "" + x[i])
            .collect(Collectors.joining(" ")));
  }

  @Test
  void endsOfIntegersDoNotWrapAround() {
    long[] x = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, Long.MAX_VALUE - 1, Long.MAX_VALUE};
    MemorySegment segment = MemorySegment.ofArray(x);
    String least = "-9223372036854775808";
    String most = "9223372036854775807";
    String[] texts = {"< " + least, "> " + most, "not <= " + most, "not >= " + least};
    for (String text : texts) {
      byte[] flags = flags(Where.parse(text, ElementType.LONG), segment, ElementType.LONG);
      assertEquals(0, sum(flags), text);
    }
    String[] all = {"<= " + most, ">= " + least, least + ".." + most, "not > " + most};
    for (String text : all) {
      byte[] flags = flags(Where.parse(text, ElementType.LONG), segment, ElementType.LONG);
      assertEquals(x.length, sum(flags), text);
    }
    byte[] flags = flags(Where.parse("!= " + most, ElementType.LONG), segment, ElementType.LONG);
    assertEquals(x.length - 1, sum(flags));
    assertEquals(0, flags[5]);
  }

  private static int sum(byte[] flags) {
    int sum = 0;
    for (byte flag : flags) {
      sum += flag;
    }
    return sum;
  }

  /** Conditions of several parts over small numbers, beside the same in Java. */
  @ParameterizedTest
  @EnumSource(ElementType.class)
  void randomConditionsEqualAPlainLoop(ElementType type) {
    Random random = new Random(SEED);
    int length = 70_000; // in several tasks
    double[] numbers = random.ints(length, 0, 12).asDoubleStream().toArray();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment x = arena.allocate((long) length * type.bytes(), Long.BYTES);
      for (int i = 0; i < length; i++) {
        put(x, type, i, numbers[i]);
      }
      for (int round = 0; round < 8; round++) {
        StringBuilder text = new StringBuilder();
        DoublePredicate any = null;
        DoublePredicate all = null;
        for (int parts = 1 + random.nextInt(4); parts > 0; parts--) {
          boolean isNot = random.nextInt(3) == 0;
          int low = random.nextInt(12);
          int high = low + random.nextInt(4);
          String operator =
              new String[] {"<", "<=", ">", ">=", "==", "!=", ".."}[random.nextInt(7)];
          DoublePredicate one =
              switch (operator) {
                case "<" -> v -> v < low;
                case "<=" -> v -> v <= low;
                case ">" -> v -> v > low;
                case ">=" -> v -> v >= low;
                case "==" -> v -> v == low;
                case "!=" -> v -> v != low;
                default -> v -> v >= low && v <= high;
              };
          text.append(isNot ? "not " : "")
              .append(operator.equals("..") ? low + ".." + high : operator + low);
          one = isNot ? one.negate() : one;
          all = all == null ? one : all.and(one);
          boolean isOr = random.nextBoolean();
          if (parts == 1 || isOr) {
            any = any == null ? all : any.or(all);
            all = null;
          }
          text.append(parts == 1 ? "" : isOr ? " or " : " and ");
        }
        byte[] flags = flags(Where.parse(text.toString(), type), x, type);
        for (int i = 0; i < length; i++) {
          int at = i;
          assertEquals(
              any.test(numbers[i]) ? 1 : 0,
              flags[i],
              () -> "%s of %s, seed %s".formatted(text, numbers[at], SEED));
        }
      }
    }
  }

  private static void put(MemorySegment x, ElementType type, int i, double value) {
    switch (type) {
      case BYTE -> x.set(ValueLayout.JAVA_BYTE, i, (byte) value);
      case INT -> x.setAtIndex(ValueLayout.JAVA_INT, i, (int) value);
      case LONG -> x.setAtIndex(ValueLayout.JAVA_LONG, i, (long) value);
      case FLOAT -> x.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) value);
      case DOUBLE -> x.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
    }
  }

  @Test
  void bytesAreUnsignedAndFloatsRoundAsInJava() {
    byte[] bytes = {0, 127, (byte) 128, (byte) 255};
    byte[] flags =
        flags(
            Where.parse("> 127", ElementType.BYTE), MemorySegment.ofArray(bytes), ElementType.BYTE);
    assertEquals(2, sum(flags));
    float[] floats = {0.1f, Math.nextDown(0.1f), -0.0f};
    flags =
        flags(
            Where.parse("== 0.1 or == 0", ElementType.FLOAT),
            MemorySegment.ofArray(floats),
            ElementType.FLOAT);
    assertEquals(1, flags[0]);
    assertEquals(0, flags[1]);
    assertEquals(1, flags[2]);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "INT|\"\"|at character 1: expected a comparison such as >= 3 or a range such as 3..7, found"
            + " the end",
        "INT|\"> \"|at character 3: expected a number, found the end",
        "INT|> x|at character 3: expected a number, found 'x'",
        "INT|> 1 <2|at character 5: expected 'and' or 'or' between comparisons, found '<2'",
        "INT|> 1 and|at character 8: expected a comparison",
        "INT|3|at character 2: expected '..' and the end of a range",
        "INT|1..|at character 4: expected a number, found the end",
        "INT|7..3|at character 1: the range ends before it begins",
        "INT|> 1 or nan|at character 8: there is no nan in int32",
        "INT|x > 1|at character 1: expected a comparison such as >= 3 or a range such as 3..7,"
            + " without a name for the element, found 'x > 1'",
        "INT|> Infinity or > 1|at character 3: Infinity is no int32",
        "BYTE|> 255.5|at character 3: 255.5 does not fit uint8",
        "INT|(> 1|at character 5: expected ')', found the end",
        "INT|> 1)|at character 4: expected 'and', 'or' or the end, found ')'",
        "INT|> 3000000000|at character 3: 3000000000 does not fit int32",
        "INT|> Infinity|at character 3: Infinity is no int32",
        "BYTE|>= 256|at character 4: 256 does not fit uint8",
        "BYTE|>= -1|at character 4: -1 does not fit uint8",
        "FLOAT|> 16777217|at character 3: 16777217 does not fit float32",
        "DOUBLE|> 1e999|at character 3: 1e999 does not fit float64",
        "DOUBLE|== nan|at character 4: expected a number, found 'nan'",
        "DOUBLE|nano|at character 1: expected"
      })
  void errorsNameThePlaceAndWhatWasExpected(ElementType type, String text, String message) {
    String got =
        assertThrows(IllegalArgumentException.class, () -> Where.parse(text, type)).getMessage();
    assertEquals(message, got.substring(0, Math.min(message.length(), got.length())));
  }
}
