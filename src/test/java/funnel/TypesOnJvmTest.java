package funnel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.operation.Input;
import funnel.operation.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Every operation has loops on the JVM for all types that it takes. {@link LaunchesTest} says this
 * of kernels.
 */
class TypesOnJvmTest {

  private static final int LENGTH = 3;

  @Test
  void noTypeThatIsTaken_hasNoLoops() {
    Set<String> missing = new TreeSet<>();
    int[] runs = {0};
    try (Funnel funnel = Funnel.open(Target.JVM)) {
      ListedOperations.each(
          (named, inputs) -> {
            boolean isNew = inputs.size() < 3 || inputs.get(0).type() == inputs.get(1).type();
            if (isNew
                && !ListedOperations.orNone(() -> named.operation().expand("o", inputs))
                    .isEmpty()) {
              try {
                run(funnel, named.operation(), inputs);
                runs[0]++;
              } catch (RuntimeException e) {
                if (isOfTypes(e)) {
                  missing.add(named.name() + " of " + inputs + ": " + e.getMessage());
                } // zeros are no valid offsets, keys or pivots everywhere
              }
            }
          });
    }
    assertEquals(Set.of(), missing);
    assertTrue(runs[0] > 1000, "runs=" + runs[0]);
  }

  private static boolean isOfTypes(Throwable e) {
    return e instanceof ClassCastException
        || String.valueOf(e.getMessage()).contains("no twin")
        || e.getCause() != null && isOfTypes(e.getCause());
  }

  private static void run(Funnel funnel, funnel.operation.Operation operation, List<Input> inputs) {
    Plan.Builder builder = funnel.plan("p");
    Map<String, Elements> given = new HashMap<>();
    for (Input input : inputs) {
      builder.input(input.name(), input.type(), LENGTH);
      given.put(input.name(), Elements.allocate(input.type(), LENGTH));
    }
    String[] names = inputs.stream().map(Input::name).toArray(String[]::new);
    try (Plan plan = builder.add("o", operation, names).build()) {
      Results _ = plan.run(given);
    }
  }
}
