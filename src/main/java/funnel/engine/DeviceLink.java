package funnel.engine;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How fast elements come from the caller's memory to a device, and back. */
public final class DeviceLink {

  private static final Logger LOG = LoggerFactory.getLogger(DeviceLink.class);

  /** Until it is measured: half of what a slow link carries. */
  private static final double UNKNOWN = 6;

  /** What pieces that wait for each other leave of the slower of link and copying threads. */
  private static final double SHARE = 0.8;

  private static final int TRIES = 3;

  private volatile double in = UNKNOWN;
  private volatile double out = UNKNOWN;
  private final AtomicBoolean isBegun = new AtomicBoolean();
  private boolean isMeasured;

  /** A link that has not been measured. */
  DeviceLink() {}

  /**
   * A link that is known.
   *
   * @param in bytes a nanosecond that come to the device
   * @param out bytes a nanosecond that come back
   */
  public static DeviceLink of(double in, double out) {
    DeviceLink link = new DeviceLink();
    link.in = in;
    link.out = out;
    link.isMeasured = true;
    return link;
  }

  /** Measures the link once, in the background; until then it is taken for a slow one. */
  public void measure() {
    if (Staging.isThere() && !isBegun.getAndSet(true)) {
      Thread.ofPlatform().daemon().name("funnel-link").start(this::measureNow);
    }
  }

  private synchronized void measureNow() {
    if (isMeasured || !Staging.isThere()) {
      return;
    }
    isMeasured = true;
    try {
      Staging.DEFAULT.lock.lock();
      try {
        MemorySegment slot = Staging.DEFAULT.slot(0);
        MemorySegment other = Staging.DEFAULT.slot(1);
        double copied = 0;
        for (int i = 0; i < TRIES; i++) {
          long begin = System.nanoTime();
          Staging.copy(other, slot);
          copied = Math.max(copied, (double) slot.byteSize() / (System.nanoTime() - begin));
        }
        double[] rates = PinnedMemory.linkRates(slot, TRIES);
        in = SHARE * Math.min(copied, rates[0]);
        out = SHARE * Math.min(copied, rates[1]);
      } finally {
        Staging.DEFAULT.lock.unlock();
      }
    } catch (RuntimeException e) {
      LOG.info("the link to the device cannot be measured: {}", DeviceContext.reason(e));
    }
  }

  /** The nanoseconds that so many bytes take there, and others back. */
  public double nanos(long bytesIn, long bytesOut) {
    return bytesIn / in + bytesOut / out;
  }

  /** Its rates in words; measures them first if that was not yet done. */
  public String rates() {
    measureNow();
    return "%.1f GB/s in, %.1f GB/s out%s"
        .formatted(in, out, in == UNKNOWN ? ", not measured" : "");
  }
}
