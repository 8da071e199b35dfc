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
   */

  private final ElementType type;
  private final int length;
  private final @Nullable KeptArray onDevice;
  private volatile @Nullable Elements inMemory;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile Runnable closing = () -> {};

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

  ElementType type() {
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

  /** The array on the device. */
  public KeptArray array() {
    requireOpen();
    return Objects.requireNonNull(onDevice);
  }

  /** The elements in memory: themselves, or a copy of what is on the device. */
  public Elements elements() {
    return elements(0, length);
  }

  /** Some of the elements in memory. */
  public Elements elements(int from, int to) {
    Elements there = inMemory;
    if (onDevice == null && there != null) {
      return there.range(from, to);
    }
    requireOpen();
    Elements copy = Elements.allocate(type, to - from);
    array().read(from, copy.segment());
    return copy;
  }

  /** Whether it is closed. */
  public boolean isClosed() {
    return closed.get();
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException(
          "a kept array of %s elements of type %s is closed: read what follows from it before"
              .formatted(length, type));
    }
  }

  /** Frees it; what follows from it cannot be read any more. */
  public void close() {
    if (closed.compareAndSet(false, true)) {
      inMemory = null;
      closing.run();
    }
  }
}
