package funnel.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import funnel.MainClasses;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two jars, one for programs and one of the tools, leave out the masters that only twins are
 * written of, and nothing that anyone needs.
 */
class JarContentsTest {

  private static final Path POM = Path.of("pom.xml");
  private static final List<Path> SOURCES =
      List.of(Path.of("src/main/java"), Path.of("src/tools/java"));

  private static final JavaClasses CLASSES = MainClasses.ALL;

  private static String name(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }

  /** Masters that are no part of the API. */
  private static Set<String> innerMasters() throws IOException {
    Set<String> masters = new TreeSet<>();
    for (Path sources : SOURCES) {
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          if (Files.readAllLines(file).stream().anyMatch(line -> line.startsWith("@Twins("))) {
            String path = sources.relativize(file).toString();
            masters.add(path.substring(0, path.length() - ".java".length()).replace('/', '.'));
          }
        }
      }
    }
    masters.removeIf(name -> CLASSES.get(name).getModifiers().contains(JavaModifier.PUBLIC));
    return masters;
  }

  /** The classes that each class uses. */
  private static Map<String, Set<String>> uses() {
    Map<String, Set<String>> uses = new HashMap<>();
    for (JavaClass type : CLASSES) {
      Set<String> used = uses.computeIfAbsent(name(type), name -> new HashSet<>());
      type.getDirectDependenciesFromSelf().forEach(d -> used.add(name(d.getTargetClass())));
    }
    return uses;
  }

  private static boolean uses(Set<String> classes, Map<String, Set<String>> uses, String one) {
    return classes.stream().anyMatch(name -> uses.getOrDefault(name, Set.of()).contains(one));
  }

  /** Those of them that no other class uses, nor one of those that others use. */
  private static Set<String> unused(Map<String, Set<String>> uses) throws IOException {
    Set<String> unused = innerMasters();
    Set<String> others = new HashSet<>(uses.keySet());
    others.removeAll(unused);
    while (unused.removeIf(name -> uses(others, uses, name) && others.add(name))) {}
    return unused;
  }

  private static boolean isExcluded(String jar, JavaClass type) {
    Path file = Path.of(type.getName().replace('.', '/') + ".class");
    return Pattern.compile("<exclude>([^<]+)</exclude>")
        .matcher(jar)
        .results()
        .map(found -> FileSystems.getDefault().getPathMatcher("glob:" + found.group(1)))
        .anyMatch(pattern -> pattern.matches(file));
  }

  /** The classes that the jar of an execution of the build has. */
  private static Set<String> contents(String execution, JavaClasses classes) throws IOException {
    String jar =
        Pattern.compile("<id>%s</id>.*?</execution>".formatted(execution), Pattern.DOTALL)
            .matcher(Files.readString(POM))
            .results()
            .findFirst()
            .orElseThrow()
            .group();
    return classes.stream()
        .filter(type -> !isExcluded(jar, type))
        .map(JarContentsTest::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The jar with TornadoVM's API leaves out what the main jar does. */
  @Test
  void bothJarsForProgramsLeaveOutTheSame() throws IOException {
    assumeTrue(Files.exists(POM), "the sources are not here");
    String pom = Files.readString(POM);
    String main =
        pom.substring(pom.indexOf("<id>default-jar</id>"), pom.indexOf("<id>tools-jar</id>"));
    String both = pom.substring(pom.indexOf("<id>jvm-classes</id>"));
    assertEquals(found("<exclude>([^<]+)</exclude>", main), found("excludes=\"([^\"]+)\"", both));
  }

  private static String found(String pattern, String in) {
    return Pattern.compile(pattern)
        .matcher(in)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.joining(","));
  }

  @Test
  void theJarsHaveWhatRuns() throws IOException {
    assumeTrue(Files.exists(POM), "the sources are not here");
    Map<String, Set<String>> uses = uses();
    Set<String> unused = unused(uses);
    assertFalse(unused.isEmpty(), "no master of floating-point twins alone");
    Set<String> main = contents("default-jar", MainClasses.LIBRARY);
    Set<String> commands = contents("tools-jar", MainClasses.TOOLS);
    for (String name : commands) {
      assertFalse(uses(main, uses, name), () -> name + " for programs");
    }
    Set<String> leftOut = new TreeSet<>(uses.keySet());
    leftOut.removeAll(main);
    leftOut.removeAll(commands);
    assertEquals(unused, leftOut, "expected: masters that no class uses; found: left out");
  }
}
