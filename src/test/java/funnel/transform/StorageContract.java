package funnel.transform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Array;
import funnel.Elements;
import funnel.EngineContract;
import funnel.Ints;
import funnel.Seed;
import funnel.operator.Operator;
import funnel.operator.Storage;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What stored numbers are on every engine; the oracle is a plain loop with Java's casts. */
abstract class StorageContract extends EngineContract {

  private static final int ALL = 1 << 16;

  /** All patterns of 16 bits, in an order that is not theirs. */
  private static short[] patterns() {
    short[] all = new short[ALL];
    for (int i = 0; i < ALL; i++) {
      all[i] = (short) (i * 40503);
    }
    return all;
  }

  private static int[] map(int length, java.util.function.IntUnaryOperator of) {
    int[] all = new int[length];
    Arrays.setAll(all, of);
    return all;
  }

  @Test
  void everyPatternOfSixteenBitsAsInts() {
    short[] all = patterns();
    char[] chars = new char[ALL];
    for (int i = 0; i < ALL; i++) {
      chars[i] = (char) all[i];
    }
    int[] signed = map(ALL, i -> all[i]);
    int[] unsigned = map(ALL, i -> all[i] & 0xffff);
    assertArrayEquals(signed, funnel.of(all).toArray());
    assertArrayEquals(signed, funnel.ints(all, Storage.INT16).toArray());
    assertArrayEquals(unsigned, funnel.ints(all, Storage.UINT16).toArray());
    assertArrayEquals(unsigned, funnel.of(chars).toArray());
    assertArrayEquals(all, funnel.of(signed).toArray(Storage.INT16));
    assertArrayEquals(all, funnel.of(unsigned).toArray(Storage.UINT16));
    assertArrayEquals(chars, funnel.of(unsigned).toArray(Storage.CHAR));
  }

  @Test
  void everyPatternOfEightBitsAsInts() {
    byte[] all = new byte[256];
    for (int i = 0; i < 256; i++) {
      all[i] = (byte) (i * 77);
    }
    int[] signed = map(256, i -> all[i]);
    assertArrayEquals(signed, funnel.ints(all, Storage.INT8).toArray());
    assertArrayEquals(all, funnel.of(signed).toArray(Storage.INT8));
    assertArrayEquals(all, funnel.bytes(all, Storage.UINT8).toArray(Storage.UINT8));
  }

  /** The bits of a NaN are those of any. */
  @Test
  void everyHalfFloat() {
    short[] all = patterns();
    float[] floats = funnel.floats(all, Storage.FLOAT16).toArray();
    for (int i = 0; i < ALL; i++) {
      int half = i;
      float expected = Float.float16ToFloat(all[i]);
      assertEquals(
          Float.floatToIntBits(expected),
          Float.floatToIntBits(floats[i]),
          () -> Integer.toHexString(all[half]));
    }
    short[] back = funnel.of(floats).toArray(Storage.FLOAT16);
    for (int i = 0; i < ALL; i++) {
      boolean isNaN = (all[i] & 0x7fff) > 0x7c00;
      assertEquals(isNaN ? 0x7e00 : all[i], back[i], Integer.toHexString(all[i]));
    }
  }

  /** Between any two half floats: the middle, and the floats beside it. */
  @Test
  void roundsToTheNearestHalfFloat() {
    float[] floats = new float[6 * 0x7c00 + 10];
    int next = 0;
    for (int half = 0; half < 0x7c00; half++) {
      float low = Float.float16ToFloat((short) half);
      float high = half == 0x7bff ? 65536 : Float.float16ToFloat((short) (half + 1));
      float middle = low + (high - low) / 2;
      for (float each : new float[] {Math.nextDown(middle), middle, Math.nextUp(middle)}) {
        floats[next++] = each;
        floats[next++] = -each;
      }
    }
    float[] others = {
      1e30f,
      -1e30f,
      Float.POSITIVE_INFINITY,
      Float.NEGATIVE_INFINITY,
      Float.NaN,
      Float.MIN_VALUE,
      -Float.MIN_VALUE,
      0f,
      -0f,
      0x1.8p-126f
    };
    for (float each : others) {
      floats[next++] = each;
    }
    short[] found = funnel.of(floats).toArray(Storage.FLOAT16);
    for (int i = 0; i < floats.length; i++) {
      int at = i;
      assertEquals(
          Float.isNaN(floats[i]) ? 0x7e00 : Float.floatToFloat16(floats[i]),
          found[i],
          () -> Float.toHexString(floats[at]));
    }
  }

