package funnel.emulator;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** One emulated thread, with the context that its kernel sees. */
final class KernelThread {

  /*
   * The context is a plain KernelContext, and what a kernel calls on it goes through Probe to the
   * thread. It must not be a subclass: as soon as a process has one that overrides a method,
   * TornadoVM's compiler no longer knows which method a kernel calls, and compiles none of them.
   *
   * The ids are final fields of KernelContext, which TornadoVM's compiler replaces and its Java
   * code leaves at zero. They are instance fields of an ordinary class, so a setter made from the
   * reflected field after setAccessible writes them, and HotSpot does not treat them as constants.
   *
   * A thread stops in await(), and its state says why; WorkGroup reads the states once all have
   * stopped, and decides which threads continue. All of this happens on one carrier (or with the
   * turn passed on), so nothing here needs to be volatile. Only atomics on global arrays involve
   * other carriers.
   */

  enum State {
    READY,
    AT_BARRIER,
    AT_SHUFFLE,
    AT_ACCESS,
    ENDED
  }

  enum Shuffle {
    SUM("simdSum"),
    DOWN("simdShuffleDown"),
    FIRST("simdBroadcastFirst");

    final String method;

    Shuffle(String method) {
      this.method = method;
    }
  }

  /** A barrier costs as many steps as this, so that endless loops around barriers end soon too. */
  static final int STEPS_OF_BARRIER = 1000;

  static final int WARP = 32;

  private static final String UNKNOWN_SITE = "an unknown place";

  /** HotSpot throws one exception without message and trace for all that a hot method throws. */
  private static final String LEFT_OUT =
      "a place that the JVM leaves out (-XX:-OmitStackTraceInFastThrow makes it tell)";

  private static final ThreadLocal<@Nullable KernelThread> OF_VIRTUAL_THREAD = new ThreadLocal<>();

  private static final MethodHandle GLOBAL_X = setter("globalIdx");
  private static final MethodHandle GLOBAL_Y = setter("globalIdy");
  private static final MethodHandle GROUP_X = setter("groupIdx");
  private static final MethodHandle GROUP_Y = setter("groupIdy");
  private static final MethodHandle LOCAL_X = setter("localIdx");
  private static final MethodHandle LOCAL_Y = setter("localIdy");
  private static final MethodHandle LOCAL_SIZE_X = setter("localGroupSizeX");
  private static final MethodHandle LOCAL_SIZE_Y = setter("localGroupSizeY");
  private static final MethodHandle LOCAL_SIZE_Z = setter("localGroupSizeZ");
  private static final MethodHandle GLOBAL_SIZE_X = setter("globalGroupSizeX");
  private static final MethodHandle GLOBAL_SIZE_Y = setter("globalGroupSizeY");
  private static final MethodHandle GLOBAL_SIZE_Z = setter("globalGroupSizeZ");

  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle FLOAT = ValueLayout.JAVA_FLOAT.varHandle();
  private static final VarHandle DOUBLE = ValueLayout.JAVA_DOUBLE.varHandle();
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  private static final Pattern HEAP_BOUNDS = Pattern.compile("Index (-?\\d+) .* length (\\d+)");

  private static final Set<String> OURS =
      Set.of(
          Probe.class.getName(),
          KernelThread.class.getName(),
          LocalArray.class.getName(),
          WorkGroup.class.getName());

  private final KernelContext context = new KernelContext();
  private final WorkGroup group;
  private final int x;
  private final int y;

  /** Number within the group, x running fastest. */
  final int number;

  State state = State.ENDED;
  CallPath site;
  Shuffle shuffle = Shuffle.SUM;
  float value;
  int delta;
  @Nullable Turn turn;

  long stepsLeft;
  private CallPath path;
  @Nullable Throwable failure;
  @Nullable Coroutine coroutine;

