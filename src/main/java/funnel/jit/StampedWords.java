package funnel.jit;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Values that a block of a kernel passes to later blocks of the same launch.
 *
 * <p>A word has the number of the run in its upper half and 32 bits of the value in its lower half.
 * So it is either complete or not there, and nothing must be cleared between runs. A value of 8
 * bytes takes a second word, at a distance of {@code plane}.
 */
public final class StampedWords {

  /* TornadoVM 5.2.0 has neither a fence nor an addition that returns the old value. A word that is
   * not there yet is read again after an atomic addition of zero to it: the plain load alone would
   * always be served from a stale line of the first-level cache.
   */

  private StampedWords() {}

  /** The number of the run that wrote a word. */
  public static int stamp(long word) {
    return (int) ((word >> 32) & 0xffffffffL);
  }

  /** 1 if a run has written both words, else 0. */
  public static int areOf(int run, long high, long low) {
    int highThere = stamp(high) == run ? 1 : 0;
    int lowThere = stamp(low) == run ? 1 : 0;
    return highThere & lowThere;
  }

  /** A word once a block of this run has written it, or as it is after {@code mostPolls} polls. */
  public static long read(KernelContext context, LongArray words, int at, int run, int mostPolls) {
    long word = words.get(at);
    int polls = 0;
    while (stamp(word) != run & polls < mostPolls) {
      context.atomicAdd(words, at, 0L);
      word = words.get(at);
      polls++;
    }
    return word;
  }

  /** The bits of a value from its words; both are the same word if there is only one. */
  public static long bits(long high, long low) {
    return ((high & 0xffffffffL) << 32) | (low & 0xffffffffL);
  }

  /** Writes a value's bits; only its lower half if {@code plane} is 0. */
  public static void write(LongArray words, int at, int plane, int run, long bits) {
    long stamp = (long) run << 32;
    words.set(at, stamp | (bits & 0xffffffffL));
    if (plane > 0) {
      words.set(plane + at, stamp | ((bits >> 32) & 0xffffffffL));
    }
  }

  /* With a flag: the upper half is then twice the run's number, of 31 bits, plus the flag. */

  /** The number of the run after the one that a word holds. */
  public static int nextRun(long word) {
    return ((int) word + 1) & Integer.MAX_VALUE;
  }

  /** The number of the run that wrote a word with a flag. */
  public static int run(long word) {
    return (int) ((word >> 33) & Integer.MAX_VALUE);
  }

  /** The flag in a word. */
  public static int flag(long word) {
    return (int) ((word >> 32) & 1L);
  }

  /** 1 if a run has written both words with a flag, else 0. */
  public static int areFrom(int run, long high, long low) {
    int highThere = run(high) == run ? 1 : 0;
    int lowThere = run(low) == run ? 1 : 0;
    return highThere & lowThere;
  }

  /** As {@link #read}, for a word with a flag. */
  public static long readFlagged(
      KernelContext context, LongArray words, int at, int run, int mostPolls) {
    return again(context, words, at, run, mostPolls, words.get(at));
  }

  /** As {@link #readFlagged}, for a word that has been read once. */
  public static long again(
      KernelContext context, LongArray words, int at, int run, int mostPolls, long first) {
    long word = first;
    int polls = 0;
    while (run(word) != run & polls < mostPolls) {
      context.atomicAdd(words, at, 0L);
      word = words.get(at);
      polls++;
    }
    return word;
  }

  /** As {@link #write}, with a flag. */
  public static void writeFlagged(
      LongArray words, int at, int plane, int run, int flag, long bits) {
    long stamp = ((long) run << 33) | ((long) flag << 32);
    words.set(at, stamp | (bits & 0xffffffffL));
    if (plane > 0) {
      words.set(plane + at, stamp | ((bits >> 32) & 0xffffffffL));
    }
  }
}
