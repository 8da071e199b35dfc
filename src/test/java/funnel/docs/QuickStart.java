package funnel.docs;

import funnel.Funnel;
import funnel.Ints;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The first example of {@link Funnel}. */
final class QuickStart {

  private QuickStart() {}

  /** Runs it. */
  static String run() {
    // @start region="quick-start"
    int[] values = IntStream.rangeClosed(1, 1_000_000).toArray();
    try (Funnel funnel = Funnel.open()) { // a GPU if there is one, else the JVM
      Ints x = funnel.of(values);
      long sum = x.sumAsLong(); // 500000500000
      int[] large = x.filter(v -> v % 1000 == 0).last(2).toArray(); // 999000, 1000000
      return "sum=%s, large=%s".formatted(sum, Arrays.toString(large));
    }
    // @end
  }
}
