package funnel.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import funnel.Funnel;
import funnel.Seed;
import funnel.Values;
import funnel.io.Sink;
import funnel.io.Source;
import funnel.operation.Target;
import funnel.operator.ElementType;
import funnel.sort.Sort;
import funnel.sort.SortOracle;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SortedRunsTest {

  /** From any place on, and in any number of runs, the last of which may be short. */
  @ParameterizedTest
  @EnumSource
  void mergesAreTheStableOrder(ElementType type) {
    SplittableRandom random = Seed.random("merged runs of " + type);
    for (int length : new int[] {1, 2, 31, 100}) {
      for (int all : new int[] {1, length, length + 1, 3 * length, 5 * length + 1}) {
        mergesOf(type, all, length, random);
      }
    }
  }

  /** Around the largest buffer, and with so many runs that each buffer is small. */
  @ParameterizedTest
  @EnumSource
  void buffersAreFilledAgain(ElementType type) {
    SplittableRandom random = Seed.random("runs longer than buffers of " + type);
    for (int length : new int[] {2047, 2048, 2049, 5000}) {
      mergesOf(type, 2 * length + random.nextInt(length), length, random);
    }
    mergesOf(type, 9001, 3, random);
  }

  private static void mergesOf(ElementType type, int all, int length, SplittableRandom random) {
    for (Values keys : SortOracle.dealtKeys(type, all, random)) {
      merges(keys, length, random.nextBoolean(), random.nextBoolean(), random);
    }
  }

  /**
   * Large pieces in parts, and so many small ones that a thread would look for its part too long.
   */
  @ParameterizedTest
  @ValueSource(ints = {1 << 18, 100})
  void piecesAreMergedIntoTheSink(int piece) throws IOException {
    int[] ints = Seed.random("merged parts").ints((3 << 18) + 5, -99_999, 99_999).toArray();
    try (Funnel funnel = Funnel.open(Target.JVM);
        Arena arena = Arena.ofShared()) {
      MemorySegment into = arena.allocate(4L * ints.length, 4);
      Source source = Source.of(MemorySegment.ofArray(ints), ElementType.INT);
      Sink sink = Sink.of(into, ElementType.INT);
      funnel.over(source).pieces(piece).sort(Sort.ascending(), sink);
      Arrays.sort(ints);
      assertArrayEquals(ints, into.toArray(ValueLayout.JAVA_INT));
    }
  }

  /** Where the JDK sorts with vectors, in parts, into memory and elsewhere. */
  @ParameterizedTest
  @EnumSource
  void oneLargePieceIsSorted(ElementType type) throws IOException {
    int length = (1 << 20) + 77;
    SplittableRandom random = Seed.random("large piece of " + type);
    Values x = Values.ofLength(type, length);
    for (int i = 0; i < length; i++) {
      SortOracle.setBits(x, i, random.nextInt(3) == 0 ? random.nextLong(999) : random.nextLong());
    }
    for (boolean isDescending : new boolean[] {false, true}) {
      int[] order =
          SortOracle.order(length, isDescending, (i, j) -> SortOracle.compareAlone(x, i, j));
      Values sorted = Values.ofLength(type, length);
      long[] done = {0, 0};
      try (Funnel funnel = Funnel.open(Target.JVM)) {
        funnel
            .over(Source.of(x.segment(), type))
            .listener(
                (now, total) -> {
                  assertTrue(now > done[0]);
                  done[0] = now;
                  done[1] = total;
                })
            .sort(
                isDescending ? Sort.descending() : Sort.ascending(),
                Sink.of(sorted.segment(), type));
      }
      assertArrayEquals(new long[] {length, length}, done);
      for (int i = 0; i < length; i++) {
        assertEquals(SortOracle.bits(x, order[i]), SortOracle.bits(sorted, i), Seed::replay);
      }
    }
  }

  private static void merges(
      Values keys, int length, boolean isDescending, boolean isOrder, SplittableRandom random) {
    int all = keys.length();
    ElementType type = keys.type();
    Values runs = Values.ofLength(type, all);
    for (int from = 0; from < all; from += length) {
      Values run = keys.range(from, Math.min(all, from + length));
      int[] order = SortOracle.order(run.length(), isDescending, comparator(run, isOrder));
      for (int i = 0; i < order.length; i++) {
        SortOracle.setBits(runs, from + i, SortOracle.bits(run, order[i]));
      }
    }
    int[] merged = SortOracle.order(all, isDescending, comparator(runs, isOrder));
    MemorySegment places = MemorySegment.ofArray(LongStream.range(0, all).toArray());
    boolean areKeys = !isOrder && type.bytes() >= Integer.BYTES && random.nextBoolean();
    List<MemorySegment> slices = new ArrayList<>();
    for (int from = 0; from < all; from += length) {
      int to = Math.min(all, from + length);
      MemorySegment run =
          runs.segment().asSlice((long) type.bytes() * from, (long) type.bytes() * (to - from));
      slices.add(areKeys ? SortedRuns.sortedKeys(run, type, isDescending) : run);
    }
    for (int before : new int[] {0, 1, all / 2, random.nextInt(all), all - 1}) {
      if (before < all) {
        SortedRuns sorted = SortedRuns.of(slices, type, areKeys, isDescending, isOrder, before);
        Values found = Values.ofLength(isOrder ? ElementType.LONG : type, all);
        int middle = random.nextInt(before, all);
        for (int[] part : new int[][] {{before, middle}, {middle, all}}) {
          if (isOrder) {
            sorted.longs(places, found.segment(), part[0], part[1]);
          } else {
            sorted.elements(found.segment(), part[0], part[1]);
          }
        }
        for (int i = 0; i < all; i++) {
          long expected = i < before ? 0 : isOrder ? merged[i] : SortOracle.bits(runs, merged[i]);
          assertEquals(
              expected,
              SortOracle.bits(found, i),
              () -> "%s in runs of %s, from %s".formatted(type, length, before));
        }
      }
    }
  }

  private static Comparator<Integer> comparator(Values x, boolean isOrder) {
    return (i, j) -> isOrder ? SortOracle.compare(x, i, j) : SortOracle.compareAlone(x, i, j);
  }
}
