package funnel.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import funnel.Exports;
import funnel.MainClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The packages for users, in the module descriptor, stand by themselves. */
class ModuleTest {

  private static final Pattern NO_JAVADOC =
      Pattern.compile("<excludePackageNames>([^<]+)</excludePackageNames>");

  /** They join engines and programs, which are ours: a user cannot name what they take there. */
  private static final Set<String> JOINTS =
      Set.of("funnel.Funnel", "funnel.emulator.Emulator", "funnel.emulator.EmulatorEngine");

  private static final JavaClasses CLASSES = MainClasses.LIBRARY;

  @BeforeEach
  void requireSources() {
    assumeTrue(Files.exists(Exports.DESCRIPTOR), "the sources are not here");
  }

  private static Set<String> others() throws IOException {
    Set<String> exported = Exports.packages();
    return CLASSES.stream()
        .map(JavaClass::getPackageName)
        .filter(Predicate.not(exported::contains))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void exportedPackagesExist() throws IOException {
    Set<String> missing = Exports.packages();
    CLASSES.forEach(type -> missing.remove(type.getPackageName()));
    assertEquals(Set.of(), missing);
  }

  @Test
  void theOthersHaveNoJavadoc() throws IOException {
    String excluded =
        NO_JAVADOC
            .matcher(Files.readString(Path.of("pom.xml")))
            .results()
            .findFirst()
            .orElseThrow()
            .group(1);
    assertEquals(others(), new TreeSet<>(Set.of(excluded.split(","))));
  }

  private static boolean isForUsers(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  /** The types in a type's own declaration and in those of its members. */
  private static Stream<JavaClass> named(JavaClass type) {
    return Stream.concat(
            Stream.concat(
                type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream()),
            type.getMembers().stream()
                .filter(member -> isForUsers(member.getModifiers()))
                .filter(member -> !member.getModifiers().contains(JavaModifier.SYNTHETIC))
                .map(JavaMember::getAllInvolvedRawTypes)
                .flatMap(Set::stream))
        .map(JavaClass::getBaseComponentType);
  }

  @Test
  void nothingForUsersNamesWhatIsNot() throws IOException {
    Set<String> exported = Exports.packages();
    Set<String> others = others();
    Set<String> wrong = new TreeSet<>();
    CLASSES.stream()
        .filter(type -> exported.contains(type.getPackageName()))
        .filter(type -> isForUsers(type.getModifiers()))
        .filter(type -> !JOINTS.contains(type.getName()))
        .forEach(
            type ->
                named(type)
                    .filter(other -> others.contains(other.getPackageName()))
                    .forEach(other -> wrong.add(type.getName() + ": " + other.getName())));
    assertEquals(Set.of(), wrong);
  }
}
