package funnel.operation;

import funnel.kernel.Scalars;
import java.util.stream.IntStream;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * How an int of a primitive follows from the length of an input: so many parts of {@code per}
 * elements. Engines apply it on the host, or on the device if the length is found there.
 *
 * <p>A length of 7 has 3 parts of 3 ({@link #parts}), 2 of them whole ({@link #wholeParts}), and 1
 * element is left ({@link #rest}).
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="layout"}
 *
 * @param kind which of these it is
 * @param per elements of a part, at least 1
 * @param perAt index of one of the primitive's ints that {@code per} is multiplied with, at least 1
 *     too; -1 if there is none
 * @param before places before the first element that count too
 * @param least as much it is at least
 * @param most as much it is at most
 * @param times what the number of parts is multiplied with at last
 */
public record LengthRule(
    Kind kind, int per, int perAt, int before, int least, int most, int times) {

  /** What is counted. */
  public enum Kind {
    /** Parts, the last of which may not be whole. */
    PARTS,
    /** Whole parts. */
    WHOLE_PARTS,
    /** Elements after the last whole part. */
    REST
  }

  /** The length itself. */
  public static final LengthRule LENGTH = parts(1);

  /** Ints of a rule in the shape array. */
  static final int INTS = 8;

  /** As many as there are parts of {@code per} elements, the last of which may not be whole. */
  public static LengthRule parts(int per) {
    return new LengthRule(Kind.PARTS, per, -1, 0, 0, Integer.MAX_VALUE, 1);
  }

  /** As many as there are whole parts of {@code per} elements. */
  public static LengthRule wholeParts(int per) {
    return new LengthRule(Kind.WHOLE_PARTS, per, -1, 0, 0, Integer.MAX_VALUE, 1);
  }

  /** As many as are left after the last whole part of {@code per} elements. */
  public static LengthRule rest(int per) {
    return new LengthRule(Kind.REST, per, -1, 0, 0, Integer.MAX_VALUE, 1);
  }

  /** The same for parts that have as many times more elements as another int says. */
  public LengthRule timesIntAt(int at) {
    return new LengthRule(kind, per, at, before, least, most, times);
  }

  /** The same where the first part begins before the first element, if there is one. */
  public LengthRule beginning(int placesBefore) {
    return new LengthRule(kind, per, perAt, placesBefore, least, most, times);
  }

  /** The same between two bounds. */
  public LengthRule within(int newLeast, int newMost) {
    return new LengthRule(kind, per, perAt, before, newLeast, newMost, times);
  }

  /** The same, multiplied. */
  public LengthRule times(int factor) {
    return new LengthRule(kind, per, perAt, before, least, most, factor);
  }

  /**
   * The int for a length.
   *
   * @param length of the input
   * @param own the primitive's ints, if the rule reads one
   */
  public int of(int length, int... own) {
    int elements = perAt < 0 ? per : per * own[perAt];
    int parts = apply(length, kind.ordinal(), elements, before);
    return Scalars.min(Scalars.max(parts, least), most) * times;
  }

  void put(int at, IntStream.Builder ints) {
    ints.add(at)
        .add(kind.ordinal())
        .add(per)
        .add(perAt)
        .add(before)
        .add(least)
        .add(most)
        .add(times);
  }

  /** No sum in it passes 2^31: a length and the places before it may be that much together. */
  private static int apply(int length, int kind, int per, int before) {
    int whole = length / per;
    int rest = length - whole * per;
    int parts = whole + (rest + before + per - 1) / per;
    parts = length > 0 ? parts : 0;
    parts = kind == 1 ? whole : parts;
    return kind == 2 ? rest : parts;
  }

  /** Kernel of one thread: applies so many rules, which begin {@code rulesAt} after the ints. */
  static void derive(
      KernelContext context,
      IntArray shape,
      IntArray found,
      int shapeAt,
      int rulesAt,
      int rules,
      int foundAt) {
    int length = found.get(foundAt);
    for (int i = 0; i < rules; i++) {
      int rule = shapeAt + rulesAt + INTS * i;
      int perAt = shape.get(rule + 3);
      int factor = shape.get(shapeAt + Scalars.max(perAt, 0));
      int per = shape.get(rule + 2) * (perAt < 0 ? 1 : factor);
      int parts = apply(length, shape.get(rule + 1), per, shape.get(rule + 4));
      parts = Scalars.min(Scalars.max(parts, shape.get(rule + 5)), shape.get(rule + 6));
      shape.set(shapeAt + shape.get(rule), parts * shape.get(rule + 7));
    }
  }
}
