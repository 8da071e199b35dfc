package funnel;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import funnel.histogram.ScatterReduce;
import funnel.operation.Target;
import funnel.operator.Operator;
import funnel.reduce.Reduction;
import funnel.scan.Scan;
import funnel.scan.SegmentedScan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stack traces of a user's operator lead to lines of sources that are kept: the masters. */
class StackTraceTest {

  private static final Path SOURCES = Path.of("src/main/java");

  /** A sum that divides by zero at the element 7, and that a device can compile. */
  private static final Operator SUM =
      Operator.ofFloat("sum but 7", 0f, (a, b) -> a + b + 1 / ((int) b - 7) / 2);

  private static void run(String family, Funnel funnel) {
    float[] floats = new float[1000];
    floats[600] = 7;
    Elements values = Elements.of(floats);
    Elements into = Elements.of(new float[1000]);
    switch (family) {
      case "reduce" -> funnel.reduce(values, Reduction.of(SUM));
      case "scan" -> funnel.scan(values, Scan.inclusive(SUM), into);
      case "segmented scan" ->
          funnel.scan(values, Elements.of(new byte[1000]), SegmentedScan.inclusive(SUM), into);
      default -> { // scatter
        int[] indices = new int[1000];
        Arrays.setAll(indices, i -> i % 10);
        funnel.scatterReduce(Elements.of(indices), values, ScatterReduce.by(SUM), into);
      }
    }
  }

  private static String line(StackTraceElement frame) throws IOException {
    String name = frame.getClassName();
    Path file =
        SOURCES
            .resolve(name.substring(0, name.lastIndexOf('.')).replace('.', '/'))
            .resolve(frame.getFileName());
    assertTrue(Files.exists(file), "no source of " + frame);
    List<String> lines = Files.readAllLines(file);
    assertTrue(frame.getLineNumber() <= lines.size(), frame::toString);
    return lines.get(frame.getLineNumber() - 1);
  }

  @ParameterizedTest
  @CsvSource({
    "JVM, reduce",
    "JVM, scan",
    "JVM, segmented scan",
    "JVM, scatter",
    "EMULATOR, reduce",
    "EMULATOR, scan",
    "EMULATOR, segmented scan",
    "EMULATOR, scatter"
  })
  void framesOfTwinsNameLinesOfTheirMaster(String target, String family) throws IOException {
    assumeTrue(Files.isDirectory(SOURCES), "the sources are not here");
    ArithmeticException thrown;
    try (Funnel funnel = Funnel.open(Target.valueOf(target))) {
      thrown = assertThrows(ArithmeticException.class, () -> run(family, funnel));
    }
    StackTraceElement[] frames = thrown.getStackTrace();
    String all = Arrays.toString(frames);
    boolean leadsToMaster = false;
    for (int i = 1; i < frames.length; i++) {
      boolean isCopy = frames[i].getClassName().contains("$copy");
      if (isCopy && !frames[i].getMethodName().contains("$")) { // no method copied from elsewhere
        String line = line(frames[i]);
        String called = frames[i - 1].getMethodName().toLowerCase(Locale.ROOT);
        if (called.contains("combine")) {
          assertTrue(line.toLowerCase(Locale.ROOT).contains("combine"), frames[i] + ": " + line);
          leadsToMaster |= frames[i].getFileName().startsWith("Int");
        }
      }
    }
    assertTrue(leadsToMaster, all);
  }
}
