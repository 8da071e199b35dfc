package funnel.group;

import funnel.group.Dictionary.Piece;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The distinct pieces of memory, numbered as they are added: for "b", "a", "b" the numbers are 0,
 * 1, 0. Used by one thread while pieces are added, then by any number of threads.
 */
final class PieceTable {

  /* Open addressing. Distinct pieces are adjacent in one array, so that comparisons read little
   * memory, wherever the pieces come from. Slots have the length and up to 24 bytes, or the hash of
   * more: nothing else is read of most pieces, whether they are the same or only begin alike. With
   * many distinct ones each read waits for memory; so the slots of many pieces are read first, which
   * a processor does at once. Pieces are hashed and compared eight bytes at a
   * time: most are short, and a processor cannot predict the end of a
   * loop over single bytes. So the arrays that pieces are in have PADDING more bytes, with any
   * contents.
   */

  /** Bytes that may be read after a piece. */
  static final int PADDING = Long.BYTES;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** How many pieces are looked for together: their slots fit a first-level cache. */
  static final int TOGETHER = 1 << 8;

  private static final int IN_SLOT = 3 * Long.BYTES;
  private static final int NUMBER = 3;

  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L; // 2^64 by the golden ratio

  private int bits;

  /** Four each: up to 24 bytes, or the hash; the length, in the low half a number and 1. */
  private long[] slots;

  private int[] bounds;
  private byte[] bytes;
  private int count;

  @SuppressWarnings("unused")
  private long touched; // by whichever thread: so that reads of slots are not left out

  PieceTable() {
    bits = 10;
    slots = new long[4 << bits];
    bounds = new int[(1 << bits - 1) + 1];
    bytes = new byte[1 << 13];
  }

  PieceTable(PieceTable other) {
    bits = other.bits;
    slots = other.slots.clone();
    bounds = other.bounds.clone();
    bytes = other.bytes.clone();
    count = other.count;
  }

  int size() {
    return count;
  }

  /** The distinct pieces, each at its number. */
  List<Piece> pieces() {
    return Dictionary.pieces(MemorySegment.ofArray(bytes), Arrays.copyOf(bounds, count + 1));
  }

