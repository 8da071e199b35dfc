package funnel.bench;

import funnel.Funnel;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job of {@code examples/jobs} over some data, and what one would write for it without Funnel.
 * All three give records of one type.
 */
abstract class Job implements Input {

  /** Of floating-point numbers, which are summed in other orders. */
  private static final double TOLERANCE = 1e-10;

  private @Nullable Record expected;

  /**
   * The example's own code, with its plan built.
   *
   * @param fromHost from arrays or a file to the result
   * @param resident the same over what an earlier run has left on the device
   */
  record Example(Step<Record> fromHost, Step<Record> resident) {}

  /** Whether a device is given data, and has all of it at once. */
  boolean mayBeResident() {
    return true;
  }

  /** What may throw what is checked. */
  interface Step<T> {
    /** Does it. */
    T run() throws IOException, SQLException;
  }

  /** The example. */
  abstract Example byFunnel(Funnel funnel);

  /** A plain loop, in one thread. */
  abstract Record byLoop() throws IOException;

  /** Parallel streams. */
  abstract Record byStream() throws IOException;

  /** What the loop gives. */
  final Record expected() throws IOException {
    Record known = expected;
    if (known == null) {
      known = byLoop();
      expected = known;
    }
    return known;
  }

  /** What is wrong with a result, or nothing. */
  final String wrong(Record result) throws IOException {
    Record right = expected();
    try {
      for (RecordComponent component : right.getClass().getRecordComponents()) {
        Object is = component.getAccessor().invoke(result);
        Object should = component.getAccessor().invoke(right);
        if (!isSame(is, should)) {
          return "another %s than the loop's".formatted(component.getName());
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
