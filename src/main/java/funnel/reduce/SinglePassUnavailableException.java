package funnel.reduce;

/**
 * {@link LadderVariant#SINGLE_PASS} was asked for on a device on which it is not known to be right;
 * the message says what {@link SinglePassProbe} found.
 *
 * {@snippet class="funnel.docs.ReduceSnippets" region="unavailable"}
 */
public final class SinglePassUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SinglePassUnavailableException(String message) {
    super(message);
  }
}
