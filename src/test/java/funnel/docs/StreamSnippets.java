package funnel.docs;

import funnel.ElementStream;
import funnel.Funnel;
import funnel.Results;
import funnel.histogram.Histogram;
import funnel.io.ElementFile;
import funnel.io.ElementOutput;
import funnel.io.Source;
import funnel.io.StreamException;
import funnel.operation.Device;
import funnel.operator.ElementType;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

/** The examples of streams. */
final class StreamSnippets {

  private StreamSnippets() {}

  // @start region="stream"
  /**
   * What is in a file of floats, of any size: "3.5 in all, from -1.0 to 4.0, of which 2 below 2".
   */
  static String describe(Funnel funnel, Path path) throws IOException {
    try (ElementFile file = ElementFile.open(path)) {
      ElementStream stream = funnel.over(file);
      Results found =
          stream.reduce(Map.of("sum", Reduction.sumAsDouble(), "ends", Reduction.minMax()));
      long[] counts = new long[2];
      var _ = stream.histogram(Histogram.ranges(-100f, 2f, 100f), counts);
      return "%s in all, from %s to %s, of which %s below 2"
          .formatted(found.get("sum"), found.get("ends_min"), found.get("ends_max"), counts[0]);
    }
  }

  // @end

  // @start region="devices"
  /** The sum of a file of floats, by all devices that there are. */
  static double sumByAll(Path path) throws IOException {
    Device[] all = Funnel.devices().stream().filter(Device::isUsable).toArray(Device[]::new);
    try (Funnel funnel = Funnel.open(all);
        ElementFile file = ElementFile.open(path)) {
      return funnel.over(file).reduce(Reduction.sumAsDouble()).doubleValue();
    }
  }

  // @end

  // @start region="source"
  /** The sum of the numbers from 0 to n - 1, none of which is anywhere: of 5 it is 10. */
  static long sumBelow(Funnel funnel, long n) throws IOException {
    Source numbers =
        Source.generated(
            ElementType.LONG,
            n,
            (from, piece) -> {
              for (long i = 0; i < piece.byteSize() / Long.BYTES; i++) {
                piece.setAtIndex(ValueLayout.JAVA_LONG, i, from + i);
              }
            });
    return funnel.over(numbers).reduce(Reduction.sum()).longValue();
  }

  /** The largest of the elements of several files. */
  static Number largest(Funnel funnel, List<Path> paths) throws IOException {
    List<ElementFile> files = new ArrayList<>();
    try {
      for (Path path : paths) {
        files.add(ElementFile.open(path));
      }
      return funnel.over(Source.concatenated(files)).reduce(Reduction.max());
    } finally {
      files.forEach(ElementFile::close);
    }
  }

  // @end

  // @start region="sink"
  /** Where each of many parts begins, by their sizes: of 3, 1, 4 it is 0, 3, 4, and 8 in all. */
  static Number offsets(Funnel funnel, Path sizes, Path offsets) throws IOException {
    try (ElementFile file = ElementFile.open(sizes);
        ElementOutput output = ElementOutput.create(offsets, ElementType.LONG, file.length())) {
      Scan scan = Scan.exclusive(Operator.SUM).to(ElementType.LONG);
      Number total = funnel.over(file).scan(scan, output);
      output.commit(false); // from now on there is a file of this name
      return total;
    }
  }

  // @end

  // @start region="listener"
  /** Counts bytes until there is no patience left. */
  static long[] counted(Funnel funnel, Source bytes, long patienceInNanos) throws IOException {
    long end = System.nanoTime() + patienceInNanos;
    long[] counts = new long[256];
    var _ =
        funnel
            .over(bytes)
            .pieces(1 << 20)
            .listener(
                (done, total) -> {
                  if (System.nanoTime() > end) {
                    throw new CancellationException("after %s of %s".formatted(done, total));
                  }
                })
            .histogram(Histogram.ofBytes(), counts);
    return counts;
  }

  // @end

  // @start region="failure"
  /** The sum, or where the disk gave up. */
  static String sum(Funnel funnel, Source source) throws IOException {
    try {
      return "sum " + funnel.over(source).reduce(Reduction.sum());
    } catch (StreamException e) {
      return "unreadable from element %s on: %s".formatted(e.position(), e.getMessage());
    }
  }
  // @end
}
