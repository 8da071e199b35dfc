package funnel.tornado;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import uk.ac.manchester.tornado.api.DataRange;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.WorkerGrid2D;
import uk.ac.manchester.tornado.api.common.TaskPackage;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.exceptions.TornadoTaskRuntimeException;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.ShortArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * TornadoVM's API on the JVM alone. What is tested here holds for our statement of the API and for
 * TornadoVM's own classes, whichever the tests run with, but for what is marked as ours.
 */
class ApiOnJvmTest {
  private static final long HEADER = TornadoNativeArray.ARRAY_HEADER;

  @Test
  void aHeaderComesFirstAndBeginsWithTheNumberOfElements() {
    assertEquals(0, HEADER % 8);
    for (TornadoNativeArray array :
        new TornadoNativeArray[] {
          new ByteArray(5),
          new ShortArray(5),
          new IntArray(5),
          new LongArray(5),
          new FloatArray(5),
          new DoubleArray(5)
        }) {
      assertEquals(5, array.getSize());
      assertEquals(5, array.getSegmentWithHeader().get(JAVA_INT, 0));
      assertEquals(5L * array.getElementSize(), array.getNumBytesOfSegment());
      assertEquals(5L * array.getElementSize(), array.getSegment().byteSize());
      assertEquals(HEADER + 5L * array.getElementSize(), array.getNumBytesOfSegmentWithHeader());
      assertEquals(array.getSegmentWithHeader().address() + HEADER, array.getSegment().address());
    }
  }

  @Test
  void aNewArrayIsZeroAndAnEmptyOneIsNoError() {
    assertArrayEquals(new double[3], new DoubleArray(3).toHeapArray());
    assertArrayEquals(new long[0], new LongArray(0).toHeapArray());
    assertArrayEquals(new int[0], IntArray.fromElements().toHeapArray());
    assertEquals(0, new FloatArray(0).getNumBytesOfSegment());
  }

  @Test
  void valuesComeBackBitForBit() {
    float[] floats = {0f, -0f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY};
    assertArrayEquals(floats, FloatArray.fromArray(floats).toHeapArray());
    double[] doubles = {0, -0.0, Double.NaN, Double.MIN_VALUE, Double.POSITIVE_INFINITY};
    assertArrayEquals(doubles, DoubleArray.fromArray(doubles).toHeapArray());
    long[] longs = {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE};
    assertArrayEquals(longs, LongArray.fromElements(longs).toHeapArray());
    int[] ints = {Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE};
    assertArrayEquals(ints, IntArray.fromElements(ints).toHeapArray());
    short[] shorts = {Short.MIN_VALUE, -1, 0, Short.MAX_VALUE};
    assertArrayEquals(shorts, ShortArray.fromElements(shorts).toHeapArray());
    byte[] bytes = {Byte.MIN_VALUE, -1, 0, Byte.MAX_VALUE};
    assertArrayEquals(bytes, ByteArray.fromElements(bytes).toHeapArray());
  }

  @Test
  void getAndSetAgreeWithTheSegment() {
    LongArray array = new LongArray(4);
    for (int i = 0; i < 4; i++) {
      array.set(i, 10L * i);
    }
    for (int i = 0; i < 4; i++) {
      assertEquals(10L * i, array.get(i));
      assertEquals(
          10L * i, array.getSegmentWithHeader().get(ValueLayout.JAVA_LONG, HEADER + 8L * i));
    }
    array.init(7);
    assertArrayEquals(new long[] {7, 7, 7, 7}, array.toHeapArray());
    array.clear();
    assertArrayEquals(new long[4], array.toHeapArray());
    LongArray.initialize(array, 3);
    assertArrayEquals(new long[] {3, 3, 3, 3}, array.toHeapArray());
  }

  @Test
  void anIndexBehindTheEndIsRefused() {
    IntArray array = new IntArray(3);
    assertThrows(IndexOutOfBoundsException.class, () -> array.get(3));
    assertThrows(IndexOutOfBoundsException.class, () -> array.set(3, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> array.get(Integer.MIN_VALUE));
  }

  @Test
  void oursRefusesAnIndexIntoTheHeader() {
    assumeOurs();
    IntArray array = new IntArray(3);
    assertThrows(IndexOutOfBoundsException.class, () -> array.get(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> array.set(-1, 9));
    assertThrows(IllegalArgumentException.class, () -> new IntArray(-1));
  }

  @Test
  void aShallowArrayIsAViewAndItsHeaderIsRewritten() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(HEADER + 8 * 4, 8);
      segment.set(JAVA_INT, 0, -1);
      IntArray ints = IntArray.fromSegmentShallow(segment);
      assertEquals(8, ints.getSize());
      assertEquals(8, segment.get(JAVA_INT, 0));
      ints.set(1, 42);
      assertEquals(42, segment.get(JAVA_INT, HEADER + 4));
      segment.set(JAVA_INT, HEADER + 8, 43);
      assertEquals(43, ints.get(2));
      assertEquals(segment.address(), ints.getSegmentWithHeader().address());
    }
  }

