package funnel.emulator;

import funnel.engine.Device;
import funnel.engine.Engine;
import funnel.engine.FunnelDeviceException;
import funnel.engine.LoadedProgram;
import funnel.engine.Program;
import funnel.engine.ProgramArrays;
import funnel.engine.Routine;
import funnel.engine.Target;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Runs programs as a device would, kernel by kernel and thread by thread, in the {@link Emulator}.
 * What a kernel, or an operator in it, throws is thrown as it is, and its place logged.
 *
 * {@snippet class="funnel.docs.EmulatorSnippets" region="engine"}
 */
public final class EmulatorEngine implements Engine {

  private static final Logger LOG = LoggerFactory.getLogger(EmulatorEngine.class);

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
    return new Loaded(program.on(Device.EMULATOR).over(bound), bound);
  }

  @Override
  public void close() {}

  private final class Loaded implements LoadedProgram {
    private Program program;
    private ProgramArrays arrays;
    private final Map<String, MemorySegment> destinations = new HashMap<>();
    private final long[] runs;
    private boolean hasNewInputs;

    Loaded(Program program, Map<String, TornadoNativeArray> bound) {
      this.program = program;
      arrays = new ProgramArrays(program, bound);
      runs = new long[program.routines().size()];
    }

    @Override
    public void set(String input, MemorySegment elements) {
      arrays.set(input, elements);
      hasNewInputs = true;
    }

    @Override
    public void setRange(String input, int offset, int length) {
      arrays.setRange(input, offset, length);
      hasNewInputs = true;
    }

    @Override
    public void run(int routine) {
      arrays.writeShape();
      if (hasNewInputs) {
        arrays.fillPresets();
        hasNewInputs = false;
      }
      try {
        emulator.run(arrays.tasks(routine));
      } catch (RuntimeException e) {
        arrays.clearResults();
        Arrays.fill(runs, 0);
        throw e instanceof KernelFailedException failed ? thrownBy(failed) : e;
      }
      runs[routine]++;
      String missing = arrays.missingRun(routine, runs[routine]);
      if (!missing.isEmpty()) {
        throw new FunnelDeviceException("the last kernel did not count its run: " + missing, null);
      }
      Routine done = program.routines().get(routine);
      done.primitives().forEach(p -> p.requireAccepted(arrays::result, arrays));
      List<String> gaveUp = done.gaveUp(arrays::result);
      if (!gaveUp.isEmpty()) {
        LOG.warn(
            "{} waited too long for other blocks: computed again, and from now on, by another form",
            gaveUp);
        program = program.instead();
        arrays = arrays.forProgram(program);
        Arrays.fill(runs, 0);
        run(routine);
        return;
      }
      destinations.forEach(
          (array, place) -> fetch(array, place.asSlice(0, arrays.elements(array).byteSize())));
    }

    /** What a function of the user's threw in a kernel, as other engines throw it. */
    private static RuntimeException thrownBy(KernelFailedException failed) {
      LOG.debug("{}", failed.getMessage());
      return switch (failed.getCause()) {
        case RuntimeException e -> e;
        case Error e -> throw e;
        case null, default -> failed;
      };
    }

    @Override
    public void release() {
      destinations.clear();
    }

    @Override
    public void setDestination(String array, MemorySegment destination) {
      destinations.put(array, destination);
    }

    @Override
    public void fetch(String array, MemorySegment destination) {
      MemorySegment.copy(arrays.elements(array), 0, destination, 0, destination.byteSize());
    }

    @Override
    public int length(String name) {
      return arrays.length(name);
    }

    @Override
    public Number result(String name) {
      return arrays.result(name);
    }

    @Override
    public long deviceBytes() {
      return 0;
    }

    @Override
    public void measureKernels(boolean on) {}

    @Override
    public long kernelNanos() {
      return -1;
    }

    @Override
    public void close() {}
  }
}
