package funnel.group;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Seed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of strings and of bytes; the oracle is a list of those that were there before. */
class DictionaryTest {

  private static final String[] LETTERS = {"", "a", "b", "ä", "漢", "😀", "\u0000", "é", "e\u0301"};

  private static String word(SplittableRandom random) {
    StringBuilder word = new StringBuilder();
    for (int length = random.nextInt(4); length > 0; length--) {
      word.append(LETTERS[random.nextInt(LETTERS.length)]);
    }
    return word.toString();
  }

  private static List<String> words(SplittableRandom random, int count) {
    return Stream.generate(() -> word(random)).limit(count).toList();
  }

  private static void check(List<String> words, String what) {
    List<String> distinct = new ArrayList<>();
    Map<String, Integer> known = new TreeMap<>();
    int[] keys = new int[words.size()];
    for (int i = 0; i < keys.length; i++) {
      String word = words.get(i);
      if (!known.containsKey(word)) {
        known.put(word, distinct.size());
        distinct.add(word);
      }
      keys[i] = known.get(word);
    }
    Dictionary<String> dictionary = Dictionary.of(words);
    assertEquals(distinct, dictionary.items(), what);
    assertEquals(distinct.size(), dictionary.size(), what);
    assertArrayEquals(keys, dictionary.keys(words), what);
    assertArrayEquals(keys, Dictionary.of(new LinkedList<>(words)).keys(words), what);
    Dictionary<String> sorted = dictionary.sorted(Comparator.naturalOrder());
    assertEquals(List.copyOf(known.keySet()), sorted.items(), what);
    int[] inOrder = sorted.keys(words);
    for (int i = 0; i < keys.length; i++) {
      assertEquals(words.get(i), sorted.get(inOrder[i]), what);
    }
  }

  /** Fewer than a thread's share, and several threads' shares. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 100, (1 << 16) - 1, 1 << 16, 200_000})
  void keysAreDense_byFirstAppearance(int count) {
    SplittableRandom random = Seed.random("words" + count);
    check(words(random, count), count + " words" + Seed.replay());
    check(Collections.nCopies(count, "same"), count + " equal ones");
    check(IntStream.range(0, count).mapToObj(i -> "w" + i).toList(), count + " distinct ones");
  }

  @Test
  void itemsThatHaveNoKey() {
    Dictionary<String> dictionary = Dictionary.of(List.of("b", "a", "b"));
    assertArrayEquals(new int[] {1, -1, 0}, dictionary.keys(List.of("a", "c", "b")));
    assertEquals(Dictionary.NONE, dictionary.key("c"));
    assertEquals(0, dictionary.key("b"));
    assertEquals("dictionary of 2 items", dictionary.toString());
    for (int key : new int[] {-1, 2}) {
      String message =
          assertThrows(IndexOutOfBoundsException.class, () -> dictionary.get(key)).getMessage();
      assertTrue(message.contains(String.valueOf(key)) && message.contains("2"), message);
    }
  }

  @Test
  void nothingIsRefusedWithItsPlace() {
    List<String> words = new ArrayList<>(Collections.nCopies(300_000, "a"));
    words.set(250_000, null);
    words.set(299_999, null);
    Dictionary<String> dictionary = Dictionary.of(List.of("a"));
    List<Runnable> runs =
        List.of(
            () -> Dictionary.of(words),
            () -> dictionary.keys(words),
            () -> dictionary.encode(words));
    for (Runnable run : runs) {
      String message = assertThrows(NullPointerException.class, run::run).getMessage();
      assertEquals("items[250000] is null, of 300000", message);
    }
  }

  @Test
  void piecesOfMemory() {
    SplittableRandom random = Seed.random("pieces");
    List<String> words = words(random, 100_000);
    byte[][] encoded =
        words.stream().map(w -> w.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
    int[] offsets = new int[words.size() + 1];
    offsets[0] = 3;
    for (int i = 0; i < words.size(); i++) {
      offsets[i + 1] = offsets[i] + encoded[i].length;
    }
    byte[] all = new byte[offsets[words.size()] + 5];
    Arrays.fill(all, (byte) 'x');
    for (int i = 0; i < words.size(); i++) {
      System.arraycopy(encoded[i], 0, all, offsets[i], encoded[i].length);
    }
    Dictionary<String> expected = Dictionary.of(words);
    try (Arena shared = Arena.ofShared();
        Arena ofOneThread = Arena.ofConfined()) {
      for (Arena arena : List.of(shared, ofOneThread)) {
        MemorySegment memory = arena.allocate(all.length).copyFrom(MemorySegment.ofArray(all));
        List<Dictionary.Piece> pieces = Dictionary.pieces(memory, offsets);
        Dictionary<Dictionary.Piece> dictionary = Dictionary.of(pieces);
        assertEquals(
            expected.items(), dictionary.items().stream().map(Object::toString).toList(), "items");
        assertArrayEquals(expected.keys(words), dictionary.keys(pieces), Seed.replay());
      }
    }
  }

  private static List<Dictionary.Piece> pieces(List<String> words) {
    int[] offsets = new int[words.size() + 1];
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < words.size(); i++) {
      all.append(words.get(i));
      offsets[i + 1] = all.toString().getBytes(StandardCharsets.UTF_8).length;
    }
    byte[] bytes = all.toString().getBytes(StandardCharsets.UTF_8);
    return Dictionary.pieces(MemorySegment.ofArray(bytes), offsets);
  }

  /** Encodes parts one after the other, as one list would have been. */
  private static <T> void checkParts(List<List<T>> parts, String what) {
    List<T> all = parts.stream().flatMap(List::stream).toList();
    Dictionary<T> expected = Dictionary.of(all);
    Dictionary<T> dictionary = Dictionary.of(List.of());
    List<Integer> keys = new ArrayList<>();
    for (List<T> part : parts) {
      Dictionary<T> before = dictionary;
      int size = before.size();
      Dictionary.Encoded<T> encoded = before.encode(part);
      dictionary = encoded.dictionary();
      assertEquals(dictionary.size() == size, dictionary == before, what);
      assertEquals(size, before.size(), what);
      assertEquals(before.items(), dictionary.items().subList(0, size), what);
      assertEquals(part.size(), encoded.keys().length, what);
      Arrays.stream(encoded.keys()).forEach(keys::add);
    }
    assertEquals(expected.items(), dictionary.items(), what);
    assertArrayEquals(
        expected.keys(all), keys.stream().mapToInt(Integer::intValue).toArray(), what);
  }

