package funnel.engine.tornado;

import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Pinned memory through which large arrays go to the device and back, piece by piece. */
final class Staging {

  /* While the link transfers one piece, several threads copy another: one thread copies at a fifth
   * of the link's rate. A transfer has the two slots of a lane. A piece is a sixteenth of its
   * array, so that the link gets work soon. The pieces of a stream, which has several transfers at
   * once, are then so small that all of them stay in the processor's cache until the link has read
   * them. Larger arrays are often transferred alone, in larger pieces: at most 64 MiB, where the
   * cost of a launch is a tenth of the copy.
   *
   * The link of a device has the same rate in both directions, and idles while a transfer begins,
   * ends or launches its next copy. So a device has as many lanes as a stream has plans: they
   * transfer simultaneously. Programs get lanes in rotation; a lane's memory is pinned when it is
   * first used.
   */

  /** Slots of a lane, which take turns. */
  static final int SLOTS = 2;

  private static final int LANES = 4;

  /** Arrays of fewer bytes than this are copied as a whole. */
  static final long LEAST_ARRAY = 32L << 20;

  private static final long LEAST_PIECE = 16L << 20;
  private static final long LARGEST_PIECE = 64L << 20;
  private static final int PIECES = 16;

  /** The staging of TornadoVM's default device. */
  static final Staging DEFAULT = new Staging();

  private final List<Lane> dealt = new ArrayList<>();
  private int next;

  /** Locked for reading during transfers, and for writing by code that needs the link alone. */
  final ReadWriteLock link = new ReentrantReadWriteLock();

  /** Slots that belong together. */
  final class Lane {
    private final List<MemorySegment> slots;
    private final Lock lock = new ReentrantLock();

    private Lane(List<MemorySegment> slots) {
      this.slots = slots;
    }

    /** An array in the memory of a slot. */
    TornadoNativeArray array(ElementType type, int length, int slot) {
      return PinnedMemory.array(type, slot(slot).asSlice(0, PinnedMemory.bytes(type, length)));
    }

    MemorySegment slot(int slot) {
      return slots.get(slot);
    }

    /** Waits until no other transfer uses this lane. */
    void lock() {
      link.readLock().lock();
      lock.lock();
    }

    void unlock() {
      lock.unlock();
      link.readLock().unlock();
    }
  }

  /** The bytes of a piece of an array. */
  static long pieceBytes(long arrayBytes) {
    long part = Long.highestOneBit(Math.max(1, arrayBytes / PIECES));
    return Math.clamp(part, LEAST_PIECE, LARGEST_PIECE);
  }

  /** Whether memory can be pinned; the first call pins some. */
  static boolean isThere() {
    return DEFAULT.hasLanes();
  }

  /** Whether there are lanes; the first call creates one. */
  synchronized boolean hasLanes() {
    return !dealt.isEmpty() || add();
  }

  private boolean add() {
    List<MemorySegment> slots = new ArrayList<>();
    while (PinnedMemory.isThere() && slots.size() < SLOTS) {
      MemorySegment slot = PinnedMemory.allocate(LARGEST_PIECE + Long.BYTES * 16);
      if (slot == null) {
        return false;
      }
      slots.add(slot);
    }
    return slots.size() == SLOTS && dealt.add(new Lane(slots));
  }

  /** One of the lanes; only if {@link #hasLanes}. */
  synchronized Lane first() {
    return dealt.getFirst();
  }

  /**
   * The next lane in rotation; only if {@link #hasLanes}. There are fewer lanes if no more memory
   * can be pinned.
   */
  synchronized Lane lane() {
    if (next >= dealt.size() && (dealt.size() == LANES || !add())) {
      next = 0;
    }
    return dealt.get(next++);
  }
}
