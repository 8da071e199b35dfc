package funnel.suite;

import java.util.Optional;

/**
 * An output array of a {@link JitTrial} and what must be in it.
 *
 * {@snippet class="funnel.docs.JitSuiteSnippets" region="output"}
 */
public interface Output {

  /** The TornadoVM array that the trial's tasks write. */
  Object array();

  /**
   * Compares the array with the result that Java requires.
   *
   * @return the first difference, with index and both values; empty if there is none
   */
  Optional<String> firstDifference();
}
