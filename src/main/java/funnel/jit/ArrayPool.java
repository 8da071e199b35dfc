package funnel.jit;

import java.lang.foreign.MemorySegment;
import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * A pool of large Java arrays: one run gives arrays back, and another one takes them.
 *
 * <p>The JVM fills a new array with zeros, in one thread, in memory that the system may have to
 * allocate first: for arrays between the steps of a program this takes as long as the steps. An
 * array from the pool has undefined contents. Arrays of less than a megabyte are always new.
 *
 * <p>The pool holds at most a quarter of the maximum heap, and its arrays can be collected before
 * the JVM runs out of memory. Thread-safe.
 */
public final class ArrayPool {

  private static final int LEAST_BYTES = 1 << 20;
  private static final int SHARE_OF_HEAP = 4;

  /** The maximum factor by which an array may be longer than requested. */
  private static final int MOST_TIMES = 2;

  private static final ArrayPool ARRAYS =
      new ArrayPool(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);

  private record Kept(SoftReference<Object> array, long bytes) {}

  private final long most;
  private final Deque<Kept> latestFirst = new ArrayDeque<>();
  private long bytes;

  /** A pool of at most {@code most} bytes. */
  ArrayPool(long most) {
    this.most = most;
  }

  /** An array of at least {@code length} ints, with undefined contents. */
  public static int[] ints(int length) {
    int[] kept = ARRAYS.take(int[].class, (long) Integer.BYTES * length);
    return kept == null ? new int[length] : kept;
  }

  /** An array of at least {@code length} longs, with undefined contents. */
  public static long[] longs(int length) {
    long[] kept = ARRAYS.take(long[].class, (long) Long.BYTES * length);
    return kept == null ? new long[length] : kept;
  }

  /** An array of at least {@code length} bytes, with undefined contents. */
  public static byte[] bytes(int length) {
    byte[] kept = ARRAYS.take(byte[].class, length);
    return kept == null ? new byte[length] : kept;
  }

  /** {@link #ints}; a master says its type by an array of it. */
  public static int[] like(int[] type, int length) {
    return ints(length);
  }

  /** {@link #longs}; a master says its type by an array of it. */
  public static long[] like(long[] type, int length) {
    return longs(length);
  }

  /**
   * The error for an array that the heap has no room for.
   *
   * @param array its name
   * @param bytes how many it needs
   * @param cause what the JVM has thrown
   */
  public static OutOfMemoryError heapTooSmall(String array, long bytes, OutOfMemoryError cause) {
    Runtime jvm = Runtime.getRuntime();
    OutOfMemoryError error =
        new OutOfMemoryError(
            "array %s needs more heap than is free: needed=%s bytes, free=%s bytes; give java a larger -Xmx, or use a smaller capacity, or work in parts"
                .formatted(array, bytes, jvm.maxMemory() - jvm.totalMemory() + jvm.freeMemory()));
    error.initCause(cause);
    return error;
  }

  /** Gives an array back, which must not be read or written afterwards. */
  public static void giveBack(Object array) {
    ARRAYS.give(array);
  }

  private static long bytesOf(Object array) {
    return switch (array) {
      case byte[] bytes -> bytes.length;
      case int[] ints -> (long) Integer.BYTES * ints.length;
      case long[] longs -> (long) Long.BYTES * longs.length;
      default -> throw new IllegalArgumentException("an array of " + array.getClass());
    };
  }

  /** An array of at least {@code wanted} bytes, or null. */
  synchronized <T> @Nullable T take(Class<T> type, long wanted) {
    if (wanted < LEAST_BYTES) {
      return null;
    }
    for (Iterator<Kept> all = latestFirst.iterator(); all.hasNext(); ) {
      Kept kept = all.next();
      Object array = kept.array.get();
      boolean isTaken =
          type.isInstance(array) && kept.bytes >= wanted && kept.bytes / MOST_TIMES <= wanted;
      if (isTaken || array == null) {
        all.remove();
        bytes -= kept.bytes;
      }
      if (isTaken) {
        return type.cast(array);
      }
    }
    return null;
  }

  synchronized void give(Object array) {
    long more = bytesOf(array);
    if (more >= LEAST_BYTES && more <= most) {
      latestFirst.addFirst(new Kept(new SoftReference<>(array), more));
      bytes += more;
      while (bytes > most) {
        bytes -= latestFirst.removeLast().bytes;
      }
    }
  }

  /** Gives back the array of a segment. */
  public static void giveBack(MemorySegment segment) {
    segment.heapBase().ifPresent(ArrayPool::giveBack);
  }
}
