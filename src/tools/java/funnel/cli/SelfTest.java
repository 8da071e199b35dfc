package funnel.cli;

import funnel.Elements;
import funnel.Funnel;
import funnel.Plan;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/**
 * All trials on a small input.
 *
 * @param checked the number of trials
 * @param right how many of them agree with the plain loop
 * @param firstWrong the first trial that does not, with both values; empty if all do
 */
record SelfTest(int checked, int right, String firstWrong) {

  private static final int BYTES = 20_011;
  private static final long SEED = 42;

  /** Runs the trials. */
  static SelfTest of(Funnel funnel) {
    byte[] bytes = new byte[BYTES];
    new Random(SEED).nextBytes(bytes);
    int right = 0;
    String firstWrong = "";
    try (TrialData data = new TrialData(MemorySegment.ofArray(bytes))) {
      for (Trial trial : Trial.ALL) {
        MemorySegment elements = data.segment(trial.type());
        Number expected = trial.loop().apply(elements);
        Number value = funnel.reduce(data.elements(trial.type()), trial.reduction());
        if (trial.isRight(value, expected, elements)) {
          right++;
        } else if (firstWrong.isEmpty()) {
          firstWrong = "%s is %s, the plain loop says %s".formatted(trial.name(), value, expected);
        }
      }
      for (ScanTrial trial : ScanTrial.ALL) {
        Elements elements = trial.elements(data);
        MemorySegment expected = trial.loop().apply(elements.segment());
        try (Plan plan = trial.plan(funnel, elements)) {
          MemorySegment results = trial.results(plan.run());
          long wrong = trial.firstWrong(results, expected);
          if (wrong < 0) {
            right++;
          } else if (firstWrong.isEmpty()) {
            firstWrong =
                "%s is %s at %s, the plain loop says %s"
                    .formatted(
                        trial.name(), trial.at(results, wrong), wrong, trial.at(expected, wrong));
          }
        }
      }
    }
    return new SelfTest(Trial.ALL.size() + ScanTrial.ALL.size(), right, firstWrong);
  }

  /** Whether every trial was right. */
  boolean passed() {
    return right == checked;
  }
}
