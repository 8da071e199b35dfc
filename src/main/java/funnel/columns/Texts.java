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
  private @Nullable List<String> items;

  /** No texts yet. */
  Texts() {}

  private Texts(Dictionary.Encoded<Piece> all) {
    known = all.dictionary();
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

  private void add(MemorySegment text) {
    int length = (int) text.byteSize();
    int at = room(length);
    MemorySegment.copy(text, ValueLayout.JAVA_BYTE, 0, block, at, length);
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

  /** The distinct texts, at the indices of their keys. */
  List<String> items() {
    if (items == null) {
      items = known.items().stream().map(Piece::toString).toList();
    }
    return items;
  }

  /** Texts that several threads add, each of which gets a number: where it is among theirs. */
  static final class Spread {

    /* Each thread has keys of its own. Then what each saw first is put together in the order of
     * the rows, which is the order in which the texts of all threads first appear.
     */

    private record Part(int number, Texts texts) {}

    private final Map<Thread, Part> parts = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /** Adds texts of the current thread, and returns the number of the first; others follow. */
    long add(MemorySegment texts, @Nullable MemorySegment valid, int rows) {
      Part own =
          parts.computeIfAbsent(
              Thread.currentThread(), _ -> new Part(count.getAndIncrement(), new Texts()));
      long first = (long) own.number << Integer.SIZE | own.texts.count + own.texts.waiting;
      own.texts.add(texts, valid, 0, rows);
      return first;
    }

    /** The texts with these numbers; those of negative ones are empty. */
    Texts all(long[] numbers) {
      Texts[] texts = new Texts[parts.size()];
      int[][] places = new int[texts.length][];
      for (Part part : parts.values()) {
        part.texts.end();
        texts[part.number] = part.texts;
        places[part.number] = new int[part.texts.known.size()];
        Arrays.fill(places[part.number], Dictionary.NONE);
      }
      int[] keys = new int[numbers.length];
      Texts firsts = new Texts();
      int empty = Dictionary.NONE;
      for (int row = 0; row < keys.length; row++) {
        if (numbers[row] < 0) {
          if (empty == Dictionary.NONE) {
            empty = firsts.count + firsts.waiting;
            firsts.add(MemorySegment.NULL);
          }
          keys[row] = empty;
          continue;
        }
        int part = (int) (numbers[row] >> Integer.SIZE);
        int key = texts[part].keys[(int) numbers[row]];
        if (places[part][key] == Dictionary.NONE) {
          places[part][key] = firsts.count + firsts.waiting;
          firsts.add(texts[part].known.get(key).bytes());
        }
        keys[row] = places[part][key];
      }
      firsts.end();
      Arrays.setAll(keys, row -> firsts.keys[keys[row]]);
      return new Texts(new Dictionary.Encoded<>(firsts.known, keys));
    }
  }
}
