package funnel.heat;

/**
 * A field has a forbidden value; the message has the field, the node and the value.
 *
 * {@snippet class="funnel.docs.HeatSnippets" region="field"}
 */
public final class HeatFieldException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final String field;
  private final int i;
  private final int j;
  private final double value;

  HeatFieldException(String field, int i, int j, double value, String wanted) {
    super("%s at node (%s, %s) is %s: %s expected".formatted(field, i, j, value, wanted));
    this.field = field;
    this.i = i;
    this.j = j;
    this.value = value;
  }

  /**
   * Which field it is: {@code "initial field"}, {@code "source"}, {@code "diffusivity"} or {@code
   * "checkpoint's field"}.
   */
  public String field() {
    return field;
  }

  /** The node's position along x, from 0; its index is {@code j * nx + i}. */
  public int i() {
    return i;
  }

  /** The node's position along y, from 0. */
  public int j() {
    return j;
  }

  /** The forbidden value. */
  public double value() {
    return value;
  }
}
