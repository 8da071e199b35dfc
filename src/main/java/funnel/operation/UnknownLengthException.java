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

  /** An exception that names the operation, the array, and what finds its length. */
  public UnknownLengthException(String message) {
    super(message);
  }
}
