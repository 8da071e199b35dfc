package funnel.group;

import funnel.operation.JvmRun;
import funnel.operation.Launches;
import funnel.operation.Layout;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import java.util.List;

/**
 * Refuses columns that are not as long as the keys, with the names that the caller gave them.
 *
 * @param id its name
 * @param keys the first array of keys
 * @param others the arrays that must be as long, the keys among them
 */
record RowLengths(String id, String keys, List<String> others) implements Primitive {

  @Override
  public Layout layout() {
    Layout layout = Layout.reads();
    others.forEach(each -> layout.readsFound(each).sameLength(keys, each));
    return layout;
  }

  @Override
  public void requireLengths(Lengths lengths) {
    for (String each : others) {
      if (lengths.length(each) != lengths.length(keys)) {
        throw new IllegalArgumentException(
            "rows have keys and columns of equal length: length of %s=%s, length of %s=%s"
                .formatted(keys, lengths.length(keys), each, lengths.length(each)));
      }
    }
  }

  @Override
  public void launch(Launches launches) {}

  @Override
  public Primitive in(Setting setting) {
    return this;
  }

  @Override
  public void runOnJvm(JvmRun run) {}
}
