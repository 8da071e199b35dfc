package funnel.docs;

import funnel.file.Json;
import funnel.file.Progress;
import funnel.file.WholeFile;
import funnel.io.Npz;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.IntUnaryOperator;

/** The examples of files that are written as a whole, and of what is told about work. */
final class WholeFileSnippets {

  private WholeFileSnippets() {}

  static double npz(Path file) throws IOException {
    // @start region="npz"
    SequencedMap<String, Npz.Array> state = new LinkedHashMap<>();
    state.put("step", Npz.Array.of(7L));
    state.put("x", Npz.Array.of(new double[] {1, 2.5}));
    Npz.write(file, state);

    Map<String, Npz.Array> read = Npz.read(file);
    Npz.Array x = read.get("x"); // of shape [2]
    double last = x.data().getAtIndex(ValueLayout.JAVA_DOUBLE, 1); // 2.5
    // @end
    return last;
  }

  // @start region="whole"
  /** Keeps a state: whoever reads the file finds the last one or this one, never a part. */
  static void keep(Path path, byte[] state) throws IOException {
    try (WholeFile file = WholeFile.create(path)) {
      file.stream().write(state);
      file.commit();
    }
  }

  // @end

  static String json() {
    // @start region="json"
    SequencedMap<String, Object> line = new LinkedHashMap<>();
    line.put("file", "m.npy");
    line.put("shape", List.of(2, 3));
    line.put("sums", new double[] {1.5, Double.POSITIVE_INFINITY});
    String json = Json.of(line); // {"file":"m.npy","shape":[2,3],"sums":[1.5,"Infinity"]}
    // @end
    return json;
  }

  // @start region="progress"
  static long total(IntUnaryOperator slow, int n, boolean quiet) {
    long total = 0;
    try (Progress progress = new Progress("total", "elements", n, !quiet)) {
      for (int i = 0; i < n; i++) {
        total += slow.applyAsInt(i);
        progress.step(1);
      }
    }
    return total;
  }
  // @end
}
