package funnel.plan;

import funnel.Elements;
import funnel.engine.JvmEngine;
import funnel.engine.KeptArray;
import funnel.jit.Tables;
import funnel.operator.ElementType;
import java.lang.ref.SoftReference;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Elements that are kept until they are closed: on a device, or on the JVM in an array that nobody
 * else has.
 */
public final class Kept implements Tables.Table {

  /* Plans refer to the array of the engine, but not to this object, unless a function of theirs has
   * captured it: so the garbage collector finds that all that could read it is lost.
   *
   * The array may serve another owner afterwards. So it is freed when the last reading that began
   * before has ended; closing does not wait for that.
   *
   * A function that looks up elements reads the Java array. It is in a plain field, so that the
   * JVM's compiler reads it once for a loop: a thread that does not see yet what another one has
   * written there goes the other way. Functions of a device run on the JVM too, where their kernels
   * are checked: for these there is a copy of what is on the device.
   */

  private static final SoftReference<Object> NO_COPY = new SoftReference<>(null);

  private final ElementType type;
  private final int length;
  private final int room;
  private final boolean isOnDevice;
  private final Guard owner;
  private @Nullable KeptArray array;
  private @Nullable Object inMemory;
  private volatile SoftReference<Object> copy = NO_COPY;
  private volatile Runnable closing = () -> {};
  private final AtomicBoolean isShared = new AtomicBoolean();
  private boolean closed;
  private int readers;

  private Kept(KeptArray array, @Nullable Object inMemory, Guard owner) {
    this.array = array;
    this.type = array.type();
    this.length = array.written();
    this.room = array.length();
    this.isOnDevice = inMemory == null;
    this.inMemory = inMemory;
    this.owner = owner;
  }

  /**
   * Elements in a Java array that nobody else has.
   *
   * @param owner that of the Funnel
   */
  public static Kept inMemory(Elements elements, Guard owner) {
    Object there = elements.segment().heapBase().orElseThrow();
    return new Kept(JvmEngine.kept(elements.type(), elements.segment()), there, owner);
  }

  /** Elements on a device. */
  public static Kept onDevice(KeptArray array, Guard owner) {
    return new Kept(array, null, owner);
  }

  /** Sets what closes it; must not refer to it. */
  public void closing(Runnable closes) {
    closing = closes;
  }

  @Override
  public ElementType type() {
    return type;
  }

  @Override
  public int length() {
    return length;
  }

  /** The number of elements that there is room for. */
  public int room() {
    return room;
  }

  /** Whether it is on a device. */
  public boolean isOnDevice() {
    return isOnDevice;
  }

  /** The engine's array, for a reading, which {@linkplain #release releases} it. */
  public synchronized KeptArray acquire() {
    requireOpen();
    readers++;
    return Objects.requireNonNull(array);
  }

  /** {@link #acquire} for a plan of a Funnel, which must be that of this. */
  KeptArray acquire(Guard by) {
    if (by != owner) {
      throw new IllegalArgumentException(
          "a kept array of %s elements of type %s, which a function reads, is of another Funnel: read it, and keep it in this one: of(x.toArray()).keep()"
              .formatted(length, type));
    }
    return acquire();
  }

  /** The engine's array for a plan of the user, which may read it at any time. */
  public synchronized KeptArray share() {
    requireOpen();
    isShared.set(true);
    return Objects.requireNonNull(array);
  }

  /** Whether a plan of the user may read it; does not refer to this. */
  public AtomicBoolean shared() {
    return isShared;
  }

  /** Ends a reading. */
  public void release() {
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
    if (!isOnDevice) {
      return Elements.ofArray(array()).range(from, to);
    }
    KeptArray there = acquire();
    try {
      Elements some = Elements.allocate(type, to - from);
      there.read(from, some.segment());
      return some;
    } finally {
      release();
    }
  }

  /** The elements as a Java array: themselves, or of those on a device a copy that is kept. */
  public Object array() {
    Object there = inMemory;
    return there != null ? there : copyOrThrow();
  }

  private Object copyOrThrow() {
    Object there = copy.get();
    return there != null ? there : copyNow();
  }

  private synchronized Object copyNow() {
    requireOpen();
    Object there = isOnDevice ? copy.get() : inMemory;
    if (there == null) {
      there = elements().segment().heapBase().orElseThrow();
      copy = new SoftReference<>(there);
    }
    return there;
  }

  /** Whether it is closed. */
  public synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "this kept array, %ss[%s], was closed: read what was made of it before you close it"
              .formatted(type.name().toLowerCase(Locale.ROOT), length));
    }
  }

  /** Frees it; what follows from it cannot be read any more. */
  public void close() {
    boolean isLast;
    synchronized (this) {
      isLast = !closed && readers == 0;
      closed = true;
      array = null;
      inMemory = null;
      copy = NO_COPY;
    }
    if (isLast) {
      closing.run();
    }
  }
}
