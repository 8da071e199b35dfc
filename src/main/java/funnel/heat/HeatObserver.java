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
   * Called between two steps of a solver. It may read the solver ({@link Heat2D#steps}, {@link
   * Heat2D#snapshot}, {@link Heat2D#checkpoint()}), but must neither step it nor {@linkplain
   * Heat2D#resume(HeatCheckpoint) set it back}.
   *
   * @throws IOException if its output cannot be written
   */
  void observe(Heat2D heat) throws IOException;
}
