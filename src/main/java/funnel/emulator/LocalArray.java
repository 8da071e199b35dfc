package funnel.emulator;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A local array of a group, and which thread has used which element since the last barrier. */
final class LocalArray {

  /*
   * Shared memory holds what the last block left there, so a new array is filled with random bits:
   * a kernel that does not initialize it gives a wrong result here too.
   *
   * The shadow detects data races. Barriers are the only thing that orders a group's threads, and
   * all threads pass them together, so one number, the group's epoch (barriers passed so far),
   * replaces the vector clocks of a general race detector. For every element and kind of access
   * (write, read, atomic) the shadow keeps the epoch of the latest access and the first two
   * different threads of that epoch; two are enough to name one that is not the current thread.
   * Writes of the value that is already there do not race with each other (many threads raising one
   * flag), but reading that element before the next barrier is a race. Shuffles order nothing: the
   * lanes of a warp exchange registers, not memory.
   */

  private static final int NOBODY = -1;

  final Object array;
  final CallPath place;
  final Class<?> type;
  final int size;
  private final WorkGroup group;
  private final Accesses @Nullable [] shadow;

  private enum Kind {
    WRITE("wrote"),
    READ("read"),
    ATOMIC("added atomically to");

    /** What conflicts with each, kept, since there are many accesses. */
    static final Kind[] OF_READ = {WRITE, ATOMIC};

    static final Kind[] OF_SAME = {READ, ATOMIC};
    static final Kind[] OF_WRITE = {WRITE, READ, ATOMIC};
    static final Kind[] OF_ATOMIC = {WRITE, READ};

    final String verb;

    Kind(String verb) {
      this.verb = verb;
    }
  }

  private static final class Accesses {
    final long[] epoch;
    final int[] first;
    final int[] second;

    Accesses(int size) {
      epoch = new long[size];
      first = new int[size];
      second = new int[size];
      Arrays.fill(epoch, -1);
    }

    /** A thread other than this one that did this in this epoch, or NOBODY. */
    int other(int index, long now, int thread) {
      return epoch[index] != now ? NOBODY : first[index] != thread ? first[index] : second[index];
    }

    void add(int index, long now, int thread) {
      if (epoch[index] != now) {
        epoch[index] = now;
        first[index] = thread;
        second[index] = NOBODY;
      } else if (first[index] != thread && second[index] == NOBODY) {
        second[index] = thread;
      }
    }
  }

  LocalArray(
      WorkGroup group,
      CallPath place,
      Class<?> type,
      int size,
      SplittableRandom random,
      boolean races) {
    this.group = group;
    this.type = type;
    this.size = size;
    this.place = place;
    this.array = garbage(type, size, random);
    this.shadow =
        races ? new Accesses[] {new Accesses(size), new Accesses(size), new Accesses(size)} : null;
  }

  static long bytes(Class<?> type, int size) {
    int width = type == byte.class ? 1 : type == int.class || type == float.class ? 4 : 8;
    return (long) width * size;
  }

  private static Object garbage(Class<?> type, int size, SplittableRandom random) {
    if (type == int.class) {
      int[] a = new int[size];
      Arrays.setAll(a, i -> random.nextInt());
      return a;
    }
    if (type == long.class) {
      long[] a = new long[size];
      Arrays.setAll(a, i -> random.nextLong());
      return a;
    }
    if (type == double.class) {
      double[] a = new double[size];
      Arrays.setAll(a, i -> Double.longBitsToDouble(random.nextLong()));
      return a;
    }
    if (type == float.class) {
      float[] a = new float[size];
      for (int i = 0; i < size; i++) {
        a[i] = Float.intBitsToFloat(random.nextInt());
      }
      return a;
    }
    byte[] a = new byte[size];
    random.nextBytes(a);
    return a;
  }

  void read(KernelThread thread, int index) {
    check(thread, index, Kind.READ, Kind.OF_READ);
  }

  void write(KernelThread thread, int index, boolean sameValue) {
    if (sameValue) {
      check(thread, index, Kind.WRITE, Kind.OF_SAME);
    } else {
      check(thread, index, Kind.WRITE, Kind.OF_WRITE);
    }
  }

  void atomic(KernelThread thread, int index) {
    check(thread, index, Kind.ATOMIC, Kind.OF_ATOMIC);
  }

  private void check(KernelThread thread, int index, Kind kind, Kind[] conflicting) {
    Accesses[] all = shadow;
    if (all == null || index < 0 || index >= size) {
      return;
    }
    for (Kind earlier : conflicting) {
      int other = all[earlier.ordinal()].other(index, group.epoch, thread.number);
      if (other != NOBODY) {
        throw new LocalRaceException(
            thread.place(),
            other,
            index,
            ("race in the local array %s[%s] of %s: element %s, which thread %s %s, and this thread"
                    + " %s at %s, with no barrier between them; put a localBarrier there")
                .formatted(
                    type,
                    size,
                    place,
                    index,
                    thread.place().threadName(other),
                    earlier.verb,
                    kind.verb,
                    KernelThread.lineOf(new Throwable())));
      }
    }
    all[kind.ordinal()].add(index, group.epoch, thread.number);
  }
}
