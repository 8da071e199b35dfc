package funnel.heat;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What holds at a side of the grid: {@link #dirichlet(double)}, {@link #neumann} or {@link
 * #periodic}.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="sides"}
 *
 * <p>Immutable.
 */
public final class Side {

  private final int kind;
  private final double flux;

  /** What Dirichlet nodes have: of length 0 the initial field, of length 1 one value for all. */
  private final double[] profile;

  private final boolean isProfile;

  private Side(int kind, double flux, double[] profile, boolean isProfile) {
    this.kind = kind;
    this.flux = flux;
    this.profile = profile;
    this.isProfile = isProfile;
  }

  private static double finite(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("%s is not finite: %s".formatted(name, value));
    }
    return value;
  }

  /** The side's nodes keep what they have in the initial field. */
  public static Side dirichlet() {
    return new Side(HeatGrid.DIRICHLET, 0, new double[0], false);
  }

  /**
   * The side's nodes have a value, whatever the initial field has there.
   *
   * @throws IllegalArgumentException if it is NaN or infinite
   */
  public static Side dirichlet(double value) {
    return new Side(HeatGrid.DIRICHLET, 0, new double[] {finite("value of a side", value)}, false);
  }

  /**
   * The side's nodes have these values.
   *
   * @param profile one value a node: ny from bottom to top on the left and right, nx from left to
   *     right at the bottom and top; copied
   * @throws IllegalArgumentException if one is NaN or infinite
   */
  public static Side dirichlet(double[] profile) {
    double[] copy = Objects.requireNonNull(profile, "profile").clone();
    for (int i = 0; i < copy.length; i++) {
      finite("profile[" + i + "] of a side", copy[i]);
    }
    return new Side(HeatGrid.DIRICHLET, 0, copy, true);
  }

  /**
   * The derivative across the side is given, outward: beyond each node of the side is a ghost of
   * the node's value and {@code flux} times the nodes' distance. With 0 no heat passes; a positive
   * one lets it in.
   *
   * @throws IllegalArgumentException if it is NaN or infinite
   */
  public static Side neumann(double flux) {
    return new Side(HeatGrid.NEUMANN, finite("flux of a side", flux), new double[0], false);
  }

  /** The opposite side's nodes lie beyond this one; both sides must be periodic. */
  public static Side periodic() {
    return new Side(HeatGrid.PERIODIC, 0, new double[0], false);
  }

  int kind() {
    return kind;
  }

  double flux() {
    return flux;
  }

  /** Whether the side's nodes have values of its own. */
  boolean hasValues() {
    return profile.length > 0;
  }

  double value(int at) {
    return profile[isProfile ? at : 0];
  }

  /**
   * Refuses a profile of another length.
   *
   * @throws IllegalArgumentException with both lengths
   */
  void requireLength(String side, int nodes) {
    if (isProfile && profile.length != nodes) {
      throw new IllegalArgumentException(
          "profile of side %s has another length: length=%d, nodes=%d"
              .formatted(side, profile.length, nodes));
    }
  }

  @Override
  public String toString() {
    return switch (kind) {
      case HeatGrid.DIRICHLET ->
          isProfile
              ? "dirichlet[" + profile.length + "]"
              : "dirichlet" + (hasValues() ? "(" + profile[0] + ")" : "()");
      case HeatGrid.NEUMANN -> "neumann(" + flux + ")";
      default -> "periodic";
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Side o
        && kind == o.kind
        && Double.compare(flux, o.flux) == 0
        && isProfile == o.isProfile
        && Arrays.equals(profile, o.profile);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, flux, Arrays.hashCode(profile), isProfile);
  }
}
