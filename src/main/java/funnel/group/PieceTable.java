package funnel.group;

import funnel.group.Dictionary.Piece;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/**
 * The distinct ones of pieces of memory, numbered as they are added: of "b", "a", "b" the numbers
 * are 0, 1, 0. For one thread while pieces are added, then for any number.
 */
final class PieceTable {

  /* Open addressing. Distinct pieces lie one behind the other in an array of their own, so that
   * comparing reads little memory, whatever the pieces' memory is. Slots have the hash, so that
   * others are passed by there.
   */

  private static final int MULTIPLIER = 0x9e3779b9; // 2^32 by the golden ratio

  private int bits = 10;
  private long[] slots = new long[1 << bits]; // a hash, and in the low half a number and 1
  private int[] bounds = new int[slots.length / 2 + 1];
  private byte[] bytes = new byte[1 << 13];
  private int count;

  /** How many distinct pieces there are. */
  int size() {
    return count;
  }

  /** The distinct pieces, each at its number. */
  List<Piece> pieces() {
    return Dictionary.pieces(MemorySegment.ofArray(bytes), Arrays.copyOf(bounds, count + 1));
  }

  /** Adds a piece if it is not there. */
  void add(byte[] in, int from, int to) {
    if (2 * count == slots.length) {
      grow();
    }
    int hash = hash(in, from, to);
    int slot = slot(in, from, to, hash);
    if (slots[slot] != 0) {
      return;
    }
    int end = Math.addExact(bounds[count], to - from);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.clamp(2L * bytes.length, end, Integer.MAX_VALUE - 8));
    }
    System.arraycopy(in, from, bytes, bounds[count], to - from);
    count++;
    bounds[count] = end;
    slots[slot] = (long) hash << Integer.SIZE | count;
  }

  /** Adds all pieces of another table. */
  void addAll(PieceTable other) {
    for (int n = 0; n < other.count; n++) {
      add(other.bytes, other.bounds[n], other.bounds[n + 1]);
    }
  }

  /** The number of a piece, or {@link Dictionary#NONE}. */
  int number(byte[] in, int from, int to) {
    return (int) slots[slot(in, from, to, hash(in, from, to))] - 1;
  }

  /** The same of a piece anywhere. */
  int number(Piece piece) {
    byte[] copy = piece.bytes().toArray(ValueLayout.JAVA_BYTE);
    return number(copy, 0, copy.length);
  }

  private static int hash(byte[] in, int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + in[i];
    }
    return hash * MULTIPLIER;
  }

  /** The slot of a piece, or the empty one for it. */
  private int slot(byte[] in, int from, int to, int hash) {
    int slot = hash >>> Integer.SIZE - bits;
    while (slots[slot] != 0 && !is(slots[slot], in, from, to, hash)) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }

  /* Pieces are short as a rule: a call that compares arrays takes longer than this loop. */
  private boolean is(long known, byte[] in, int from, int to, int hash) {
    if ((int) (known >>> Integer.SIZE) != hash) {
      return false;
    }
    int at = bounds[(int) known - 1];
    if (bounds[(int) known] - at != to - from) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (bytes[at + i - from] != in[i]) {
        return false;
      }
    }
    return true;
  }

  private void grow() {
    bits++;
    long[] old = slots;
    slots = new long[1 << bits];
    bounds = Arrays.copyOf(bounds, slots.length / 2 + 1);
    for (long known : old) {
      if (known != 0) {
        int slot = (int) (known >>> Long.SIZE - bits);
        while (slots[slot] != 0) {
          slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = known;
      }
    }
  }
}