  KernelThread(WorkGroup group, int x, int y) {
    this.group = group;
    this.x = x;
    this.y = y;
    this.number = x + y * group.grid.threads();
    this.path = group.root;
    this.site = group.root;
    set(LOCAL_X, x);
    set(LOCAL_Y, y);
    set(LOCAL_SIZE_X, group.grid.threads());
    set(LOCAL_SIZE_Y, group.grid.threadsY());
    set(LOCAL_SIZE_Z, 1);
    set(GLOBAL_SIZE_X, group.grid.blocks() * group.grid.threads());
    set(GLOBAL_SIZE_Y, group.grid.blocksY() * group.grid.threadsY());
    set(GLOBAL_SIZE_Z, 1);
  }

  /** The emulated thread that calls this. */
  static KernelThread current() {
    KernelThread thread =
        Thread.currentThread() instanceof Carrier carrier
            ? carrier.current
            : OF_VIRTUAL_THREAD.get();
    if (thread == null) {
      throw new IllegalStateException("not called by a kernel that the emulator runs");
    }
    return thread;
  }

  /** Makes this the thread of the same number in another group. */
  void begin(int groupX, int groupY, long maxSteps) {
    set(GROUP_X, groupX);
    set(GROUP_Y, groupY);
    set(GLOBAL_X, groupX * group.grid.threads() + x);
    set(GLOBAL_Y, groupY * group.grid.threadsY() + y);
    state = State.READY;
    turn = null;
    stepsLeft = maxSteps;
    path = group.root;
  }

  /** Makes this {@link #current} where it is called. */
  void makeCurrent() {
    if (Thread.currentThread() instanceof Carrier carrier) {
      carrier.current = this;
    } else {
      OF_VIRTUAL_THREAD.set(this);
    }
  }

  /** Runs the thread to its end, or to its failure. */
  void run() {
    try {
      group.kernel.call(context);
    } catch (Coroutine.Abandoned e) {
      throw e;
    } catch (Throwable t) {
      failure = t;
    }
    state = State.ENDED;
  }

  // Calls

  void enter(String where) {
    path = path.to(where);
  }

  void leave() {
    path = path.back();
  }

  // Barriers and shuffles

  void barrier(String where) {
    stepsLeft -= STEPS_OF_BARRIER;
    if (stepsLeft < 0) {
      throw endless();
    }
    await(State.AT_BARRIER, where);
  }

  float shuffle(Shuffle kind, float mine, int distance, String where) {
    if (distance < 0 || distance >= WARP) {
      throw new IllegalArgumentException(
          "simdShuffleDown takes a delta of 0 to 31, and the device only its lowest five bits:"
              + " delta="
              + distance);
    }
    stepsLeft -= STEPS_OF_BARRIER;
    if (stepsLeft < 0) {
      throw endless();
    }
    shuffle = kind;
    value = mine;
    delta = distance;
    await(State.AT_SHUFFLE, where);
    return value;
  }

  private void await(State reason, String where) {
    state = reason;
    site = path.to(where);
    Coroutine self = coroutine;
    if (self == null) {
      throw new IllegalStateException("the thread has not begun");
    }
    self.suspend();
  }

  void requireBlockSize(int threads) {
    int size = group.grid.threads() * group.grid.threadsY();
    if (threads != size) {
      throw unsupported(
          "a collective is told threads=%s in a block of %s threads; pass the block's size"
              .formatted(threads, size));
    }
  }

  // Local memory

  Object allocate(Class<?> type, int size, String where) {
    return group.localArray(this, path.to(where), type, size).array;
  }

  /** Throws if this is a local array, which a device would use wrongly here. */
  void requireNotLocal(Object array, String use) {
    if (group.localArrayOf(array) != null) {
      throw unsupported(use);
    }
  }

  void read(Object array, int index) {
    LocalArray local = group.watchedArrayOf(array);
    if (local != null) {
      local.read(this, index);
    }
  }

  void write(Object array, int index, boolean sameValue) {
    LocalArray local = group.watchedArrayOf(array);
    if (local != null) {
      local.write(this, index, sameValue);
    }
  }

  // Global memory

  /** Waits for the thread's turn if there are turns, otherwise continues immediately. */
  void access(Object array, int index, Access.Kind kind) {
    if (group.turns != null) {
      turn = new Turn(number, kind, array, index);
      await(State.AT_ACCESS, "an access");
    }
  }

