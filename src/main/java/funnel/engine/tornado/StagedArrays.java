package funnel.engine.tornado;

import funnel.engine.Copying;
import funnel.engine.device.ProgramArrays;
import funnel.jit.TwinClass;
import funnel.kernel.Kernel;
import funnel.kernel.KernelTask;
import funnel.operation.Primitive;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Large arrays of one type that go to the device and back in pieces, through {@link Staging}. */
final class StagedArrays {

  /* TornadoVM copies whole arrays. So a piece is an array of its own, in a slot of the staging
   * memory, and a kernel copies it to its place, at the speed of the device's memory. All arrays of
   * a type share the graphs: each graph has a kernel for each array, and the control array makes
   * all but one of them do nothing.
   *
   * The last element of a piece is its number. It arrives in the same copy as the others, so it
   * shows that they have arrived.
   */

  private static final int NUMBERS = 127; // what a byte has room for
  private static final int THREADS = 256;
  private static final int MOST_BLOCKS = 2048;

  /**
   * If there are more of a type, the rest is copied as whole arrays; a graph has room for at least
   * this many launches.
   */
  private static final int MOST = 16;

  private final ElementType type;
  private final List<TornadoNativeArray> arrays;
  private final int length;
  private final Staging.Lane lane;
  private final List<TornadoNativeArray> pieces;
  private final IntArray control;
  private final IntArray reports;
  private int number;

  private StagedArrays(ElementType type, List<TornadoNativeArray> arrays, Staging.Lane lane) {
    this.type = type;
    this.arrays = List.copyOf(arrays);
    this.lane = lane;
    long largest = arrays.stream().mapToLong(a -> a.getSegment().byteSize()).max().orElseThrow();
    length = (int) (Staging.pieceBytes(largest) / type.bytes());
    pieces =
        IntStream.range(0, Staging.SLOTS)
            .mapToObj(slot -> lane.array(type, length + 1, slot))
            .toList();
    control = (IntArray) HostArrays.allocate(ElementType.INT, 2 * arrays.size() + 1);
    reports = (IntArray) HostArrays.allocate(ElementType.INT, 2 * arrays.size());
  }

  /** Whether an array is large enough for staging. */
  static boolean isLarge(TornadoNativeArray array) {
    return array.getSegment().byteSize() >= Staging.LEAST_ARRAY;
  }

  /** The large ones of some arrays, by their types. */
  static List<StagedArrays> of(Staging staging, List<TornadoNativeArray> all) {
    List<StagedArrays> staged = new ArrayList<>();
    if (all.stream().noneMatch(StagedArrays::isLarge) || !staging.hasLanes()) {
      return staged;
    }
    Staging.Lane lane = staging.lane();
    for (ElementType type : ElementType.values()) {
      List<TornadoNativeArray> large =
          all.stream()
              .filter(a -> isLarge(a) && ProgramArrays.typeOf(a) == type)
              .distinct()
              .limit(MOST)
              .toList();
      if (!large.isEmpty()) {
        staged.add(new StagedArrays(type, large, lane));
      }
    }
    return staged;
  }

  List<TornadoNativeArray> arrays() {
    return arrays;
  }

  boolean has(Object array) {
    return indexOf(array) >= 0;
  }

  private int indexOf(Object array) {
    return IntStream.range(0, arrays.size())
        .filter(i -> arrays.get(i) == array)
        .findFirst()
        .orElse(-1);
  }

  /** What is uploaded before the tasks of a graph that copies pieces. */
  Object[] uploaded(int slot, boolean in) {
    return in ? new Object[] {control, reports, pieces.get(slot)} : new Object[] {control};
  }

  /** What is copied to the host after them. */
  Object downloaded(int slot, boolean in) {
    return in ? reports : pieces.get(slot);
  }

  /** The tasks of a graph that copies pieces, in or out. */
  List<KernelTask> tasks(int slot, boolean in) {
    Kernel kernel =
        Kernel.of(
            TwinClass.of(MethodHandles.lookup(), IntPieceKernels.class, type), in ? "in" : "out");
    int blocks = Math.min(MOST_BLOCKS, Math.ceilDiv(length, THREADS));
    return IntStream.range(0, arrays.size())
        .mapToObj(
            i ->
                kernel.task(
                    KernelTask.id("piece", "of" + i),
                    KernelTask.Grid.of(blocks, THREADS),
                    Map.of(
                        "control",
                        control,
                        "piece",
                        pieces.get(slot),
                        "array",
                        arrays.get(i),
                        "report",
                        reports,
                        "at",
                        2 * i,
                        "number",
                        2 * arrays.size(),
                        "length",
                        length)))
        .toList();
  }

