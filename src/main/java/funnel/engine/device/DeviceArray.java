package funnel.engine.device;

import funnel.engine.Copying;
import funnel.engine.KeptArray;
import funnel.engine.KeptArrays;
import funnel.engine.Program;
import funnel.operation.FunnelMemoryException;
import funnel.operation.Input;
import funnel.operator.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** The memory of a kept array on a device. */
public final class DeviceArray implements KeptArray.Memory {

  /* The array is the input of a program that does nothing. Its launcher has allocated the device's
   * memory, and copies elements in and out; launchers of other programs use the same memory. In
   * these, an array on the host stands for it: this one where a program both reads and writes it,
   * since engines recognize an operation in place by the array. Otherwise it is another one for each
   * name, so that the program can go on over other memory.
   */

  private static final String NAME = "array";

  private static final Logger LOG = LoggerFactory.getLogger(DeviceArray.class);

  private final DeviceContext context;
  private final DeviceMemory memory;
  private final String what;
  private final long bytes;
  private final ElementType type;
  private final TornadoNativeArray array;
  private final ProgramArrays arrays;
  private final Launcher launcher;

  private DeviceArray(
      Program program,
      DeviceContext context,
      DeviceMemory memory,
      BiFunction<Program, ProgramArrays, Launcher> launchers) {
    Input input = program.inputs().getFirst();
    this.context = context;
    this.memory = memory;
    type = input.type();
    what = KeptArray.description(type, input.capacity());
    bytes = memory.bytes(program, KeptArrays.NONE);
    array = memory.array(type, input.capacity());
    arrays = memory.arrays(program, Map.of(NAME, array), Map.of());
    context.device().requireReach(NAME, array, array.getSize());
    try {
      launcher = launchers.apply(program, arrays);
    } catch (RuntimeException | Error e) {
      throw translated(e, "preparing");
    }
    try {
      twice(
          "allocating",
          () -> {
            String missing = launcher.begin();
            return missing.isEmpty() && !launcher.isStaged(NAME) ? launcher.upload() : missing;
          });
    } catch (RuntimeException | Error e) {
      launcher.close();
      throw e;
    }
  }

  /**
   * Allocates an array.
   *
   * @param owner the engine
   * @param launchers makes what copies its elements
   */
  public static KeptArray keep(
      ElementType type,
      int length,
      Object owner,
      DeviceContext context,
      DeviceMemory memory,
      BiFunction<Program, ProgramArrays, Launcher> launchers) {
    context.requireUsable();
    Program program = new Program(List.of(new Input(NAME, type, length)), List.of());
    long bytes = memory.bytes(program, KeptArrays.NONE);
    memory.reserve(KeptArray.description(type, length), bytes);
    try {
      DeviceArray made;
      try {
        made = new DeviceArray(program, context, memory, launchers);
      } catch (FunnelMemoryException e) { // the platform's count of free memory may be less
        if (!memory.freeUnused()) {
          throw e;
        }
        made = new DeviceArray(program, context, memory, launchers);
      }
      return new KeptArray(type, length, owner, context.device().toString(), made);
    } catch (RuntimeException | Error e) {
      memory.free(bytes);
      throw e;
    }
  }

  /**
   * The memory of the arrays of a program.
   *
   * @param owner the engine that the program is loaded on
   */
  static Map<String, DeviceArray> ofEach(
      KeptArrays arrays, @Nullable Object owner, DeviceContext context) {
    Map<String, DeviceArray> of = new HashMap<>();
    arrays
        .parts()
        .forEach(
            (name, part) -> {
              DeviceArray memory =
                  (DeviceArray) part.array().memory(owner, context.device().toString());
              of.put(name, memory);
            });
    return of;
  }

  private void twice(String doing, Supplier<String> attempt) {
    context.requireUsable();
    String missing;
    try {
      missing = attempt.get();
      if (!missing.isEmpty()) {
        LOG.warn("{} of {} did not reach the device: once more", missing, what);
        missing = attempt.get();
      }
    } catch (Copying.MemoryFailure e) {
      throw e.rethrown();
    } catch (RuntimeException | Error e) {
      throw translated(e, doing);
    }
    if (!missing.isEmpty()) {
      throw context.notDone(what, missing + " did not reach the device");
    }
  }

  private RuntimeException translated(Throwable e, String doing) {
    return context.translated(e, doing, what, bytes, memory);
  }

  /** The array on the host that stands for it in programs. */
  TornadoNativeArray array() {
    return array;
  }

  /** A new array on the host that stands for it in a program, where it may be any such array. */
  TornadoNativeArray array(int length) {
    return memory.array(type, length);
  }

  /** What stands for its memory, for launchers of other programs. */
  Object buffer() {
    return launcher.buffer(array);
  }

  @Override
  public void send(MemorySegment elements) {
    arrays.setRange(NAME, 0, (int) (elements.byteSize() / type.bytes()));
    if (!launcher.isStaged(NAME)) {
      arrays.set(NAME, elements);
    }
    twice(
        "sending",
        () -> launcher.isStaged(NAME) ? launcher.send(NAME, elements) : launcher.upload());
  }

  @Override
  public void receive(long from, MemorySegment destination) {
    context.requireUsable();
    arrays.setRange(
        NAME, (int) (from / type.bytes()), (int) (destination.byteSize() / type.bytes()));
    boolean hasCome;
    try {
      hasCome =
          launcher.isStaged(NAME)
              ? launcher.receive(NAME, destination)
              : Download.hasCome(launcher, arrays, NAME);
    } catch (Copying.MemoryFailure e) {
      throw e.rethrown();
    } catch (RuntimeException | Error e) {
      throw translated(e, "reading");
    }
    if (!hasCome) {
      throw context.notCopied(what, NAME);
    }
    if (!launcher.isStaged(NAME)) {
      Copying.copy(arrays.elements(NAME), destination);
    }
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    memory.free(bytes);
    launcher.close();
  }
}