  @Test
  void aShallowArrayShowsTheBitsOfAnotherType() {
    FloatArray floats = FloatArray.fromElements(1f, -0f);
    IntArray bits = IntArray.fromSegmentShallow(floats.getSegmentWithHeader());
    assertEquals(Float.floatToRawIntBits(1f), bits.get(0));
    assertEquals(Float.floatToRawIntBits(-0f), bits.get(1));
    bits.set(0, Float.floatToRawIntBits(2.5f));
    assertEquals(2.5f, floats.get(0));
  }

  @Test
  void aSegmentThatIsNoWholeNumberOfElementsIsRefused() {
    MemorySegment odd = MemorySegment.ofArray(new byte[7]);
    assertThrows(IllegalArgumentException.class, () -> IntArray.fromSegment(odd));
    MemorySegment oddWithHeader = Arena.ofAuto().allocate(HEADER + 7, 8);
    assertThrows(IllegalArgumentException.class, () -> IntArray.fromSegmentShallow(oddWithHeader));
  }

  @Test
  void copiesAreCopies() {
    int[] heap = {1, 2, 3, 4};
    IntArray array = IntArray.fromArray(heap);
    heap[0] = 9;
    assertEquals(1, array.get(0));
    IntArray slice = array.slice(1, 2);
    assertArrayEquals(new int[] {2, 3}, slice.toHeapArray());
    slice.set(0, 9);
    assertEquals(2, array.get(1));
    assertArrayEquals(new int[] {1, 2, 3, 4, 9, 3}, IntArray.concat(array, slice).toHeapArray());
    IntArray copy = IntArray.fromSegment(array.getSegment());
    copy.set(3, 0);
    assertEquals(4, array.get(3));
    assertArrayEquals(
        new float[] {2f, 3f},
        FloatArray.fromFloatBuffer(FloatBuffer.wrap(new float[] {1f, 2f, 3f}).position(1))
            .toHeapArray());
    assertThrows(IllegalArgumentException.class, () -> array.slice(3, 2));
    assertThrows(IllegalArgumentException.class, () -> array.slice(-1, 2));
  }