  /** Adds a piece if it is not there, and returns its number. */
  int add(byte[] in, int from, int to, long hash) {
    if (count == bounds.length - 1) {
      grow();
    }
    int slot = slot(in, from, to, hash);
    if (slots[slot + NUMBER] == 0) {
      int end = Math.addExact(bounds[count], to - from);
      int wanted = Math.addExact(end, PADDING);
      if (wanted > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.clamp(2L * bytes.length, wanted, Integer.MAX_VALUE - 8));
      }
      System.arraycopy(in, from, bytes, bounds[count], to - from);
      count++;
      bounds[count] = end;
      put(slot, in, from, to, hash, count);
    }
    return (int) slots[slot + NUMBER] - 1;
  }

  /**
   * Hashes of pieces that are looked for next, at most {@link #TOGETHER}.
   *
   * @param bounds where each begins, and the last one ends, from an index on, {@code before} bytes
   *     more
   */
  void hash(byte[] in, int[] bounds, int first, int count, int before, long[] hashes) {
    for (int i = 0; i < count; i++) {
      hashes[i] = hash(in, bounds[first + i] - before, bounds[first + i + 1] - before);
    }
    long any = 0;
    for (int i = 0; i < count; i++) {
      any |= slots[4 * (int) (hashes[i] >>> Long.SIZE - bits) + NUMBER];
    }
    touched = any;
  }

  /** Adds all pieces of another table, and returns their numbers here. */
  int[] addAll(PieceTable other) {
    int[] numbers = new int[other.count];
    for (int n = 0; n < other.count; n++) {
      numbers[n] = add(other, n);
    }
    return numbers;
  }

  /** Adds a piece of another table, and returns its number here. */
  int add(PieceTable other, int number) {
    int from = other.bounds[number];
    int to = other.bounds[number + 1];
    return add(other.bytes, from, to, hash(other.bytes, from, to));
  }

  /** Adds a piece in any memory. */
  void add(Piece piece) {
    int length = (int) piece.bytes().byteSize();
    byte[] copy = copy(piece);
    add(copy, 0, length, hash(copy, 0, length));
  }

  /** The number of a piece, or {@link Dictionary#NONE}. */
  int number(byte[] in, int from, int to, long hash) {
    return (int) slots[slot(in, from, to, hash) + NUMBER] - 1;
  }

  /** The number of a piece in any memory, or {@link Dictionary#NONE}. */
  int number(Piece piece) {
    int length = (int) piece.bytes().byteSize();
    byte[] copy = copy(piece);
    return number(copy, 0, length, hash(copy, 0, length));
  }

  private static byte[] copy(Piece piece) {
    int length = Math.toIntExact(piece.bytes().byteSize());
    byte[] copy = new byte[Math.addExact(length, PADDING)];
    MemorySegment.copy(piece.bytes(), ValueLayout.JAVA_BYTE, 0, copy, 0, length);
    return copy;
  }

  /** The next eight bytes, or as many as there are. */
  private static long word(byte[] in, int from, int to) {
    if (from >= to) {
      return 0;
    }
    long word = (long) WORDS.get(in, from);
    return to - from < Long.BYTES ? word & (1L << Byte.SIZE * (to - from)) - 1 : word;
  }

  /** A hash, the same for pieces with the same bytes. */
  static long hash(byte[] in, int from, int to) {
    long hash = to - from;
    for (int i = from; i < to; i += Long.BYTES) {
      hash = (hash ^ word(in, i, to)) * MULTIPLIER;
      hash ^= hash >>> Integer.SIZE;
    }
    return hash * MULTIPLIER;
  }

  /** The slot of a piece, or the empty one for it. */
  private int slot(byte[] in, int from, int to, long hash) {
    int length = to - from;
    boolean isLong = length > IN_SLOT;
    long first = isLong ? hash : word(in, from, to);
    long second = isLong ? 0 : word(in, from + Long.BYTES, to);
    long third = isLong ? 0 : word(in, from + 2 * Long.BYTES, to);
    int slot = 4 * (int) (hash >>> Long.SIZE - bits);
    long number = slots[slot + NUMBER];
    while (number != 0
        && (slots[slot] != first
            || slots[slot + 1] != second
            || slots[slot + 2] != third
            || number >>> Integer.SIZE != length
            || isLong && !is((int) number - 1, in, from, to))) {
      slot = slot + 4 & slots.length - 1;
      number = slots[slot + NUMBER];
    }
    return slot;
  }

  private boolean is(int number, byte[] in, int from, int to) {
    int at = bounds[number];
    int end = bounds[number + 1];
    for (int i = 0; i < end - at; i += Long.BYTES) {
      if (word(in, from + i, to) != word(bytes, at + i, end)) {
        return false;
      }
    }
    return true;
  }

  private void put(int slot, byte[] in, int from, int to, long hash, int number) {
    boolean isLong = to - from > IN_SLOT;
    slots[slot] = isLong ? hash : word(in, from, to);
    slots[slot + 1] = isLong ? 0 : word(in, from + Long.BYTES, to);
    slots[slot + 2] = isLong ? 0 : word(in, from + 2 * Long.BYTES, to);
    slots[slot + NUMBER] = (long) (to - from) << Integer.SIZE | number;
  }

  private void grow() {
    bits++;
    slots = new long[4 << bits];
    for (int n = 0; n < count; n++) {
      int from = bounds[n];
      int to = bounds[n + 1];
      long hash = hash(bytes, from, to);
      put(slot(bytes, from, to, hash), bytes, from, to, hash, n + 1);
    }
    bounds = Arrays.copyOf(bounds, (1 << bits - 1) + 1);
  }
}
