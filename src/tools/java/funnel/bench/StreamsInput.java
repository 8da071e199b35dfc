package funnel.bench;

import funnel.engine.UntouchedMemory;
import funnel.io.ElementFile;
import funnel.io.Source;
import funnel.operation.ParallelRows;
import funnel.operator.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Ints in memory or in a file, more than an array can hold, and the expected results. */
final class StreamsInput implements Input {

  /* One block of random ints, repeated, so that results follow from those of one block. Its length
   * is a prime, so that pieces differ.
   */

  static final int BLOCK = 1_000_003;

  private static final int BINS = 256;

  private final long length;
  private final @Nullable Path file;
  private final MemorySegment memory;
  private final MemorySegment sink;
  private final int[] block = new int[BLOCK];
  private final int[] sums = new int[BLOCK];
  private final int[] kept;

  /**
   * Makes the ints.
   *
   * @param file the file; in memory if null
   * @param sink whether to allocate memory for the output
   */
  StreamsInput(long bytes, @Nullable Path file, boolean sink) throws IOException {
    this.length = bytes / Integer.BYTES;
    this.file = file;
    this.sink = UntouchedMemory.allocate(sink ? bytes() : Integer.BYTES);
    Arrays.setAll(block, i -> (int) Workload.splitmix64(i));
    int sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      sum += block[i];
      sums[i] = sum;
    }
    kept = Arrays.stream(block).filter(v -> v >= 0).toArray();
    memory = UntouchedMemory.allocate(file == null ? bytes() : Integer.BYTES);
    if (file == null) {
      forEachBlock((from, count) -> blockBytes(memory, from, count).copyFrom(of(block, count)));
    } else {
      write(file);
    }
  }

  private void write(Path to) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK * Integer.BYTES);
    MemorySegment.ofBuffer(bytes).copyFrom(MemorySegment.ofArray(block));
    try (FileChannel channel =
        FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes(); ) {
        int from = (int) (at % bytes.capacity());
        at +=
            channel.write(
                bytes.limit((int) Math.min(bytes.capacity(), from + bytes() - at)).position(from));
      }
      channel.force(false);
    }
  }

  @Override
  public long bytes() {
    return length * Integer.BYTES;
  }

  /** Work on elements. */
  interface Action {
    /** Does the work. */
    void run(Source source) throws IOException;
  }

  /** Passes the elements as a source of a type; a file is opened for that, and closed. */
  void with(ElementType type, Action action) throws IOException {
    if (file == null) {
      action.run(Source.of(memory, type));
      return;
    }
    try (ElementFile opened = ElementFile.openRaw(file, type)) {
      action.run(opened);
    }
  }

  /** Memory for the output. */
  MemorySegment sink() {
    return sink;
  }

  /** Work on the ints of a block. */
  private interface BlockAction {
    void run(long from, int count);
  }

  private void forEachBlock(BlockAction action) {
    IntConsumer each =
        k -> {
          long from = (long) k * BLOCK;
          action.run(from, (int) Math.min(BLOCK, length - from));
        };
    ParallelRows.deal(Math.toIntExact(Math.ceilDiv(length, (long) BLOCK)), each);
  }

  private static MemorySegment of(int[] array, int count) {
    return MemorySegment.ofArray(array).asSlice(0, (long) count * Integer.BYTES);
  }

  private static MemorySegment blockBytes(MemorySegment memory, long from, int count) {
    return memory.asSlice(from * Integer.BYTES, (long) count * Integer.BYTES);
  }

  private long blocks() {
    return length / BLOCK;
  }

  private int rest() {
    return (int) (length % BLOCK);
  }

  /** The sum of the first elements, wrapped around. */
  private int sum(long count) {
    int more = (int) (count % BLOCK);
    return (int) (count / BLOCK) * sums[BLOCK - 1] + (more == 0 ? 0 : sums[more - 1]);
  }

  /** The number of kept elements among the first ones. */
  private long kept() {
    return blocks() * kept.length + Arrays.stream(block, 0, rest()).filter(v -> v >= 0).count();
  }

  /** The counts of ints, or of their bytes, in 256 bins. */
  private long[] counts(boolean ofBytes) {
    long[] counts = new long[BINS];
    for (int i = 0; i < BLOCK; i++) {
      long times = blocks() + (i < rest() ? 1 : 0);
      if (ofBytes) {
        for (int b = 0; b < Integer.BYTES; b++) {
          counts[block[i] >>> (Byte.SIZE * b) & 0xff] += times;
        }
      } else {
        counts[(int) ((block[i] - (long) Integer.MIN_VALUE) >>> 24)] += times;
      }
    }
    return counts;
  }

  /** Whether a result is right. */
  Outcome outcome(StreamsTask task, Object result) {
    return switch (task) {
      case REDUCE -> new Outcome(result.toString(), wrong(result, sum(length)));
      case HISTOGRAM_INT, HISTOGRAM_BYTE ->
          Outcome.of(
              Arrays.equals((long[]) result, counts(task == StreamsTask.HISTOGRAM_BYTE))
                  ? ""
                  : "different counts");
      case SELECT -> {
        String wrong = wrong(result, kept());
        yield new Outcome(result.toString(), wrong.isEmpty() ? wrongSelection() : wrong);
      }
      case SCAN -> {
        String wrong = wrong(result, sum(length));
        yield new Outcome(result.toString(), wrong.isEmpty() ? wrongSums() : wrong);
      }
      case SORT -> Outcome.of(wrongOrder());
    };
  }

  private static String wrong(Object result, Object expected) {
    return result.equals(expected) ? "" : "%s, expected %s".formatted(result, expected);
  }

  private String wrongSelection() {
    boolean[] isWrong = new boolean[1];
    forEachBlock(
        (from, count) -> {
          long place = from / BLOCK * kept.length;
          int some = (int) Math.min(kept.length, kept() - place);
          if (blockBytes(sink, place, some).mismatch(of(kept, some)) >= 0) {
            isWrong[0] = true;
          }
        });
    return isWrong[0] ? "different elements" : "";
  }

  /* Each int of a block occurs once per block, and once more if it is in the rest. */
  private String wrongOrder() {
    int[] sorted = block.clone();
    Arrays.sort(sorted);
    int[] more = Arrays.copyOf(block, rest());
    Arrays.sort(more);
    long at = 0;
    int next = 0;
    for (int value : sorted) {
      long times = blocks();
      if (next < more.length && more[next] == value) {
        times++;
        next++;
      }
      for (long k = 0; k < times; k++) {
        if (sink.getAtIndex(ValueLayout.JAVA_INT, at++) != value) {
          return "different order";
        }
      }
    }
    return "";
  }

  private String wrongSums() {
    boolean[] isWrong = new boolean[1];
    forEachBlock(
        (from, count) -> {
          int before = sum(from);
          MemorySegment found = blockBytes(sink, from, count);
          for (int i = 0; i < count; i++) {
            if (found.getAtIndex(ValueLayout.JAVA_INT, i) != before + sums[i]) {
              isWrong[0] = true;
            }
          }
        });
    return isWrong[0] ? "different sums" : "";
  }
}
