package funnel.emulator;

import funnel.kernel.KernelTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.DoubleArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Decides which thread runs at each access to global memory in one run, and records the accesses.
 */
final class Turns {

  /* A run is its choices: which of the waiting threads, in ascending order, had each turn. The
   * first choices are given, all others are the first thread. The next run advances the last choice
   * that has an alternative, and drops those after it: depth first, in lexicographic order.
   */

  private final KernelTask task;
  private final List<Integer> given;
  private final List<Integer> chosen = new ArrayList<>();
  private final List<Integer> alternatives = new ArrayList<>();
  private final List<Access> accesses = new ArrayList<>();

  Turns(KernelTask task, List<Integer> given) {
    this.task = task;
    this.given = given;
  }

  Turn next(List<Turn> waiting) {
    int turn = chosen.size();
    int choice = turn < given.size() ? given.get(turn) : 0;
    chosen.add(choice);
    alternatives.add(waiting.size());
    return waiting.get(choice);
  }

  /** Records an access that has just been made, before any other. */
  void taken(Turn turn) {
    accesses.add(
        new Access(
            turn.thread(), turn.kind(), argument(turn.array()), turn.index(), element(turn)));
  }

  List<Access> accesses() {
    return List.copyOf(accesses);
  }

  /** The choices of the run after this one; empty if this was the last. */
  Optional<List<Integer>> choicesOfNextRun() {
    for (int turn = chosen.size() - 1; turn >= 0; turn--) {
      if (chosen.get(turn) + 1 < alternatives.get(turn)) {
        List<Integer> next = new ArrayList<>(chosen.subList(0, turn));
        next.add(chosen.get(turn) + 1);
        return Optional.of(next);
      }
    }
    return Optional.empty();
  }

  private int argument(Object array) {
    for (int i = 0; i < task.arguments().size(); i++) {
      if (task.arguments().get(i) == array) {
        return i;
      }
    }
    throw new IllegalStateException("no argument of the task: " + array.getClass());
  }

  private static Number element(Turn turn) {
    return switch (turn.array()) {
      case IntArray a -> a.get(turn.index());
      case LongArray a -> a.get(turn.index());
      case FloatArray a -> a.get(turn.index());
      case DoubleArray a -> a.get(turn.index());
      case ByteArray a -> a.get(turn.index());
      default -> throw new IllegalStateException("an array of " + turn.array().getClass());
    };
  }
}
