package funnel;

import funnel.engine.Program;
import funnel.jit.Calls;
import funnel.operation.Input;
import funnel.operation.Primitive.Combined;
import funnel.operator.ElementType;
import funnel.operator.OperatorLawException;
import funnel.operator.Transform;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tries the identities of a program's user-defined operators on the first elements that they get:
 * once, and before any engine sees them.
 */
final class IdentityCheck {

  private static final int MOST_ELEMENTS = 16;

  private List<Combined> untried;

  /** For a program that has not run. */
  IdentityCheck(Program program) {
    List<String> inputs = program.inputs().stream().map(Input::name).toList();
    untried =
        program.primitives().stream()
            .flatMap(primitive -> primitive.combined().stream())
            .filter(each -> each.operator().isUser() && inputs.contains(each.input()))
            .distinct()
            .toList();
  }

  /** Whether all have been tried. */
  boolean isDone() {
    return untried.isEmpty();
  }

  /**
   * Tries the identities that have not been tried and have elements in this run.
   *
   * @param inputs the elements of all inputs, by name
   * @throws OperatorLawException if an identity changes an element
   */
  void run(Map<String, Elements> inputs) {
    List<Combined> now = untried;
    List<Combined> left = new ArrayList<>(now);
    untried = List.of(); // an operator that runs the plan again must not come back here
    try {
      for (Combined each : now) {
        Elements elements = inputs.get(each.input());
        if (elements != null && elements.length() > 0) {
          tryFirst(each, elements);
          left.remove(each);
        }
      }
    } finally {
      untried = left;
    }
  }

  private static void tryFirst(Combined combined, Elements elements) {
    for (int i = 0; i < Math.min(elements.length(), MOST_ELEMENTS); i++) {
      try {
        Number value = transformed(combined.transform(), i, at(elements, i));
        combined.operator().requireIdentityOf(widened(value, combined.type()));
      } catch (OperatorLawException e) {
        throw e;
      } catch (Throwable e) {
        // The function threw; the run reports that if it calls it with this element. It says
        // nothing about the identity.
      }
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
    return switch (value) {
      case Integer x -> Calls.map(transform.function(), index, x);
      case Long x -> Calls.map(transform.function(), index, x);
      case Float x -> Calls.map(transform.function(), index, x);
      default -> Calls.map(transform.function(), index, value.doubleValue());
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
