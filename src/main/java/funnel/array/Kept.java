package funnel.array;

import funnel.Elements;
import funnel.engine.KeptArray;
import funnel.operator.ElementType;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Elements that are kept until they are closed: on a device, or on the JVM in an array that nobody
 * else has.
 */
public final class Kept {

  /* Plans refer to the array on the device, but not to this object: so the garbage collector finds
   * that all that could read it is lost.
   *
   * The array may serve another owner afterwards. So it is freed when the last reading that began
   * before has ended; closing does not wait for that.
   */

  private final ElementType type;
  private final int length;
  private final @Nullable KeptArray onDevice;
  private final String ends; // of those on a device, which may be busy when they are asked for
  private volatile @Nullable Elements inMemory;
  private volatile Runnable closing = () -> {};
  private final AtomicBoolean isShared = new AtomicBoolean();
  private boolean closed;
  private int readers;

  private Kept(Elements elements, @Nullable KeptArray array) {
    this.type = elements.type();
    this.length = elements.length();
    this.onDevice = array;
    this.inMemory = array == null ? elements : null;
    this.ends = array == null ? "" : Shown.ends(elements);
  }

  /** Elements in memory that nobody else has. */
  public static Kept inMemory(Elements elements) {
    return new Kept(elements, null);
  }

  /** Elements that were copied to a device. */
  public static Kept onDevice(KeptArray array, Elements elements) {
    return new Kept(elements, array);
  }

  /** Sets what closes it; must not refer to it. */
  public void closing(Runnable closes) {
    closing = closes;
  }

  /** The number of elements. */
  public int length() {
    return length;
  }

  /** Whether it is on a device. */
  public boolean isOnDevice() {
    return onDevice != null;
  }

  /** The array on the device, for a reading, which {@linkplain #release releases} it. */
  synchronized KeptArray acquire() {
    requireOpen();
    readers++;
    return Objects.requireNonNull(onDevice);
  }

  /** The array on the device for a plan of the user, which may read it at any time. */
  public synchronized KeptArray share() {
    requireOpen();
    isShared.set(true);
    return Objects.requireNonNull(onDevice);
  }

  /** Whether a plan of the user may read it; does not refer to this. */
  public AtomicBoolean shared() {
    return isShared;
  }

  void release() {
    boolean isLast;
    synchronized (this) {
      isLast = --readers == 0 && closed;
    }
    if (isLast) {
      closing.run();
    }
  }

  /** The elements in memory: themselves, or a copy of what is on the device. */
  public Elements elements() {
    if (onDevice == null) {
      Elements there = inMemory;
      if (there == null) {
        requireOpen();
      }
      return Objects.requireNonNull(there);
    }
    KeptArray array = acquire();
    try {
      Elements copy = Elements.allocate(type, length);
      array.read(0, copy.segment());
      return copy;
    } finally {
      release();
    }
  }

  /** A text that waits for nothing. */
  String shown(String name) {
    Elements there = inMemory;
    boolean isClosed;
    synchronized (this) {
      isClosed = closed;
    }
    return isClosed
        ? Shown.type(type) + ", closed"
        : Shown.of(type, length, name, ", kept", there == null ? ends : Shown.ends(there));
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "a kept array of %s elements of type %s is closed: read what follows from it before"
              .formatted(length, type));
    }
  }

  /** Frees it; what follows from it cannot be read any more. */
  public void close() {
    boolean isLast;
    synchronized (this) {
      isLast = !closed && readers == 0;
      closed = true;
      inMemory = null;
    }
    if (isLast) {
      closing.run();
    }
  }
}
