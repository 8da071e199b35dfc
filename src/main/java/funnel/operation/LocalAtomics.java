package funnel.operation;

import java.util.Optional;

/**
 * Whether {@code atomicAdd} on a local {@code int[]} gives correct results on a device, at an index
 * known only at run time. The device's engine says so in its {@link Setting}.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="atomics"}
 */
public interface LocalAtomics {

  /** They are correct, as in the emulator. */
  LocalAtomics CORRECT = Optional::empty;

  /** No engine has said anything about them. */
  LocalAtomics UNKNOWN = () -> Optional.of("UNSUPPORTED: the engine has no test of them");

  /**
   * What is wrong with them, {@code WRONG: element 0 of block 0 is 135168, expected 256} for
   * example, or nothing if they are correct. The first call may test them on the device.
   */
  Optional<String> mistake();

  /** Whether they are already known to be correct; tests nothing. */
  default boolean areKnownToBeCorrect() {
    return mistake().isEmpty();
  }
}
