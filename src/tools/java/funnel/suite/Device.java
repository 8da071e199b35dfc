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

  /** What is wrong with the device if it can no longer run even the simplest kernel. */
  Optional<String> trouble();

  /** Frees what is kept for {@link #trouble}. */
  @Override
  void close();
}
