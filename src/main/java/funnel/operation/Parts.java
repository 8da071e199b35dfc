package funnel.operation;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How an {@link Operation} over a long input is done in parts, as a {@link
 * java.util.stream.Collector} states it: what is computed of each piece of the input, what is kept
 * of its results, how that of several pieces is combined, and what it says of the whole. Streams,
 * several devices and clusters run it.
 *
 * <p>The mean: the sum of a piece and its length are kept; sums and lengths are added; at the end
 * the one is divided by the other.
 *
 * <p>Results depend on how the input is cut as far as rounding does, and on nothing else: parts are
 * combined in the order of their pieces. Those of an input of one piece are the same as of an
 * array.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="parts"}
 *
 * @param <P> what is kept of a piece or of several; positions in it count from the first of their
 *     elements
 */
public interface Parts<P extends Serializable> extends Serializable {

  /** What is computed of each piece, from inputs like those of the operation. */
  Operation ofPiece();

  /** What is kept of a piece; a piece is empty only if it is the whole input. */
  P of(Piece piece);

  /**
   * What is kept of two or more pieces, one after the other.
   *
   * @param onJvm computes on the JVM
   */
  P combine(List<P> parts, Calls onJvm);

  /**
   * Gives the outputs for the whole input.
   *
   * @param output takes what the name of an output adds to that of the operation, and a Number, a
   *     Java array, or the reason if a value is not defined; numbers and positions of elements are
   *     longs
   */
  void finish(P whole, BiConsumer<String, Object> output);

  /**
   * Whether no later piece can change the outcome: {@link funnel.select.FindFirst} needs nothing
   * after a match. Nothing more is read then.
   *
   * @param parts those of adjacent pieces, not always the first ones of the input; at least one
   */
  default boolean isDone(List<P> parts) {
    return false;
  }

  /** The number of elements that are kept; parts are combined before they are too many. */
  default int size(P part) {
    return 1;
  }

  /** Whether results have the same bits however the input is cut. */
  default boolean isExact() {
    return false;
  }

  /** The name of the output of {@link Calls}. */
  String OUTPUT = "result";

  /**
   * The results of {@link #ofPiece} over a piece.
   *
   * @param length how many elements it has
   * @param first the first one, of the first input; null if there is none
   * @param last the last one
   * @param name the name of the output
   */
  record Piece(
      int length, @Nullable Number first, @Nullable Number last, String name, Outputs outputs) {

    /** A value, by what its name adds to that of the output. */
    public Number get(String suffix) {
      return outputs.get(name + suffix);
    }

    /** An array, by what its name adds to that of the output. */
    public Object array(String suffix) {
      return outputs.array(name + suffix);
    }
  }

  /** Values and arrays by name. */
  interface Outputs {
    /** An Integer, Long, Float or Double. */
    Number get(String name);

    /** A new Java array. */
    Object array(String name);
  }

  /** Runs operations over Java arrays; their output is {@link #OUTPUT}. */
  interface Calls {
    /** Runs an operation. */
    Outputs run(Operation operation, Object... arrays);
  }

  /** Numbers of one type, at least one, as an array of that type; 3, 1, 4 as an int[]. */
  static Object array(List<? extends Number> numbers) {
    return switch (Objects.requireNonNull(numbers.getFirst())) {
      case Integer _ -> numbers.stream().mapToInt(Number::intValue).toArray();
      case Long _ -> numbers.stream().mapToLong(Number::longValue).toArray();
      case Double _ -> numbers.stream().mapToDouble(Number::doubleValue).toArray();
      default -> {
        float[] floats = new float[numbers.size()];
        for (int i = 0; i < floats.length; i++) {
          floats[i] = (Float) numbers.get(i);
        }
        yield floats;
      }
    };
  }

  /** Java arrays of one type, one after the other, in a new array: 3, 1 and 4 as 3, 1, 4. */
  static Object joined(List<?> arrays) {
    int length = 0;
    for (Object each : arrays) {
      length = Math.addExact(length, Array.getLength(each));
    }
    Class<?> type = Objects.requireNonNull(arrays.getFirst().getClass().getComponentType());
    Object joined = Array.newInstance(type, length);
    int to = 0;
    for (Object each : arrays) {
      int more = Array.getLength(each);
      System.arraycopy(each, 0, joined, to, more);
      to += more;
    }
    return joined;
  }
}
