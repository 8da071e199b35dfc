package funnel.heat;

import funnel.operator.ElementType;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The methods by which a device computes the steps of a heat equation. All give the same bits; they
 * differ in speed. The JVM has a single form.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="method"}
 *
 * <p>The first four are methods that lectures on GPU computing teach, in which shared memory
 * replaces missing caches.
 */
public enum HeatMethod {
  /** 1: each thread reads its five nodes from global memory. */
  GLOBAL("global"),
  /** 2: a tile in shared memory, loaded by a block of 34 x 18 threads for 32 x 16 nodes. */
  HALO_THREADS("halo-threads"),
  /** 3: a tile in shared memory; some threads of the 32 x 16 load the nodes around it, too. */
  TILE("tile"),
  /** 4: a tile marches along a strip and passes on its last columns in shared memory. */
  STRIP("strip"),
  /** 5: each thread marches along y with three nodes of its column in registers. */
  REGISTER_MARCH("register-march"),
  /**
   * 6: each warp marches along y with several steps at a time in registers. Only for floats, one
   * diffusivity, no source, no profile but of Dirichlet sides, and at most 2^30 nodes; remaining
   * single steps use method 5.
   */
  REGISTER_STREAM("register-stream");

  private final String label;

  HeatMethod(String label) {
    this.label = label;
  }

  /** Its number, 1 to 6. */
  public int number() {
    return ordinal() + 1;
  }

  /** Its name in options and reports. */
  public String label() {
    return label;
  }

  /** The fastest method for a grid on every measured device: that with the least traffic. */
  static HeatMethod fastest(HeatGrid grid) {
    return REGISTER_STREAM.takes(grid) ? REGISTER_STREAM : REGISTER_MARCH;
  }

  /** Whether it supports a grid. */
  boolean takes(HeatGrid grid) {
    return switch (this) {
      case GLOBAL, REGISTER_MARCH -> true;
      case HALO_THREADS, TILE, STRIP -> !grid.hasCells();
      case REGISTER_STREAM ->
          grid.type() == ElementType.FLOAT
              && !grid.hasCells()
              && !grid.hasSource()
              && !grid.sides().contains(HeatGrid.PROFILE)
              && grid.nodes() <= FloatHeatStream.MOST_NODES;
    };
  }

  /**
   * The method with a name or number.
   *
   * @param name a {@link #label}, in any case, or a {@link #number}
   * @throws IllegalArgumentException if there is none; the message has the names
   */
  public static HeatMethod of(String name) {
    String wanted = name.strip().toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(m -> m.label.equals(wanted) || Integer.toString(m.number()).equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown method '%s': use auto, %s"
                        .formatted(
                            name,
                            Arrays.stream(values())
                                .map(m -> m.number() + " or " + m.label)
                                .collect(Collectors.joining(", ")))));
  }
}
