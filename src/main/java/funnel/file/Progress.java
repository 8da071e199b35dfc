package funnel.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar on standard error that appears when work has taken two seconds, if standard error
 * is a terminal; it is erased when the work is done.
 *
 * {@snippet class="funnel.docs.WholeFileSnippets" region="progress"}
 */
public final class Progress implements AutoCloseable {

  /* The width is fixed, since the library would ask the terminal for it through JLine, which resets
   * the terminal's signals to the system's defaults: from then on Ctrl-C would end the JVM without
   * its shutdown hooks, which delete temporary files.
   */

  private static final int WIDTH = 79;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final String task;
  private final String unit;
  private long total;
  private final boolean wanted;
  private final long started = System.nanoTime();
  private long done;
  private @Nullable ProgressBar bar;

  /**
   * Work that begins now.
   *
   * @param total the sum of all {@link #step} calls
   * @param wanted false to show nothing, as for output that machines read
   */
  public Progress(String task, long total, boolean wanted) {
    this(task, "", total, wanted);
  }

  /**
   * Work that begins now, shown with its speed.
   *
   * @param unit what {@link #step} counts, in the plural; empty for no speed
   * @param total the sum of all {@link #step} calls
   * @param wanted false to show nothing, as for output that machines read
   */
  public Progress(String task, String unit, long total, boolean wanted) {
    this.task = task;
    this.unit = unit;
    this.total = total;
    this.wanted = wanted && errIsTerminal();
  }

  /** Reports that some work was done. */
  public void step(long by) {
    stepTo(done + by, total);
  }

  /** Reports how much of the work is done, and the total. */
  public void stepTo(long now, long of) {
    done = now;
    total = of;
    Duration elapsed = Duration.ofNanos(System.nanoTime() - started);
    if (bar != null) {
      bar.maxHint(total);
      bar.stepTo(done);
    } else if (isDue(elapsed)) {
      ProgressBarBuilder builder =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setInitialMax(total)
              .setStyle(ProgressBarStyle.ASCII)
              .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
              .clearDisplayOnFinish()
              .startsFrom(done, elapsed);
      if (!unit.isEmpty()) {
        builder.setUnit(" " + unit, 1).showSpeed();
      }
      bar = builder.build();
    }
  }

  private boolean isDue(Duration elapsed) {
    return wanted && done < total && elapsed.compareTo(PATIENCE) > 0;
  }

  /*
   * Java reports only whether standard input and output together are a terminal. On Linux the file
   * that standard error goes to is checked.
   */
  private static boolean errIsTerminal() {
    try {
      String err = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return err.startsWith("/dev/pts/") || err.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return System.console() != null && System.console().isTerminal();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
