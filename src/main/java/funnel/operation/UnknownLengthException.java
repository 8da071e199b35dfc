package funnel.operation;

import java.util.List;

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

  private final String[] arrays;

  /**
   * An exception.
   *
   * @param message names what needs a length, and what finds it
   * @param arrays the names of the arrays whose length must be known
   */
  public UnknownLengthException(String message, List<String> arrays) {
    super(message);
    this.arrays = arrays.toArray(String[]::new);
  }

  /** The names of the arrays whose length must be known. */
  public List<String> arrays() {
    return List.of(arrays);
  }
}
