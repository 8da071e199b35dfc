package funnel.io;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * Elements could not be read or written in the middle of a stream: the message has the source or
 * sink, the range and the reason. Sources are unchanged, and a file that has not been committed is
 * deleted.
 *
 * {@snippet class="funnel.docs.StreamSnippets" region="failure"}
 */
public final class StreamException extends IOException {

  private static final long serialVersionUID = 1L;

  private final long position;

  private StreamException(String what, long from, long to, String failure, Throwable cause) {
    super(
        String.format(
            Locale.ROOT,
            "%s: elements %,d to %,d cannot be %s: %s",
            what,
            from,
            Math.max(from, to - 1),
            failure,
            reason(what, failure, cause)),
        cause);
    this.position = from;
  }

  /** The cause's message, without what this message says already. */
  private static String reason(String what, String failure, Throwable cause) {
    String message = cause.getMessage();
    if (message == null) {
      return cause.toString();
    }
    String same = "%s: cannot be %s: ".formatted(what, failure);
    return message.startsWith(same) ? message.substring(same.length()) : message;
  }

  /** An exception about reading elements {@code from} to {@code to}, the latter excluded. */
  public static StreamException reading(Source source, long from, long to, Throwable cause) {
    return new StreamException(source.toString(), from, to, "read", cause);
  }

  /** An exception about writing elements {@code from} to {@code to}, the latter excluded. */
  public static StreamException writing(Sink sink, long from, long to, Throwable cause) {
    return new StreamException(sink.toString(), from, to, "written", cause);
  }

  /**
   * Requires a piece of exactly as many elements as requested.
   *
   * @return the piece
   */
  public static MemorySegment whole(Source source, long from, long to, MemorySegment piece)
      throws StreamException {
    int bytes = source.type().bytes();
    long given = piece.byteSize();
    if (given % bytes == 0 && given / bytes == to - from) {
      return piece;
    }
    String part = given % bytes == 0 ? "" : " and %s bytes".formatted(given % bytes);
    throw reading(
        source,
        from,
        to,
        new IOException(
            "the source gave another number of elements: asked=%s, given=%s%s"
                .formatted(to - from, given / bytes, part)));
  }

  /** The position of the first element of the piece that failed, in the source or the sink. */
  public long position() {
    return position;
  }
}
