package funnel.compiled;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Folders of compiled kernels for tests of other packages. */
public final class Folders {

  private static final long MOST_BYTES = 1 << 20;

  private Folders() {}

  /** One that a test names; null for none. */
  public static KernelFolder named(@Nullable Path folder) {
    return KernelFolder.open(new Settings(folder, "named by a test", MOST_BYTES));
  }
}
