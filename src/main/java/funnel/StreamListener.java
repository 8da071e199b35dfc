package funnel;

/**
 * Is told how far a call on an {@link ElementStream} has come, after each piece.
 *
 * {@snippet class="funnel.docs.StreamSnippets" region="listener"}
 */
@FunctionalInterface
public interface StreamListener {

  /**
   * A piece is done. Runs in the caller's thread; what it throws ends the call, which throws it: so
   * a call is given up, with a {@link java.util.concurrent.CancellationException} say.
   *
   * @param done elements that are done, each pass over the source counted
   * @param total what {@code done} comes to
   */
  void piece(long done, long total);
}
