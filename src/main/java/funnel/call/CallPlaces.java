package funnel.call;

import funnel.engine.Compilation;
import funnel.operation.Input;
import funnel.operation.Target;
import java.util.List;
import java.util.function.Function;

/** Where the one-shot calls of a Funnel run that has a device beside the JVM. */
public interface CallPlaces {

  /**
   * Makes a call on one of the two engines.
   *
   * @param inputs its inputs, with the capacities of its plan
   * @param in bytes that it reads
   * @param out bytes that it writes
   * @param compile starts to compile the kernels of its plan for inputs of some capacities
   * @param make makes it on an engine
   */
  <T> T call(
      Call call,
      List<Input> inputs,
      long in,
      long out,
      Function<List<Input>, Compilation> compile,
      Function<Target, T> make);

  /** What was done so far, for reports. */
  String details();

  /** Cancels what has not ended. */
  void close();
}
