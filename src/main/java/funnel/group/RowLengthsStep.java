package funnel.group;

import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import java.util.List;

/**
 * Requires columns as long as the keys; messages have the caller's names.
 *
 * @param id its name
 * @param keys the first array of keys
 * @param others the arrays that must be as long, the keys among them
 */
record RowLengthsStep(String id, String keys, List<String> others) implements Primitive {

  @Override
  public Step in(Setting setting) {
    Step step = Step.of(this, setting).onDevice(launches -> {}).onJvm(run -> {});
    for (String each : others) {
      step.readsFound(each, each)
          .equallyLong(keys, each, "rows have keys and columns of equal length");
    }
    return step;
  }
}
