package funnel.heat;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The boundary condition at a side of the grid: {@link #dirichlet(double)}, {@link
 * #neumann(double)}, {@link #wall(double)}, {@link #robin(double, double)} or {@link #periodic}.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="sides"}
 *
 * <p><b>Position.</b> Dirichlet nodes are on the side. For the other kinds except periodic, the
 * side is half a distance of nodes beyond the outermost nodes, as in grids of cells: a step uses a
 * ghost, a whole distance beyond the node u, with the value
 *
 * <pre>{@code
 * fma(1 - s, u, g)    Neumann: s = 0, g = flux * distance
 *                     wall: s = 2, g = 2 * value
 *                     Robin: b = transfer * distance, s = 2b / (2 + b), g = s * outside
 * }</pre>
 *
 * in which 1 - s and g are rounded to the field's type. All are of second order in the distance:
 * they are exact for a field that is linear towards the side. A Robin side with transfer 0 is
 * insulated; with a large transfer it is a wall.
 *
 * <p>Immutable.
 */
public final class Side {

  /** The kinds; their numbers are those in checkpoints. */
  public enum Kind {
    /** 0: nodes keep their values. */
    DIRICHLET,
    /** 1: a prescribed derivative. */
    NEUMANN,
    /** 2: the opposite side is next to it. */
    PERIODIC,
    /** 3: a prescribed value half a distance beyond the nodes. */
    WALL,
    /** 4: heat passes in proportion to the difference from a temperature outside. */
    ROBIN
  }

  private final Kind kind;
  private final double transfer;

  /** Length 0 for none; length 1, unless it is a profile, for the same value at all nodes. */
  private final double[] values;

  private final boolean isProfile;

  private Side(Kind kind, double transfer, double[] values, boolean isProfile) {
    this.kind = kind;
    this.transfer = transfer;
    this.values = values;
    this.isProfile = isProfile;
  }

  /**
   * A side of a kind; numbers that the kind does not use are dropped.
   *
   * @throws IllegalArgumentException if a number is not finite, or the transfer is negative
   */
  static Side of(Kind kind, double transfer, double[] values, boolean isProfile) {
    boolean isRobin = kind == Kind.ROBIN;
    if (isRobin && !(transfer >= 0 && Double.isFinite(transfer))) {
      throw new IllegalArgumentException(
          "transfer of a side is negative or not finite: " + transfer);
    }
    double[] copy = kind == Kind.PERIODIC ? new double[0] : values.clone();
    for (int i = 0; i < copy.length; i++) {
      if (!Double.isFinite(copy[i])) {
        throw new IllegalArgumentException(
            "%s of a side (%s) is not finite: %s"
                .formatted(isProfile ? "profile[" + i + "]" : "value", word(kind), copy[i]));
      }
    }
    return new Side(kind, isRobin ? transfer : 0, copy, isProfile && kind != Kind.PERIODIC);
  }

  private static Side of(Kind kind, double value) {
    return of(kind, 0, new double[] {value}, false);
  }

  private static Side of(Kind kind, double[] profile) {
    return of(kind, 0, Objects.requireNonNull(profile, "profile"), true);
  }

  /**
   * The side's nodes keep their values in the initial field, or their present values in a solver.
   */
  public static Side dirichlet() {
    return of(Kind.DIRICHLET, 0, new double[0], false);
  }

  /**
   * The side's nodes have this value, whatever the initial field has there.
   *
   * @throws IllegalArgumentException if it is NaN or infinite
   */
  public static Side dirichlet(double value) {
    return of(Kind.DIRICHLET, value);
  }

  /**
   * The side's nodes have these values.
   *
   * @param profile one value per node: ny from bottom to top on the left and right, nx from left to
   *     right at the bottom and top; copied
   * @throws IllegalArgumentException if one is NaN or infinite
   */
  public static Side dirichlet(double[] profile) {
    return of(Kind.DIRICHLET, profile);
  }

  /**
   * Prescribes the outward derivative across the side: beyond each node of the side is a ghost with
   * the node's value plus {@code flux} times the nodes' distance. With 0 no heat passes; with a
   * positive flux heat enters.
   *
   * @throws IllegalArgumentException if it is NaN or infinite
   */
  public static Side neumann(double flux) {
    return of(Kind.NEUMANN, flux);
  }

  /**
   * Prescribes a derivative for each node.
   *
   * @param profile as of {@link #dirichlet(double[])}
   * @throws IllegalArgumentException if one is NaN or infinite
   */
  public static Side neumann(double[] profile) {
    return of(Kind.NEUMANN, profile);
  }

  /**
   * A wall of this value, half a distance of nodes beyond the side's nodes, which take part in the
   * steps: the ghost beyond a node u is {@code 2 value - u}. The largest stable step is smaller
   * with it, see {@link HeatProblem}.
   *
   * @throws IllegalArgumentException if it is NaN or infinite
   */
  public static Side wall(double value) {
    return of(Kind.WALL, value);
  }

  /**
   * A wall with a value for each node.
   *
   * @param profile as of {@link #dirichlet(double[])}
   * @throws IllegalArgumentException if one is NaN or infinite
   */
  public static Side wall(double[] profile) {
    return of(Kind.WALL, profile);
  }

  /**
   * A side that heat passes by convection: {@code -k du/dn = h (u - outside)}, with n outward and
   * the side half a distance of nodes beyond its nodes.
   *
   * @param transfer h / k, the coefficient of heat transfer over the conductivity of the nodes
   *     there, in reciprocal lengths; 0 or more
   * @param outside temperature beyond the side
   * @throws IllegalArgumentException if the transfer is negative, or a number NaN or infinite
   */
  public static Side robin(double transfer, double outside) {
    return of(Kind.ROBIN, transfer, new double[] {outside}, false);
  }

  /**
   * A side that heat passes by convection, with a temperature beyond each node.
   *
   * @param outside as the profile of {@link #dirichlet(double[])}
   * @throws IllegalArgumentException if the transfer is negative, or a number NaN or infinite
   */
  public static Side robin(double transfer, double[] outside) {
    return of(Kind.ROBIN, transfer, Objects.requireNonNull(outside, "outside"), true);
  }

  /** The opposite side's nodes are next to this side; both sides must be periodic. */
  public static Side periodic() {
    return of(Kind.PERIODIC, 0, new double[0], false);
  }

  /** The kind of the side. */
  public Kind kind() {
    return kind;
  }

  /**
   * A copy of the values, derivatives or outside temperatures: length 0 for none, length 1 for one
   * for all nodes, else one for each.
   */
  public double[] values() {
    return values.clone();
  }

  /** Whether there is a value for each node. */
  public boolean isProfile() {
    return isProfile;
  }

  /** h / k of a Robin side, else 0. */
  public double transfer() {
    return transfer;
  }

  /** The code of this side's kind in kernels. */
  int code() {
    return switch (kind) {
      case DIRICHLET -> HeatGrid.DIRICHLET;
      case PERIODIC -> HeatGrid.PERIODIC;
      case NEUMANN, WALL, ROBIN -> isProfile ? HeatGrid.PROFILE : HeatGrid.GHOST;
    };
  }

  /** Whether its nodes are set to its own values. */
  boolean setsNodes() {
    return kind == Kind.DIRICHLET && values.length > 0;
  }

  /** This side, but nodes of a Dirichlet side keep the values that are in the field. */
  Side kept() {
    return kind == Kind.DIRICHLET ? dirichlet() : this;
  }

  /** The ghost's share of the difference between its node and twice the side's value. */
  private double share(double distance) {
    double biot = transfer * distance;
    return kind == Kind.WALL ? 2 : 2 * biot / (2 + biot);
  }

  /** The factor of its node in a ghost; for a Dirichlet side 1 if it sets its nodes, else 0. */
  double factor(double distance) {
    return kind == Kind.DIRICHLET ? values.length > 0 ? 1 : 0 : 1 - share(distance);
  }

  /** The addend of a ghost; for a Dirichlet side the node's value. */
  double addend(int at, double distance) {
    if (values.length == 0) {
      return 0;
    }
    double value = values[isProfile ? at : 0];
    return switch (kind) {
      case NEUMANN -> value * distance;
      case WALL, ROBIN -> share(distance) * value;
      case DIRICHLET, PERIODIC -> value;
    };
  }

  /**
   * Requires a profile of this length.
   *
   * @throws IllegalArgumentException with both lengths
   */
  void requireLength(String side, int nodes) {
    if (isProfile && values.length != nodes) {
      throw new IllegalArgumentException(
          "profile of side %s has another length: length=%s, nodes=%s"
              .formatted(side, values.length, nodes));
    }
  }

  private static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    String shown =
        isProfile ? "[" + values.length + "]" : values.length > 0 ? "(" + values[0] + ")" : "()";
    return switch (kind) {
      case PERIODIC -> "periodic";
      case ROBIN -> "robin(" + transfer + ")" + shown;
      case DIRICHLET, NEUMANN, WALL -> word(kind) + shown;
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Side o
        && kind == o.kind
        && Double.compare(transfer, o.transfer) == 0
        && isProfile == o.isProfile
        && Arrays.equals(values, o.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, transfer, Arrays.hashCode(values), isProfile);
  }
}
