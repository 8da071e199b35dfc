package funnel.emulator;

import funnel.kernel.KernelTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One order in which the accesses of a kernel's threads to global memory can happen, and its
 * result.
 *
 * <p>Two threads that each do {@code old = m.get(0); m.set(0, old + 1)} on {@code m[0] = 0} have
 * six orders of their four accesses. Two pairs of them differ only in which thread reads first,
 * before either writes, so there are four interleavings, with the results 2, 2, 1 and 1: in the
 * last two an update is lost.
 *
 * {@snippet class="funnel.docs.EmulatorSnippets" region="interleaving"}
 *
 * @param accesses all accesses, in order
 * @param orders the number of equivalent orders: they differ from this one only in the order of
 *     neighbouring accesses that do not conflict
 * @param result the caller's result from the arrays
 * @param <R> type of the result
 */
public record Interleaving<R>(List<Access> accesses, int orders, R result) {

  /* Every order is run, from the start: this is meant for kernels with a handful of accesses. Two
   * orders are the same interleaving if one can be obtained from the other by exchanging neighbours
   * that do not conflict (Mazurkiewicz traces). The order in which threads come in ascending order
   * wherever possible, built access by access, represents them all.
   */

  /** The maximum number of orders. */
  public static final int MOST_ORDERS = 10_000;

  /** Copies the list. */
  public Interleaving {
    accesses = List.copyOf(accesses);
  }

  /** How often an access is followed by an access of another thread. */
  public int switches() {
    int switches = 0;
    for (int i = 1; i < accesses.size(); i++) {
      switches += accesses.get(i).thread() == accesses.get(i - 1).thread() ? 0 : 1;
    }
    return switches;
  }

  /**
   * Runs a kernel in the emulator once for each order of its threads' accesses to TornadoVM's
   * arrays ({@code get}, {@code set} and {@code atomicAdd}; not vectors, nor {@code AtomicInteger},
   * whose calls belong to the access before them).
   *
   * @param task makes the task with new arrays, each time with the same contents
   * @param result reads the result from the arrays of a task that has been run
   * @return the interleavings, those with the fewest {@linkplain #switches switches} first; a
   *     kernel without accesses has one
   * @throws UnsupportedKernelException if the task has more than one group, whose threads the
   *     emulator does not interleave, or more than {@value #MOST_ORDERS} orders
   * @throws EmulatorException if the kernel makes one of the mistakes that {@link Emulator} checks
   *     for
   */
  public static <R> List<Interleaving<R>> all(
      Supplier<KernelTask> task, Function<KernelTask, R> result) {
    return all(task, result, MOST_ORDERS);
  }

  static <R> List<Interleaving<R>> all(
      Supplier<KernelTask> task, Function<KernelTask, R> result, int mostOrders) {
    Objects.requireNonNull(result, "result");
    Emulator emulator = Emulator.builder().build();
    Map<List<Access>, Interleaving<R>> found = new LinkedHashMap<>();
    Optional<List<Integer>> choices = Optional.of(List.of());
    for (int run = 0; choices.isPresent(); run++) {
      KernelTask fresh = task.get();
      requireFeasible(fresh, run, mostOrders);
      Turns turns = new Turns(fresh, choices.get());
      emulator.run(fresh, turns);
      Interleaving<R> one = new Interleaving<>(turns.accesses(), 1, result.apply(fresh));
      found.merge(standard(one.accesses), one, Interleaving::joined);
      choices = turns.choicesOfNextRun();
    }
    return found.values().stream().sorted(Comparator.comparingInt(Interleaving::switches)).toList();
  }

  private static void requireFeasible(KernelTask task, int run, int mostOrders) {
    int groups = task.grid().blocks() * task.grid().blocksY();
    Place place = new Place(task.id(), task.grid(), Place.NONE, Place.NONE);
    if (groups > 1) {
      throw new UnsupportedKernelException(
          place, "only threads of one group are interleaved: groups=%s".formatted(groups), null);
    }
    if (run >= mostOrders) {
      throw new UnsupportedKernelException(
          place,
          "its accesses have more than %s orders; use fewer threads or accesses"
              .formatted(mostOrders),
          null);
    }
  }

  private Interleaving<R> joined(Interleaving<R> other) {
    Interleaving<R> calmer = other.switches() < switches() ? other : this;
    return new Interleaving<>(calmer.accesses, orders + other.orders, calmer.result);
  }

  /** The order that represents all equivalent ones. */
  private static List<Access> standard(List<Access> accesses) {
    List<Access> left = new ArrayList<>(accesses);
    List<Access> order = new ArrayList<>();
    while (!left.isEmpty()) {
      int next = 0;
      for (int i = 1; i < left.size(); i++) {
        Access candidate = left.get(i);
        if (candidate.thread() < left.get(next).thread()
            && left.subList(0, i).stream().noneMatch(candidate::conflictsWith)) {
          next = i;
        }
      }
      order.add(left.remove(next));
    }
    return order;
  }
}
