package funnel.columns;

import funnel.group.Dictionary;
import funnel.group.Dictionary.Piece;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
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
  private @Nullable Dictionary<String> dictionary;

  /** No texts yet. */
  Texts() {}

  private Texts(Dictionary.Encoded<String> all) {
    dictionary = all.dictionary();
    keys = all.keys();
    count = keys.length;
    block = new byte[0];
  }

  /** Adds the texts of a chunk from a row on; those of rows without a value are empty. */
  void add(MemorySegment texts, @Nullable MemorySegment valid, int from, int to) {
    for (int row = from; row < to; row++) {
      boolean isThere = valid == null || DuckDbChunks.isValid(valid, row);
      int length = isThere ? DuckDbChunks.length(texts, row) : 0;
      int at = room(length);
      DuckDbChunks.copy(texts, row, length, block, at);
    }
  }

  /** Where the bytes of the next text go. */
  private int room(int length) {
    if (bounds[waiting] > BLOCK - length && waiting > 0) {
      encode();
    }
    int at = bounds[waiting];
    if (length > block.length - at) {
      block = Arrays.copyOf(block, Math.max(Math.addExact(at, length), 2 * block.length));
    }
    if (waiting + 2 > bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * bounds.length);
    }
    bounds[++waiting] = at + length;
    return at;
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

  /** The distinct texts, with their keys. */
  Dictionary<String> dictionary() {
    if (dictionary == null) {
      dictionary = Dictionary.of(known.items().stream().map(Piece::toString).toList());
    }
    return dictionary;
  }

  /** Texts that several threads add, each of which gets a number: where it is among theirs. */
  static final class Spread {

    /* Each thread has keys of its own, and no copies of texts that it has seen. Then what each has
     * is put together in the order of the rows, in which the texts of all threads first appear.
     */

    private static final class Part {
      private final long number;
      private final Dictionary.Encoder encoder = new Dictionary.Encoder();
      private byte[] bytes = new byte[1 << 16];
      private int[] bounds = new int[1];
      private int[] keys = new int[0];

      Part(int number) {
        this.number = number;
      }

      /** The keys of some texts; those of rows without a value are arbitrary. */
      int[] keys(MemorySegment texts, @Nullable MemorySegment valid, int rows) {
        if (keys.length < rows) {
          keys = new int[rows];
          bounds = new int[rows + 1];
        }
        int end = 0;
        for (int row = 0; row < rows; row++) {
          boolean isThere = valid == null || DuckDbChunks.isValid(valid, row);
          int length = isThere ? DuckDbChunks.length(texts, row) : 0;
          if (length > bytes.length / 2 - end) { // what follows texts is read too
            bytes = Arrays.copyOf(bytes, Math.addExact(2 * bytes.length, 2 * length));
          }
          DuckDbChunks.copy(texts, row, length, bytes, end);
          end += length;
          bounds[row + 1] = end;
        }
        encoder.encode(bytes, bounds, rows, keys);
        return keys;
      }
    }

    private final Map<Thread, Part> parts = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /** Adds texts of the current thread, and stores their numbers. */
    void add(MemorySegment texts, @Nullable MemorySegment valid, int rows, MemorySegment numbers) {
      Part own =
          parts.computeIfAbsent(Thread.currentThread(), _ -> new Part(count.getAndIncrement()));
      int[] keys = own.keys(texts, valid, rows);
      for (int row = 0; row < rows; row++) {
        numbers.setAtIndex(ValueLayout.JAVA_LONG, row, own.number << Integer.SIZE | keys[row]);
      }
    }

    /** The texts with these numbers; those of negative ones are empty. */
    Texts all(long[] numbers) {
      Dictionary.Encoder[] encoders = new Dictionary.Encoder[parts.size()];
      int[][] places = new int[encoders.length][];
      for (Part part : parts.values()) {
        encoders[(int) part.number] = part.encoder;
        places[(int) part.number] = new int[part.encoder.size()];
        Arrays.fill(places[(int) part.number], Dictionary.NONE);
      }
      Dictionary.Encoder all = new Dictionary.Encoder();
      int[] empty = {Dictionary.NONE};
      int[] keys = new int[numbers.length];
      for (int row = 0; row < keys.length; row++) {
        if (numbers[row] < 0) {
          if (empty[0] == Dictionary.NONE) {
            all.encode(new byte[0], new int[2], 1, empty);
          }
          keys[row] = empty[0];
          continue;
        }
        int part = (int) (numbers[row] >> Integer.SIZE);
        int key = (int) numbers[row];
        if (places[part][key] == Dictionary.NONE) {
          places[part][key] = all.encode(encoders[part], key);
        }
        keys[row] = places[part][key];
      }
      return new Texts(new Dictionary.Encoded<>(all.dictionary(), keys));
    }
  }
}
