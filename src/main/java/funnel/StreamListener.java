package funnel;

/**
 * Hears of the progress of a call on an {@link ElementStream}, after each piece.
 *
 * {@snippet class="funnel.docs.StreamSnippets" region="listener"}
 */
@FunctionalInterface
public interface StreamListener {

  /**
   * A piece is done. Runs in the caller's thread. An exception ends the call, which throws it:
   * throw a {@link java.util.concurrent.CancellationException}, for example, to cancel the call.
   *
   * @param done the number of elements done, counted in each pass over the source
   * @param total the final value of {@code done}
   */
  void piece(long done, long total);
}
