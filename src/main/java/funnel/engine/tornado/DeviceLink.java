package funnel.engine.tornado;

import funnel.engine.Copying;
import funnel.engine.device.DeviceContext;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The speed of copies from the caller's memory to a device, and back. */
public final class DeviceLink {

  private static final Logger LOG = LoggerFactory.getLogger(DeviceLink.class);

  /** The rate assumed before the measurement: half of that of a slow link. */
  private static final double UNKNOWN = 6;

  /**
   * The share of the rate of the link or the copying threads, whichever is slower, that remains
   * because pieces wait for each other.
   */
  private static final double SHARE = 0.8;

  private static final int TRIES = 3;
  private static final long BYTES = 64L << 20;

  private volatile double in = UNKNOWN;
  private volatile double out = UNKNOWN;
  private final AtomicBoolean isBegun = new AtomicBoolean();
  private boolean isMeasured;

  /** A link that has not been measured. */
  DeviceLink() {}

  /**
   * A link with known rates.
   *
   * @param in bytes per nanosecond to the device
   * @param out bytes per nanosecond back
   */
  public static DeviceLink of(double in, double out) {
    DeviceLink link = new DeviceLink();
    link.in = in;
    link.out = out;
    link.isMeasured = true;
    return link;
  }

  /** Measures the link once, in the background; until then it is assumed to be slow. */
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
    try (Arena arena = Arena.ofShared()) {
      double copied = 0;
      double carriedIn = 0;
      double carriedOut = 0;
      MemorySegment from = arena.allocate(BYTES, Long.BYTES);
      MemorySegment to = arena.allocate(BYTES, Long.BYTES);
      for (int i = 0; i < TRIES; i++) {
        long begin = System.nanoTime();
        Copying.copy(from, to);
        copied = Math.max(copied, (double) BYTES / (System.nanoTime() - begin));
        carriedIn = Math.max(carriedIn, (double) BYTES / PinnedCopies.nanos(BYTES, 0));
        carriedOut = Math.max(carriedOut, (double) BYTES / PinnedCopies.nanos(0, BYTES));
      }
      in = SHARE * Math.min(copied, carriedIn);
      out = SHARE * Math.min(copied, carriedOut);
    } catch (RuntimeException e) {
      LOG.info("the link to the device cannot be measured: {}", DeviceContext.reason(e));
    }
  }

  /** The nanoseconds for copying {@code bytesIn} to the device and {@code bytesOut} back. */
  public double nanos(long bytesIn, long bytesOut) {
    return bytesIn / in + bytesOut / out;
  }

  /** The rates in words; measures them first if they are not known. */
  public String rates() {
    measureNow();
    return String.format(
        Locale.ROOT,
        "%.1f GB/s in, %.1f GB/s out%s",
        in,
        out,
        in == UNKNOWN ? ", not measured" : "");
  }
}
