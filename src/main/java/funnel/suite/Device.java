package funnel.suite;

import java.util.Optional;

/** Where trials are run. */
interface Device extends AutoCloseable {

  /** Backend and name. */
  String name();

  /** Runs a trial's tasks as {@link JitTrial} says; the output arrays are then on the host. */
  void run(JitTrial trial) throws Throwable;

  /** Compiles a trial's tasks without running them. */
  void compile(JitTrial trial) throws Throwable;

  /** What is wrong with the device if it cannot even run the simplest kernel any more. */
  Optional<String> trouble();

  /** Frees what the device holds for {@link #trouble}. */
  @Override
  void close();
}
