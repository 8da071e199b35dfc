package funnel.operation;

import funnel.kernel.Scalars;
import java.util.stream.IntStream;

/**
 * How an int of a primitive follows from the length of an input, as a number of parts of {@code
 * per} elements. Engines apply the rule on the host, or on the device if the length is found there.
 *
 * <p>A length of 7 has 3 parts of 3 elements ({@link #parts}), 2 of them whole ({@link
 * #wholeParts}), and 1 element remains ({@link #rest}).
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="primitive"}
 *
 * @param kind which of these it counts
 * @param per elements of a part, at least 1
 * @param perAt the index of one of the primitive's ints, also at least 1, by which {@code per} is
 *     multiplied; -1 if there is none
 * @param before places before the first element that count too
 * @param least the lower bound of the number of parts
 * @param most the upper bound of the number of parts
 * @param times the factor that the bounded number is multiplied by at the end
 */
public record LengthRule(
    Kind kind, int per, int perAt, int before, int least, int most, int times) {

  /** What a rule counts. */
  public enum Kind {
    /** Parts; the last one may be incomplete. */
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

  /** The number of parts of {@code per} elements; the last one may be incomplete. */
  public static LengthRule parts(int per) {
    return new LengthRule(Kind.PARTS, per, -1, 0, 0, Integer.MAX_VALUE, 1);
  }

  /** The number of whole parts of {@code per} elements. */
  public static LengthRule wholeParts(int per) {
    return new LengthRule(Kind.WHOLE_PARTS, per, -1, 0, 0, Integer.MAX_VALUE, 1);
  }

  /** The number of elements after the last whole part of {@code per} elements. */
  public static LengthRule rest(int per) {
    return new LengthRule(Kind.REST, per, -1, 0, 0, Integer.MAX_VALUE, 1);
  }

  /** This rule for parts of {@code per} elements times one of the primitive's ints. */
  public LengthRule timesIntAt(int at) {
    return new LengthRule(kind, per, at, before, least, most, times);
  }

  /**
   * This rule with a first part that begins some places before the first element, if there is one.
   */
  public LengthRule beginning(int placesBefore) {
    return new LengthRule(kind, per, perAt, placesBefore, least, most, times);
  }

  /** This rule, limited to two bounds. */
  public LengthRule within(int newLeast, int newMost) {
    return new LengthRule(kind, per, perAt, before, newLeast, newMost, times);
  }

  /** This rule, its bounded number multiplied. */
  public LengthRule times(int factor) {
    return new LengthRule(kind, per, perAt, before, least, most, factor);
  }

  /**
   * The int for a length.
   *
   * @param length the length of the input
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
