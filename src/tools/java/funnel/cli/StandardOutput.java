package funnel.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * Standard output. A write that fails throws an unchecked exception, since a writer hides an
 * IOException: so a command ends when nobody reads its output any more.
 */
final class StandardOutput extends FileOutputStream {

  /* A terminal gets each line at once; a pipe or a file gets what has been printed after a tenth of
   * a second, since a million lines are a million calls of the system otherwise.
   */

  private static final long NANOS_BETWEEN = 100_000_000;

  /** It takes no more. */
  static final class Failure extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    Failure(IOException cause) {
      super("cannot write to standard output: " + cause.getMessage(), cause);
    }

    /**
     * Whether the reader has closed the pipe, as head does. Compares the system's message, in most
     * languages.
     */
    boolean isBrokenPipe() {
      return String.valueOf(getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
    }
  }

  StandardOutput() {
    super(FileDescriptor.out);
  }

  /** A writer for lines, whose flush() always writes. */
  static PrintWriter printed() {
    boolean isTerminal = System.console() != null && System.console().isTerminal();
    return new Lines(new Buffer(isTerminal ? 0 : NANOS_BETWEEN));
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    try {
      super.write(bytes, from, length);
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private static final class Lines extends PrintWriter {
    private final Buffer buffer;

    Lines(Buffer buffer) {
      super(buffer, true, System.out.charset());
      this.buffer = buffer;
    }

    @Override
    public void flush() {
      buffer.isDue = true;
      super.flush();
    }
  }

  private static final class Buffer extends BufferedOutputStream {
    private final long nanosBetween;
    private long written = System.nanoTime();
    private boolean isDue;

    Buffer(long nanosBetween) {
      super(new StandardOutput());
      this.nanosBetween = nanosBetween;
    }

    @Override
    public void flush() throws IOException {
      if (isDue || System.nanoTime() - written >= nanosBetween) {
        super.flush();
        written = System.nanoTime();
        isDue = false;
      }
    }
  }
}