  /** Of strings, of pieces, of pieces in other lists, and of these after one another. */
  @Test
  void encodesPartByPart() {
    SplittableRandom random = Seed.random("parts");
    List<List<String>> parts = new ArrayList<>();
    for (int count : new int[] {0, 1, 7, 300, 0, 300}) {
      parts.add(words(random, count));
    }
    parts.add(parts.get(3));
    checkParts(parts, "strings" + Seed.replay());
    List<List<Dictionary.Piece>> pieces = parts.stream().map(DictionaryTest::pieces).toList();
    checkParts(pieces, "pieces" + Seed.replay());
    checkParts(pieces.stream().<List<Dictionary.Piece>>map(ArrayList::new).toList(), "in lists");
    List<List<Dictionary.Piece>> mixed = new ArrayList<>(pieces);
    mixed.set(3, new ArrayList<>(pieces.get(3)));
    checkParts(mixed, "pieces, then lists" + Seed.replay());
  }

  /** Texts of all lengths around those that a slot holds, alike at their beginnings, in parts. */
  @Test
  void encodesBytesAsTheyAreRead() {
    SplittableRandom random = Seed.random("encoder");
    List<String> texts = new ArrayList<>();
    Dictionary.Encoder encoder = new Dictionary.Encoder();
    Dictionary.Encoder other = new Dictionary.Encoder();
    List<Integer> keys = new ArrayList<>();
    for (int count : new int[] {0, 1, 300, 3000}) {
      List<String> part = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int length = random.nextInt(30);
        part.add("a".repeat(length) + (random.nextBoolean() ? "" : random.nextInt(200)));
      }
      byte[] in = String.join("", part).getBytes(StandardCharsets.UTF_8);
      int[] bounds = new int[count + 1];
      for (int i = 0; i < count; i++) {
        bounds[i + 1] = bounds[i] + part.get(i).length();
      }
      int[] of = new int[count];
      encoder.encode(in, bounds, count, of);
      other.encode(Arrays.copyOf(in, in.length + 20), bounds, count, new int[count]);
      IntStream.of(of).forEach(keys::add);
      texts.addAll(part);
    }
    List<String> distinct = texts.stream().distinct().toList();
    assertEquals(distinct, encoder.dictionary().items());
    assertEquals(distinct, other.dictionary().items());
    assertEquals(texts.stream().map(distinct::indexOf).toList(), keys, Seed.replay());
    Dictionary.Encoder last = new Dictionary.Encoder();
    assertEquals(0, last.encode(encoder, distinct.size() - 1));
    assertEquals(1, last.encode(encoder, 0));
    assertEquals(0, last.encode(other, distinct.size() - 1));
    assertEquals(2, last.size());
    assertThrows(IndexOutOfBoundsException.class, () -> last.encode(other, distinct.size()));
    byte[] three = new byte[3];
    int[] one = new int[1];
    assertThrows(
        IndexOutOfBoundsException.class, () -> last.encode(three, new int[] {0, 4}, 1, one));
    assertThrows(
        IndexOutOfBoundsException.class, () -> last.encode(three, new int[] {2, 1}, 1, one));
    assertThrows(
        IndexOutOfBoundsException.class, () -> last.encode(three, new int[] {0, 1, 2}, 2, one));
  }

  /** Keys in the order of items, those of another dictionary, and what a predicate says. */
  @Test
  void keysOfOtherDictionaries() {
    SplittableRandom random = Seed.random("other dictionaries");
    List<String> words = words(random, 500);
    Dictionary.Encoded<String> encoded = Dictionary.of(List.<String>of()).encode(words);
    Dictionary.Encoded<String> sorted = encoded.sorted(Comparator.naturalOrder());
    List<String> items = words.stream().distinct().sorted().toList();
    assertEquals(items, sorted.dictionary().items());
    assertEquals(words, sorted.dictionary().items(sorted.keys()), Seed.replay());
    Dictionary<String> other = Dictionary.of(items.subList(0, items.size() / 2));
    assertArrayEquals(other.keys(words), encoded.in(other).keys(), Seed.replay());
    Dictionary.Encoded<String> lost = encoded.in(other).in(encoded.dictionary());
    for (int i = 0; i < words.size(); i++) {
      int known = other.key(words.get(i)) == Dictionary.NONE ? Dictionary.NONE : encoded.keys()[i];
      assertEquals(known, lost.keys()[i], Seed.replay());
    }
    byte[] flags = sorted.dictionary().flags(word -> word.length() > 2);
    for (int key = 0; key < flags.length; key++) {
      assertEquals(items.get(key).length() > 2 ? 1 : 0, flags[key]);
    }
    assertEquals(0, Dictionary.of(List.of()).flags(_ -> true).length);
  }

  /** Several threads' shares, with new ones in each. */
  @Test
  void encodesManyPieces() {
    SplittableRandom random = Seed.random("many pieces");
    int count = 150_000;
    int[] offsets = new int[count + 1];
    for (int i = 0; i < count; i++) {
      offsets[i + 1] = offsets[i] + random.nextInt(20);
    }
    byte[] bytes = new byte[offsets[count]];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(8) == 0 ? random.nextInt() : 'a');
    }
    List<Dictionary.Piece> all = Dictionary.pieces(MemorySegment.ofArray(bytes), offsets);
    Dictionary<Dictionary.Piece> expected = Dictionary.of(all);
    List<Dictionary.Piece> first =
        Dictionary.pieces(MemorySegment.ofArray(bytes), Arrays.copyOf(offsets, 1000));
    for (List<Dictionary.Piece> before : List.of(List.<Dictionary.Piece>of(), first)) {
      Dictionary.Encoded<Dictionary.Piece> encoded =
          Dictionary.<Dictionary.Piece>of(before).encode(all);
      assertArrayEquals(expected.keys(all), encoded.keys(), Seed.replay());
      assertEquals(expected.items(), encoded.dictionary().items(), Seed.replay());
    }
  }

  /** Longer ones than are copied at a time, in memory that is gone when they are looked for. */
  @Test
  void piecesOfManyLengths() {
    SplittableRandom random = Seed.random("long pieces");
    int[] offsets = new int[41];
    for (int i = 0; i < 40; i++) {
      offsets[i + 1] = offsets[i] + (i % 4 == 0 ? random.nextInt(200_000) : random.nextInt(3));
    }
    byte[] all = new byte[offsets[40]];
    random.nextBytes(all);
    List<String> bytes =
        IntStream.range(0, 40)
            .mapToObj(i -> Arrays.toString(Arrays.copyOfRange(all, offsets[i], offsets[i + 1])))
            .toList();
    Dictionary<Dictionary.Piece> dictionary;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(all.length).copyFrom(MemorySegment.ofArray(all));
      dictionary = Dictionary.of(Dictionary.pieces(memory, offsets));
    }
    List<Dictionary.Piece> again = Dictionary.pieces(MemorySegment.ofArray(all), offsets);
    int[] expected = Dictionary.of(bytes).keys(bytes);
    assertArrayEquals(expected, dictionary.keys(again), Seed.replay());
    assertArrayEquals(expected, dictionary.keys(new ArrayList<>(again)), Seed.replay());
    Dictionary<Dictionary.Piece> sorted =
        dictionary.sorted(Comparator.comparing(piece -> -piece.bytes().byteSize()));
    int[] keys = sorted.keys(again);
    for (int i = 0; i < 40; i++) {
      assertEquals(again.get(i), dictionary.get(expected[i]), Seed.replay());
      assertEquals(again.get(i), sorted.get(keys[i]), Seed.replay());
      assertEquals(keys[i], sorted.key(again.get(i)), Seed.replay());
    }
    MemorySegment none = MemorySegment.ofArray(new byte[200_001]);
    assertArrayEquals(new int[] {-1}, dictionary.keys(Dictionary.pieces(none, 0, 200_001)));
  }

  /**
   * Parts of a list, lists of pieces and strings among them: their memory is used again, and
   * closed.
   */
  @Test
  void whatIsKeptIsCopied() {
    List<UnaryOperator<List<Dictionary.Piece>>> forms =
        List.of(
            pieces -> pieces,
            pieces -> pieces.subList(1, 3),
            pieces -> new ArrayList<>(pieces),
            List::reversed);
    byte[][] texts = {"aabbcc".getBytes(US_ASCII), "ddaaee".getBytes(US_ASCII)};
    for (UnaryOperator<List<Dictionary.Piece>> form : forms) {
      for (UnaryOperator<List<Dictionary.Piece>> later : forms) {
        List<String> all = new ArrayList<>();
        Dictionary<Dictionary.Piece> dictionary = Dictionary.of(List.of());
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment memory = arena.allocate(6);
          for (byte[] text : texts) {
            memory.copyFrom(MemorySegment.ofArray(text));
            List<Dictionary.Piece> part =
                (text == texts[0] ? form : later).apply(Dictionary.pieces(memory, 0, 2, 4, 6));
            part.forEach(piece -> all.add(piece.toString()));
            dictionary = dictionary.encode(part).dictionary();
            assertEquals(dictionary.items(), Dictionary.of(dictionary.items()).items());
          }
          Dictionary<Dictionary.Piece> once =
              Dictionary.of(form.apply(Dictionary.pieces(memory, 0, 2, 4, 6)));
          memory.fill((byte) 'x');
          List<Dictionary.Piece> again =
              form.apply(Dictionary.pieces(MemorySegment.ofArray(texts[1]), 0, 2, 4, 6));
          assertArrayEquals(IntStream.range(0, again.size()).toArray(), once.keys(again));
        }
        Dictionary<String> expected = Dictionary.of(all);
        assertEquals(expected.items(), dictionary.items().stream().map(Object::toString).toList());
        for (String item : expected.items()) {
          Dictionary.Piece piece =
              new Dictionary.Piece(MemorySegment.ofArray(item.getBytes(US_ASCII)));
          assertEquals(expected.key(item), dictionary.key(piece), item);
          assertEquals(
              expected.key(item), dictionary.keys(new LinkedList<>(List.of(piece)))[0], item);
        }
      }
    }
  }

  /** These have one hash. */
  @Test
  void piecesThatDiffer_areApart() {
    MemorySegment bytes = MemorySegment.ofArray("AaBBAa".getBytes(StandardCharsets.UTF_8));
    List<Dictionary.Piece> pieces = Dictionary.pieces(bytes, 0, 2, 4, 6);
    assertEquals(pieces.get(0).hashCode(), pieces.get(1).hashCode());
    assertArrayEquals(new int[] {0, 1, 0}, Dictionary.of(pieces).keys(pieces));
  }

  @Test
  void piecesThatAreNone_areRefused() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[9]);
    assertEquals(List.of(), Dictionary.pieces(bytes, 9));
    Map<int[], String> wrong =
        Map.of(
            new int[0], "offsets=0",
            new int[] {-1, 2}, "offsets[0]=-1",
            new int[] {0, 4, 3}, "offsets[2]=3, at least 4",
            new int[] {0, 10}, "offsets[1]=10, at least 0 and at most bytes=9");
    wrong.forEach(
        (offsets, message) -> {
          String given =
              assertThrows(IllegalArgumentException.class, () -> Dictionary.pieces(bytes, offsets))
                  .getMessage();
          assertTrue(given.contains(message), given);
        });
  }
}
