package funnel.cli;

import funnel.Elements;
import funnel.operator.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Some bytes, as elements of every type.
 *
 * <p>Ints and longs are the bytes themselves. As floats they would make no sense, so each byte b
 * becomes a sample (b - 128) / 128, as in 8-bit sound; sums of such doubles do not round.
 */
final class TrialData implements AutoCloseable {

  private static final long MOST_FLOATS = 1 << 24;
  private static final long MOST_DOUBLES = 1 << 22;

  private final Arena arena = Arena.ofShared();
  private final Map<ElementType, MemorySegment> data = new EnumMap<>(ElementType.class);

  /** Over bytes that are not copied. */
  TrialData(MemorySegment bytes) {
    data.put(ElementType.BYTE, bytes);
    data.put(ElementType.INT, whole(bytes, ElementType.INT));
    data.put(ElementType.LONG, whole(bytes, ElementType.LONG));
    long floats = Math.min(bytes.byteSize(), MOST_FLOATS);
    long doubles = Math.min(bytes.byteSize(), MOST_DOUBLES);
    MemorySegment asFloats = arena.allocate(floats * Float.BYTES, Double.BYTES);
    MemorySegment asDoubles = arena.allocate(doubles * Double.BYTES, Double.BYTES);
    for (long i = 0; i < floats; i++) {
      asFloats.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) sample(bytes, i));
    }
    for (long i = 0; i < doubles; i++) {
      asDoubles.setAtIndex(ValueLayout.JAVA_DOUBLE, i, sample(bytes, i));
    }
    data.put(ElementType.FLOAT, asFloats);
    data.put(ElementType.DOUBLE, asDoubles);
  }

  private static MemorySegment whole(MemorySegment bytes, ElementType type) {
    return bytes.asSlice(0, bytes.byteSize() / type.bytes() * type.bytes());
  }

  private static double sample(MemorySegment bytes, long i) {
    return ((bytes.get(ValueLayout.JAVA_BYTE, i) & 0xff) - 128) / 128.0;
  }

  /** The bytes as elements of a type. */
  MemorySegment segment(ElementType type) {
    return Objects.requireNonNull(data.get(type));
  }

  /** The same as Funnel takes them. */
  Elements elements(ElementType type) {
    return Elements.of(segment(type), type);
  }

  @Override
  public void close() {
    arena.close();
  }
}
