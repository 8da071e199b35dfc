package funnel.bench;

import funnel.Funnel;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
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

  /** The example's own code. */
  abstract Record byFunnel(Funnel funnel) throws IOException;

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
