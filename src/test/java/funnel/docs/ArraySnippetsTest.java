package funnel.docs;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import funnel.Funnel;
import funnel.io.ElementFile;
import funnel.io.NpyWriter;
import funnel.operation.Target;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of docs/arrays.md do what they say. */
class ArraySnippetsTest {

  @TempDir Path folder;

  @Test
  void thePageHasTheExamples() throws IOException {
    PageExamples.check("arrays", ArraySnippets.class);
  }

  private static int[] ints(int... elements) {
    return elements;
  }

  private static double[] doubles(double... elements) {
    return elements;
  }

  private static void check(List<Object> found, Object... expected) {
    assertArrayEquals(expected, found.toArray());
  }

  private void examples(Target target) throws IOException {
    try (Funnel funnel = Funnel.open(target)) {
      check(
          ArraySnippets.chain(funnel),
          ints(3, 4, 5, 6, 9),
          173,
          3.875,
          ints(3, 4, 8, 9, 14, 23, 25, 31));
      check(
          ArraySnippets.sources(
              funnel, doubles(1, 2, 4, 8, 16, 32), MemorySegment.ofArray(ints(5, 6))),
          63.0,
          doubles(4, 8, 16),
          11,
          ints(2, 3, 4),
          1000,
          1,
          1000,
          1000,
          1000);
      check(
          ArraySnippets.types(funnel),
          doubles(12.5, 3.99, 20),
          new long[] {1250_000_000_000L, 399_000_000_000L, 2000_000_000_000L},
          new byte[] {0, 0, 1},
          ints(2000));
      BitSet valid = new BitSet();
      valid.set(0);
      valid.set(2);
      BitSet bright = new BitSet();
      bright.set(2);
      check(
          ArraySnippets.stored(funnel, new short[] {0, 1, -1}, new short[] {0x3c00}, valid),
          ints(0, 1, 65535),
          new short[] {0, 0, 32767},
          new float[] {1},
          new boolean[] {true, true, false},
          65535,
          bright);
      check(
          ArraySnippets.neighbours(funnel),
          ints(3, -2, 3, -3, 4),
          ints(0, 1, 8, 3, 20),
          ints(40, 20, 50, 20, 60));
      check(ArraySnippets.normalise(funnel), doubles(-1, 1, -1, 1));
      check(ArraySnippets.together(funnel), ints(1, 3, 4, 5), ints(2, 1, 1, 1), 2.8);
      check(ArraySnippets.ranks(funnel), ints(5, 4), ints(4, 2), ints(3, 5), ints(74, 72));
      check(
          ArraySnippets.segments(funnel),
          ints(4, 10),
          ints(1, 3, 1, 4, 5),
          ints(3, 4, 4, 5, 10),
          ints(3, 5),
          ints(0, 4));
      check(
          ArraySnippets.rolling(funnel),
          doubles(3, 4, 8, 6, 10),
          doubles(3, 2, 4, 2.5, 3),
          doubles(3, 3, 4, 4, 5),
          doubles(3, 4, 4, 5, 6),
          doubles(3, 2, 3, 2, 3.5),
          doubles(0, 3, 0, 4, 1),
          doubles(3, 1, 1, 0, 1));
      check(
          ArraySnippets.tiedRanks(funnel),
          ints(3, 1, 4, 1, 5),
          ints(2, 1, 3, 1, 4),
          doubles(3, 1.5, 4, 1.5, 5),
          doubles(0.5, 0, 0.75, 0, 1),
          ints(2, 1, 2, 1, 3));
      check(ArraySnippets.keep(funnel, ints(7, 3, 9, 7)), 3, ints(7, 7, 9));
      check(ArraySnippets.lookUp(funnel), ints(50, 10, 20, 50));
      check(ArraySnippets.bytes(funnel), "HELLO WORLD", 10, 3);
      check(ArraySnippets.groups(funnel), ints(5, 7, 9), doubles(4, 4.5, 2), ints(1, 2, 1));
      check(
          ArraySnippets.lists(funnel),
          ints(4, 3, 2),
          ints(4, 8, 3, 2),
          ints(3, 2, 0, 1),
          ints(4, 3, 11, 14, 2));
      check(ArraySnippets.table(funnel), doubles(9, 2, 5), doubles(9, 7));
      check(
          ArraySnippets.preview(funnel),
          "     shop     paid\n"
              + "     ints  doubles\n"
              + "  0     7      1.5\n"
              + "...   ...      ...\n"
              + "  3     8      4.0\n"
              + "4 rows, 2 columns");
      check(ArraySnippets.join(funnel), doubles(7, 10.5));
      check(ArraySnippets.joins(funnel), new long[] {200, 100, -1}, new byte[] {0, 0, 1}, ints(7));
      check(ArraySnippets.asOf(funnel), doubles(2.5, Double.NaN, 1.5));
      check(ArraySnippets.records(funnel), 6.5, "[Sale[shop=9, paid=2.0], Sale[shop=7, paid=3.0]]");
      Path numbers = folder.resolve("numbers.npy");
      Path sorted = folder.resolve("sorted.npy");
      MemorySegment data = MemorySegment.ofArray(ints(300, 7, 101));
      NpyWriter.write(numbers, ElementType.INT, data, 3);
      check(ArraySnippets.operation(funnel), new int[] {1, 4, 2, 5, 3, 6});
      check(ArraySnippets.source(funnel, numbers, sorted), 136.0, 2);
      try (ElementFile written = ElementFile.open(sorted)) {
        assertArrayEquals(ints(7, 101, 300), written.piece(0, 3).toArray(JAVA_INT_UNALIGNED));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JVM", "EMULATOR"})
  void examples_doWhatTheySay(Target target) throws IOException {
    examples(target);
  }

  @Tag("gpu")
  @Test
  void examples_doWhatTheySay_onDevice() throws IOException {
    examples(Target.TORNADO);
  }
}
