package funnel;

import funnel.array.Ref;
import funnel.histogram.Histogram;
import funnel.operator.ElementFunction;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.operator.Storage;
import funnel.operator.Transform;
import funnel.reduce.Reduction;
import funnel.select.FindFirst;
import funnel.select.Select;
import funnel.transform.Bits;
import funnel.transform.Elementwise;
import funnel.transform.Shift;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * An array of bytes, see {@link Array}: text, pixels, or flags, which are 1 or 0. Functions get
 * their values from 0 to 255.
 *
 * {@snippet class="funnel.docs.ArraySnippets" region="bytes"}
 */
public final class Bytes extends Array<byte[], Bytes> {

  private static final ElementType ELEMENT = ElementType.BYTE;

  Bytes(Funnel funnel, Ref ref) {
    super(funnel, ref);
  }

  @Override
  Bytes like(Ref of) {
    return new Bytes(funnel, of);
  }

  @Override
  Bytes self() {
    return this;
  }

  private static Transform test(Transform.IntTest predicate) {
    return Transform.testInt("predicate", predicate);
  }

  /**
   * The value, 0 to 255, of a byte of this array, which is {@linkplain #keep kept}. It is for
   * functions, which read it where it is kept, without an upload:
   *
   * {@snippet class="funnel.docs.ArraySnippets" region="lookUp"}
   *
   * <p>There, on a device, {@code get} and {@link #count()} are all that can be called of an array.
   * Elsewhere on the host the first call copies a whole array from the device, for all later calls.
   *
   * @throws ArrayIndexOutOfBoundsException if the index is negative or not less than the length, on
   *     a device when the run has ended
   * @throws IllegalStateException if this array is not kept, or closed
   */
  public int get(int index) {
    byte[] all = (byte[]) elements();
    if (index < 0 || index >= all.length) {
      throw outside(index);
    }
    return all[index] & 0xff;
  }

  /** What {@code table::get} calls on a device. */
  static int element(Bytes table, int index) {
    return table.get(index);
  }

  /** The bytes for which a predicate holds, see {@link Select}. */
  public Bytes filter(Transform.IntTest predicate) {
    return like(node(Select.where(test(predicate))).output(ELEMENT));
  }

  /** The bytes for which a predicate holds, and their positions. */
  public Found<Bytes> find(Transform.IntTest predicate) {
    return found(node(Select.where(test(predicate)).withPositions()));
  }

  /** A function of each byte, whose low 8 bits are kept. */
  public Bytes map(Transform.IntMap function) {
    return like(node(Elementwise.ofInt("function", function).to(ELEMENT)).output(ELEMENT));
  }

  /**
   * A function of the bytes of two arrays of equal length, whose low 8 bits are kept: flags of
   * where both hold, for {@code (v, w) -> v & w}.
   */
  public Bytes zip(Bytes other, Operator.IntCombine function) {
    return like(node(Elementwise.ofInt("function", function).to(ELEMENT), other).output(ELEMENT));
  }

  private Ref mapped(ElementFunction function, ElementType type) {
    return node(Elementwise.of("function", function)).output(type);
  }

  /** A function of each byte, to ints. */
  public Ints mapToInt(Functions.IntToInt function) {
    return new Ints(funnel, mapped(function, ElementType.INT));
  }

  /** For each byte 1 if a predicate holds, else 0. */
  public Bytes flags(Functions.IntToBoolean predicate) {
    return like(mapped(predicate, ELEMENT));
  }

  /** The values, from 0 to 255. */
  public Ints asInts() {
    return mapToInt(value -> value);
  }

  /** Each byte {@code places} further back, or to the front, see {@link Ints#shift}. */
  public Bytes shift(int places, int fill) {
    return like(node(Shift.by(places, fill)).output(ELEMENT));
  }

  /** The sum of the values; 0 of no bytes. */
  public long sum() {
    return number(Reduction.sumAsLong()).longValue();
  }

  /**
   * The smallest value.
   *
   * @throws java.util.NoSuchElementException if there are no bytes
   */
  public int min() {
    return number(Reduction.min()).intValue();
  }

  /**
   * The largest value.
   *
   * @throws java.util.NoSuchElementException if there are no bytes
   */
  public int max() {
    return number(Reduction.max()).intValue();
  }

  /**
   * The arithmetic mean of the values.
   *
   * @throws java.util.NoSuchElementException if there are no bytes
   */
  public double mean() {
    return number(Reduction.mean()).doubleValue();
  }

  /** For how many bytes a predicate holds. */
  public int count(Transform.IntTest predicate) {
    return integer(node(Reduction.countIf(test(predicate))));
  }

  /** The position of the first byte for which a predicate holds, or -1. */
  public int findFirst(Transform.IntTest predicate) {
    return integer(node(FindFirst.where(test(predicate))));
  }

  /** Whether a predicate holds for any byte; false if there are none. */
  public boolean anyMatch(Transform.IntTest predicate) {
    return findFirst(predicate) >= 0;
  }

  /** Whether a predicate holds for all bytes; true if there are none. */
  public boolean allMatch(Transform.IntTest predicate) {
    return integer(node(FindFirst.where(test(predicate)).rejecting())) < 0;
  }

  /** For each byte whether it is not 0, in a new Java array. */
  public boolean[] toBooleans() {
    return toArray(Storage.BOOL);
  }

  /**
   * For each byte a bit, set if it is not 0, in as many words of 64 bits as it takes, the lowest
   * bit first: 5 for the flags 1, 0, 7.
   */
  public long[] toBits() {
    int[] bits = new Ints(funnel, node(Bits.ofFlags()).output(ElementType.INT)).toArray();
    long[] words = new long[Math.ceilDiv(bits.length, 2)];
    MemorySegment.ofArray(words)
        .asSlice(0, (long) Integer.BYTES * bits.length)
        .copyFrom(MemorySegment.ofArray(bits));
    return words;
  }

  /** The positions of all bytes that are not 0, as a set: {0, 2} for the flags 1, 0, 7. */
  public BitSet toBitSet() {
    return BitSet.valueOf(toBits());
  }

  /** How many bytes have each value. */
  public Ints histogram() {
    return histogram(Histogram.ofBytes());
  }

  /** How many bytes fall into each bin, see {@link Histogram}. */
  public Ints histogram(Histogram histogram) {
    return new Ints(funnel, node(histogram).output(ElementType.INT));
  }
}
