package funnel.engine;

import funnel.jit.CallChain;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * An array in the memory of an engine's device, which stays there when the programs that read or
 * wrote it are closed.
 *
 * <p>It begins without elements: reading what was never written throws. After a {@linkplain #write
 * write} of n elements, or a run that wrote n into it, its first n are defined. A run that fails
 * leaves none in the arrays that it writes.
 *
 * <p>Thread-safe: what writes it, a run included, waits for what reads it and the other way round.
 * It is closed with its engine's Funnel at the latest; a call after that throws an
 * IllegalStateException that names it.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="kept"}
 */
public final class KeptArray implements AutoCloseable {

  /** The memory of an array on an engine. Used by one thread at a time. */
  public interface Memory extends AutoCloseable {

    /** Copies elements to the beginning of the array. */
    void send(MemorySegment elements);

    /** Copies elements of the array, from a byte on. */
    void receive(long from, MemorySegment destination);

    /** Bytes that it takes on the device, 0 on the JVM. */
    long bytes();

    @Override
    void close();
  }

  /* Apart from the array, so that what is to be freed does not refer to what may be forgotten.
   * Copies are made under a monitor of their own: several threads may read at a time, but the memory
   * of a device is used by one.
   */
  private static final class State {
    private final String name;
    private final Memory memory;
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
    private volatile boolean closed;
    private volatile int written;
    private volatile String undefined = "nothing was written into it yet";
    private volatile Runnable beforeUse = () -> {};
    private volatile @Nullable Runnable whenClosed;

    State(String name, Memory memory) {
      this.name = name;
      this.memory = memory;
    }

    void requireOpen() {
      if (closed) {
        throw new IllegalStateException(name + " is closed");
      }
    }

    void close() {
      lock.writeLock().lock();
      try {
        if (!closed) {
          closed = true;
          memory.close();
        }
      } finally {
        lock.writeLock().unlock();
      }
      Runnable after = whenClosed; // outside the lock: it takes others
      whenClosed = null;
      if (after != null) {
        after.run();
      }
    }
  }

  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long number = NUMBERS.incrementAndGet();
  private final ElementType type;
  private final int length;
  private final Object owner;
  private final String where;
  private final State state;

  /**
   * An array of an engine.
   *
   * @param owner what its memory belongs to: only programs of the same one can use it
   * @param where that, for messages
   * @param memory its memory, which is closed with it
   */
  public KeptArray(ElementType type, int length, Object owner, String where, Memory memory) {
    this.type = type;
    this.length = length;
    this.owner = owner;
    this.where = where;
    this.state = new State("kept array %s (%s[%s])".formatted(number, type, length), memory);
  }

  /** A description of an array that is to be allocated. */
  public static String description(ElementType type, int length) {
    return "a kept array %s[%s]".formatted(type, length);
  }

  /** The elements' type. */
  public ElementType type() {
    return type;
  }

  /** The number of elements that it has room for. */
  public int length() {
    return length;
  }

  /** The number of elements that are defined, from the first on. */
  public int written() {
    return state.written;
  }

  /** Bytes that it takes on the device, 0 on the JVM. */
  public long deviceBytes() {
    return state.memory.bytes();
  }

  /** Whether it can be used. */
  public boolean isOpen() {
    return !state.closed;
  }

  /**
   * Copies elements into it, from its beginning; these are all that it has then.
   *
   * @throws IllegalArgumentException if they are too many, or no whole number
   * @throws IllegalStateException if it is closed
   * @throws funnel.operation.FunnelDeviceException if they did not reach the device; it then has no
   *     elements
   */
  public void write(MemorySegment elements) {
    state.beforeUse.run();
    int count = count(elements);
    if (count > length) {
      throw new IllegalArgumentException(
          "elements for %s are too many: length=%s, capacity=%s".formatted(this, count, length));
    }
    lock(true);
    try {
      begin("the last write into it failed");
      if (count > 0) {
        synchronized (state.memory) {
          state.memory.send(elements);
        }
      }
      done(count);
    } finally {
      unlock(true);
    }
  }