  /** The bytes that pieces of arrays take on the device. */
  static long deviceBytes(Stream<Primitive.Slot> of) {
    Map<ElementType, Long> largest = new EnumMap<>(ElementType.class);
    of.forEach(s -> largest.merge(s.type(), (long) s.length() * s.type().bytes(), Math::max));
    return largest.values().stream()
        .filter(bytes -> bytes >= Staging.LEAST_ARRAY && Staging.isThere())
        .mapToLong(bytes -> 2L * Staging.SLOTS * Staging.pieceBytes(bytes))
        .sum();
  }

  /** Makes the next piece begin at an element of an array; returns its number. */
  private int next(int array, int first, int count) {
    number = number % NUMBERS + 1;
    for (int i = 0; i < arrays.size(); i++) {
      control.set(2 * i, i == array ? first : 0);
      control.set(2 * i + 1, i == array ? count : 0);
      reports.set(2 * i, 0);
    }
    control.set(2 * arrays.size(), number);
    return number;
  }

  private static void set(TornadoNativeArray array, int at, int value) {
    switch (array) {
      case ByteArray a -> a.set(at, (byte) value);
      case IntArray a -> a.set(at, value);
      case LongArray a -> a.set(at, value);
      case FloatArray a -> a.set(at, value);
      case DoubleArray a -> a.set(at, value);
      default -> throw new IllegalArgumentException("no such array: " + array.getClass());
    }
  }

  private MemorySegment slot(int slot, long bytes) {
    return pieces.get(slot).getSegment().asSlice(0, bytes);
  }

  private MemorySegment part(MemorySegment of, long at) {
    return of.asSlice(at, Math.min((long) length * type.bytes(), of.byteSize() - at));
  }

  /**
   * Copies elements to the device.
   *
   * @param copyIn runs the graph that copies the piece of a slot in
   * @return whether all arrived
   */
  boolean send(Object array, int first, MemorySegment elements, IntConsumer copyIn) {
    int index = indexOf(array);
    long step = (long) length * type.bytes();
    lane.lock();
    @Nullable Copying filling = null;
    try {
      int slot = 0;
      for (long at = 0; at < elements.byteSize(); at += step) {
        MemorySegment part = part(elements, at);
        if (filling == null) {
          filling = Copying.begin(part, slot(slot, part.byteSize()));
        }
        filling.join();
        filling = null;
        int other = 1 - slot;
        if (at + step < elements.byteSize()) {
          MemorySegment next = part(elements, at + step);
          filling = Copying.begin(next, slot(other, next.byteSize()));
        }
        int count = (int) Math.ceilDiv(part.byteSize(), type.bytes()); // bytes may be read as longs
        int expected = next(index, first + (int) (at / type.bytes()), count);
        set(pieces.get(slot), length, expected);
        copyIn.accept(slot);
        if (reports.get(2 * index) != expected) {
          return false;
        }
        slot = other;
      }
      return true;
    } finally {
      await(filling);
      lane.unlock();
    }
  }

  /**
   * Copies elements from the device.
   *
   * @param copyOut runs the graph that copies the piece of a slot out
   * @return whether all arrived
   */
  boolean receive(Object array, int first, MemorySegment destination, IntConsumer copyOut) {
    int index = indexOf(array);
    long step = (long) length * type.bytes();
    lane.lock();
    @Nullable Copying[] emptying = new Copying[Staging.SLOTS];
    try {
      int slot = 0;
      for (long at = 0; at < destination.byteSize(); at += step) {
        MemorySegment part = part(destination, at);
        join(emptying[slot]);
        int count = (int) Math.ceilDiv(part.byteSize(), type.bytes()); // bytes may be read as longs
        int expected = next(index, first + (int) (at / type.bytes()), count);
        set(pieces.get(slot), length, 0);
        copyOut.accept(slot);
        if (ProgramArrays.element(pieces.get(slot), length).intValue() != expected) {
          return false;
        }
        emptying[slot] = Copying.begin(slot(slot, part.byteSize()), part);
        slot = 1 - slot;
      }
      for (Copying each : emptying) {
        join(each);
      }
      return true;
    } finally {
      for (Copying each : emptying) {
        await(each);
      }
      lane.unlock();
    }
  }

  private static void join(@Nullable Copying copying) {
    if (copying != null) {
      copying.join();
    }
  }

  /** Waits, so that nothing reads or writes the caller's memory after the call. */
  private static void await(@Nullable Copying copying) {
    if (copying != null) {
      copying.await();
    }
  }
}
