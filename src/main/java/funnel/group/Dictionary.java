package funnel.group;

import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Numbers items of any kind, such as strings, so that operations over ints can use them: as keys of
 * {@link GroupBy}, {@link Join} or a histogram.
 *
 * <p><b>Definition.</b> Each of {@code n} distinct items has a key from 0 to {@code n - 1}, in the
 * order of first appearance, or in {@linkplain #sorted sorted} order. For "b", "a", "b" the
 * dictionary has "b" as 0 and "a" as 1, and the keys are 0, 1, 0. Items are the same according to
 * {@code equals}; their {@code equals} and {@code hashCode} must not change.
 *
 * {@snippet class="funnel.docs.JoinSnippets" region="words"}
 *
 * <p><b>Without items</b> the dictionary is empty. The empty string is an item. For {@code null}
 * methods throw, with its index in the message.
 *
 * <p><b>Cost.</b> All work is done on the host: an item is hashed when the dictionary is created
 * and again when its key is looked up, by several threads if there are many items. Memory: a hash
 * map of the distinct items. {@linkplain #pieces Pieces of memory} are read where they are; their
 * dictionary is an array of the distinct pieces' bytes, and 16 to 32 bytes for each.
 *
 * <p>Immutable and thread-safe.
 *
 * @param <T> the type of the items
 */
public final class Dictionary<T> {

  /** The key of an item that is not in the dictionary. */
  public static final int NONE = -1;

  private final List<T> items;

  /** The pieces, if the items are a list of pieces of memory. */
  private final @Nullable PieceTable pieces;

  /** The keys of all other items, when one has been asked for. */
  private volatile @Nullable Map<T, Integer> keys;

  /** Of distinct items. */
  private Dictionary(Collection<T> items) {
    this.items = items.stream().map(Dictionary::kept).toList();
    pieces = null;
  }

  private synchronized Map<T, Integer> hashed() {
    Map<T, Integer> hashed = keys;
    if (hashed == null) {
      hashed = HashMap.newHashMap(items.size());
      for (T item : items) {
        hashed.put(item, hashed.size());
      }
      keys = hashed;
    }
    return hashed;
  }

  /** Memory that is not ours may be used again. */
  @SuppressWarnings("unchecked") // a piece is a T, since the item is one
  private static <T> T kept(T item) {
    return item instanceof Piece piece
        ? (T) new Piece(MemorySegment.ofArray(piece.bytes().toArray(ValueLayout.JAVA_BYTE)))
        : item;
  }

  @SuppressWarnings("unchecked") // T is what pieces are, or above
  private Dictionary(PieceTable pieces) {
    items = (List<T>) pieces.pieces();
    this.pieces = pieces;
  }

  /**
   * The dictionary of the distinct items, in the order of first appearance.
   *
   * @param items the items; if a list, several threads must be able to read it
   * @throws NullPointerException if one is null, with its index
   */
  public static <T> Dictionary<T> of(Iterable<? extends T> items) {
    if (items instanceof Pieces pieces) {
      return new Dictionary<>(pieces.distinct());
    }
    return new Dictionary<>(distinct(list(items)));
  }

  private static <T> Set<T> distinct(List<? extends T> all) {
    Map<Integer, Set<T>> parts = new ConcurrentSkipListMap<>();
    ParallelRows.run(
        all.size(),
        all.size(),
        (from, to) -> {
          Set<T> distinct = new LinkedHashSet<>();
          for (int i = from; i < to; i++) {
            distinct.add(item(all, i));
          }
          parts.put(from, distinct);
        });
    Set<T> distinct = new LinkedHashSet<>();
    parts.values().forEach(distinct::addAll);
    return distinct;
  }

  private static <T> List<T> list(Iterable<T> items) {
    if (items instanceof List<T> list && list instanceof RandomAccess) {
      return list;
    }
    List<T> copy = new ArrayList<>();
    items.forEach(copy::add);
    return copy;
  }

  private static <T> T item(List<? extends T> items, int i) {
    T item = items.get(i);
    if (item == null) {
      throw new NullPointerException("items[%s] is null, of %s".formatted(i, items.size()));
    }
    return item;
  }

  /**
   * A piece of memory as an item: equal to others with the same bytes. Its string is the bytes as
   * UTF-8 text. The bytes are not copied, and must not change. A dictionary has copies of the
   * distinct ones: their memory may be used again.
   *
   * @param bytes the piece
   */
  public record Piece(MemorySegment bytes) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Piece that && bytes.mismatch(that.bytes) < 0;
    }

    @Override
    public int hashCode() {
      int hash = 0;
      for (long i = 0; i < bytes.byteSize(); i++) {
        hash = 31 * hash + bytes.get(ValueLayout.JAVA_BYTE, i);
      }
      return hash;
    }

    @Override
    public String toString() {
      return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
  }

  /**
   * Pieces of memory as items: piece {@code i} is from {@code offsets[i]} to {@code offsets[i +
   * 1]}, so that there is one piece fewer than offsets. For "abba" and 0, 1, 3, 4 they are "a",
   * "bb", "a".
   *
   * {@snippet class="funnel.docs.JoinSnippets" region="pieces"}
   *
   * @throws IllegalArgumentException if there is no offset, or one is less than the one before it
   *     or outside the memory
   */
  public static List<Piece> pieces(MemorySegment bytes, int... offsets) {
    int[] bounds = offsets.clone();
    if (bounds.length == 0) {
      throw new IllegalArgumentException("offsets=0: give one more than there are pieces");
    }
    for (int i = 0; i < bounds.length; i++) {
      int least = i == 0 ? 0 : bounds[i - 1];
      if (bounds[i] < least || bounds[i] > bytes.byteSize()) {
        throw new IllegalArgumentException(
            "offsets[%s]=%s, at least %s and at most bytes=%s"
                .formatted(i, bounds[i], least, bytes.byteSize()));
      }
    }
    return new Pieces(bytes, bounds);
  }

  private static final class Pieces extends AbstractList<Piece> implements RandomAccess {
    private static final int COPIED = 1 << 16;
    private static final int PIECES_OF_A_PART = 1 << 15;

    private final MemorySegment bytes;
    private final int[] bounds;

    Pieces(MemorySegment bytes, int[] bounds) {
      this.bytes = bytes;
      this.bounds = bounds;
    }

    @Override
    public int size() {
      return bounds.length - 1;
    }

    @Override
    public List<Piece> subList(int from, int to) {
      Objects.checkFromToIndex(from, to, size());
      return new Pieces(bytes, Arrays.copyOfRange(bounds, from, to + 1));
    }

    @Override
    public Piece get(int i) {
      Objects.checkIndex(i, size());
      return new Piece(bytes.asSlice(bounds[i], bounds[i + 1] - bounds[i]));
    }

    /** Work on a piece in an array. */
    private interface Body {
      void piece(int i, byte[] in, int from, int to, long hash);
    }

    /**
     * Runs work on pieces in arrays to which they are copied, many at a time.
     *
     * @param table the table in which they are looked for
     */
    private void each(int begin, int end, PieceTable table, Body body) {
      byte[] copy = new byte[0];
      long[] hashes = new long[PieceTable.TOGETHER];
      int next;
      for (int i = begin; i < end; i = next) {
        next = i + 1;
        while (next < end && bounds[next + 1] - bounds[i] <= COPIED) {
          next++;
        }
        int length = bounds[next] - bounds[i];
        int wanted = Math.addExact(Math.max(length, COPIED), PieceTable.PADDING);
        copy = copy.length < wanted ? new byte[wanted] : copy;
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, bounds[i], copy, 0, length);
        int before = bounds[i];
        for (int first = i; first < next; first += PieceTable.TOGETHER) {
          int count = Math.min(PieceTable.TOGETHER, next - first);
          table.hash(copy, bounds, first, count, before, hashes);
          for (int k = 0; k < count; k++) {
            int piece = first + k;
            body.piece(piece, copy, bounds[piece] - before, bounds[piece + 1] - before, hashes[k]);
          }
        }
      }
    }

    /** How many pieces other threads may read. */
    private int shared() {
      return ParallelRows.mayBeShared(bytes) ? size() : 0;
    }

    private int parts() {
      return Math.clamp(shared() / PIECES_OF_A_PART, 1, ParallelRows.cores());
    }

    /** One table for each thread, since each has most of what is frequent. */
    PieceTable distinct() {
      PieceTable[] tables = new PieceTable[parts()];
      ParallelRows.parts(
          size(),
          tables.length,
          (part, first, last) -> {
            PieceTable table = new PieceTable();
            each(first, last, table, (_, in, from, to, hash) -> table.add(in, from, to, hash));
            tables[part] = table;
          });
      for (int part = 1; part < tables.length; part++) {
        tables[0].addAll(tables[part]);
      }
      return tables[0];
    }

    /**
     * Stores the pieces' numbers. Pieces that are not in the table are first numbered in a table of
     * each thread.
     *
     * @return the table, or one that also has the new pieces
     */
    PieceTable encode(PieceTable known, int[] numbers) {
      PieceTable[] tables = new PieceTable[parts()];
      ParallelRows.parts(
          size(),
          tables.length,
          (part, first, last) -> {
            PieceTable table = new PieceTable();
            each(
                first,
                last,
                known,
                (i, in, from, to, hash) -> {
                  int number = known.number(in, from, to, hash);
                  numbers[i] = number == NONE ? NONE - 1 - table.add(in, from, to, hash) : number;
                });
            tables[part] = table;
          });
      if (Arrays.stream(tables).allMatch(table -> table.size() == 0)) {
        return known;
      }
      PieceTable all = new PieceTable(known);
      int[][] added = Arrays.stream(tables).map(all::addAll).toArray(int[][]::new);
      ParallelRows.parts(
          size(),
          tables.length,
          (part, first, last) -> {
            for (int i = first; i < last; i++) {
              if (numbers[i] < 0) {
                numbers[i] = added[part][NONE - 1 - numbers[i]];
              }
            }
          });
      return all;
    }

    int[] numbers(PieceTable table) {
      int[] numbers = new int[size()];
      ParallelRows.run(
          size(),
          shared(),
          (first, last) ->
              each(
                  first,
                  last,
                  table,
                  (i, in, from, to, hash) -> numbers[i] = table.number(in, from, to, hash)));
      return numbers;
    }
  }

  /**
   * Numbers texts as they are read: the bytes of "b", "a", "b" get the keys 0, 1, 0. Only the
   * distinct ones are kept. For one thread.
   *
   * {@snippet class="funnel.docs.JoinSnippets" region="encoder"}
   */
  public static final class Encoder {
    private final PieceTable table = new PieceTable();
    private final long[] hashes = new long[PieceTable.TOGETHER];

    /** An encoder that has no texts yet. */
    public Encoder() {}

    /**
     * Stores the keys of texts in UTF-8: text {@code i} is from {@code bounds[i]} to {@code
     * bounds[i + 1]}.
     *
     * @throws IndexOutOfBoundsException if an array is too short, or a bound outside of the bytes
     */
    public void encode(byte[] in, int[] bounds, int count, int[] keys) {
      Objects.checkFromIndexSize(0, count, keys.length);
      int end = bounds[count];
      for (int i = 0; i < count; i++) {
        Objects.checkFromToIndex(bounds[i], bounds[i + 1], Math.min(end, in.length));
      }
      byte[] padded =
          in.length - end < PieceTable.PADDING ? Arrays.copyOf(in, end + PieceTable.PADDING) : in;
      for (int first = 0; first < count; first += PieceTable.TOGETHER) {
        int some = Math.min(PieceTable.TOGETHER, count - first);
        table.hash(padded, bounds, first, some, 0, hashes);
        for (int i = first; i < first + some; i++) {
          keys[i] = table.add(padded, bounds[i], bounds[i + 1], hashes[i - first]);
        }
      }
    }

    /**
     * The key of a text that another encoder has.
     *
     * @throws IndexOutOfBoundsException if it has no such key
     */
    public int encode(Encoder other, int key) {
      return table.add(other.table, Objects.checkIndex(key, other.size()));
    }

    /** The number of distinct texts. */
    public int size() {
      return table.size();
    }

    /** The dictionary of the texts so far. */
    public Dictionary<String> dictionary() {
      return new Dictionary<>(table.pieces().stream().map(Piece::toString).toList());
    }
  }

  /**
   * These items with keys in another order: by {@code Comparator.naturalOrder()} "a" has a smaller
   * key than "b", so that rows sorted by key are sorted by item.
   *
   * @param order the order of the items; items that it considers equal keep their order
   */
  public Dictionary<T> sorted(Comparator<? super T> order) {
    List<T> sorted = items.stream().sorted(order).toList();
    if (pieces == null) {
      return new Dictionary<>(sorted);
    }
    PieceTable table = new PieceTable();
    for (T item : sorted) {
      table.add((Piece) item);
    }
    return new Dictionary<>(table);
  }

  /** The distinct items, each at the index of its key. */
  public List<T> items() {
    return items;
  }

  /**
   * For each key a byte, 1 if a predicate holds for its item, else 0, to select rows by: {@code
   * byte[] matches = cities.flags(city -> city.startsWith("B"))}, then {@code x.filter(k ->
   * matches[k] != 0)}.
   *
   * {@snippet class="funnel.docs.CookbookSnippets" region="texts"}
   */
  public byte[] flags(Predicate<? super T> predicate) {
    byte[] flags = new byte[items.size()];
    for (int key = 0; key < flags.length; key++) {
      flags[key] = (byte) (predicate.test(items.get(key)) ? 1 : 0);
    }
    return flags;
  }

  /** The number of distinct items: one more than the largest key. */
  public int size() {
    return items.size();
  }

  /**
   * The item of a key.
   *
   * @throws IndexOutOfBoundsException if there is none, with the key and the size
   */
  public T get(int key) {
    return items.get(Objects.checkIndex(key, items.size()));
  }

  /** The key of an item, or {@link #NONE}. */
  public int key(T item) {
    Objects.requireNonNull(item, "item");
    if (pieces == null) {
      Map<T, Integer> hashed = keys;
      return (hashed == null ? hashed() : hashed).getOrDefault(item, NONE);
    }
    return item instanceof Piece piece ? pieces.number(piece) : NONE;
  }

  /**
   * The keys of some items, with {@link #NONE} for each that is not in the dictionary.
   *
   * @param items the items; if a list, several threads must be able to read it
   * @throws NullPointerException if one is null, with its index
   */
  public int[] keys(Iterable<? extends T> items) {
    if (pieces != null && items instanceof Pieces some) {
      return some.numbers(pieces);
    }
    List<? extends T> all = list(items);
    int[] of = new int[all.size()];
    ParallelRows.run(
        of.length,
        all.size(),
        (from, to) -> {
          for (int i = from; i < to; i++) {
            of[i] = key(item(all, i));
          }
        });
    return of;
  }

  /**
   * The items of some keys: "b", "a", "b" for 1, 0, 1 of "a", "b".
   *
   * @throws IndexOutOfBoundsException if there is none of a key, with the key and the size
   */
  public List<T> items(int... keys) {
    return IntStream.of(keys).mapToObj(this::get).toList();
  }

  /**
   * Items as keys.
   *
   * @param dictionary a dictionary that contains all of them
   * @param keys their keys, in the order of the items
   * @param <T> the type of the items
   */
  public record Encoded<T>(Dictionary<T> dictionary, int[] keys) {

    /**
     * The same items with the keys that another dictionary has for them, or {@link #NONE}: those of
     * the right table of a join. Only the distinct items are looked up.
     */
    public Encoded<T> in(Dictionary<T> other) {
      int[] there = other.keys(dictionary.items);
      int[] recoded = new int[keys.length];
      ParallelRows.run(
          keys.length,
          keys.length,
          (from, to) -> {
            for (int i = from; i < to; i++) {
              recoded[i] = keys[i] == NONE ? NONE : there[keys[i]];
            }
          });
      return new Encoded<>(other, recoded);
    }

    /**
     * The same items in a {@linkplain Dictionary#sorted sorted} dictionary: 1, 0, 1 for "b", "a",
     * "b". Then rows that are sorted or grouped by key are so by item, and a range of keys is a
     * range of items.
     */
    public Encoded<T> sorted(Comparator<? super T> order) {
      return in(dictionary.sorted(order));
    }
  }

  /**
   * The keys of some items, and a dictionary that contains all of them: this one's items with their
   * keys, then, in the order of first appearance, those that it does not have. So items that come
   * part by part get keys of one dictionary; start with {@code Dictionary.of(List.of())}. With "b"
   * and "a" in the dictionary, the items "a", "c" have the keys 1, 2, and "c" is new. Pieces of
   * memory are hashed once, but twice by {@link #of} and {@link #keys}.
   *
   * {@snippet class="funnel.docs.JoinSnippets" region="parts"}
   *
   * @param some the items; if a list, several threads must be able to read it
   * @return the keys with this dictionary itself, if there are no new items
   * @throws NullPointerException if one is null, with its index
   */
  public Encoded<T> encode(Iterable<? extends T> some) {
    if (some instanceof Pieces given && (pieces != null || items.isEmpty())) {
      PieceTable known = pieces == null ? new PieceTable() : pieces;
      int[] numbers = new int[given.size()];
      PieceTable all = given.encode(known, numbers);
      return new Encoded<>(all == known ? this : new Dictionary<>(all), numbers);
    }
    List<? extends T> all = list(some);
    Set<T> distinct = new LinkedHashSet<>(items);
    distinct.addAll(distinct(all));
    Dictionary<T> dictionary = distinct.size() == items.size() ? this : new Dictionary<>(distinct);
    return new Encoded<>(dictionary, dictionary.keys(all));
  }

  @Override
  public String toString() {
    return "dictionary of %s items".formatted(items.size());
  }
}
