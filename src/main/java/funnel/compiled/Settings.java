package funnel.compiled;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which folder keeps kernels, and how many bytes of them.
 *
 * @param folder null for none
 * @param origin what names the folder, or why there is none
 */
record Settings(@Nullable Path folder, String origin, long mostBytes) {

  static final String FOLDER = "funnel.kernels";
  static final String FOLDER_VARIABLE = "FUNNEL_KERNELS";
  static final String MEGABYTES = "funnel.kernels.megabytes";
  static final String OFF = "off";

  private static final int DEFAULT_MEGABYTES = 256;

  /** Those of this process. */
  static Settings ofProcess() {
    return of(System::getProperty, System::getenv);
  }

  /**
   * Those that properties and environment variables make; what is blank is not set.
   *
   * @throws IllegalArgumentException if one of them names no absolute path, or no number
   */
  static Settings of(
      UnaryOperator<@Nullable String> properties, UnaryOperator<@Nullable String> variables) {
    long mostBytes = (long) megabytes(set(properties.apply(MEGABYTES))) << 20;
    String origin = "property " + FOLDER;
    String given = set(properties.apply(FOLDER));
    if (given == null) {
      origin = "environment variable " + FOLDER_VARIABLE;
      given = set(variables.apply(FOLDER_VARIABLE));
    }
    if (given == null) {
      Path folder = cacheFolder(properties, variables);
      return new Settings(
          folder, folder == null ? "the user has no home" : "the user's cache folder", mostBytes);
    }
    if (given.equals(OFF)) {
      return new Settings(null, "switched off by " + origin, mostBytes);
    }
    Path folder = absolute(given);
    if (folder == null) {
      throw new IllegalArgumentException(
          "%s=%s is not an absolute path: give one, or %s".formatted(origin, given, OFF));
    }
    return new Settings(folder, origin, mostBytes);
  }

  private static int megabytes(@Nullable String given) {
    if (given == null) {
      return DEFAULT_MEGABYTES;
    }
    try {
      int megabytes = Integer.parseInt(given);
      if (megabytes > 0) {
        return megabytes;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "property %s=%s is not a number of megabytes from 1 to %s; to keep no kernels, set %s=%s"
            .formatted(MEGABYTES, given, Integer.MAX_VALUE, FOLDER, OFF));
  }

  private static @Nullable String set(@Nullable String value) {
    return value == null || value.isBlank() ? null : value.strip();
  }

  private static @Nullable Path absolute(@Nullable String path) {
    try {
      Path absolute = path == null ? null : Path.of(path).normalize();
      return absolute != null && absolute.isAbsolute() ? absolute : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static @Nullable Path cacheFolder(
      UnaryOperator<@Nullable String> properties, UnaryOperator<@Nullable String> variables) {
    String system = String.valueOf(properties.apply("os.name")).toLowerCase(Locale.ROOT);
    Path home = absolute(set(properties.apply("user.home")));
    Path caches;
    if (system.startsWith("windows")) {
      caches = absolute(set(variables.apply("LOCALAPPDATA")));
    } else if (system.startsWith("mac")) {
      caches = home == null ? null : home.resolve("Library/Caches");
    } else {
      caches = absolute(set(variables.apply("XDG_CACHE_HOME")));
      caches = caches != null || home == null ? caches : home.resolve(".cache");
    }
    return caches == null ? null : caches.resolve("funnel/kernels");
  }
}
