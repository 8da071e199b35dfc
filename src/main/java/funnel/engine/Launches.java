package funnel.engine;

import funnel.jit.Kernel;
import funnel.jit.KernelTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The launches of a primitive's kernels. What a parameter of a kernel is bound to is said once, by
 * its name, and serves all launches that have such a parameter; {@code shape} and {@code shapeAt},
 * the array of lengths and where the primitive's own begin in it, need not be said.
 *
 * {@snippet class="funnel.docs.PrimitiveSnippets" region="tasks"}
 */
public final class Launches {

  private final String id;
  private final DeviceArrays arrays;
  private final Map<String, Object> bound = new HashMap<>();
  private final List<KernelTask> tasks = new ArrayList<>();

  /** No launches so far. */
  public Launches(Primitive primitive, DeviceArrays arrays) {
    this.id = primitive.id();
    this.arrays = arrays;
    bound.put("shape", arrays.shape());
    bound.put("shapeAt", arrays.shapeAt(primitive));
  }

  /** Binds a parameter to an input, an array or scratch. */
  public Launches array(String parameter, String name) {
    return value(parameter, arrays.array(name));
  }

  /** Binds a parameter to a result's array, and {@code parameter + "At"} to its index in it. */
  public Launches result(String parameter, String name) {
    return array(parameter, name).value(parameter + "At", arrays.index(name));
  }

  /** Binds a parameter to a number, which becomes a constant of the kernels. */
  public Launches value(String parameter, Object value) {
    bound.put(parameter, value);
    return this;
  }

  /**
   * Adds a launch, after those added before.
   *
   * @param task its name among the primitive's launches
   * @param kernels the class that has the kernel
   * @param kernel its name
   * @param grid blocks and threads
   * @throws IllegalArgumentException if a parameter is bound to nothing, or to something of another
   *     type
   */
  public Launches add(String task, Class<?> kernels, String kernel, KernelTask.Grid grid) {
    tasks.add(Kernel.of(kernels, kernel).task(KernelTask.id(id, task), grid, bound));
    return this;
  }

  /** The launches, in order. */
  public List<KernelTask> tasks() {
    return List.copyOf(tasks);
  }
}
