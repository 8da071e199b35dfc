package funnel.bench;

import java.util.function.Supplier;

/**
 * A peer over arrays on the heap, as one would write it without Funnel.
 *
 * @param <I> the input
 * @param <T> the task
 * @param <C> the case that its measurements describe
 */
abstract class HeapSubject<I extends Input, T, C extends Case> implements Subject<I, T, C> {

  private final String name;
  private final int arrays;

  /**
   * Makes a subject.
   *
   * @param arrays the number of arrays of the input's size that it needs
   */
  HeapSubject(String name, int arrays) {
    this.name = name;
    this.arrays = arrays;
  }

  /**
   * The work over the arrays.
   *
   * @param before runs before each run, outside its time
   * @param run the timed part
   * @param outcome checks the last run
   */
  record Loop(Runnable before, Runnable run, Supplier<Outcome> outcome) {}

  abstract C what(I input, T task);

  /** Makes the arrays. */
  abstract Loop loop(I input, T task);

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Measurement<C> measure(I input, T task, Effort effort) {
    C what = what(input, task);
    long bytes = arrays * input.bytes();
    if (bytes > Runtime.getRuntime().maxMemory() / 2) {
      String why = "the heap is too small for %s: bytes=%s, heap=%s; give java a larger -Xmx";
      String held = arrays == 1 ? "the array" : "%s arrays".formatted(arrays);
      return Measurement.failed(
          name, what, why.formatted(held, bytes, Runtime.getRuntime().maxMemory()));
    }
    Loop loop = loop(input, task);
    effort.warmUp(
        () -> {
          loop.before().run();
          loop.run().run();
        });
    Timing wall =
        effort.times(
            () -> {
              loop.before().run();
              long start = System.nanoTime();
              loop.run().run();
              return System.nanoTime() - start;
            });
    return Measurement.taken(name, what, null, wall, loop.outcome().get());
  }
}
