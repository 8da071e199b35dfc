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
  private volatile @Nullable Elements inMemory;
  private volatile Runnable closing = () -> {};
  private final AtomicBoolean isShared = new AtomicBoolean();
  private boolean closed;
  private int readers;

  private Kept(ElementType type, int length, @Nullable KeptArray array, @Nullable Elements there) {
    this.type = type;
    this.length = length;
    this.onDevice = array;
    this.inMemory = there;
  }

  /** Elements in memory that nobody else has. */
  public static Kept inMemory(Elements elements) {
    return new Kept(elements.type(), elements.length(), null, elements);
  }

  /** Elements on a device. */
  public static Kept onDevice(KeptArray array) {
    return new Kept(array.type(), array.written(), array, null);
  }

  /** Sets what closes it; must not refer to it. */
  public void closing(Runnable closes) {
    closing = closes;
  }

  /** The elements' type. */
  public ElementType type() {
    return type;
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
    return elements(0, length);
  }

  /** Some of the elements in memory. */
  public Elements elements(int from, int to) {
    if (onDevice == null) {
      Elements there = inMemory;
      if (there == null) {
        requireOpen();
      }
      return Objects.requireNonNull(there).range(from, to);
    }
    KeptArray array = acquire();
    try {
      Elements copy = Elements.allocate(type, to - from);
      array.read(from, copy.segment());
      return copy;
    } finally {
      release();
    }
  }

  /** Whether it is closed. */
  public synchronized boolean isClosed() {
    return closed;
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
