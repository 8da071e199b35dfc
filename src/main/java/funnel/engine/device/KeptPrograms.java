package funnel.engine.device;

import funnel.engine.Program;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * The arrays and compiled kernels of closed programs on a device, for the next program of the same
 * {@linkplain ProgramKind kind}. Limited in number and in bytes; the least recently used is freed
 * first. Thread-safe.
 */
public final class KeptPrograms implements AutoCloseable {

  /* Launchers are created and closed outside the monitor: both take long, and closing waits for the
   * runs of other programs.
   */

  private static final int MOST = 64;

  /** Bytes on the device, and the same number on the host, outside the heap. */
  private static final long MOST_BYTES = 8L << 30;

  private static final int SHARE_OF_DEVICE = 8;
  private static final int SHARE_OF_HEAP = 4;

  /**
   * A closed program.
   *
   * @param kind its kind
   * @param arrays its arrays, in the order in which they were allocated
   * @param launcher its kernels
   * @param runs how often each routine has run, which is counted on the device too
   * @param bytes the device memory of its arrays
   * @param checked what must be checked of its kernels, if known
   */
  record Kept(
      ProgramKind kind,
      List<TornadoNativeArray> arrays,
      Launcher launcher,
      List<Long> runs,
      long bytes,
      KernelCheck.@Nullable Wanted checked) {}

  /** A program's kind, or null. */
  static @Nullable ProgramKind kind(Program program) {
    try {
      return ProgramKind.of(program);
    } catch (RuntimeException | Error e) {
      return null; // loading it fails for the same reason, and reports it
    }
  }

  private final DeviceMemory memory;
  private final int most;
  private final long mostBytes;
  private final Deque<Kept> oldestFirst = new ArrayDeque<>();
  private long bytes;
  private long hits;
  private long misses;
  private boolean closed;

  /** For a device with this memory, which it frees when a program needs it. */
  public KeptPrograms(DeviceMemory memory) {
    this(
        memory,
        MOST,
        Math.min(
            MOST_BYTES,
            Math.min(
                memory.limit() / SHARE_OF_DEVICE,
                Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP)));
  }

  KeptPrograms(DeviceMemory memory, int most, long mostBytes) {
    this.memory = memory;
    this.most = most;
    this.mostBytes = mostBytes;
    memory.whenShort(this::closeOldest);
  }

  /** Removes and returns a closed program of a kind; null if there is none. */
  synchronized @Nullable Kept take(ProgramKind kind) {
    Iterator<Kept> newestFirst = oldestFirst.descendingIterator();
    while (newestFirst.hasNext()) {
      Kept one = newestFirst.next();
      if (one.kind().equals(kind)) {
        newestFirst.remove();
        bytes -= one.bytes();
        hits++;
        return one;
      }
    }
    misses++;
    return null;
  }

  /** Keeps a closed program, whose bytes stay reserved, or frees it. */
  void keep(Kept left) {
    List<Kept> out = new ArrayList<>();
    synchronized (this) {
      oldestFirst.addLast(left);
      bytes += left.bytes();
      if (closed || left.bytes() > mostBytes) {
        out.add(remove(oldestFirst.removeLast()));
      }
      while (oldestFirst.size() > most || bytes > mostBytes) {
        out.add(remove(oldestFirst.removeFirst()));
      }
    }
    out.forEach(one -> one.launcher().close());
  }

  private Kept remove(Kept one) {
    bytes -= one.bytes();
    memory.free(one.bytes());
    return one;
  }

  /** Frees the least recently used program; false if there is none. */
  private boolean closeOldest() {
    Kept oldest;
    synchronized (this) {
      if (oldestFirst.isEmpty()) {
        return false;
      }
      oldest = remove(oldestFirst.removeFirst());
    }
    oldest.launcher().close();
    return true;
  }

  /** The numbers of hits and misses, and what is kept. */
  @Override
  public synchronized String toString() {
    return "hits=%s, misses=%s, kept=%s, bytes=%s"
        .formatted(hits, misses, oldestFirst.size(), bytes);
  }

  /** Frees all, and keeps nothing from now on. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    while (closeOldest()) {}
  }
}
