package funnel.engine.tornado;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Pinned memory through which large arrays go to the device and back, piece by piece. */
final class Staging {

  /* The link of a device has the same rate in both directions, and idles while a transfer begins
   * or ends. So a device has as many lanes as a stream has plans: they transfer simultaneously.
   * Programs get lanes in rotation; a lane's memory is pinned when it is first used.
   *
   * Four slots are filled or emptied by threads, while the link carries a fifth and the sixth waits
   * for it.
   */

  /** Slots of a lane, which take turns. */
  static final int SLOTS = 6;

  private static final int LANES = 4;

  /** Arrays of fewer bytes than this are copied as a whole. */
  static final long LEAST_ARRAY = 32L << 20;

  /** The bytes of a slot. */
  static final long SLOT = 8L << 20;

  /** The staging of TornadoVM's default device. */
  static final Staging DEFAULT = new Staging(() -> null);

  private static volatile boolean areAddressesKnown = true;

  private final Supplier<@Nullable MemorySegment> context;
  private final List<Lane> dealt = new ArrayList<>();
  private int next;

  /** Locked for reading during transfers, and for writing by code that needs the link alone. */
  final ReadWriteLock link = new ReentrantReadWriteLock();

  /**
   * The staging of a device.
   *
   * @param context the driver's context of the device; null for that of the default device
   */
  Staging(Supplier<@Nullable MemorySegment> context) {
    this.context = context;
  }

  /** Slots that belong together, and the stream of their copies. */
  final class Lane {
    final CopyStream stream;
    private final List<MemorySegment> slots;
    private final Lock lock = new ReentrantLock();

    private Lane(CopyStream stream, List<MemorySegment> slots) {
      this.stream = stream;
      this.slots = List.copyOf(slots);
    }

    /** The first bytes of a slot. */
    MemorySegment slot(int slot, long bytes) {
      return slots.get(slot).asSlice(0, bytes);
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

  /** Whether the addresses of arrays on devices can be known, which copies go to. */
  static void knowAddresses(boolean areKnown) {
    areAddressesKnown = areKnown;
  }

  /** Whether memory can be pinned and addresses are known; the first call pins some memory. */
  static boolean isThere() {
    return DEFAULT.hasLanes();
  }

  /** Whether there are lanes; the first call creates one. */
  synchronized boolean hasLanes() {
    return !dealt.isEmpty() || add();
  }

  private boolean add() {
    List<MemorySegment> slots = new ArrayList<>();
    while (areAddressesKnown && PinnedMemory.isThere() && slots.size() < SLOTS) {
      MemorySegment slot = PinnedMemory.allocate(SLOT);
      if (slot == null) {
        return false;
      }
      slots.add(slot);
    }
    return slots.size() == SLOTS
        && dealt.add(new Lane(new CopyStream(context.get(), SLOTS), slots));
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
