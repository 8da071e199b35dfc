package funnel.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Names that are nearly what somebody typed. */
final class Similar {

  private static final int MOST = 2;

  private Similar() {}

  /** The nearest names, with commas between them; empty if none is near. */
  static String to(String typed, Collection<String> names) {
    int most = Math.max(1, (typed.replace("-", "").length() + 1) / 3);
    List<String> near =
        names.stream()
            .filter(name -> distance(typed, name) <= most || isBeginning(typed, name))
            .sorted(Comparator.comparingInt(name -> distance(typed, name)))
            .toList();
    int least = near.isEmpty() ? 0 : distance(typed, near.getFirst());
    return near.stream()
        .filter(name -> distance(typed, name) <= least)
        .limit(MOST)
        .collect(Collectors.joining(", "));
  }

  private static boolean isBeginning(String typed, String name) {
    return typed.replace("-", "").length() >= 2 && name.startsWith(typed);
  }

  /** The number of letters to change, insert, remove, or exchange with their neighbour. */
  static int distance(String one, String other) {
    int[][] to = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          to[i][j] = i + j;
          continue;
        }
        int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        to[i][j] = Math.min(to[i - 1][j - 1] + change, Math.min(to[i - 1][j], to[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          to[i][j] = Math.min(to[i][j], to[i - 2][j - 2] + 1);
        }
      }
    }
    return to[one.length()][other.length()];
  }
}
