package funnel.rank;

import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JVM form of a {@link SegmentedTopK} of few elements of each segment, which sorts no segment.
 *
 * <p>For 3, 1, 4, 1, 5, with segments that begin at the bits of 0b101, the 2 largest are at 0, 1,
 * 4, 2; those of each segment begin at 0, 2.
 *
 * @param bits where segments begin: a bit for each element
 * @param offsets the caller's offsets, some of which may be equal, or null
 * @param found the result that has the number of elements of the output
 * @param segments the result that has the number of segments, unless there are offsets
 */
record SegmentedTopKStep(
    String id,
    Input of,
    String bits,
    @Nullable String offsets,
    TopK top,
    String found,
    @Nullable String segments,
    Names names)
    implements Primitive {

  /* All tasks have the same number of elements, whatever the segments. If a segment extends over
   * several tasks, each finds the first elements of its piece, and these are merged at the end. An
   * element that comes after everything in a full heap costs one comparison.
   */

  /** For larger k, segments are sorted. */
  static final int MOST = 1 << 10;

  private static final int TASKS_PER_CORE = 4;
  private static final int ELEMENTS_OF_A_TASK = 1 << 15;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  /**
   * Names of outputs.
   *
   * @param begins where the elements of each segment begin
   */
  record Names(@Nullable String elements, @Nullable String positions, String begins) {}

  @Override
  public Step in(Setting setting) {
    Step step =
        Step.of(this, setting)
            .reads("values", of.name())
            .reads("bits", bits)
            .delivers("found", found, ElementType.INT)
            .onJvm(this::find);
    if (segments != null) {
      step.delivers("segments", segments, ElementType.INT);
    }
    return offsets == null ? step : step.readsFound("offsets", offsets);
  }

  /** The first elements of a segment, or of a piece of it, as words and positions. */
  private static final class Heap {

    /* The last one in order is at 0: a heap in which no element is after its parent. */

    private final long[] words;
    private final int[] positions;
    private int size;

    Heap(int most) {
      words = new long[most];
      positions = new int[most];
    }

    void clear() {
      size = 0;
    }

    private boolean isAfter(int i, int j) {
      int order = Long.compareUnsigned(words[i], words[j]);
      return order > 0 || order == 0 && positions[i] > positions[j];
    }

    private void swap(int i, int j) {
      long word = words[i];
      words[i] = words[j];
      words[j] = word;
      int position = positions[i];
      positions[i] = positions[j];
      positions[j] = position;
    }

    private void sink(int from, int end) {
      int at = from;
      int child = 2 * at + 1;
      while (child < end) {
        child += child + 1 < end && isAfter(child + 1, child) ? 1 : 0;
        if (!isAfter(child, at)) {
          return;
        }
        swap(child, at);
        at = child;
        child = 2 * at + 1;
      }
    }

    /** Adds an element with a position after those of all equal ones in the heap. */
    void add(long word, int position) {
      if (size == words.length && Long.compareUnsigned(word, words[0]) >= 0) {
        return;
      }
      int at = size < words.length ? size++ : 0;
      words[at] = word;
      positions[at] = position;
      sink(at, size);
      for (; at > 0 && isAfter(at, (at - 1) / 2); at = (at - 1) / 2) {
        swap(at, (at - 1) / 2);
      }
    }

    Piece piece(int segment) {
      return new Piece(segment, Arrays.copyOf(words, size), Arrays.copyOf(positions, size));
    }

    /** Sorts the elements; nothing may be added any more. */
    void sort() {
      for (int end = size - 1; end > 0; end--) {
        swap(0, end);
        sink(0, end);
      }
    }
  }

  /** The elements of a piece of a segment that extends over several tasks. */
  private record Piece(int segment, long[] words, int[] positions) {}

  private static int next(long[] heads, int from, int length) {
    int word = from >>> 6;
    long left = word < heads.length ? heads[word] & -1L << from : 0;
    while (left == 0 && ++word < heads.length) {
      left = heads[word];
    }
    return left == 0 ? length : (word << 6) + Long.numberOfTrailingZeros(left);
  }

  private void find(JvmRun run) {
    int length = run.length(of.name());
    MemorySegment values = run.input(of.name());
    MemorySegment given = run.input(bits);
    long[] heads = new long[Math.ceilDiv(length, Long.SIZE)];
    MemorySegment.copy(given, 0, MemorySegment.ofArray(heads), 0, given.byteSize());
    int all = 0;
    for (long word : heads) {
      all += Long.bitCount(word);
    }
    int[] starts = new int[all + 1];
    int[] begins = new int[all + 1]; // where in the output
    for (int s = 0, at = 0; s < all; s++) {
      starts[s] = at;
      at = next(heads, at + 1, length);
      starts[s + 1] = at;
      begins[s + 1] = begins[s] + Math.min(top.k(), at - starts[s]);
    }
    run.deliver(found, begins[all]);
    if (segments != null) {
      run.deliver(segments, all);
    }
    Output output = new Output(run, starts, begins);
    boolean isShared = ParallelRows.mayBeShared(values) && output.isShared();
    int tasks =
        isShared
            ? Math.clamp(length / ELEMENTS_OF_A_TASK, 1, TASKS_PER_CORE * ParallelRows.cores())
            : 1;
    List<List<Piece>> pieces = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      pieces.add(new ArrayList<>());
    }
    ParallelRows.parts(
        length, tasks, (task, begin, end) -> take(values, begin, end, output, pieces.get(task)));
    join(pieces.stream().flatMap(List::stream).toList(), output);
    begins(run, starts, begins);
  }

  /** Finds the first elements of each segment, or piece of one, among some elements. */
  private void take(MemorySegment values, int begin, int end, Output output, List<Piece> pieces) {
    Heap heap = new Heap(top.k());
    int[] starts = output.starts;
    int found = Arrays.binarySearch(starts, begin);
    int[] segment = {found < 0 ? -found - 2 : found};
    RankWords all = new RankWords(values, of.type(), top.isLargest(), true);
    all.elements(
        begin,
        end,
        (words, count, first) -> {
          for (int i = 0; i < count; ) {
            int s = segment[0];
            int to = Math.min(count, starts[s + 1] - first);
            for (; i < to; i++) {
              heap.add(words[i], first + i);
            }
            boolean isAtEnd = first + to == starts[s + 1];
            if (isAtEnd || first + to == end) {
              heap.sort();
              if (isAtEnd && starts[s] >= begin) {
                output.store(s, heap);
              } else {
                pieces.add(heap.piece(s));
              }
              heap.clear();
              segment[0] += isAtEnd ? 1 : 0;
            }
          }
        });
  }

  private void join(List<Piece> pieces, Output output) {
    Heap heap = new Heap(top.k());
    for (int p = 0; p < pieces.size(); p++) {
      Piece piece = pieces.get(p);
      for (int i = 0; i < piece.words().length; i++) {
        heap.add(piece.words()[i], piece.positions()[i]);
      }
      if (p + 1 == pieces.size() || pieces.get(p + 1).segment() != piece.segment()) {
        heap.sort();
        output.store(piece.segment(), heap);
        heap.clear();
      }
    }
  }

  private final class Output {
    private final MemorySegment values;
    private final @Nullable MemorySegment elements;
    private final @Nullable MemorySegment positions;
    private final int[] starts;
    private final int[] begins;

    Output(JvmRun run, int[] starts, int[] begins) {
      values = run.input(of.name());
      elements = names.elements() == null ? null : run.output(names.elements());
      positions = names.positions() == null ? null : run.output(names.positions());
      this.starts = starts;
      this.begins = begins;
    }

    boolean isShared() {
      return ParallelRows.mayBeShared(values, elements, positions);
    }

    void store(int segment, Heap found) {
      int width = of.type().bytes();
      for (int i = 0; i < found.size; i++) {
        int at = begins[segment] + i;
        int from = found.positions[i];
        if (elements != null) {
          MemorySegment.copy(values, (long) width * from, elements, (long) width * at, width);
        }
        if (positions != null) {
          positions.setAtIndex(INT, at, from);
        }
      }
    }
  }

  /** Writes where the elements of each segment, or of each offset, begin in the output. */
  private void begins(JvmRun run, int[] starts, int[] begins) {
    MemorySegment output = run.output(names.begins());
    if (offsets == null) {
      MemorySegment.copy(begins, 0, output, INT, 0, begins.length - 1);
      return;
    }
    MemorySegment given = run.input(offsets);
    int s = 0;
    for (int j = 0; j < run.length(offsets); j++) {
      int offset = given.getAtIndex(INT, j);
      while (s + 1 < starts.length && starts[s] < offset) {
        s++;
      }
      output.setAtIndex(INT, j, begins[s]);
    }
  }
}
