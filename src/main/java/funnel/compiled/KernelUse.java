package funnel.compiled;

import java.util.Locale;

/**
 * The compiled kernels of a process.
 *
 * @param compiled how many it has compiled
 * @param nanos the time that each of these took, in all; several are compiled at a time
 * @param read how many it has read from the folder
 * @param folder the folder
 */
public record KernelUse(int compiled, long nanos, int read, KernelFolder folder) {

  /** The process in a few words. */
  public String ofProcess() {
    return "%s compiled (%s ms in all), %s found in the folder"
        .formatted(compiled, Math.round(nanos / 1e6), read);
  }

  /** The folder in a few words. */
  public String ofFolder() {
    if (folder.use() == KernelFolder.Use.OFF) {
      return "none: " + folder.reason();
    }
    KernelFolder.Contents contents = folder.contents();
    return String.format(
        Locale.ROOT,
        "%s, %s: %,d kernels, %,d bytes",
        folder.folder().orElseThrow(),
        folder.use() == KernelFolder.Use.READ_ONLY ? "only read" : "read and written",
        contents.kernels(),
        contents.bytes());
  }
}
