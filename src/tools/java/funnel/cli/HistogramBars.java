package funnel.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Counts as lines of a terminal: name, count, bar. */
final class HistogramBars {

  private static final int MOST_LINES = 40;
  private static final int LEAST_WIDTH = 8;
  private static final String GAP = "  ";

  private HistogramBars() {}

  /** The number of bins per line, so that there are not too many lines: a power of two. */
  static int merged(int bins) {
    int merged = 1;
    while (Math.ceilDiv(bins, merged) > MOST_LINES) {
      merged *= 2;
    }
    return merged;
  }

  /** The sums of the counts of each {@code merged} bins. */
  static long[] merge(long[] counts, int merged) {
    long[] sums = new long[Math.ceilDiv(counts.length, merged)];
    for (int i = 0; i < counts.length; i++) {
      sums[i / merged] += counts[i];
    }
    return sums;
  }

  /**
   * One line for each count.
   *
   * @param names the names of the counts
   * @param counts the counts
   * @param width the width of the terminal, where the longest bar ends; every count other than 0
   *     has a bar
   */
  static List<String> lines(List<String> names, long[] counts, int width) {
    int nameWidth = names.stream().mapToInt(String::length).max().orElse(1);
    int countWidth = 1;
    long largest = 1;
    for (long count : counts) {
      countWidth = Math.max(countWidth, String.format(Locale.ROOT, "%,d", count).length());
      largest = Math.max(largest, count);
    }
    int most = Math.max(LEAST_WIDTH, width - nameWidth - countWidth - 2 * GAP.length() - 1);
    String format = "%-" + nameWidth + "s" + GAP + "%," + countWidth + "d" + GAP + "%s";
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      long count = counts[i];
      int length = count == 0 ? 0 : Math.max(1, (int) Math.round((double) count / largest * most));
      lines.add(
          String.format(Locale.ROOT, format, names.get(i), count, "#".repeat(length))
              .stripTrailing());
    }
    return lines;
  }
}
