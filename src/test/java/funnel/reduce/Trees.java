package funnel.reduce;

import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntToDoubleFunction;

/**
 * Both reduction trees once more, as a plain program that is written from their description alone:
 * what float and double results must be, bit for bit. Floats are doubles here whose operator
 * rounds.
 */
final class Trees {

  private static final int LANES = 1024;
  private static final int TILE = 2048;
  private static final int ROWS = 2112;
  private static final int SEGMENTS = 256;

  private Trees() {}

  static int lead(ElementType type) {
    return switch (type) {
      case BYTE -> 0;
      case INT, FLOAT -> 4;
      case LONG, DOUBLE -> 2;
    };
  }

  /** Tiles dealt in turn over rows, lanes, then halves folded. */
  static double striped(
      int n, int lead, IntToDoubleFunction element, DoubleBinaryOperator operator, double start) {
    int tiles = (int) (((long) n + lead + TILE - 1) / TILE);
    int rows = Math.max(1, Math.min(tiles, ROWS));
    double[][] lanes = new double[rows][LANES];
    for (double[] row : lanes) {
      Arrays.fill(row, start);
    }
    for (int i = 0; i < n; i++) {
      int place = i + lead;
      double[] row = lanes[place / TILE % rows];
      int lane = place % LANES;
      row[lane] = operator.applyAsDouble(row[lane], element.applyAsDouble(i));
    }
    double[] last = new double[LANES];
    Arrays.fill(last, start);
    for (int r = 0; r < rows; r++) {
      int lane = r % LANES;
      last[lane] = operator.applyAsDouble(last[lane], fold(lanes[r], operator));
    }
    return fold(last, operator);
  }

  private static double fold(double[] lanes, DoubleBinaryOperator operator) {
    for (int half = LANES / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; lane++) {
        lanes[lane] = operator.applyAsDouble(lanes[lane], lanes[lane + half]);
      }
    }
    return lanes[0];
  }

  /** Segments from left to right, then neighbours pairwise. */
  static double ordered(
      int n, IntToDoubleFunction element, DoubleBinaryOperator operator, double start) {
    int rows = Math.max(1, Math.min((n + 2047) / 2048, ROWS));
    int segments = rows * SEGMENTS;
    int items = (n + segments - 1) / segments;
    items = (items + 7) / 8 * 8;
    double[] rowResults = new double[rows];
    for (int row = 0; row < rows; row++) {
      double[] results = new double[SEGMENTS];
      for (int s = 0; s < SEGMENTS; s++) {
        long begin = ((long) row * SEGMENTS + s) * items;
        results[s] = start;
        for (long i = begin; i < Math.min(begin + items, n); i++) {
          results[s] = operator.applyAsDouble(results[s], element.applyAsDouble((int) i));
        }
      }
      rowResults[row] = pairs(results, operator);
    }
    double[] last = new double[SEGMENTS];
    Arrays.fill(last, start);
    for (int row = 0; row < rows; row++) {
      int s = row / 9;
      last[s] = operator.applyAsDouble(last[s], rowResults[row]);
    }
    return pairs(last, operator);
  }

  private static double pairs(double[] results, DoubleBinaryOperator operator) {
    double[] now = results;
    while (now.length > 1) {
      double[] next = new double[now.length / 2];
      for (int i = 0; i < next.length; i++) {
        next[i] = operator.applyAsDouble(now[2 * i], now[2 * i + 1]);
      }
      now = next;
    }
    return now[0];
  }
}
