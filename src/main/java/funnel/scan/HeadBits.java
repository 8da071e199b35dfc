package funnel.scan;

import funnel.kernel.Scalars;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Where segments begin: a bit for each element that a thread looks at. */
final class HeadBits {

  /* Bits in an array are read at once, from two of its ints. Bytes and keys are loaded coalesced,
   * `width` consecutive ones per thread at a time: one load for four bytes, one and a half for two
   * keys. Wider runs would make a warp's load of keys touch more lines than it needs. Comparisons
   * of keys set a bit where they are equal, and all bits are then inverted at once: the cuda
   * backend loses the negation of a comparison here.
   *
   * Loops advance by `one`, which is 1, so that nvrtc unrolls no more than is written.
   */

  /** A non-zero byte for each element that begins a segment. */
  static final int HEADS = 0;

  static final int HEAD_BITS = 1;

  /** An int for each element; a segment begins where it differs from the one before. */
  static final int INT_KEYS = 2;

  /** A long for each element, likewise. */
  static final int LONG_KEYS = 3;

  /** Elements that a thread looks at. */
  static final int ITEMS = Integer.SIZE;

  private static final int ROUND = 8;
  private static final int THREADS = SegmentedTree.THREADS;

  private HeadBits() {}

  /** Consecutive elements whose heads a thread finds together. */
  static int width(int segments) {
    return segments == HEADS ? 4 : 2;
  }

  /** Heads among a thread's own items, from {@code e} on; some may be outside the input. */
  static int ofBits(IntArray bits, int from, int e, int length) {
    int last = Scalars.max(length - 1, 0);
    int at = Scalars.max(Scalars.min(e, last), 0);
    int word = at / 32;
    int low = bits.get(from + word);
    int high = bits.get(from + Scalars.min(word + 1, last / 32));
    long both = ((long) high << 32) | (low & 0xffffffffL);
    int heads = (int) (both >> (at & 31));
    return heads << Scalars.min(Scalars.max(-e, 0), 31);
  }

  /** Heads without those outside the input, and with element 0's. */
  static int inside(int heads, int own, int before, int left, int items, int first) {
    int until = Scalars.max(Scalars.min(left - own, items), 0);
    int from = Scalars.max(Scalars.min(before - own, items), 0);
    int valid = (int) ((1L << until) - (1L << from));
    int begin = before - own;
    int hasBegin = (first <= 0 ? 1 : 0) & (begin >= 0 ? 1 : 0) & (begin < items ? 1 : 0);
    return (heads | (hasBegin << Scalars.max(Scalars.min(begin, 31), 0)))
        & (until > from ? valid : 0);
  }

  /** Heads of the elements that a thread of a block looks at, 32 per thread. */
  static int found(
      ByteArray bytes,
      IntArray ints,
      LongArray longs,
      int segments,
      int from,
      int first,
      int length,
      int thread,
      int one) {
    int full = first > 0 & length - first >= THREADS * ITEMS ? ITEMS : 0;
    int found = 0;
    if (segments == HEADS) {
      found = ofBytes(bytes, from + first, thread, full, one);
    }
    if (segments == INT_KEYS) {
      found = ofKeys(ints, from + first, thread, full, one);
    }
    if (segments == LONG_KEYS) {
      found = ofKeys(longs, from + first, thread, full, one);
    }
    int width = width(segments);
    for (int c = full; c < ITEMS; c = Scalars.min(c + one * ROUND, ITEMS)) {
      for (int k = 0; k < ROUND; k++) {
        int e = first + ((c + k) / width * THREADS + thread) * width + k % width;
        e = Scalars.min(e, length - 1);
        int head = head(segments, bytes, ints, longs, from, e, Scalars.max(e - 1, 0));
        found = found | (head << (c + k));
      }
    }
    return found;
  }

  /** Heads by bytes, in full rounds. */
  private static int ofBytes(ByteArray bytes, int from, int thread, int full, int one) {
    int found = 0;
    for (int c = 0; c < full; c = Scalars.min(c + one * 2 * ROUND, full)) {
      int at = from + c * THREADS + thread * 4;
      int eight = four(bytes, at) | (four(bytes, at + 4 * THREADS) << 4);
      int more = four(bytes, at + 8 * THREADS) | (four(bytes, at + 12 * THREADS) << 4);
      found = found | ((eight | (more << 8)) << c);
    }
    return found;
  }

  private static int ofKeys(IntArray keys, int from, int thread, int full, int one) {
    int found = 0;
    for (int c = 0; c < full; c = Scalars.min(c + one * ROUND, full)) {
      int at = from + c * THREADS + thread * 2;
      int same = same(keys, at) | (same(keys, at + 2 * THREADS) << 2);
      int more = same(keys, at + 4 * THREADS) | (same(keys, at + 6 * THREADS) << 2);
      found = found | (((same | (more << 4)) ^ 255) << c);
    }
    return found;
  }

  private static int ofKeys(LongArray keys, int from, int thread, int full, int one) {
    int found = 0;
    for (int c = 0; c < full; c = Scalars.min(c + one * ROUND, full)) {
      int at = from + c * THREADS + thread * 2;
      int same = same(keys, at) | (same(keys, at + 2 * THREADS) << 2);
      int more = same(keys, at + 4 * THREADS) | (same(keys, at + 6 * THREADS) << 2);
      found = found | (((same | (more << 4)) ^ 255) << c);
    }
    return found;
  }

  /** Heads in four bytes: those that are not zero. */
  private static int four(ByteArray bytes, int at) {
    int b0 = bytes.get(at) & 0xff;
    int b1 = bytes.get(at + 1) & 0xff;
    int b2 = bytes.get(at + 2) & 0xff;
    int b3 = bytes.get(at + 3) & 0xff;
    int all = b0 | (b1 << 8) | (b2 << 16) | (b3 << 24);
    int high = (((all & 0x7f7f7f7f) + 0x7f7f7f7f) | all) >> 7;
    return (((high & 0x01010101) * 0x01020408) >> 24) & 15;
  }

  /** A bit for each of two keys that equals the one before. */
  private static int same(IntArray keys, int at) {
    int k0 = keys.get(at - 1);
    int k1 = keys.get(at);
    int k2 = keys.get(at + 1);
    return (k1 == k0 ? 1 : 0) | (k2 == k1 ? 2 : 0);
  }

  private static int same(LongArray keys, int at) {
    long k0 = keys.get(at - 1);
    long k1 = keys.get(at);
    long k2 = keys.get(at + 1);
    return (k1 == k0 ? 1 : 0) | (k2 == k1 ? 2 : 0);
  }

  /** 1 if any bit is set, else 0: by arithmetic, since cuda loses a negated comparison here. */
  private static int differ(int bits) {
    return ((bits | (0 - bits)) >> 31) & 1;
  }

  /** 1 if a segment begins at element {@code e}; {@code previous} is the one before it. */
  private static int head(
      int segments,
      ByteArray bytes,
      IntArray ints,
      LongArray longs,
      int from,
      int e,
      int previous) {
    int head = 0;
    if (segments == HEADS) {
      head = ((bytes.get(from + e) & 0xff) + 255) / 256;
    }
    if (segments == INT_KEYS) {
      head = differ(ints.get(from + e) ^ ints.get(from + previous));
    }
    if (segments == LONG_KEYS) {
      long bits = longs.get(from + e) ^ longs.get(from + previous);
      head = differ((int) bits | (int) ((bits >> 32) & 0xffffffffL));
    }
    return head;
  }
}
