package funnel.cli;

import funnel.Elements;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which elements {@code --where} keeps: some of the numbers of one type. */
final class Where {

  /* Every condition is a set of numbers, and a set is a list of ranges. Numbers are compared by
   * keys, longs in the same order. An integer is its own key. -0.0 has the key of 0.0, since they
   * are equal, and all NaN have the same key, above that of all numbers.
   *
   * Elements are copied in blocks: a copy from a mapped file that somebody has cut off is an error,
   * a loop over its elements can end the JVM.
   */

  private static final int BLOCK = 1 << 13;

  private static final long NAN = Double.doubleToLongBits(Double.NaN);
  private static final long INFINITY = Double.doubleToLongBits(Double.POSITIVE_INFINITY);

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<word>and|or|not|nan)\\b|(?<range>\\.\\.)|(?<operator>[<>]=?|!=|==?)"
              + "|(?<symbol>&&?|\\|\\|?|!|[()])"
              + "|(?<number>[+-]?(?:Infinity|(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?)))\\s*");

  private final ElementType type;
  private final long[] lows;
  private final long[] highs;

  private Where(ElementType type, List<Range> ranges) {
    this.type = type;
    this.lows = ranges.stream().mapToLong(Range::low).toArray();
    this.highs = ranges.stream().mapToLong(Range::high).toArray();
  }

  /** Keys from one to another, both included; sets have them apart from each other, ascending. */
  private record Range(long low, long high) {

    static List<Range> of(long low, long high) {
      return low <= high ? List.of(new Range(low, high)) : List.of();
    }

    static List<Range> not(List<Range> set) {
      List<Range> others = new ArrayList<>();
      long from = Long.MIN_VALUE;
      for (Range range : set) {
        if (range.low > from) {
          others.add(new Range(from, range.low - 1));
        }
        if (range.high == Long.MAX_VALUE) {
          return others;
        }
        from = range.high + 1;
      }
      others.add(new Range(from, Long.MAX_VALUE));
      return others;
    }

    static List<Range> or(List<Range> one, List<Range> other) {
      List<Range> all = new ArrayList<>(one);
      all.addAll(other);
      all.sort(Comparator.comparingLong(Range::low));
      List<Range> merged = new ArrayList<>();
      for (Range range : all) {
        if (!merged.isEmpty() && range.low <= merged.getLast().high) {
          Range last = merged.removeLast();
          merged.add(new Range(last.low, Math.max(last.high, range.high)));
        } else {
          merged.add(range);
        }
      }
      return merged;
    }

    static List<Range> and(List<Range> one, List<Range> other) {
      return not(or(not(one), not(other)));
    }
  }

  /**
   * Reads a condition.
   *
   * <pre>
   *   condition  =  all { "or" all }
   *   all        =  one { "and" one }
   *   one        =  { "not" } ( comparison NUMBER | NUMBER ".." NUMBER | "nan" | "(" condition ")" )
   * </pre>
   *
   * <p>{@code &&}, {@code ||}, {@code !} and {@code =} are also {@code and}, {@code or}, {@code
   * not} and {@code ==}. For integers a fraction is a bound between two of them.
   *
   * @throws IllegalArgumentException if it is not a condition for the type; the message says where,
   *     and what was expected
   */
  static Where parse(String text, ElementType type) {
    return new Where(type, new Parser(text, type).whole());
  }

  private static long key(double value) {
    long bits = Double.doubleToLongBits(value + 0.0);
    return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
  }

  /**
   * Flags elements by 1 if they are kept, else by 0; on all cores.
   *
   * @param flags a byte for each element
   */
  void flag(MemorySegment elements, MemorySegment flags) {
    int length = (int) flags.byteSize();
    ParallelRows.run(
        length,
        length,
        (from, to) -> {
          Object block = array();
          MemorySegment memory = Elements.ofArray(block).segment();
          byte[] kept = new byte[BLOCK];
          for (int at = from; at < to; at += BLOCK) {
            int count = Math.min(BLOCK, to - at);
            long bytes = (long) count * type.bytes();
            MemorySegment.copy(elements, (long) at * type.bytes(), memory, 0, bytes);
            Arrays.fill(kept, (byte) 0);
            for (int range = 0; range < lows.length; range++) {
              flag(block, range, kept);
            }
            MemorySegment.copy(kept, 0, flags, ValueLayout.JAVA_BYTE, at, count);
          }
        });
  }

  private Object array() {
    return switch (type) {
      case BYTE -> new byte[BLOCK];
      case INT -> new int[BLOCK];
      case LONG -> new long[BLOCK];
      case FLOAT -> new float[BLOCK];
      case DOUBLE -> new double[BLOCK];
    };
  }

  /** Flags those in a range; one that has more than numbers ends with NaN. */
  private void flag(Object block, int range, byte[] kept) {
    long low = lows[range];
    long high = highs[range];
    switch (block) {
      case byte[] x -> flag(x, Math.max(low, 0), Math.min(high, 0xff), kept);
      case int[] x ->
          flag(x, Math.max(low, Integer.MIN_VALUE), Math.min(high, Integer.MAX_VALUE), kept);
      case long[] x -> flag(x, low, high, kept);
      case float[] x -> flag(x, least(low), most(high), hasNan(low, high), kept);
      case double[] x -> flag(x, least(low), most(high), hasNan(low, high), kept);
      default -> throw new AssertionError(block);
    }
  }

  private static boolean hasNan(long low, long high) {
    return low <= NAN && NAN <= high;
  }

  /** The least number with such a key or a higher one; NaN if there is none. */
  private static double least(long key) {
    return key > INFINITY ? Double.NaN : key < ~INFINITY ? Double.NEGATIVE_INFINITY : number(key);
  }

  /** The largest number with such a key or a lower one; NaN if there is none. */
  private static double most(long key) {
    return key < ~INFINITY
        ? Double.NaN
        : key > INFINITY ? Double.POSITIVE_INFINITY : key == -1 ? -Double.MIN_VALUE : number(key);
  }

  /** The number with a key; that between negative numbers and zeros, which none has, is -0.0. */
  private static double number(long key) {
    return Double.longBitsToDouble(key ^ ((key >> (Long.SIZE - 1)) & Long.MAX_VALUE));
  }

  private static void flag(byte[] x, long low, long high, byte[] kept) {
    for (int i = 0; i < BLOCK; i++) {
      kept[i] |= (byte) ((x[i] & 0xff) >= low & (x[i] & 0xff) <= high ? 1 : 0);
    }
  }

  private static void flag(int[] x, long low, long high, byte[] kept) {
    int first = (int) low;
    int last = (int) high;
    for (int i = 0; low <= high && i < BLOCK; i++) {
      kept[i] |= (byte) (x[i] >= first & x[i] <= last ? 1 : 0);
    }
  }

  private static void flag(long[] x, long low, long high, byte[] kept) {
    for (int i = 0; i < BLOCK; i++) {
      kept[i] |= (byte) (x[i] >= low & x[i] <= high ? 1 : 0);
    }
  }

  private static void flag(float[] x, double low, double high, boolean hasNan, byte[] kept) {
    for (int i = 0; i < BLOCK; i++) {
      kept[i] |= (byte) (x[i] >= low & x[i] <= high | hasNan & x[i] != x[i] ? 1 : 0);
    }
  }

  private static void flag(double[] x, double low, double high, boolean hasNan, byte[] kept) {
    for (int i = 0; i < BLOCK; i++) {
      kept[i] |= (byte) (x[i] >= low & x[i] <= high | hasNan & x[i] != x[i] ? 1 : 0);
    }
  }

  /** Reads a condition word by word. */
  private static final class Parser {
    private static final String TEST = "a comparison such as >= 3, a range such as 3..7, or nan";

    private final String text;
    private final ElementType type;
    private final Matcher matcher;
    private int at;

    Parser(String text, ElementType type) {
      this.text = text;
      this.type = type;
      this.matcher = TOKEN.matcher(text);
    }

    List<Range> whole() {
      List<Range> any = condition();
      if (at < text.length()) {
        throw isPresent("operator")
            ? expected("'and' or 'or' between comparisons")
            : expected("'and', 'or' or the end");
      }
      return any;
    }

    private List<Range> condition() {
      List<Range> any = all();
      while (isWord("or", "||", "|")) {
        any = Range.or(any, all());
      }
      return any;
    }

    private List<Range> all() {
      List<Range> all = one();
      while (isWord("and", "&&", "&")) {
        all = Range.and(all, one());
      }
      return all;
    }

    private List<Range> one() {
      return isWord("not", "!") ? Range.not(one()) : test();
    }

    private List<Range> test() {
      if (isWord("", "(")) {
        List<Range> inner = condition();
        if (!isWord("", ")")) {
          throw expected("')'");
        }
        return inner;
      }
      if (isNext("operator")) {
        return comparison(matcher.group("operator"), number());
      }
      int start = at;
      if (isWord("nan")) {
        if (!type.isFloating()) {
          throw at(start, "there is no nan in %s".formatted(FileType.of(type)));
        }
        return Range.of(NAN, NAN);
      }
      if (!isPresent("number")) {
        throw expected(
            (type.isFloating() ? TEST : "a comparison such as >= 3 or a range such as 3..7")
                + (at < text.length() && Character.isLetter(text.charAt(at))
                    ? ", without a name for the element"
                    : ""));
      }
      Bound low = number();
      if (!isNext("range")) {
        throw expected("'..' and the end of a range; for elements that are equal to it, write ==");
      }
      Bound high = number();
      if (low.floor > high.floor || low.ceiling > high.ceiling) {
        throw at(start, "the range ends before it begins");
      }
      return Range.and(comparison(">=", low), comparison("<=", high));
    }

    private List<Range> comparison(String operator, Bound key) {
      long least = Long.MIN_VALUE;
      long largest = type.isFloating() ? INFINITY : Long.MAX_VALUE;
      return switch (operator) {
        case "<" -> key.ceiling == least ? List.of() : Range.of(least, key.ceiling - 1);
        case "<=" -> Range.of(least, key.floor);
        case ">" -> key.floor >= largest ? List.of() : Range.of(key.floor + 1, largest);
        case ">=" -> Range.of(key.ceiling, largest);
        case "!=" -> Range.not(Range.of(key.ceiling, key.floor));
        default -> Range.of(key.ceiling, key.floor);
      };
    }

    /** The keys next to a number, which are equal unless it is a fraction among integers. */
    private record Bound(long floor, long ceiling) {}

    private Bound number() {
      int start = at;
      if (!isNext("number")) {
        throw expected("a number");
      }
      String digits = matcher.group("number");
      try {
        if (type.isFloating()) {
          long key = key(Numbers.parsed(digits, type).doubleValue());
          return new Bound(key, key);
        }
        BigDecimal value = new BigDecimal(digits);
        return new Bound(whole(value, RoundingMode.FLOOR), whole(value, RoundingMode.CEILING));
      } catch (NumberFormatException e) {
        throw at(start, "%s is no %s".formatted(digits, FileType.of(type)));
      } catch (ArithmeticException e) {
        throw at(start, "%s does not fit %s".formatted(digits, FileType.of(type)));
      }
    }

    private long whole(BigDecimal value, RoundingMode mode) {
      return Numbers.parsed(value.setScale(0, mode).toPlainString(), type).longValue();
    }

    private boolean isPresent(String kind) {
      return matcher.region(at, text.length()).lookingAt() && matcher.group(kind) != null;
    }

    private boolean isNext(String kind) {
      boolean is = isPresent(kind);
      if (is) {
        at = matcher.end();
      }
      return is;
    }

    private boolean isWord(String word, String... symbols) {
      return isPresent("word") && word.equals(matcher.group("word")) && isNext("word")
          || isPresent("symbol")
              && List.of(symbols).contains(matcher.group("symbol"))
              && isNext("symbol");
    }

    private IllegalArgumentException expected(String what) {
      String rest = text.substring(at);
      return at(
          at,
          "expected %s, found %s".formatted(what, rest.isBlank() ? "the end" : "'" + rest + "'"));
    }

    private static IllegalArgumentException at(int place, String what) {
      return new IllegalArgumentException("at character %s: %s".formatted(place + 1, what));
    }
  }
}
