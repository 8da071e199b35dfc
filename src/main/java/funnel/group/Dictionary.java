package funnel.group;

import funnel.operation.ParallelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for things of any kind, strings for example, so that operations over ints can work with
 * them: the keys of {@link GroupBy}, {@link Join} or a histogram.
 *
 * <p><b>Definition.</b> Of {@code n} distinct items each has a key from 0 to {@code n - 1}, in the
 * order in which they first appear, or in a {@linkplain #sorted sorted} one. Of "b", "a", "b" the
 * dictionary has "b" as 0 and "a" as 1, and their keys are 0, 1, 0. Which items are the same is
 * said by their {@code equals}; they and their {@code hashCode} have to stay as they are.
 *
 * {@snippet class="funnel.docs.JoinSnippets" region="words"}
 *
 * <p><b>No items</b> make an empty dictionary. The empty string is an item. {@code null} is none,
 * and is refused with its place.
 *
 * <p><b>Cost.</b> All is done on the host: an item is hashed when the dictionary is made and again
 * when its key is looked for, by several threads where there are many items. Memory: a hash map of
 * the distinct items. {@linkplain #pieces Pieces of memory} are read where they are; their
 * dictionary is an array of the distinct ones' bytes, and 16 to 32 bytes for each.
 *
 * <p>Immutable, for any number of threads.
 *
 * @param <T> what the items are
 */
public final class Dictionary<T> {

  /** What a key is where there is no such item. */
  public static final int NONE = -1;

  private final List<T> items;

  /** Of pieces of memory that came as a list of these. */
  private final @Nullable PieceTable pieces;

  /** Of all other items. */
  private final Map<T, Integer> keys = new HashMap<>();

  private Dictionary(List<T> items) {
    this.items = items;
    pieces = null;
    items.forEach(item -> keys.put(item, keys.size()));
  }

  @SuppressWarnings("unchecked") // T is what pieces are, or above
  private Dictionary(PieceTable pieces) {
    items = (List<T>) pieces.pieces();
    this.pieces = pieces;
  }

  /**
   * The distinct ones of some items, by their first appearance.
   *
   * @param items the items; a list that several threads can read
   * @throws NullPointerException if one is null, with its place
   */
  public static <T> Dictionary<T> of(Iterable<? extends T> items) {
    if (items instanceof Pieces pieces) {
      return new Dictionary<>(pieces.distinct());
    }
    List<? extends T> all = list(items);
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
    return new Dictionary<>(List.copyOf(distinct));
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
      throw new NullPointerException("items[%d] is null, of %d".formatted(i, items.size()));
    }
    return item;
  }

  /**
   * A piece of memory as an item: equal to others with the same bytes, whatever these mean. The
   * string is their text in UTF-8. The bytes are not copied, and have to stay as they are. A
   * dictionary of {@link #pieces} has copies of the distinct ones.
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
   * 1]}, so that there is one less than offsets. Of "abba" and 0, 1, 3, 4 they are "a", "bb", "a".
   *
   * {@snippet class="funnel.docs.JoinSnippets" region="pieces"}
   *
   * @throws IllegalArgumentException if there is no offset, or one is less than the one before it
   *     or outside of the memory
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
            "offsets[%d]=%d, at least %d and at most bytes=%d"
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
    public Piece get(int i) {
      Objects.checkIndex(i, size());
      return new Piece(bytes.asSlice(bounds[i], bounds[i + 1] - bounds[i]));
    }

    private interface Body {
      void piece(int i, byte[] in, int from, int to);
    }

    /** Work on pieces in arrays that they are copied to, many at a time. */
    private void each(int begin, int end, Body body) {
      byte[] copy = new byte[0];
      int next;
      for (int i = begin; i < end; i = next) {
        next = i + 1;
        while (next < end && bounds[next + 1] - bounds[i] <= COPIED) {
          next++;
        }
        int length = bounds[next] - bounds[i];
        copy = copy.length < length ? new byte[Math.max(length, COPIED)] : copy;
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, bounds[i], copy, 0, length);
        for (int j = i; j < next; j++) {
          body.piece(j, copy, bounds[j] - bounds[i], bounds[j + 1] - bounds[i]);
        }
      }
    }

    /** How many pieces other threads may look at. */
    private int shared() {
      return ParallelRows.mayBeShared(bytes) ? size() : 0;
    }

    /** One table for each thread, since each has most of what is frequent. */
    PieceTable distinct() {
      int parts = Math.clamp(shared() / PIECES_OF_A_PART, 1, ParallelRows.cores());
      PieceTable[] tables = new PieceTable[parts];
      ParallelRows.deal(
          parts,
          part -> {
            PieceTable table = new PieceTable();
            int begin = (int) ((long) size() * part / parts);
            int end = (int) ((long) size() * (part + 1) / parts);
            each(begin, end, (_, in, from, to) -> table.add(in, from, to));
            tables[part] = table;
          });
      for (int part = 1; part < parts; part++) {
        tables[0].addAll(tables[part]);
      }
      return tables[0];
    }

    int[] numbers(PieceTable table) {
      int[] numbers = new int[size()];
      ParallelRows.run(
          size(),
          shared(),
          (begin, end) ->
              each(begin, end, (i, in, from, to) -> numbers[i] = table.number(in, from, to)));
      return numbers;
    }
  }

  /**
   * The same items with keys in an order: by {@code Comparator.naturalOrder()} "a" has a smaller
   * one than "b", so that what is sorted by key is sorted by item.
   *
   * @param order of the items; those that it takes for equal stay as they are
   */
  public Dictionary<T> sorted(Comparator<? super T> order) {
    List<T> sorted = items.stream().sorted(order).toList();
    if (pieces == null) {
      return new Dictionary<>(sorted);
    }
    PieceTable table = new PieceTable();
    for (T item : sorted) {
      byte[] bytes = ((Piece) item).bytes().toArray(ValueLayout.JAVA_BYTE);
      table.add(bytes, 0, bytes.length);
    }
    return new Dictionary<>(table);
  }

  /** The distinct items, each at the index that is its key. */
  public List<T> items() {
    return items;
  }

  /** How many distinct items there are: one more than the largest key. */
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
      return keys.getOrDefault(item, NONE);
    }
    return item instanceof Piece piece ? pieces.number(piece) : NONE;
  }

  /**
   * The keys of some items, with {@link #NONE} for each that the dictionary has not.
   *
   * @param items the items; a list that several threads can read
   * @throws NullPointerException if one is null, with its place
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

  @Override
  public String toString() {
    return "dictionary of %d items".formatted(items.size());
  }
}
