package funnel.operation;

/**
 * A plan has an array as an input whose length is known only after an earlier operation's kernels
 * have run, and the operation must know it before: because it must be a multiple of a number or
 * equal another one. It is thrown when the plan is built.
 *
 * <p>The array can still be the input of a run of its own: read it, and give it to another plan or
 * a one-shot call.
 *
 * {@snippet class="funnel.docs.TransformSnippets" region="unknown"}
 */
public final class UnknownLengthException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final String primitive;

  /**
   * An exception.
   *
   * @param primitive the name of the primitive that must know the length
   * @param message names the array too, and what finds its length
   */
  public UnknownLengthException(String primitive, String message) {
    super(message);
    this.primitive = primitive;
  }

  /**
   * Whether an operation must know the length.
   *
   * @param output the name of its output
   */
  public boolean isOf(String output) {
    return primitive.equals(output)
        || primitive.startsWith(output + ".")
        || primitive.startsWith(output + "_");
  }
}
