package funnel.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import funnel.Funnel;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The jar leaves out the masters that only twins are written of, and nothing that anyone needs. */
class JarContentsTest {

  private static final Path POM = Path.of("pom.xml");
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern MAIN_JAR =
      Pattern.compile("<id>default-jar</id>.*?</execution>", Pattern.DOTALL);
  private static final Pattern EXCLUDE = Pattern.compile("<exclude>([^<]+)</exclude>");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importUrl(Funnel.class.getProtectionDomain().getCodeSource().getLocation());

  private static String name(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }

  /** Masters that are no part of the API. */
  private static Set<String> innerMasters() throws IOException {
    Set<String> masters = new TreeSet<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        if (Files.readAllLines(file).stream().anyMatch(line -> line.startsWith("@Twins("))) {
          String path = SOURCES.relativize(file).toString();
          masters.add(path.substring(0, path.length() - ".java".length()).replace('/', '.'));
        }
      }
    }
    masters.removeIf(name -> CLASSES.get(name).getModifiers().contains(JavaModifier.PUBLIC));
    return masters;
  }

  /** Those of them that no other class uses, nor one of those that others use. */
  private static Set<String> unused() throws IOException {
    Set<String> unused = innerMasters();
    boolean isStable = false;
    while (!isStable) {
      Set<String> candidates = Set.copyOf(unused);
      isStable =
          !unused.removeIf(
              name ->
                  CLASSES.stream()
                      .filter(type -> !candidates.contains(name(type)))
                      .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                      .anyMatch(dependency -> name(dependency.getTargetClass()).equals(name)));
    }
    return unused;
  }

  private static Set<String> leftOut() throws IOException {
    String jar =
        MAIN_JAR.matcher(Files.readString(POM)).results().findFirst().orElseThrow().group();
    List<PathMatcher> excludes =
        EXCLUDE
            .matcher(jar)
            .results()
            .map((MatchResult found) -> "glob:" + found.group(1))
            .map(FileSystems.getDefault()::getPathMatcher)
            .toList();
    return CLASSES.stream()
        .filter(
            type -> {
              Path file = Path.of(type.getName().replace('.', '/') + ".class");
              return excludes.stream().anyMatch(exclude -> exclude.matches(file));
            })
        .map(JarContentsTest::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theJarHasWhatRuns() throws IOException {
    assumeTrue(Files.exists(POM), "the sources are not here");
    Set<String> unused = unused();
    assertFalse(unused.isEmpty(), "no master of floating-point twins alone");
    assertEquals(
        unused, leftOut(), "expected: masters that no class uses; found: excludes of the jar");
  }
}
