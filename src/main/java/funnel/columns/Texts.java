package funnel.columns;

import funnel.group.Dictionary;
import funnel.group.Dictionary.Piece;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The texts of a column as keys of a dictionary. */
final class Texts {

  /* Texts of many rows are copied one after the other, and then get their keys together, by all
   * cores.
   */

  private static final int BLOCK = 1 << 24;

  private byte[] block = new byte[1 << 16];
  private int[] bounds = new int[1 << 12];
  private int waiting;
  private int[] keys = new int[1 << 12];
  private int count;
  private Dictionary<Piece> known = Dictionary.of(List.of());
  private @Nullable List<String> items;

  /** Adds the texts of a chunk from a row on; those of rows without a value are empty. */
  void add(MemorySegment texts, @Nullable MemorySegment valid, int from, int to) {
    for (int row = from; row < to; row++) {
      boolean isThere = valid == null || DuckDbChunks.isValid(valid, row);
      int length = isThere ? DuckDbChunks.length(texts, row) : 0;
      int at = bounds[waiting];
      if (at > BLOCK - length && waiting > 0) {
        encode();
        at = 0;
      }
      if (length > block.length - at) {
        block = Arrays.copyOf(block, Math.max(Math.addExact(at, length), 2 * block.length));
      }
      if (waiting + 2 > bounds.length) {
        bounds = Arrays.copyOf(bounds, 2 * bounds.length);
      }
      DuckDbChunks.copy(texts, row, length, block, at);
      bounds[++waiting] = at + length;
    }
  }

  private void encode() {
    Dictionary.Encoded<Piece> encoded =
        known.encode(
            Dictionary.pieces(MemorySegment.ofArray(block), Arrays.copyOf(bounds, waiting + 1)));
    known = encoded.dictionary();
    if (count + waiting > keys.length) {
      keys = Arrays.copyOf(keys, (int) Math.min(Integer.MAX_VALUE - 8, 2L * (count + waiting)));
    }
    System.arraycopy(encoded.keys(), 0, keys, count, waiting);
    count += waiting;
    waiting = 0;
  }

  /** Numbers the texts that were added last; there are no more. */
  void end() {
    encode();
    block = new byte[0];
  }

  /** The keys of all texts. */
  int[] keys() {
    return Arrays.copyOf(keys, count);
  }

  /** The distinct texts, at the indices of their keys. */
  List<String> items() {
    if (items == null) {
      items = known.items().stream().map(Piece::toString).toList();
    }
    return items;
  }
}
