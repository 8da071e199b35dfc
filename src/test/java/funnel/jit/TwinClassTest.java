package funnel.jit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.operator.ElementType;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TwinClassTest {

  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern TWINS = Pattern.compile("^@Twins\\(([^)]*)\\)", Pattern.MULTILINE);
  private static final Pattern PREFIX = Pattern.compile("\"([A-Z][a-z]+)(?:To([A-Z][a-z]+))?\"");

  static final class IntSums {}

  static final class FloatSums {}

  static final class IntToIntSums {}

  static final class ByteToLongSums {}

  private static ElementType type(String prefix) {
    return ElementType.valueOf(prefix.toUpperCase(Locale.ROOT));
  }

  @Test
  void everyMastersTwinsAreFound() throws Exception {
    assumeTrue(Files.isDirectory(SOURCES), "the sources are not here");
    int masters = 0;
    List<Path> files;
    try (Stream<Path> walk = Files.walk(SOURCES)) {
      files = walk.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
    for (Path file : files) {
      Matcher twins = TWINS.matcher(Files.readString(file));
      boolean isPublic = file.endsWith("funnel/Ints.java"); // programs name its twins themselves
      if (twins.find() && !isPublic) {
        masters++;
        String path = SOURCES.relativize(file).toString();
        String name =
            path.substring(0, path.length() - 5).replace(file.getFileSystem().getSeparator(), ".");
        Class<?> master = Class.forName(name);
        for (MatchResult prefix : PREFIX.matcher(twins.group(1)).results().toList()) {
          requireFound(master, type(prefix.group(1)), prefix.group(2));
        }
      }
    }
    assertTrue(masters > 25, "masters=" + masters);
  }

  private static void requireFound(Class<?> master, ElementType element, String accumulator)
      throws IllegalAccessException {
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(master, MethodHandles.lookup());
    String name = master.getSimpleName();
    String prefix = element.name().charAt(0) + element.name().substring(1).toLowerCase(Locale.ROOT);
    Class<?> twin;
    if (accumulator == null) {
      twin = TwinClass.of(lookup, master, element);
      assertEquals(prefix + name.substring("Int".length()), twin.getSimpleName());
      assertEquals(master, TwinClass.of(lookup, twin, ElementType.INT));
    } else {
      ElementType to = type(accumulator);
      twin = TwinClass.of(lookup, master, element, to);
      assertEquals(
          prefix + "To" + accumulator + name.substring("IntToInt".length()), twin.getSimpleName());
      assertEquals(master, TwinClass.of(lookup, twin, ElementType.INT, ElementType.INT));
    }
    assertEquals(master.getPackageName(), twin.getPackageName());
  }

  @Test
  void twinOfATwin() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    assertEquals(FloatSums.class, TwinClass.of(lookup, IntSums.class, ElementType.FLOAT));
    assertEquals(FloatSums.class, TwinClass.of(lookup, FloatSums.class, ElementType.FLOAT));
    assertEquals(IntSums.class, TwinClass.of(lookup, FloatSums.class, ElementType.INT));
    assertEquals(
        IntToIntSums.class,
        TwinClass.of(lookup, ByteToLongSums.class, ElementType.INT, ElementType.INT));
  }

  @Test
  void typesWithoutATwinAreNamed() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    assertEquals(
        Optional.empty(),
        TwinClass.find(lookup, IntToIntSums.class, ElementType.BYTE, ElementType.FLOAT));
    assertMessage(
        "funnel.jit.TwinClassTest$IntToIntSums has no twin for BYTE elements to FLOAT",
        () -> TwinClass.of(lookup, IntToIntSums.class, ElementType.BYTE, ElementType.FLOAT));
    assertMessage(
        "funnel.jit.TwinClassTest$IntSums has no twin for LONG elements",
        () -> TwinClass.of(lookup, IntSums.class, ElementType.LONG));
  }

  @Test
  void classesThatAreNoMastersAreRefused() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    assertMessage(
        "java.lang.Math is not a master or twin: its name must begin with X, such as Int",
        () -> TwinClass.of(lookup, Math.class, ElementType.FLOAT));
    assertMessage(
        "funnel.jit.TwinClassTest$IntSums is not a master or twin: its name must begin with XToA,"
            + " such as IntToInt",
        () -> TwinClass.of(lookup, IntSums.class, ElementType.FLOAT, ElementType.FLOAT));
    assertMessage(
        "funnel.jit.TwinClassTest$IntToIntSums is not a master or twin: its name must begin with X,"
            + " such as Int",
        () -> TwinClass.of(lookup, IntToIntSums.class, ElementType.FLOAT));
  }

  @Test
  void lookupOfAnotherPackageIsRefused() throws Exception {
    Class<?> master = Class.forName("funnel.block.IntBlockScan");
    assertMessage(
        "funnel.jit.TwinClassTest has no access to funnel.block.LongBlockScan: give a lookup of its"
            + " package",
        () -> TwinClass.of(MethodHandles.lookup(), master, ElementType.LONG));
  }

  private static void assertMessage(String message, Runnable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }
}