  @Test
  void lengthsAndChains() {
    SplittableRandom random = Seed.random("storage");
    for (int length : lengths()) {
      short[] shorts = new short[length];
      int[] words = random.ints(length).toArray();
      long[] longs = new long[length];
      int[] running = new int[length];
      long sum = 0;
      for (int i = 0; i < length; i++) {
        shorts[i] = (short) words[i];
        longs[i] = words[i] & 0xffffffffL;
        sum += shorts[i] & 0xffff;
        running[i] = (int) sum;
      }
      Ints x = funnel.ints(shorts, Storage.UINT16);
      assertEquals(sum, x.sumAsLong(), Seed.replay());
      assertEquals(length, x.count());
      assertArrayEquals(running, x.scan(Operator.SUM).toArray(), Seed.replay());
      assertArrayEquals(longs, funnel.longs(words, Storage.UINT32).toArray(), Seed.replay());
      assertArrayEquals(words, funnel.of(longs).toArray(Storage.UINT32), Seed.replay());
      short[] odd = new short[length];
      int kept = 0;
      for (short each : shorts) {
        if ((each & 1) == 1) {
          odd[kept++] = each;
        }
      }
      Ints filtered = x.filter(v -> (v & 1) == 1);
      assertArrayEquals(Arrays.copyOf(odd, kept), filtered.toArray(Storage.UINT16), Seed.replay());
    }
  }

  private static void refused(Class<? extends Exception> type, String part, Executable call) {
    String message = String.valueOf(assertThrows(type, call).getMessage());
    assertTrue(message.contains(part), message);
  }

  private void unfit(String message, Array<?, ?> x, Storage<?> storage) {
    refused(ArithmeticException.class, message, () -> x.toArray(storage));
  }

  @Test
  void refusesWhatDoesNotFit() {
    unfit("element 1 is 32768, but INT16 takes -32768 to", funnel.of(32767, 32768), Storage.INT16);
    unfit("element 0 is -32769", funnel.of(-32769, 70000), Storage.INT16);
    unfit("element 2 is -1, but UINT16", funnel.of(0, 65535, -1), Storage.UINT16);
    unfit("element 0 is 65536, but CHAR", funnel.of(65536), Storage.CHAR);
    unfit("element 1 is 128, but INT8", funnel.of(-128, 128), Storage.INT8);
    unfit("element 0 is 4294967296", funnel.of(1L << 32), Storage.UINT32);
    unfit("element 1 is -1, but UINT32", funnel.of((1L << 32) - 1, -1L), Storage.UINT32);
    refused(
        IllegalArgumentException.class,
        "INT16 stores INTs, not LONGs",
        () -> funnel.of(1L).toArray(Storage.INT16));
    refused(
        IllegalArgumentException.class,
        "LONG, not INT",
        () -> funnel.ints(new int[1], Storage.UINT32));
    refused(IllegalArgumentException.class, "nothing to convert", () -> Widen.from(Storage.INT32));
    refused(
        IllegalArgumentException.class,
        "whole pairs of bytes",
        () -> funnel.run(Widen.from(Storage.INT16), Elements.of(new byte[3])));
    refused(
        IllegalArgumentException.class,
        "widen from INT16 takes BYTE",
        () -> funnel.run(Widen.from(Storage.INT16), Elements.of(new int[3])));
    refused(
        IllegalArgumentException.class,
        "narrow to FLOAT16 takes FLOAT",
        () -> funnel.run(Narrow.to(Storage.FLOAT16), Elements.of(new int[3])));
  }

  /** What does not fit is cast or clamped by functions. */
  @Test
  void castsAndClamps() {
    int[] values = {0, -1, 40_000, 70_000, -70_000, Integer.MAX_VALUE, Integer.MIN_VALUE};
    short[] cast = new short[values.length];
    char[] clamped = new char[values.length];
    for (int i = 0; i < values.length; i++) {
      cast[i] = (short) values[i];
      clamped[i] = (char) Math.clamp(values[i], 0, 65535);
    }
    Ints x = funnel.of(values);
    assertArrayEquals(cast, x.map(v -> (short) v).toArray(Storage.INT16));
    assertArrayEquals(clamped, x.map(v -> Math.clamp(v, 0, 65535)).toArray(Storage.CHAR));
  }

  /** A view sees what the array then contains. */
  @Test
  void isAView() {
    short[] shorts = {1, 2};
    Ints x = funnel.of(shorts);
    shorts[1] = -7;
    assertArrayEquals(new int[] {1, -7}, x.toArray());
    assertArrayEquals(shorts, x.toArray(Storage.INT16));
    assertArrayEquals(new int[] {2, -14}, x.map(v -> 2 * v).toArray(Storage.INT32));
  }
}
