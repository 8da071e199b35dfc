package funnel.operation;

/**
 * The engines that Funnel can run on.
 *
 * {@snippet class="funnel.docs.EngineSnippets" region="target"}
 */
public enum Target {
  /** The cores of the JVM's machine. */
  JVM,
  /** A device, through TornadoVM. */
  TORNADO,
  /** The emulator, which runs the device's kernels thread by thread on the JVM: slow, for tests. */
  EMULATOR
}
