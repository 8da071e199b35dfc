package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import funnel.Results;
import funnel.io.Pieces;
import funnel.operator.ElementType;
import funnel.rank.TopK;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The largest or smallest elements of a file, piece by piece through one plan. */
final class FileTop {

  private static final String INPUT = "x";
  private static final String OUTPUT = "y";

  private FileTop() {}

  /**
   * An element.
   *
   * @param value of a byte from 0 to 255
   * @param position in the file, the first 0
   */
  record Found(Number value, long position) {}

  /**
   * Finds them, the first one of the order first; of equal ones that with the smaller position.
   *
   * @throws funnel.io.FileChangedException if somebody wrote to the file
   */
  static List<Found> run(Funnel funnel, Pieces pieces, TopK top) throws IOException {
    ElementType type = pieces.source().type();
    Comparator<Found> order = (a, b) -> compare(a.value(), b.value());
    Comparator<Found> wanted = top.isLargest() ? order.reversed() : order;
    List<Found> found = new ArrayList<>();
    try (Plan plan =
        funnel
            .plan("file")
            .input(INPUT, type, pieces.capacity())
            .add(OUTPUT, top.withPositions(), INPUT)
            .build()) {
      pieces.forEach(
          (piece, from) -> {
            Results results = plan.run(Map.of(INPUT, Elements.of(piece, type)));
            List<Number> values = values(results, type);
            int[] positions = results.ints(OUTPUT + "_positions");
            for (int i = 0; i < positions.length; i++) {
              found.add(new Found(values.get(i), from + positions[i]));
            }
            found.sort(wanted.thenComparingLong(Found::position));
            found.subList(Math.min(top.k(), found.size()), found.size()).clear();
          });
    }
    return found;
  }

  /** An array of a run, bytes from 0 to 255. */
  static List<Number> values(Results results, ElementType type) {
    List<Number> values = new ArrayList<>();
    switch (type) {
      case BYTE -> {
        for (byte value : results.bytes(OUTPUT)) {
          values.add(value & 0xff);
        }
      }
      case INT -> {
        for (int value : results.ints(OUTPUT)) {
          values.add(value);
        }
      }
      case LONG -> {
        for (long value : results.longs(OUTPUT)) {
          values.add(value);
        }
      }
      case FLOAT -> {
        for (float value : results.floats(OUTPUT)) {
          values.add(value);
        }
      }
      case DOUBLE -> {
        for (double value : results.doubles(OUTPUT)) {
          values.add(value);
        }
      }
    }
    return values;
  }

  /** As boxes of one type are. */
  private static int compare(Number a, Number b) {
    return a instanceof Float || a instanceof Double
        ? Double.compare(a.doubleValue(), b.doubleValue())
        : Long.compare(a.longValue(), b.longValue());
  }
}
