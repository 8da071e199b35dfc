package funnel.operator;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How numbers are stored, in a Java array or a file: in fewer bytes than the elements that Funnel
 * computes with, or as these are.
 *
 * <p>Stored numbers are <em>widened</em> to elements that hold each of them exactly, and elements
 * are <em>narrowed</em> to numbers that are stored:
 *
 * <table>
 * <caption>Storages</caption>
 * <tr><th>storage</th><th>Java array</th><th>elements</th><th>takes</th></tr>
 * <tr><td>{@link #BOOL}</td><td>boolean[]</td><td>bytes, 1 or 0</td><td>each, true unless 0</td></tr>
 * <tr><td>{@link #INT8}</td><td>byte[]</td><td>ints</td><td>-128 to 127</td></tr>
 * <tr><td>{@link #INT16}</td><td>short[]</td><td>ints</td><td>-32768 to 32767</td></tr>
 * <tr><td>{@link #UINT16}</td><td>short[]</td><td>ints</td><td>0 to 65535</td></tr>
 * <tr><td>{@link #CHAR}</td><td>char[]</td><td>ints</td><td>0 to 65535</td></tr>
 * <tr><td>{@link #UINT32}</td><td>int[]</td><td>longs</td><td>0 to 4294967295</td></tr>
 * <tr><td>{@link #FLOAT16}</td><td>short[]</td><td>floats</td><td>each, rounded to the nearest</td></tr>
 * </table>
 *
 * <p>The others are {@link ElementType}s: {@link #UINT8}, {@link #INT32}, {@link #INT64}, {@link
 * #FLOAT32}, {@link #FLOAT64}. Names are NumPy's.
 *
 * <p><b>What does not fit</b> is an ArithmeticException that names the position and the element;
 * nothing wraps around. Let a function clamp or cast elements before, if that is what you want.
 *
 * <p><b>Half floats</b> are IEEE 754 binary16, one in a short. A float becomes the nearest one, of
 * two equally near the even one: 65520 and more become infinity, 2<sup>-25</sup> and less 0 of the
 * same sign. Each NaN becomes the one of bits 0x7e00.
 *
 * {@snippet class="funnel.docs.OperatorSnippets" region="storage"}
 *
 * <p>Immutable.
 *
 * @param <A> the Java array
 */
public final class Storage<A> {

  /* Blocks of elements are converted from one Java array to another, which C2 vectorizes. */

  private static final int BLOCK = 1 << 10;

  private enum Form {
    BOOL,
    INT8,
    UINT8,
    INT16,
    UINT16,
    CHAR,
    INT32,
    UINT32,
    INT64,
    FLOAT16,
    FLOAT32,
    FLOAT64
  }

  private static final ValueLayout.OfShort SHORTS = ordered(ValueLayout.JAVA_SHORT_UNALIGNED);
  private static final ValueLayout.OfChar CHARS = ordered(ValueLayout.JAVA_CHAR_UNALIGNED);
  private static final ValueLayout.OfInt INTS = ordered(ValueLayout.JAVA_INT_UNALIGNED);
  private static final ValueLayout.OfLong LONGS = ordered(ValueLayout.JAVA_LONG_UNALIGNED);
  private static final ValueLayout.OfFloat FLOATS = ordered(ValueLayout.JAVA_FLOAT_UNALIGNED);

  /** Booleans: 0 for false, 1 for true. */
  public static final Storage<boolean[]> BOOL =
      new Storage<>(Form.BOOL, boolean[].class, ElementType.BYTE, 1);

  /** 8-bit two's complement integers. */
  public static final Storage<byte[]> INT8 =
      new Storage<>(Form.INT8, byte[].class, ElementType.INT, 1);

  /** Unsigned 8-bit integers, which are {@link ElementType#BYTE}. */
  public static final Storage<byte[]> UINT8 =
      new Storage<>(Form.UINT8, byte[].class, ElementType.BYTE, 1);

  /** 16-bit two's complement integers. */
  public static final Storage<short[]> INT16 =
      new Storage<>(Form.INT16, short[].class, ElementType.INT, 2);

  /** Unsigned 16-bit integers. */
  public static final Storage<short[]> UINT16 =
      new Storage<>(Form.UINT16, short[].class, ElementType.INT, 2);

  /** Java's chars, unsigned 16-bit integers. */
  public static final Storage<char[]> CHAR =
      new Storage<>(Form.CHAR, char[].class, ElementType.INT, 2);

  /** 32-bit two's complement integers, which are {@link ElementType#INT}. */
  public static final Storage<int[]> INT32 =
      new Storage<>(Form.INT32, int[].class, ElementType.INT, 4);

  /** Unsigned 32-bit integers. */
  public static final Storage<int[]> UINT32 =
      new Storage<>(Form.UINT32, int[].class, ElementType.LONG, 4);

  /** 64-bit two's complement integers, which are {@link ElementType#LONG}. */
  public static final Storage<long[]> INT64 =
      new Storage<>(Form.INT64, long[].class, ElementType.LONG, 8);

  /** IEEE 754 binary16. */
  public static final Storage<short[]> FLOAT16 =
      new Storage<>(Form.FLOAT16, short[].class, ElementType.FLOAT, 2);

  /** IEEE 754 binary32, which are {@link ElementType#FLOAT}. */
  public static final Storage<float[]> FLOAT32 =
      new Storage<>(Form.FLOAT32, float[].class, ElementType.FLOAT, 4);

  /** IEEE 754 binary64, which are {@link ElementType#DOUBLE}. */
  public static final Storage<double[]> FLOAT64 =
      new Storage<>(Form.FLOAT64, double[].class, ElementType.DOUBLE, 8);

  private final Form form;
  private final Class<A> array;
  private final ElementType elements;
  private final int bytes;

  private Storage(Form form, Class<A> array, ElementType elements, int bytes) {
    this.form = form;
    this.array = array;
    this.elements = elements;
    this.bytes = bytes;
  }

  @SuppressWarnings("unchecked") // a layout of the same class
  private static <L extends ValueLayout> L ordered(L layout) {
    return (L) layout.withOrder(ByteOrder.LITTLE_ENDIAN);
  }

  /** All of them. */
  public static List<Storage<?>> all() {
    return List.of(
        BOOL, INT8, UINT8, INT16, UINT16, CHAR, INT32, UINT32, INT64, FLOAT16, FLOAT32, FLOAT64);
  }

  /** The storage that elements of a type are in as they are: {@link #INT32} for ints. */
  public static Storage<?> of(ElementType type) {
    return switch (type) {
      case BYTE -> UINT8;
      case INT -> INT32;
      case LONG -> INT64;
      case FLOAT -> FLOAT32;
      case DOUBLE -> FLOAT64;
    };
  }

  /** The type of the elements that stored numbers are widened to. */
  public ElementType elements() {
    return elements;
  }

  /** The size of a stored number in bytes. */
  public int bytes() {
    return bytes;
  }

  /** Whether stored numbers are other bits than elements. */
  public boolean isNarrow() {
    return this != of(elements) && this != BOOL;
  }

  /**
   * The memory of a Java array, without copying it unless it is a boolean[].
   *
   * @throws IllegalArgumentException if it is an array of another type
   */
  public MemorySegment memory(A numbers) {
    return switch (Objects.requireNonNull((Object) numbers, "array")) {
      case boolean[] all -> MemorySegment.ofArray(bytes(all));
      case byte[] all -> MemorySegment.ofArray(all);
      case short[] all -> MemorySegment.ofArray(all);
      case char[] all -> MemorySegment.ofArray(all);
      case int[] all -> MemorySegment.ofArray(all);
      case long[] all -> MemorySegment.ofArray(all);
      case float[] all -> MemorySegment.ofArray(all);
      case double[] all -> MemorySegment.ofArray(all);
      default ->
          throw new IllegalArgumentException(
              "%s is stored in a %s, not a %s"
                  .formatted(this, array.getSimpleName(), numbers.getClass().getSimpleName()));
    };
  }

  private static byte[] bytes(boolean[] flags) {
    byte[] all = new byte[flags.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) (flags[i] ? 1 : 0);
    }
    return all;
  }

  /**
   * A new Java array with the numbers that are stored in memory.
   *
   * @throws IllegalArgumentException if its size is not a whole number of them
   */
  public A toArray(MemorySegment stored) {
    return array.cast(
        switch (form) {
          case BOOL -> flags(stored.toArray(ValueLayout.JAVA_BYTE));
          case INT8, UINT8 -> stored.toArray(ValueLayout.JAVA_BYTE);
          case INT16, UINT16, FLOAT16 -> stored.toArray(SHORTS);
          case CHAR -> stored.toArray(CHARS);
          case INT32, UINT32 -> stored.toArray(INTS);
          case INT64 -> stored.toArray(LONGS);
          case FLOAT32 -> stored.toArray(FLOATS);
          case FLOAT64 -> stored.toArray(ordered(ValueLayout.JAVA_DOUBLE_UNALIGNED));
        });
  }

  private static boolean[] flags(byte[] bytes) {
    boolean[] flags = new boolean[bytes.length];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = bytes[i] != 0;
    }
    return flags;
  }

  /**
   * Widens stored numbers: the shorts -1, 2 to the ints -1, 2, or of {@link #UINT16} to 65535, 2.
   *
   * @param stored the numbers, little-endian
   * @param into memory for as many elements, little-endian
   * @throws IllegalArgumentException if there are more or fewer
   */
  public void widen(MemorySegment stored, MemorySegment into) {
    long length = length(into, stored);
    if (!isNarrow()) {
      into.copyFrom(stored);
      return;
    }
    int most = (int) Math.min(BLOCK, length);
    Block block = new Block(most);
    for (long at = 0; at < length; at += most) {
      widen(stored, into, at, (int) Math.min(most, length - at), block);
    }
  }

  /** Arrays for some elements, of which a conversion uses two. */
  private static final class Block {
    final byte[] bytes;
    final short[] shorts;
    final char[] chars;
    final int[] ints;
    final long[] longs;
    final float[] floats;

    Block(int length) {
      bytes = new byte[length];
      shorts = new short[length];
      chars = new char[length];
      ints = new int[length];
      longs = new long[length];
      floats = new float[length];
    }
  }

  private void widen(MemorySegment stored, MemorySegment into, long at, int count, Block block) {
    long from = at * bytes;
    long to = at * elements.bytes();
    switch (form) {
      case INT8 -> {
        MemorySegment.copy(stored, ValueLayout.JAVA_BYTE, from, block.bytes, 0, count);
        widen(block.bytes, block.ints, count);
        MemorySegment.copy(block.ints, 0, into, INTS, to, count);
      }
      case INT16 -> {
        MemorySegment.copy(stored, SHORTS, from, block.shorts, 0, count);
        widen(block.shorts, block.ints, count);
        MemorySegment.copy(block.ints, 0, into, INTS, to, count);
      }
      case UINT16, CHAR -> {
        MemorySegment.copy(stored, CHARS, from, block.chars, 0, count);
        widen(block.chars, block.ints, count);
        MemorySegment.copy(block.ints, 0, into, INTS, to, count);
      }
      case UINT32 -> {
        MemorySegment.copy(stored, INTS, from, block.ints, 0, count);
        widen(block.ints, block.longs, count);
        MemorySegment.copy(block.longs, 0, into, LONGS, to, count);
      }
      default -> {
        MemorySegment.copy(stored, SHORTS, from, block.shorts, 0, count);
        widen(block.shorts, block.floats, count);
        MemorySegment.copy(block.floats, 0, into, FLOATS, to, count);
      }
    }
  }

  private static void widen(byte[] from, int[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = from[i];
    }
  }

  private static void widen(short[] from, int[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = from[i];
    }
  }

  private static void widen(char[] from, int[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = from[i];
    }
  }

  private static void widen(int[] from, long[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = from[i] & 0xffffffffL;
    }
  }

  private static void widen(short[] from, float[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.float16ToFloat(from[i]);
    }
  }

  /**
   * Narrows elements: the ints -1, 2 to the shorts -1, 2. Those that do not fit have their low bits
   * stored.
   *
   * @param from the elements, little-endian
   * @param into memory for as many stored numbers, little-endian
   * @return whether all fit
   * @throws IllegalArgumentException if there are more or fewer
   */
  public boolean narrow(MemorySegment from, MemorySegment into) {
    long length = length(from, into);
    if (!isNarrow() && this != BOOL) {
      into.copyFrom(from);
      return true;
    }
    int most = (int) Math.min(BLOCK, length);
    Block block = new Block(most);
    long lost = 0;
    for (long at = 0; at < length; at += most) {
      lost |= narrow(from, into, at, (int) Math.min(most, length - at), block);
    }
    return lost == 0;
  }

  /** Returns bits that are 0 if all fit. */
  private long narrow(MemorySegment given, MemorySegment into, long at, int count, Block block) {
    long from = at * elements.bytes();
    long to = at * bytes;
    long lost = 0;
    switch (elements) {
      case BYTE -> {
        MemorySegment.copy(given, ValueLayout.JAVA_BYTE, from, block.bytes, 0, count);
        for (int i = 0; i < count; i++) {
          block.bytes[i] = (byte) (block.bytes[i] == 0 ? 0 : 1);
        }
        MemorySegment.copy(block.bytes, 0, into, ValueLayout.JAVA_BYTE, to, count);
      }
      case INT -> {
        MemorySegment.copy(given, INTS, from, block.ints, 0, count);
        switch (form) {
          case INT8 -> {
            lost = narrow(block.ints, block.bytes, count);
            MemorySegment.copy(block.bytes, 0, into, ValueLayout.JAVA_BYTE, to, count);
          }
          case INT16 -> {
            lost = narrow(block.ints, block.shorts, count);
            MemorySegment.copy(block.shorts, 0, into, SHORTS, to, count);
          }
          default -> {
            lost = narrow(block.ints, block.chars, count);
            MemorySegment.copy(block.chars, 0, into, CHARS, to, count);
          }
        }
      }
      case LONG -> {
        MemorySegment.copy(given, LONGS, from, block.longs, 0, count);
        lost = narrow(block.longs, block.ints, count);
        MemorySegment.copy(block.ints, 0, into, INTS, to, count);
      }
      default -> {
        MemorySegment.copy(given, FLOATS, from, block.floats, 0, count);
        narrow(block.floats, block.shorts, count);
        MemorySegment.copy(block.shorts, 0, into, SHORTS, to, count);
      }
    }
    return lost;
  }

  private static int narrow(int[] from, byte[] to, int count) {
    int lost = 0;
    for (int i = 0; i < count; i++) {
      to[i] = (byte) from[i];
      lost |= (byte) from[i] ^ from[i];
    }
    return lost;
  }

  private static int narrow(int[] from, short[] to, int count) {
    int lost = 0;
    for (int i = 0; i < count; i++) {
      to[i] = (short) from[i];
      lost |= (short) from[i] ^ from[i];
    }
    return lost;
  }

  private static int narrow(int[] from, char[] to, int count) {
    int lost = 0;
    for (int i = 0; i < count; i++) {
      to[i] = (char) from[i];
      lost |= (char) from[i] ^ from[i];
    }
    return lost;
  }

  private static long narrow(long[] from, int[] to, int count) {
    long lost = 0;
    for (int i = 0; i < count; i++) {
      to[i] = (int) from[i];
      lost |= (from[i] & 0xffffffffL) ^ from[i];
    }
    return lost;
  }

  private static void narrow(float[] from, short[] to, int count) {
    for (int i = 0; i < count; i++) {
      short half = Float.floatToFloat16(from[i]);
      to[i] = from[i] == from[i] ? half : 0x7e00;
    }
  }

  private long length(MemorySegment of, MemorySegment stored) {
    long length = stored.byteSize() / bytes;
    if (stored.byteSize() % bytes != 0 || of.byteSize() != length * elements.bytes()) {
      throw new IllegalArgumentException(
          "memory of %s bytes of %s and of %s bytes of %s is not of equally many"
              .formatted(stored.byteSize(), this, of.byteSize(), elements));
    }
    return length;
  }

  /** The smallest number that integers are narrowed to. */
  private long least() {
    return switch (form) {
      case INT8 -> Byte.MIN_VALUE;
      case INT16 -> Short.MIN_VALUE;
      default -> 0;
    };
  }

  /** The largest number that integers are narrowed to. */
  private long largest() {
    return least() + (1L << Byte.SIZE * bytes) - 1;
  }

  /** A predicate that holds for elements that do not fit; empty if all do. */
  public Optional<Transform> unfit() {
    if (!isNarrow() || elements.isFloating()) {
      return Optional.empty();
    }
    long least = least();
    long largest = largest();
    int leastInt = (int) least;
    int largestInt = (int) largest;
    return Optional.of(
        elements == ElementType.LONG
            ? Transform.testLong("unfit", v -> v < least | v > largest)
            : Transform.testInt("unfit", v -> v < leastInt | v > largestInt));
  }

  /**
   * Requires that elements are narrowed without loss; those of {@link #BOOL} and {@link #FLOAT16}
   * always are.
   *
   * @param given the elements, little-endian
   * @param first the position of the first of them, for the message
   * @throws ArithmeticException for the first that does not fit
   */
  public void requireFit(MemorySegment given, long first) {
    if (!isNarrow() || elements.isFloating()) {
      return;
    }
    for (long i = 0; i < given.byteSize() / elements.bytes(); i++) {
      long value =
          elements == ElementType.INT ? given.getAtIndex(INTS, i) : given.getAtIndex(LONGS, i);
      if (value < least() || value > largest()) {
        throw new ArithmeticException(
            "element %s is %s, but %s takes %s to %s: let a function clamp or cast it before"
                .formatted(first + i, value, this, least(), largest()));
      }
    }
  }

  @Override
  public String toString() {
    return form.name();
  }
}
