package funnel.reduce;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A number of elements, and why it is tried. */
record Size(int n, String why) {

  private static final int ROWS_FULL = 2112 * 2048;

  private static void around(List<Size> sizes, String why, int... of) {
    for (int n : of) {
      sizes.add(new Size(n, why));
    }
  }

  /** Up to 4097 elements. */
  static List<Size> small() {
    List<Size> sizes = new ArrayList<>();
    around(sizes, "nothing, one, a pair", 0, 1, 2, 3);
    around(sizes, "a lead's places", 4, 5, 7);
    around(sizes, "a warp", 31, 32, 33);
    around(sizes, "a block of 256 threads", 251, 252, 253, 254, 255, 256, 257);
    around(sizes, "lanes less a lead of 4, of 2", 1019, 1020, 1021, 1022);
    around(sizes, "lanes, or a block of 1024 threads", 1023, 1024, 1025);
    around(sizes, "a tile less a lead of 4, of 2", 2043, 2044, 2045, 2046);
    around(sizes, "a tile; eight items for each of 256 threads", 2047, 2048, 2049);
    around(sizes, "two tiles less a lead", 4091, 4092, 4093, 4094);
    around(sizes, "two tiles", 4095, 4096, 4097);
    around(sizes, "primes", 13, 127, 1009, 3571);
    return sizes;
  }

  /** Up to about 70,000 elements. */
  static List<Size> medium() {
    List<Size> sizes = new ArrayList<>();
    around(sizes, "eight rows", 16_380, 16_383, 16_384, 16_385);
    around(sizes, "a prime", 7919, 19_997);
    return sizes;
  }

  /** Where the JVM begins to share the work. */
  static List<Size> shared() {
    List<Size> sizes = new ArrayList<>();
    around(sizes, "the JVM's first second task", 65_535, 65_536, 65_537);
    around(sizes, "a prime", 70_001);
    return sizes;
  }

  /** Where rows get a second tile, or segments more items. */
  static List<Size> large() {
    List<Size> sizes = new ArrayList<>();
    IntStream.of(-4, -3, -2, -1, 0, 1, 4)
        .forEach(more -> around(sizes, "a tile in every row", ROWS_FULL + more));
    around(sizes, "a prime with a second tile in some rows", 4_450_003);
    return sizes;
  }

  @Override
  public String toString() {
    return n + " (" + why + ")";
  }
}
