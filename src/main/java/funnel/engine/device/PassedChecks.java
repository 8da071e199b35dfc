package funnel.engine.device;

import funnel.kernel.KernelTask;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checks of kernels that have passed in earlier processes. */
public interface PassedChecks {

  /** None is known, and none is kept. */
  PassedChecks NONE =
      new PassedChecks() {
        @Override
        public @Nullable List<String> launches(List<KernelTask> tasks) {
          return null;
        }

        @Override
        public int elements(List<String> launches) {
          return 0;
        }

        @Override
        public void add(List<String> launches, int elements) {}
      };

  /**
   * What a check is found by: its launches, without their arrays; null if it is not to be kept.
   *
   * @param tasks the launches of a program that is checked
   */
  @Nullable List<String> launches(List<KernelTask> tasks);

  /** The number of elements of a check that has passed, with exactly this code; 0 if none has. */
  int elements(List<String> launches);

  /** Keeps a check that has passed. */
  void add(List<String> launches, int elements);
}
