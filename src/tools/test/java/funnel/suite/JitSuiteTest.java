package funnel.suite;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The rules that Funnel relies on, on the device that TornadoVM finds. */
@Tag("gpu")
class JitSuiteTest {

  @TestFactory
  Stream<DynamicTest> deviceKeepsWhatWeRelyOn() {
    JitReport report = JitSuite.run(JitRules.of(JitRule.Kind.RELIED_ON));
    return report.results().stream()
        .map(
            result ->
                dynamicTest(
                    result.rule(),
                    () ->
                        assertTrue(
                            result.passed(),
                            () ->
                                "%s on %s: %s %s"
                                    .formatted(
                                        result.rule(),
                                        report.device(),
                                        result.outcome(),
                                        result.detail()))));
  }
}
