import funnel.Funnel;
import funnel.operator.Operator;
import java.util.Arrays;

void main() {
  try (Funnel funnel = Funnel.open()) {                // a GPU if TornadoVM finds one, else the JVM
    float[] samples = {3, 1, 4, 1, 5, 9, 2, 6};
    IO.println(funnel.sum(samples));                                      // 31.0
    IO.println(funnel.max(samples) + " at " + funnel.argMax(samples));    // 9.0 at 5
    int[] sizes = {3, 1, 4, 1};
    IO.println(Arrays.toString(funnel.exclusiveScan(sizes, Operator.SUM)));    // [0, 3, 4, 8]
    int least = 3;
    IO.println(Arrays.toString(funnel.select(sizes, v -> v >= least)));        // [3, 4]
  }
}
