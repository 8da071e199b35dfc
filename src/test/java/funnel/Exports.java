package funnel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the module descriptor, which is in the jar alone, says of packages. */
public final class Exports {

  /** Where the descriptor is. */
  public static final Path DESCRIPTOR = Path.of("src/main/module/module-info.java");

  private static final Pattern EXPORTS =
      Pattern.compile("^  exports ([\\w.]+);$", Pattern.MULTILINE);

  private Exports() {}

  /** The packages that it exports: those for users. */
  public static Set<String> packages() throws IOException {
    return EXPORTS
        .matcher(Files.readString(DESCRIPTOR))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
