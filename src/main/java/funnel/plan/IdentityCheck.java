package funnel.plan;

import funnel.Elements;
import funnel.engine.OperatorTrial;
import funnel.engine.Program;
import funnel.operation.Input;
import funnel.operation.Primitive.Combined;
import funnel.operator.OperatorLawException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tries a program's user-defined operators on some of their elements, from all over the array:
 * their identities, and over integers whether they are associative. It does so once, before any
 * engine calls the operators. Those of arrays that the program computes are tried by the JVM's
 * engine when it has the elements.
 */
public final class IdentityCheck {

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
          OperatorTrial.run(each, some);
          left.remove(each);
        }
      }
    } finally {
      untried = left;
    }
  }

  private static Map<Integer, Number> some(Elements elements) {
    return OperatorTrial.some(elements.type(), elements.segment(), elements.length());
  }
}
