package funnel.spark;

/**
 * Chunks were different when Spark computed them again: their source varies, or was changed. Keep
 * them with {@code persist} or {@code checkpoint} before an operation that reads them twice.
 */
public final class ChunksChangedException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  ChunksChangedException(String message) {
    super(message);
  }
}
