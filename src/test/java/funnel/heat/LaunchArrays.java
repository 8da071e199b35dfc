package funnel.heat;

import funnel.kernel.KernelTask;
import funnel.operation.DeviceArrays;
import funnel.operation.Launches;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Arrays for single launches.
 *
 * @param grid the largest grid that launches are for; the shape array has the one that there is
 * @param shape the shape array
 * @param shapeAt where nx is in it
 * @param arrays by name
 */
record LaunchArrays(HeatGrid grid, IntArray shape, int shapeAt, Map<String, Object> arrays)
    implements DeviceArrays {

  /** The result of the steps, which one launch delivers. */
  static final String LAST = "h.last";

  /** The index of any result. */
  static final int RESULT_AT = 2;

  @Override
  public Object array(String name) {
    // of launches that deliver nothing the result is never written
    boolean isUnused = name.equals(LAST) && !arrays.containsKey(LAST);
    return Objects.requireNonNull(arrays.get(isUnused ? HeatArrays.FIELD : name), name);
  }

  @Override
  public int index(String result) {
    return RESULT_AT;
  }

  @Override
  public int offset(String name) {
    return 0;
  }

  @Override
  public int length(String name) {
    return grid.nodes();
  }

  Object from() {
    return array(HeatArrays.FIELD);
  }

  Object to() {
    return array(HeatArrays.NEXT);
  }

  /** The same with another array. */
  LaunchArrays with(String name, Object array) {
    Map<String, Object> all = new HashMap<>(arrays);
    all.put(name, array);
    return new LaunchArrays(grid, shape, shapeAt, all);
  }

  /** The only launch that is added. */
  KernelTask launch(Consumer<HeatLaunches> add) {
    HeatSteps primitive = new HeatSteps("h", grid, HeatMethod.REGISTER_MARCH, false, 1);
    Launches launches = Launches.of(primitive.asIs(), this, shapeAt);
    add.accept(new HeatLaunches(launches, grid).between(HeatArrays.FIELD, HeatArrays.NEXT));
    return launches.tasks().getFirst();
  }

  /** A launch that makes one step. */
  KernelTask step(HeatStepper method) {
    return launch(launches -> launches.step("step", method, false));
  }
}
