package funnel.emulator;

import funnel.engine.Engine;
import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.device.DeviceArray;
import funnel.engine.device.DeviceContext;
import funnel.engine.device.DeviceMemory;
import funnel.engine.device.DeviceProgram;
import funnel.engine.device.ProgramArrays;
import funnel.operation.Device;
import funnel.operation.Setting;
import funnel.operation.Target;
import funnel.operator.ElementType;
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
  private final DeviceContext context =
      new DeviceContext(() -> Device.EMULATOR, Device.EMULATOR::name, () -> true);
  private final DeviceMemory memory = new DeviceMemory(Long.MAX_VALUE, ProgramArrays::allocate);

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
    details.put("memory reserved", Long.toString(memory.reserved()));
    details.put("java", System.getProperty("java.vm.name", "?") + " " + Runtime.version());
    return details;
  }

  @Override
  public LoadedProgram load(
      Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
    return new DeviceProgram(
        program.on(setting(), bound, kept),
        bound,
        kept,
        this,
        context,
        memory,
        emulator::launcher,
        null,
        null);
  }

  private static Setting setting() {
    return Setting.on(Device.EMULATOR);
  }

  @Override
  public long deviceBytes(Program program, Map<String, TornadoNativeArray> bound, KeptArrays kept) {
    return memory.bytes(program.on(setting(), bound, kept), kept);
  }

  @Override
  public KeptArray keep(ElementType type, int length) {
    return DeviceArray.keep(type, length, this, context, memory, emulator::launcher);
  }

  @Override
  public void close() {}
}
