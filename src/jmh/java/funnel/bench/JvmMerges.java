package funnel.bench;

import funnel.operator.Comparison;
import funnel.sort.Merge;
import funnel.sort.MergeSort;
import funnel.sort.SetOperation;
import java.util.Arrays;
import java.util.List;

/** The rows of {@link JvmTable} that merge, and sort by a comparison: beside boxed elements. */
final class JvmMerges {

  private JvmMerges() {}

  static List<String> names() {
    return List.of(
        "merge: two, INT",
        "merge: two, DOUBLE",
        "merge: union, INT",
        "merge: sort by, INT",
        "merge: sort by, DOUBLE");
  }

  static JvmCase.Work work(String of, Object values) {
    return switch (values) {
      case int[] x -> of.equals("sort by") ? sort(x) : merge(x, of.equals("union"));
      default -> of.equals("two") ? merge((double[]) values) : sort((double[]) values);
    };
  }

  private static JvmCase.Work merge(int[] x, boolean isUnion) {
    int half = x.length / 2;
    int[] a = Arrays.copyOf(x, half);
    int[] b = Arrays.copyOfRange(x, half, x.length);
    Arrays.sort(a);
    Arrays.sort(b);
    int[] y = new int[x.length];
    if (isUnion) {
      return new JvmCase.Work(
          SetOperation.union(), new int[x.length], List.of(a, b), () -> union(a, b, y));
    }
    return new JvmCase.Work(
        Merge.ascending(),
        new int[x.length],
        List.of(a, b),
        () -> {
          int i = 0;
          int j = 0;
          for (int k = 0; k < y.length; k++) {
            y[k] = j == b.length || (i < a.length && a[i] <= b[j]) ? a[i++] : b[j++];
          }
          return y;
        });
  }

  private static Object union(int[] a, int[] b, int[] y) {
    int i = 0;
    int j = 0;
    int k = 0;
    while (i < a.length || j < b.length) {
      boolean isFirst = j == b.length || (i < a.length && a[i] <= b[j]);
      if (isFirst && j < b.length && a[i] == b[j]) {
        j++;
      }
      y[k++] = isFirst ? a[i++] : b[j++];
    }
    return JvmCase.NOTHING; // some of the array
  }

  private static JvmCase.Work merge(double[] x) {
    int half = x.length / 2;
    double[] a = Arrays.copyOf(x, half);
    double[] b = Arrays.copyOfRange(x, half, x.length);
    Arrays.sort(a);
    Arrays.sort(b);
    double[] y = new double[x.length];
    return new JvmCase.Work(
        Merge.ascending(),
        new double[x.length],
        List.of(a, b),
        () -> {
          int i = 0;
          int j = 0;
          for (int k = 0; k < y.length; k++) {
            boolean isFirst = j == b.length || (i < a.length && Double.compare(a[i], b[j]) <= 0);
            y[k] = isFirst ? a[i++] : b[j++];
          }
          return y;
        });
  }

  private static JvmCase.Work sort(int[] x) {
    return new JvmCase.Work(
        MergeSort.by(Comparison.ofInt("descending", (a, b) -> Integer.compare(b, a))),
        new int[x.length],
        List.of(x),
        () -> {
          Integer[] boxed = Arrays.stream(x).boxed().toArray(Integer[]::new);
          Arrays.sort(boxed, (a, b) -> Integer.compare(b, a));
          return Arrays.stream(boxed).mapToInt(v -> v).toArray();
        });
  }

  private static JvmCase.Work sort(double[] x) {
    return new JvmCase.Work(
        MergeSort.by(Comparison.ofDouble("descending", (a, b) -> Double.compare(b, a))),
        new double[x.length],
        List.of(x),
        () -> {
          Double[] boxed = Arrays.stream(x).boxed().toArray(Double[]::new);
          Arrays.sort(boxed, (a, b) -> Double.compare(b, a));
          return Arrays.stream(boxed).mapToDouble(v -> v).toArray();
        });
  }
}
