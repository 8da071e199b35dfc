package funnel.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;

/** One run of the command in this JVM. */
record Run(int exitCode, String out, String err) {

  static Run of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Run(exitCode, out.toString(), err.toString());
  }

  static Run withBrokenOutput(String... arguments) {
    Writer broken =
        new Writer() {
          @Override
          public void write(char[] chars, int from, int length) throws IOException {
            throw new IOException("no space left");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    StringWriter err = new StringWriter();
    int exitCode = Main.run(new PrintWriter(broken), new PrintWriter(err, true), arguments);
    return new Run(exitCode, "", err.toString());
  }
}
