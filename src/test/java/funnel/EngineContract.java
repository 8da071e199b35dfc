package funnel;

import funnel.operation.Target;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** What a family of operations is on an engine, one for all of its tests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class EngineContract {

  public abstract Target target();

  /** Lengths of inputs. */
  public abstract int[] lengths();

  protected Funnel funnel;

  @BeforeAll
  public void open() {
    funnel = Funnel.open(target());
  }

  @AfterAll
  public void close() {
    funnel.close();
  }

  /** How many plans are kept for one-shot calls and readings. */
  protected final int plans() {
    return funnel.calls.plans();
  }

  /** The largest length. */
  protected final int most() {
    return IntStream.of(lengths()).max().orElseThrow();
  }
}
