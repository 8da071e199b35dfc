package funnel.engine;

import funnel.operation.JvmRun;
import funnel.operation.Primitive.Combined;
import funnel.operator.ElementType;
import funnel.operator.OperatorLawException;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tries a user-defined operator on some of the elements that it combines: its identity, and over
 * integers whether it is associative.
 */
public final class OperatorTrial {

  /** The number of elements that operators are tried on. */
  public static final int MOST_ELEMENTS = 16;

  private OperatorTrial() {}

  /** Elements from all over an array, by their positions. */
  public static Map<Integer, Number> some(ElementType type, MemorySegment elements, int length) {
    Map<Integer, Number> some = new LinkedHashMap<>();
    int tried = Math.min(length, MOST_ELEMENTS);
    for (int k = 0; k < tried; k++) {
      int i = tried == 1 ? 0 : (int) ((long) k * (length - 1) / (tried - 1));
      some.put(i, JvmRun.element(elements, type, i));
    }
    return some;
  }

  /**
   * Tries an operator.
   *
   * @param some elements by their positions
   * @throws OperatorLawException if an identity changes an element, or an operator over integers is
   *     not associative
   */
  public static void run(Combined combined, Map<Integer, Number> some) {
    List<Number> values = new ArrayList<>();
    some.forEach(
        (i, element) ->
            unlessItThrows(
                () -> {
                  Number value = transformed(combined.transform(), i, element);
                  values.add(widened(value, combined.type()));
                  combined.operator().requireIdentityOf(values.getLast());
                }));
    for (int k = 2; k < values.size() && !combined.type().isFloating(); k++) {
      List<Number> three = values.subList(k - 2, k + 1);
      unlessItThrows(() -> combined.operator().requireAssociativeOn(three));
    }
  }

  private static void unlessItThrows(Runnable trial) {
    try {
      trial.run();
    } catch (OperatorLawException e) {
      throw e;
    } catch (Throwable e) {
      // The function threw; the run reports that if it calls it with this element. It says nothing
      // about the laws.
    }
  }

  private static Number transformed(@Nullable Transform transform, int index, Number value) {
    if (transform == null) {
      return value;
    }
    return switch (transform.function()) {
      case Transform.IntMap f -> f.applyAsInt(value.intValue());
      case Transform.LongMap f -> f.applyAsLong(value.longValue());
      case Transform.FloatMap f -> f.applyAsFloat(value.floatValue());
      case Transform.DoubleMap f -> f.applyAsDouble(value.doubleValue());
      case Transform.IndexedIntMap f -> f.applyAsInt(index, value.intValue());
      case Transform.IndexedLongMap f -> f.applyAsLong(index, value.longValue());
      case Transform.IndexedFloatMap f -> f.applyAsFloat(index, value.floatValue());
      case Transform.IndexedDoubleMap f -> f.applyAsDouble(index, value.doubleValue());
      default -> throw new IllegalArgumentException("transform %s is no map".formatted(transform));
    };
  }

  private static Number widened(Number value, ElementType type) {
    return switch (type) {
      case BYTE, INT -> value.intValue();
      case LONG -> value.longValue();
      case FLOAT -> value.floatValue();
      case DOUBLE -> value.doubleValue();
    };
  }
}
