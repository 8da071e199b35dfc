package funnel.docs;

import funnel.Funnel;
import funnel.io.ElementFile;
import funnel.io.ElementOutput;
import funnel.io.FileChangedException;
import funnel.io.FileFormatException;
import funnel.io.NpyFormatException;
import funnel.io.NpyHeader;
import funnel.io.NpyWriter;
import funnel.operator.ElementType;
import funnel.reduce.Reduction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/** The examples of files of elements. */
final class NpySnippets {

  private NpySnippets() {}

  static void write(Path file) throws IOException {
    // @start region="writer"
    int[] matrix = {1, 2, 3, 4, 5, 6}; // row by row
    NpyWriter.write(file, ElementType.INT, MemorySegment.ofArray(matrix), 2, 3);
    // @end
  }

  // @start region="output"
  /** 0, 1, 2 and so on: a file that may be larger than memory. */
  static void count(Path file, long n) throws IOException {
    try (ElementOutput output = ElementOutput.create(file, ElementType.LONG, n)) {
      for (long from = 0; from < n; from += 1000) {
        long[] part = LongStream.range(from, Math.min(from + 1000, n)).toArray();
        output.append(MemorySegment.ofArray(part));
      }
      output.commit(false); // from now on there is a file of this name
    }
  }

  // @end

  // @start region="file"
  /** The sum of a file of ints: of 1, 2, 3, 4, 5, 6 it is 21. */
  static long sum(Funnel funnel, Path path) throws IOException {
    try (ElementFile file = ElementFile.open(path)) {
      return funnel.over(file).reduce(Reduction.sumAsLong()).longValue();
    }
  }

  // @end

  // @start region="header"
  /** An element of a matrix of ints: of {{1, 2, 3}, {4, 5, 6}} in row 1, column 0 it is 4. */
  static int at(ElementFile matrix, long row, long column) throws IOException {
    NpyHeader header = matrix.header().orElseThrow();
    long rows = header.shape().get(0);
    long columns = header.shape().get(1);
    long at = header.fortranOrder() ? column * rows + row : row * columns + column;
    return matrix.piece(at, at + 1).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
  }

  // @end

  // @start region="changed"
  static String computed(ElementFile file, ToDoubleFunction<ElementFile> work) throws IOException {
    double result = work.applyAsDouble(file);
    try {
      file.requireUnchanged();
      return "result " + result;
    } catch (FileChangedException e) {
      return e.getMessage(); // m.npy changed while it was read: size was 152 bytes, is 153; ...
    }
  }

  // @end

  // @start region="raw"
  /** What is in a file of nothing but ints: "3 ints", or for one of 10 bytes where it is cut. */
  static String ints(Path path) throws IOException {
    try (ElementFile file = ElementFile.openRaw(path, ElementType.INT)) {
      return file.length() + " ints";
    } catch (FileFormatException e) {
      return "cut at %s, whole with %s bytes".formatted(e.offset(), e.expectedBytes()); // 8, 12
    }
  }

  // @end

  // @start region="npy-format"
  /** Of a .npy file that is still being copied: how many bytes are to come, if that is known. */
  static long missing(Path path) throws IOException {
    try (ElementFile _ = ElementFile.open(path)) {
      return 0;
    } catch (NpyFormatException e) {
      if (e.expectedBytes() <= e.offset()) { // unknown, or the file is too long from there on
        throw e;
      }
      return e.expectedBytes() - e.offset();
    }
  }
  // @end
}