  /**
   * Copies elements out of it.
   *
   * @param from the index of the first
   * @param destination as long as what is copied
   * @throws IndexOutOfBoundsException if they are not within the array
   * @throws IllegalStateException if it is closed, or some of them are not defined: never written,
   *     or not again since the last run that was to write them failed
   * @throws funnel.operation.FunnelDeviceException if the copy did not take place
   */
  public void read(int from, MemorySegment destination) {
    state.beforeUse.run();
    int count = count(destination);
    lock(false);
    try {
      requireWritten(from, count);
      receive(from, destination);
    } finally {
      unlock(false);
    }
  }

  private int count(MemorySegment elements) {
    long bytes = elements.byteSize();
    if (bytes % type.bytes() != 0 || bytes / type.bytes() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%s bytes are no number of elements of %s".formatted(bytes, this));
    }
    return (int) (bytes / type.bytes());
  }

  /** Copies elements out, under the lock of whoever calls this. */
  void receive(int from, MemorySegment destination) {
    if (destination.byteSize() > 0) {
      synchronized (state.memory) {
        state.memory.receive((long) from * type.bytes(), destination);
      }
    }
  }

  /** Requires defined elements; to be called under the lock. */
  void requireWritten(int from, int count) {
    if (from < 0 || count < 0 || from > length - count) {
      throw new IndexOutOfBoundsException(
          "elements from %s, length=%s, of %s".formatted(from, count, this));
    }
    if (from + count > state.written) {
      throw new IllegalStateException(
          state.written == 0 && !state.undefined.isEmpty()
              ? "%s has no elements: %s".formatted(this, state.undefined)
              : "%s has no elements from %s on, wanted are %s to %s"
                  .formatted(this, state.written, from, from + count));
    }
  }

  /** Leaves it without elements, under the lock, until they are written. */
  void begin(String otherwise) {
    state.undefined = otherwise;
    state.written = 0;
  }

  /** Its first elements are written now. */
  void done(int count) {
    state.undefined = "";
    state.written = count;
  }

  /* A thread inside a run may be one that the run waits for, as its check of kernels is. If the run
   * has the lock, that thread must not queue after one that waits to write.
   */
  void lock(boolean writes) {
    boolean isInside = !writes && CallChain.current().isInsideRun();
    if (!isInside || !state.lock.readLock().tryLock()) {
      (writes ? state.lock.writeLock() : state.lock.readLock()).lock();
    }
    if (state.closed) {
      unlock(writes);
      state.requireOpen();
    }
  }

  void unlock(boolean writes) {
    (writes ? state.lock.writeLock() : state.lock.readLock()).unlock();
  }

  long number() {
    return number;
  }

  /**
   * Its memory, for a program of an engine.
   *
   * @param by what the memory of the program's arrays belongs to
   * @param there that, for messages
   * @throws IllegalArgumentException if it is in other memory
   * @throws IllegalStateException if it is closed
   */
  public Memory memory(@Nullable Object by, String there) {
    state.requireOpen();
    if (owner != by) {
      throw new IllegalArgumentException(
          "%s is in the memory of %s and cannot be used on %s: copy it explicitly, to an array that is kept there"
              .formatted(this, where, there));
    }
    return state.memory;
  }

  /** What closes it; does not refer to it, so that it can be called when this was forgotten. */
  public Runnable closing() {
    State its = state;
    return its::close;
  }

  /**
   * Sets what is done before it is read, written or closed by calls of these methods, which throws
   * if a function of the user makes them during a run; and what is done once it is closed.
   */
  public void guard(Runnable before, Runnable afterwards) {
    state.beforeUse = before;
    state.whenClosed = afterwards;
  }

  /** Its number, type and length. */
  @Override
  public String toString() {
    return state.name;
  }

  /** Frees its memory once the runs that use it have ended; closing again does nothing. */
  @Override
  public void close() {
    state.beforeUse.run();
    state.close();
  }
}
