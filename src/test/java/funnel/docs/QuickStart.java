package funnel.docs;

import funnel.Funnel;
import java.util.stream.IntStream;

/** The first example of {@link Funnel}. */
final class QuickStart {

  private QuickStart() {}

  /** Runs it. */
  static String run() {
    // @start region="quick-start"
    int[] values = IntStream.rangeClosed(1, 1_000_000).toArray();
    try (Funnel funnel = Funnel.open()) {
      int largest = funnel.max(values); // 1000000
      long sum = funnel.sumAsLong(values); // 500000500000
      double mean = funnel.mean(values); // 500000.5
      return "max=%s, sum=%s, mean=%s".formatted(largest, sum, mean);
    }
    // @end
  }
}
