package funnel.sort;

import funnel.jit.ArrayPool;
import funnel.operation.Input;
import funnel.operation.JvmRun;
import funnel.operation.ParallelRows;
import funnel.operation.Primitive;
import funnel.operation.Setting;
import funnel.operation.Step;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** See {@link SortedSearch#lastRows}. */
record LastRowsStep(String id, List<Input> inputs, List<Primitive> ifNot) implements Primitive {

  /* Key and time of an other row are one word, by which these rows are sorted, with their positions
   * in the same words if there is room. Words are cut into bins by their highest bits, one or two
   * bins a word: a row's word is searched for in its bin. So a search reads two places of memory, if
   * keys and times are evenly spread, and need not wait for the one before. It has no branch that
   * depends on what it compares, which processors would guess wrong half of the time. With a quarter
   * of the bins a search took up to twice as long.
   */

  private static final int MOST_BITS = Long.SIZE - 2; // differences of words, and limits, are longs
  private static final int MOST_BIN_BITS = 28; // 1 GiB
  private static final int BLOCK = 1 << 10;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  @Override
  public Step in(Setting setting) {
    Input times = inputs.getFirst();
    Step step = Step.of(this, setting);
    for (int k = 0; k < inputs.size(); k++) {
      step.reads("input" + k, inputs.get(k).name());
    }
    return step.writes(
            "rows", id, ElementType.INT, setting.capacity(times.capacity()), times.name())
        .onJvm(this::find);
  }

  private KeyNumbers numbers(JvmRun run, int k) {
    Input input = inputs.get(k);
    return new KeyNumbers(run.input(input.name()), KeyOrder.of(input.type(), false), false);
  }

  private boolean hasKeys() {
    return inputs.size() > 2;
  }

  private void find(JvmRun run) {
    int others = run.length(inputs.get(1).name());
    boolean areShared =
        inputs.stream().allMatch(each -> ParallelRows.mayBeShared(run.input(each.name())));
    int parts = areShared ? SortLoops.parts(others) : 1;
    KeyNumbers times = numbers(run, 1);
    KeyNumbers.Range timeRange = times.range(others, parts);
    KeyNumbers.Range keyRange =
        hasKeys() ? numbers(run, 3).range(others, parts) : new KeyNumbers.Range(0, 0);
    int bits = timeRange.bits() + keyRange.bits();
    int shift = RowOrderStep.positionBits(bits, others);
    shift = bits + shift > MOST_BITS ? 0 : shift;
    if (others < 2 || bits > MOST_BITS) {
      ifNot.forEach(part -> part.asIs().runOnJvm(run));
      return;
    }
    long[] words = ArrayPool.longs(others);
    RowOrderStep.add(words, times, timeRange.least(), 0, others, parts);
    if (hasKeys()) {
      RowOrderStep.add(words, numbers(run, 3), keyRange.least(), timeRange.bits(), others, parts);
    }
    LongMovedKeys sorted = RowOrderStep.sorted(words, bits, shift, others, null, parts);
    ArrayPool.giveBack(words);
    int binBits =
        Math.min(
            bits, Math.min(MOST_BIN_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(others)));
    int binShift = bits + shift - binBits;
    int[] bins = bins(sorted.words, others, binShift, 1 << binBits, parts);
    Search search = new Search(sorted, bins, binShift, shift, timeRange, keyRange);
    MemorySegment rows = run.output(id);
    int length = run.length(inputs.getFirst().name());
    ParallelRows.run(
        length,
        areShared && ParallelRows.mayBeShared(rows) ? length : 0,
        (from, to) -> search(run, search, from, to, rows));
    ArrayPool.giveBack(bins);
    sorted.close();
  }

  /** Where the words of each bin begin, and twice the number of all words. */
  private static int[] bins(long[] words, int length, int shift, int count, int parts) {
    int[] begins = ArrayPool.ints(count + 2);
    ParallelRows.parts(
        length,
        parts,
        (_, first, end) -> {
          int next = first == 0 ? 0 : (int) (words[first - 1] >>> shift) + 1;
          for (int i = first; i < end; i++) {
            int bin = (int) (words[i] >>> shift);
            while (next <= bin) {
              begins[next++] = i;
            }
          }
        });
    int next = (int) (words[length - 1] >>> shift) + 1;
    while (next < count + 2) {
      begins[next++] = length;
    }
    return begins;
  }

  private void search(JvmRun run, Search search, int from, int to, MemorySegment rows) {
    KeyNumbers times = numbers(run, 0);
    long[] ofTimes = new long[BLOCK];
    long[] ofKeys = new long[BLOCK];
    int[] found = new int[BLOCK];
    for (int left = to - from; left > 0; left -= BLOCK) { // the end may be near 2^31
      int first = to - left;
      int count = Math.min(BLOCK, left);
      times.read(first, ofTimes, count);
      if (hasKeys()) {
        numbers(run, 2).read(first, ofKeys, count);
      }
      search.limits(ofTimes, ofKeys, count);
      search.rows(ofTimes, found, count);
      MemorySegment.copy(found, 0, rows, INT, 4L * first, count);
    }
  }

  /**
   * Sorted words and how to search in them.
   *
   * @param shift how many bits of positions words have
   */
  private record Search(
      LongMovedKeys sorted,
      int[] bins,
      int binShift,
      int shift,
      KeyNumbers.Range times,
      KeyNumbers.Range keys) {

    /** Replaces times by the word after that of key and time, or 0 if no word is in question. */
    void limits(long[] ofTimes, long[] ofKeys, int count) {
      int timeBits = times.bits();
      for (int i = 0; i < count; i++) {
        long time = ofTimes[i];
        long key = ofKeys[i];
        boolean isNone = time < times.least() || key < keys.least() || key > keys.most();
        long word = (key - keys.least() << timeBits) + Math.min(time, times.most()) - times.least();
        ofTimes[i] = isNone ? 0 : word + 1 << shift;
      }
    }

    void rows(long[] limits, int[] found, int count) {
      long[] words = sorted.words;
      int[] positions = sorted.positions;
      int keyShift = shift + times.bits();
      long mask = (1L << shift) - 1;
      for (int i = 0; i < count; i++) {
        long limit = limits[i];
        int at = before(words, limit) - 1;
        long word = words[Math.max(at, 0)];
        boolean isFound = at >= 0 && word >>> keyShift == limit - 1 >>> keyShift;
        found[i] = !isFound ? -1 : shift > 0 ? (int) (word & mask) : positions[at];
      }
    }

    /** How many words are below a limit. */
    private int before(long[] words, long limit) {
      int bin = (int) (limit >>> binShift);
      int at = bins[bin];
      int left = bins[bin + 1] - at;
      while (left > 1) {
        int half = left >>> 1;
        at += half & (int) (words[at + half - 1] - limit >> Long.SIZE - 1);
        left -= half;
      }
      return left == 0 ? at : at - (int) (words[at] - limit >> Long.SIZE - 1);
    }
  }
}