  void atomicAdd(IntArray array, int index, int val) {
    Probe.checkIndex(index, array.getSize(), "IntArray");
    access(array, index, Access.Kind.ADD);
    int _ = (int) INT.getAndAdd(array.getSegment(), (long) index * Integer.BYTES, val);
  }

  void atomicAdd(int[] array, int index, int val) {
    Probe.checkIndex(index, array.length, "local array or array on the heap");
    LocalArray local = group.watchedArrayOf(array);
    if (local != null) {
      local.atomic(this, index);
    }
    int _ = (int) INTS.getAndAdd(array, index, val);
  }

  void atomicAdd(LongArray array, int index, long val) {
    Probe.checkIndex(index, array.getSize(), "LongArray");
    access(array, index, Access.Kind.ADD);
    long _ = (long) LONG.getAndAdd(array.getSegment(), (long) index * Long.BYTES, val);
  }

  void atomicAdd(FloatArray array, int index, float val) {
    Probe.checkIndex(index, array.getSize(), "FloatArray");
    access(array, index, Access.Kind.ADD);
    MemorySegment segment = array.getSegment();
    long offset = (long) index * Float.BYTES;
    float old;
    do {
      old = (float) FLOAT.getVolatile(segment, offset);
    } while (!FLOAT.compareAndSet(segment, offset, old, old + val));
  }

  void atomicAdd(DoubleArray array, int index, double val) {
    Probe.checkIndex(index, array.getSize(), "DoubleArray");
    access(array, index, Access.Kind.ADD);
    MemorySegment segment = array.getSegment();
    long offset = (long) index * Double.BYTES;
    double old;
    do {
      old = (double) DOUBLE.getVolatile(segment, offset);
    } while (!DOUBLE.compareAndSet(segment, offset, old, old + val));
  }

  // Mistakes

  Place place() {
    return group.place(number);
  }

  EmulatorException endless() {
    return new EndlessKernelException(place(), group.maxSteps, lineOf(new Throwable()));
  }

  EmulatorException outOfBounds(String array, long index, long size, @Nullable Throwable cause) {
    return new KernelBoundsException(
        place(), array, index, size, lineOf(cause == null ? new Throwable() : cause), cause);
  }

  EmulatorException unsupported(String problem) {
    return new UnsupportedKernelException(
        place(), problem + " (at " + lineOf(new Throwable()) + ")", null);
  }

  /** The kernel's exception as an EmulatorException. */
  EmulatorException failed(Throwable thrown) {
    return switch (thrown) {
      case EmulatorException e -> e;
      case ArrayIndexOutOfBoundsException e -> {
        Matcher numbers = HEAP_BOUNDS.matcher(String.valueOf(e.getMessage()));
        yield numbers.find()
            ? outOfBounds(
                "local or private array",
                Long.parseLong(numbers.group(1)),
                Long.parseLong(numbers.group(2)),
                e)
            : new KernelFailedException(place(), lineOf(e), e);
      }
      default -> new KernelFailedException(place(), lineOf(thrown), thrown);
    };
  }

  static String lineOf(Throwable thrown) {
    for (StackTraceElement frame : thrown.getStackTrace()) {
      if (!OURS.contains(frame.getClassName())) {
        return "%s.%s(%s:%s)"
            .formatted(
                frame.getClassName(),
                frame.getMethodName(),
                frame.getFileName(),
                frame.getLineNumber());
      }
    }
    return thrown.getStackTrace().length > 0 ? UNKNOWN_SITE : LEFT_OUT;
  }

  private void set(MethodHandle setter, int value) {
    try {
      setter.invokeExact(context, (Integer) value);
    } catch (Throwable t) {
      throw new IllegalStateException("setting an id of KernelContext", t);
    }
  }

  private static MethodHandle setter(String name) {
    try {
      Field field = KernelContext.class.getDeclaredField(name);
      field.setAccessible(true);
      return MethodHandles.lookup()
          .unreflectSetter(field)
          .asType(MethodType.methodType(void.class, KernelContext.class, Integer.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("KernelContext has no field " + name + " to set", e);
    }
  }
}
