package funnel.operation;

import funnel.kernel.Scalars;
import java.util.stream.IntStream;

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
    int parts = LengthRuleKernels.apply(length, kind.ordinal(), elements, before);
    return Scalars.min(Scalars.max(parts, least), most) * times;
  }

  void put(int at, IntStream.Builder ints) {
    ints.add(at)
        .add(kind.ordinal())
        .add(per)
        .add(perAt + 1)
        .add(before)
        .add(least)
        .add(most)
        .add(times);
  }
}
