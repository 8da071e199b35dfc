package funnel.bench;

import funnel.Funnel;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job of {@code examples/jobs} over some data, and what one would write for it without Funnel.
 * All three return records of one type.
 */
abstract class Job implements Input {

  /** The tolerance for floating-point numbers, which are summed in different orders. */
  private static final double TOLERANCE = 1e-10;

  private @Nullable Record expected;

  /**
   * The example's code, with its plan built.
   *
   * @param fromHost from arrays or a file to the result
   * @param resident sets the data for all runs, and gives the same over that data
   */
  record Example(Step<Record> fromHost, Step<Step<Record>> resident) {}

  /** Whether a device gets data, and has all of it at once. */
  boolean mayBeResident() {
    return true;
  }

  /** Work that may throw checked exceptions. */
  interface Step<T> {
    /** Does the work. */
    T run() throws IOException, SQLException;
  }

  /** The example. */
  abstract Example byFunnel(Funnel funnel);

  /** A plain loop, in one thread. */
  abstract Record byLoop() throws IOException;

  /** Parallel streams. */
  abstract Record byStream() throws IOException;

  /** The loop's result. */
  final Record expected() throws IOException {
    Record known = expected;
    if (known == null) {
      known = byLoop();
      expected = known;
    }
    return known;
  }

  /** What is wrong with a result, or an empty string. */
  final String wrong(Record result) throws IOException {
    Record right = expected();
    try {
      for (RecordComponent component : right.getClass().getRecordComponents()) {
        Object is = component.getAccessor().invoke(result);
        Object should = component.getAccessor().invoke(right);
        if (!isSame(is, should)) {
          return "%s differs from the loop's".formatted(component.getName());
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    return "";
  }

  private static boolean isSame(@Nullable Object is, @Nullable Object should) {
    return is instanceof Double a && should instanceof Double b
        ? Math.abs(a - b) <= TOLERANCE * Math.abs(b)
        : Objects.deepEquals(is, should);
  }
}
