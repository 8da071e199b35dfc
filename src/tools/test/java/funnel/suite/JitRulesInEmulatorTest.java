package funnel.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import funnel.emulator.Emulator;
import funnel.emulator.Order;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The emulator gives what Java demands for every rule that Funnel relies on, and on atomics. */
class JitRulesInEmulatorTest {

  @TestFactory
  Stream<DynamicTest> ruleIsKeptInTheEmulator() {
    return JitRules.all().stream()
        .filter(rule -> rule.kind() == JitRule.Kind.RELIED_ON || isAtomic(rule))
        .map(rule -> DynamicTest.dynamicTest(rule.name(), () -> isKept(rule)));
  }

  private static boolean isAtomic(JitRule rule) {
    return rule.name().matches("(atomic-add|ticket)-.*");
  }

  private static void isKept(JitRule rule) {
    for (Order order : Order.values()) {
      Emulator emulator = Emulator.builder().order(order).seed(41).parallel(isAtomic(rule)).build();
      JitTrial trial = rule.newTrial();
      emulator.run(trial.tasks());
      for (Runnable change : trial.changes()) {
        change.run();
        emulator.run(trial.tasks());
      }
      assertEquals(Optional.empty(), trial.verify(), () -> rule.name() + " in order " + order);
    }
  }
}