  /** A sparse file stands for more bytes than an int counts. */
  @Test
  void oursCountsBytesInLongs(@TempDir Path temporary) throws IOException {
    assumeOurs();
    try (Arena arena = Arena.ofConfined();
        RandomAccessFile file = new RandomAccessFile(temporary.resolve("huge").toFile(), "rw")) {
      long bytes = (1L << 33) + HEADER;
      file.setLength(bytes);
      MemorySegment huge = file.getChannel().map(MapMode.READ_WRITE, 0, bytes, arena);
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> IntArray.fromSegmentShallow(huge));
      assertTrue(refused.getMessage().contains("8589934592 bytes"), refused.getMessage());
      LongArray longs = LongArray.fromSegmentShallow(huge);
      longs.set((1 << 30) - 1, 42);
      assertEquals(42, huge.get(ValueLayout.JAVA_LONG, bytes - 8));
    }
  }

  @Test
  void aContextOutsideOfAnyGridIsThreadZero() {
    KernelContext context = new KernelContext();
    assertEquals(0, context.globalIdx + context.localIdx + context.groupIdx);
    assertEquals(0, context.globalGroupSizeX + context.localGroupSizeX);
    context.localBarrier();
    context.globalBarrier();
    int[] local = context.allocateIntLocalArray(3);
    assertArrayEquals(new int[3], local);
    assertNotSame(local, context.allocateIntLocalArray(3));
    assertEquals(2.5f, context.simdSum(2.5f));
    assertEquals(2.5f, context.simdShuffleDown(2.5f, 1));
    assertEquals(2.5f, context.simdBroadcastFirst(2.5f));
    IntArray ints = IntArray.fromElements(1, 2);
    context.atomicAdd(ints, 1, 5);
    assertEquals(7, ints.get(1));
    context.atomicAdd(local, 2, 4);
    assertEquals(4, local[2]);
    LongArray longs = LongArray.fromElements(1L << 40);
    context.atomicAdd(longs, 0, 1);
    assertEquals((1L << 40) + 1, longs.get(0));
  }

  @Test
  void gridsAreKeptByTheNameOfTheirTask() {
    WorkerGrid1D worker = new WorkerGrid1D(1024);
    assertNull(worker.getLocalWork());
    worker.setLocalWork(256, 1, 1);
    assertArrayEquals(new long[] {4, 1, 1}, worker.getNumberOfWorkgroups());
    GridScheduler scheduler = new GridScheduler("graph.task", worker);
    assertTrue(scheduler.contains("graph", "task"));
    scheduler.addWorkerGrid("graph.other", new WorkerGrid2D(32, 8));
    assertEquals(Set.of("graph.task", "graph.other"), scheduler.keySet());
    assertArrayEquals(new long[] {32, 8, 1}, scheduler.get("graph.other").getGlobalWork());
    assertEquals(2, scheduler.get("graph.other").dimension());
    assertNull(scheduler.get("graph.none"));
  }

  @Test
  void aRangeIsGivenInElementsAndKeptInBytes() {
    DataRange range = new DataRange(new DoubleArray(10)).withOffset(3).withSize(4);
    assertThrows(TornadoRuntimeException.class, range::getOffset);
    range.materialize();
    assertEquals(HEADER + 3 * 8, range.getOffset());
    assertEquals(4 * 8, range.getPartialSize());
    DataRange beyond = new DataRange(new DoubleArray(10)).withOffset(8).withSize(3);
    assertThrows(TornadoRuntimeException.class, beyond::materialize);
  }

  @Test
  void aPackageKeepsItsCodeAndArguments() {
    IntArray data = new IntArray(4);
    KernelContext context = new KernelContext();
    TaskPackage task = new TaskPackage("t", ApiOnJvmTest::kernel, context, data, 3);
    assertEquals("t", task.getId());
    assertEquals(3, task.getTaskType());
    assertEquals(4, task.getTaskParameters().length);
    assertEquals(3, task.getTaskParameters()[3]);
  }

  @Test
  void oursBuildsAGraphButDoesNotFreezeIt() {
    assumeOurs();
    IntArray data = new IntArray(4);
    KernelContext context = new KernelContext();
    TaskGraph graph =
        new TaskGraph("g")
            .transferToDevice(DataTransferMode.FIRST_EXECUTION, data, 3)
            .task("a", ApiOnJvmTest::kernel, context, data, 3)
            .addTask(new TaskPackage("b", ApiOnJvmTest::kernel, context, data, 3))
            .transferToHost(DataTransferMode.EVERY_EXECUTION, data);
    assertEquals("g", graph.getTaskGraphName());
    assertEquals(Set.of(data), graph.getArgumentsLookup());
    assertThrows(
        TornadoTaskRuntimeException.class,
        () -> graph.task("a", ApiOnJvmTest::kernel, context, data, 3));
    assertThrows(
        TornadoRuntimeException.class,
        () -> graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, (Object) null));
    assertThrows(
        TornadoRuntimeException.class,
        () -> graph.transferToHost(DataTransferMode.EVERY_EXECUTION, 3));
    assertRefused(graph::snapshot);
  }

  @Test
  void oursRefusesWhatNeedsTheSdk() {
    assumeOurs();
    assertRefused(TornadoRuntimeProvider::getTornadoRuntime);
    assertRefused(() -> TornadoExecutionPlan.getDevice(0, 0));
    assertRefused(TornadoExecutionPlan::getTornadoDeviceMap);
    assertRefused(() -> close(new TornadoExecutionPlan()));
  }

  private static void close(TornadoExecutionPlan plan) throws Exception {
    plan.close();
  }

  private static void kernel(KernelContext context, IntArray data, int value) {
    data.set(context.globalIdx, value);
  }

  private static void assertRefused(Executable call) {
    TornadoRuntimeException refused = assertThrows(TornadoRuntimeException.class, call);
    assertEquals(
        "TornadoVM SDK not found: set TORNADOVM_HOME to a TornadoVM SDK (5.2.0 for JDK 25, 6 or 7)"
            + " and start java with @$TORNADOVM_HOME/tornado-argfile; see docs/guide.md",
        refused.getMessage());
  }

  private static void assumeOurs() {
    assumeTrue(
        isOurs(), "not compared: the tests run with TornadoVM's own classes and not with ours");
  }

  private static boolean isOurs() {
    try {
      Class.forName("uk.ac.manchester.tornado.api.SdkMissing").getConstructor().newInstance();
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    } catch (NoSuchMethodException
        | InstantiationException
        | IllegalAccessException
        | InvocationTargetException e) {
      throw new AssertionError(e);
    }
  }
}
