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
   * memory, wherever the pieces come from. Slots have the length and up to eight bytes, or the hash
   * of more: nothing else is read of most other pieces, even if all begin alike. Pieces are hashed
   * and compared eight bytes at a time: most are short, and a processor cannot predict the end of a
   * loop over single bytes. So the arrays that pieces are in have PADDING more bytes, with any
   * contents.
   */

  /** Bytes that may be read after a piece. */
  static final int PADDING = Long.BYTES;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L; // 2^64 by the golden ratio

  private int bits;
  private long[]
      slots; // two each: the bytes or the hash; the length, in the low half a number and 1
  private int[] bounds;
  private byte[] bytes;
  private int count;

  PieceTable() {
    bits = 10;
    slots = new long[2 << bits];
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
    if (slots[slot + 1] == 0) {
      int end = Math.addExact(bounds[count], to - from);
      int wanted = Math.addExact(end, PADDING);
      if (wanted > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.clamp(2L * bytes.length, wanted, Integer.MAX_VALUE - 8));
      }
      System.arraycopy(in, from, bytes, bounds[count], to - from);
      count++;
      bounds[count] = end;
      slots[slot] = mark(in, from, to, hash);
      slots[slot + 1] = (long) (to - from) << Integer.SIZE | count;
    }
    return (int) slots[slot + 1] - 1;
  }

  /** Adds all pieces of another table, and returns their numbers here. */
  int[] addAll(PieceTable other) {
    int[] numbers = new int[other.count];
    for (int n = 0; n < other.count; n++) {
      int from = other.bounds[n];
      int to = other.bounds[n + 1];
      numbers[n] = add(other.bytes, from, to, hash(other.bytes, from, to));
    }
    return numbers;
  }

  /** Adds a piece in any memory. */
  void add(Piece piece) {
    int length = (int) piece.bytes().byteSize();
    byte[] copy = copy(piece);
    add(copy, 0, length, hash(copy, 0, length));
  }

  /** The number of a piece, or {@link Dictionary#NONE}. */
  int number(byte[] in, int from, int to, long hash) {
    return (int) slots[slot(in, from, to, hash) + 1] - 1;
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
    long mark = mark(in, from, to, hash);
    int slot = 2 * (int) (hash >>> Long.SIZE - bits);
    while (slots[slot + 1] != 0 && !is(slot, mark, in, from, to)) {
      slot = slot + 2 & slots.length - 1;
    }
    return slot;
  }

  /** What a slot has of a piece: all of a short one. */
  private static long mark(byte[] in, int from, int to, long hash) {
    return to - from <= Long.BYTES ? word(in, from, to) : hash;
  }

  private boolean is(int slot, long mark, byte[] in, int from, int to) {
    int length = to - from;
    if (slots[slot] != mark || (int) (slots[slot + 1] >>> Integer.SIZE) != length) {
      return false;
    }
    if (length > Long.BYTES) {
      int at = bounds[(int) slots[slot + 1] - 1];
      for (int i = 0; i < length; i += Long.BYTES) {
        if (word(in, from + i, to) != word(bytes, at + i, at + length)) {
          return false;
        }
      }
    }
    return true;
  }

  private void grow() {
    bits++;
    slots = new long[2 << bits];
    for (int n = 0; n < count; n++) {
      int from = bounds[n];
      int to = bounds[n + 1];
      long hash = hash(bytes, from, to);
      int slot = slot(bytes, from, to, hash);
      slots[slot] = mark(bytes, from, to, hash);
      slots[slot + 1] = (long) (to - from) << Integer.SIZE | n + 1;
    }
    bounds = Arrays.copyOf(bounds, (1 << bits - 1) + 1);
  }
}
