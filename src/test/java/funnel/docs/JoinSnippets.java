package funnel.docs;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.group.Dictionary;
import funnel.group.Join;
import funnel.histogram.Histogram;
import funnel.operator.ElementType;
import funnel.transform.Gather;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The examples of joins and dictionaries. */
final class JoinSnippets {

  private JoinSnippets() {}

  // @start region="once"
  /** The orders of articles that there are not, by their positions. */
  static int[] unknown(Funnel funnel, int[] orders, int[] articles) {
    return funnel.run(Join.anti(), Elements.of(orders), Elements.of(articles)).ints("result");
  }

  /** For each order the position of its article, of which there is one. */
  static int[] articles(Funnel funnel, int[] orders, int[] articles) {
    Join join = Join.inner(orders.length);
    return funnel.run(join, Elements.of(orders), Elements.of(articles)).ints("result_right");
  }

  // @end

  // @start region="join"
  /** The price of each order whose article has one, by the numbers of the articles. */
  static float[] prices(Funnel funnel, int[] orders, int[] articles, float[] prices) {
    try (Plan plan =
        funnel
            .plan("prices")
            .input("orders", ElementType.INT, orders.length)
            .input("articles", ElementType.INT, articles.length)
            .input("prices", ElementType.FLOAT, prices.length)
            .add("pairs", Join.inner(orders.length), "orders", "articles") // an article has one row
            .add("paid", Gather.at(), "prices", "pairs_right")
            .build()) {
      Results results =
          plan.run(
              Map.of(
                  "orders", Elements.of(orders),
                  "articles", Elements.of(articles),
                  "prices", Elements.of(prices)));
      return results.floats("paid"); // of the orders at ints("pairs_left")
    }
  }

  // @end

  // @start region="words"
  /** How often each word is there. */
  static Map<String, Integer> count(Funnel funnel, List<String> text) {
    Dictionary<String> words = Dictionary.of(text);
    int[] keys = words.keys(text);
    Results results = funnel.run(Histogram.ofKeys(words.size()), Elements.of(keys));
    int[] counts = results.ints("result");
    return words.items().stream().collect(Collectors.toMap(w -> w, w -> counts[words.key(w)]));
  }

  // @end

  // @start region="pieces"
  /** The keys of lines that are equal byte by byte, of which each begins where an offset says. */
  static int[] keys(MemorySegment file, int[] offsets) {
    List<Dictionary.Piece> lines = Dictionary.pieces(file, offsets);
    Dictionary<Dictionary.Piece> distinct = Dictionary.of(lines);
    return distinct.keys(lines); // the text of key k is distinct.get(k).toString()
  }

  // @end

  // @start region="encoder"
  /** The keys of parts of a text, one after the other, each with its bounds; and the texts. */
  static Dictionary.Encoded<String> encoded(List<byte[]> parts, List<int[]> bounds) {
    Dictionary.Encoder texts = new Dictionary.Encoder();
    int[] all = {};
    for (int part = 0; part < parts.size(); part++) {
      int[] keys = new int[bounds.get(part).length - 1];
      texts.encode(parts.get(part), bounds.get(part), keys.length, keys);
      all = IntStream.concat(IntStream.of(all), IntStream.of(keys)).toArray();
    }
    return new Dictionary.Encoded<>(texts.dictionary(), all);
  }

  // @end

  // @start region="parts"
  /** How often each word is in all parts of a text. */
  static Map<String, Long> count(Iterable<List<String>> parts) {
    Dictionary<String> words = Dictionary.of(List.of());
    long[] counts = {};
    for (List<String> part : parts) {
      Dictionary.Encoded<String> encoded = words.encode(part);
      words = encoded.dictionary();
      counts = Arrays.copyOf(counts, words.size());
      for (int key : encoded.keys()) {
        counts[key]++;
      }
    }
    Map<String, Long> ofWords = new HashMap<>();
    for (int key = 0; key < counts.length; key++) {
      ofWords.put(words.get(key), counts[key]);
    }
    return ofWords;
  }
  // @end
}
