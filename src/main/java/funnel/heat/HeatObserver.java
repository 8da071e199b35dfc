package funnel.heat;

import java.io.IOException;

/**
 * An action at some steps of a heat equation: to draw a frame, add to a movie, or write a
 * checkpoint. {@link Heat2D#observe} says when it is called, and what happens if it throws.
 *
 * {@snippet class="funnel.docs.HeatOutputSnippets" region="observe"}
 */
@FunctionalInterface
public interface HeatObserver {

  /**
   * Looks at a solver between two steps. It may read it: {@link Heat2D#steps}, {@link
   * Heat2D#snapshot}, {@link Heat2D#checkpoint()} and the like. It may neither step it nor
   * {@linkplain Heat2D#resume(HeatCheckpoint) set it back}.
   *
   * @throws IOException if its output cannot be written
   */
  void observe(Heat2D heat) throws IOException;
}
