package funnel.plan;

import funnel.Elements;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.Primitive.Combined;
import funnel.operator.ElementType;
import funnel.operator.OperatorLawException;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tries a program's user-defined operators on some of their elements, from all over the array:
 * their identities, and over integers whether they are associative. It does so once, before any
 * engine calls the operators.
 */
public final class IdentityCheck {

  /** The number of elements that operators are tried on. */
  public static final int MOST_ELEMENTS = 16;

  private List<Combined> untried = List.of();
  private boolean isNeeded;
  private final Map<String, Map<Integer, Number>> whenSet = new HashMap<>();

  /** For a program that has not run. */
  public IdentityCheck(Program program) {
    take(program);
  }

  /** Tries the operators of another program over the same inputs. */
  public void take(Program program) {
    List<String> inputs = program.inputs().stream().map(Input::name).toList();
    untried =
        program.steps().stream()
            .flatMap(step -> step.combined().stream())
            .filter(each -> each.operator().isUser() && inputs.contains(each.input()))
            .distinct()
            .toList();
    isNeeded = !untried.isEmpty();
  }

  /** Whether all have been tried. */
  public boolean isDone() {
    return untried.isEmpty();
  }

  /** Keeps some elements of an input as they are now. */
  public void isSet(String input, Elements elements) {
    if (isNeeded) {
      whenSet.put(input, some(elements));
    }
  }

  /**
   * Tries the operators that have not been tried and have elements in this run.
   *
   * @param inputs the elements of all inputs, by name
   * @param given the names of inputs whose elements are read now, not as of the time they were set
   * @throws OperatorLawException if an identity changes an element, or an operator over integers is
   *     not associative
   */
  public void run(Map<String, Elements> inputs, Set<String> given) {
    whenSet.keySet().removeAll(given);
    List<Combined> now = untried;
    List<Combined> left = new ArrayList<>(now);
    untried = List.of(); // an operator that runs the plan again must not come back here
    try {
      for (Combined each : now) {
        Elements elements = inputs.get(each.input());
        Map<Integer, Number> some = whenSet.get(each.input());
        if (some == null && elements != null) {
          some = some(elements);
        }
        if (some != null && !some.isEmpty()) {
          trySome(each, some);
          left.remove(each);
        }
      }
    } finally {
      untried = left;
    }
  }

  /** Elements from all over an array, by their positions. */
  private static Map<Integer, Number> some(Elements elements) {
    Map<Integer, Number> some = new LinkedHashMap<>();
    int length = elements.length();
    int tried = Math.min(length, MOST_ELEMENTS);
    for (int k = 0; k < tried; k++) {
      int i = tried == 1 ? 0 : (int) ((long) k * (length - 1) / (tried - 1));
      some.put(i, at(elements, i));
    }
    return some;
  }

  private static void trySome(Combined combined, Map<Integer, Number> some) {
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

  private static Number at(Elements elements, int i) {
    MemorySegment segment = elements.segment();
    return switch (elements.type()) {
      case BYTE -> segment.get(ValueLayout.JAVA_BYTE, i) & 0xff;
      case INT -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
      case LONG -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i);
      case FLOAT -> segment.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i);
      case DOUBLE -> segment.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * i);
    };
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
