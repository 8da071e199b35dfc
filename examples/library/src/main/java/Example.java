import funnel.*;
import funnel.operator.Operator;
import java.util.Arrays;

void main() {
  try (Funnel funnel = Funnel.open()) {                 // on a GPU if there is one, otherwise on the JVM
    Ints x = funnel.of(3, 1, 4, 1, 5, 9, 2, 6);
    int least = 3;
    IO.println(Arrays.toString(x.filter(v -> v >= least).sorted().toArray()));    // [3, 4, 5, 6, 9]
    IO.println(x.map(v -> v * v).sum());                                          // 173
    IO.println(Arrays.toString(x.exclusiveScan(Operator.SUM).limit(4).toArray()));    // [0, 3, 4, 8]
    Ints shop = funnel.of(7, 9, 7, 5);
    Doubles paid = funnel.of(1.5, 2.0, 3.0, 4.0);
    IO.println(Arrays.toString(shop.groupBy().sum(paid).toArray()));              // [4.0, 4.5, 2.0]
  }
}
