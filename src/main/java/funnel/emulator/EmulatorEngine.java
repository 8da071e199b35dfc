package funnel.emulator;

import funnel.engine.Engine;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.device.Launcher;
import funnel.engine.device.ProgramArrays;
import funnel.operation.Device;
import funnel.operation.Target;
import java.util.LinkedHashMap;
import java.util.Map;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Runs programs as a device would, kernel by kernel and thread by thread, in the {@link Emulator},
 * over copies of their arrays. Unlike on a device, an exception of a kernel, or of an operator in
 * it, is thrown unchanged, and its place is logged; kernels are not checked against the JVM; and
 * memory is not limited.
 *
 * {@snippet class="funnel.docs.EmulatorSnippets" region="engine"}
 */
public final class EmulatorEngine implements Engine {

  private final Emulator emulator;

  /** An engine over an emulator that runs a block's threads in ascending order. */
  public EmulatorEngine() {
    this(Emulator.builder().build());
  }

  /** An engine over an emulator. */
  public EmulatorEngine(Emulator emulator) {
    this.emulator = emulator;
  }

  @Override
  public Target target() {
    return Target.EMULATOR;
  }

  @Override
  public String description() {
    return "emulator on the JVM " + Runtime.version();
  }

  @Override
  public Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("engine", "emulator");
    details.put("java", System.getProperty("java.vm.name", "?") + " " + Runtime.version());
    return details;
  }

  @Override
  public LoadedProgram load(Program program, Map<String, TornadoNativeArray> bound) {
    return Launcher.load(
        program.on(Device.EMULATOR, bound), bound, Device.EMULATOR, emulator::launcher);
  }

  @Override
  public long deviceBytes(Program program, Map<String, TornadoNativeArray> bound) {
    return ProgramArrays.bytes(program.on(Device.EMULATOR, bound));
  }

  @Override
  public void close() {}
}
